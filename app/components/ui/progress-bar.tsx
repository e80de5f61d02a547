// A progress bar with its text.
import clsx from "clsx";

export type ProgressBarProps = {
  label: string;
  value: number;
  max: number;
  /** The text for screen readers and, with `isTextShown`, the page: "3 of 10 pages". */
  text?: string;
  isTextShown?: boolean;
  className?: string;
};

export function ProgressBar({ label, value, max, text, isTextShown, className }: ProgressBarProps) {
  const ratio = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  const isDone = max > 0 && value >= max;
  return (
    <div className={className}>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={text}
        className="h-2.5 overflow-hidden rounded-full border border-edge bg-sunken"
      >
        <div
          className={clsx(
            "forced-fill h-full rounded-full transition-[width]",
            isDone ? "bg-pine" : "bg-glow",
          )}
          style={{ width: `${ratio * 100}%` }}
        />
      </div>
      {isTextShown && (
        <p aria-hidden="true" className="tabular mt-1 text-sm text-soft">
          {text ?? `${value} / ${max}`}
        </p>
      )}
    </div>
  );
}
