// A tooltip for a control, on hover and focus; Escape hides it (WCAG 1.4.13). It never contains information of its own.
import clsx from "clsx";
import { cloneElement, type ReactElement, useId, useState } from "react";

export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  const id = useId();
  const [isDismissed, setIsDismissed] = useState(false);
  const restore = () => setIsDismissed(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to its control.
    <span
      className={clsx("tip-host relative inline-flex", isDismissed && "is-dismissed")}
      onKeyDown={(event) => {
        if (event.key === "Escape") setIsDismissed(true);
      }}
      onMouseLeave={restore}
      onBlur={restore}
    >
      {cloneElement(children, { "aria-describedby": id })}
      <span role="tooltip" id={id} className="tip">
        {text}
      </span>
    </span>
  );
}
