// A fold of a long form, which opens on demand or when it contains an error.
import type { ReactNode } from "react";
import { Icon } from "~/components/pictures/icon";

export function Fold({
  title,
  hint,
  isOpen,
  look = "row",
  children,
}: {
  title: string;
  hint?: string;
  isOpen: boolean;
  /** `chip` is inline while folded, and as wide as the row when open. */
  look?: "row" | "chip";
  children: ReactNode;
}) {
  if (look === "chip")
    return (
      <details
        open={isOpen}
        className="group min-w-0 open:w-full open:rounded-md open:border open:border-line"
      >
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-full border border-edge px-4 py-1.5 font-medium marker:content-none group-open:rounded-md group-open:border-transparent hover:bg-sunken">
          <Icon name="right" className="size-4! transition-transform group-open:rotate-90" />
          {title}
          {hint && <span className="text-sm font-normal text-soft group-open:ms-auto">{hint}</span>}
        </summary>
        <div className="flex flex-col gap-4 border-t border-line px-4 py-4">{children}</div>
      </details>
    );
  return (
    <details open={isOpen} className="rounded-md border border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 px-4 py-2 font-semibold marker:content-none">
        <Icon name="right" className="transition-transform [details[open]>summary>&]:rotate-90" />
        {title}
        {hint && <span className="ms-auto text-sm font-normal text-soft">{hint}</span>}
      </summary>
      <div className="flex flex-col gap-4 border-t border-line px-4 py-4">{children}</div>
    </details>
  );
}
