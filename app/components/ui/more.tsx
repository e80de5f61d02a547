// "More": the long or rare fields of a form, in a fold that works without JavaScript. It opens at an error inside, and
// this browser remembers whether it was opened.
import { type ReactNode, useEffect, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { isFoldOpen, rememberFold } from "./folds-opened";

type MoreProps = {
  /** Its name in this browser's storage. */
  name: string;
  /** Names the content; by default "More". */
  label?: string;
  hint?: string | undefined;
  /** A field inside has an error, or a value worth seeing. */
  isOpen: boolean;
  children: ReactNode;
};

export function More({ name, label = "More", hint, isOpen, children }: MoreProps) {
  const [isRemembered, setRemembered] = useState(false);
  useEffect(() => {
    setRemembered(isFoldOpen(name));
  }, [name]);
  const isShown = isOpen || isRemembered;
  const remember = (isNowOpen: boolean) => {
    // Without a difference the page opened or closed the fold, not the user.
    if (isNowOpen === isShown) return;
    setRemembered(isNowOpen);
    rememberFold(name, isNowOpen);
  };
  return (
    <details
      open={isShown}
      onToggle={(event) => remember(event.currentTarget.open)}
      className="group/more border-y border-line"
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 py-2 font-semibold marker:content-none">
        <Icon name="right" className="transition-transform group-open/more:rotate-90" />
        <span className="shrink-0">{label}</span>
        {hint && <span className="min-w-0 truncate text-sm font-normal text-soft">{hint}</span>}
      </summary>
      <div className="flex flex-col gap-4 pt-1 pb-5">{children}</div>
    </details>
  );
}
