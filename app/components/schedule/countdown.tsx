// "Starts in 12:30" in a line of text: a countdown that changes once a second and is never announced.
import clsx from "clsx";
import { formatClock } from "~/domain/duration-text";
import { spokenSpan } from "~/domain/spoken-span";
import { type Instant, SECOND } from "~/domain/time";
import { useNow } from "~/hooks/use-now";

export type CountdownProps = {
  to: Instant;
  /** Before the numerals: "Starts in", "Ends in" (U-40). */
  label?: string;
  /** The text in place of 00:00 at the end. */
  endText?: string;
  className?: string;
};

export function Countdown({ to, label, endText, className }: CountdownProps) {
  const now = useNow(SECOND, to % SECOND);
  const remaining = Math.max(0, to - now);
  if (remaining === 0 && endText !== undefined) return <span className={className}>{endText}</span>;
  return (
    <span role="timer" aria-live="off" className={clsx("whitespace-nowrap", className)}>
      {label && `${label} `}
      <span aria-hidden="true" data-until={to} className="tabular font-semibold" suppressHydrationWarning>
        {formatClock(remaining, "ceil")}
      </span>
      <span className="sr-only" suppressHydrationWarning>
        {spokenSpan(remaining)}
      </span>
    </span>
  );
}
