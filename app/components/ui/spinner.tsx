// A turning ring for something that takes a moment; says so to screen readers.
import clsx from "clsx";

export function Spinner({ label = "Loading…", className }: { label?: string; className?: string }) {
  return (
    <span role="status" className={clsx("inline-flex items-center", className)}>
      <span className="spinner" aria-hidden="true" />
      <span className="sr-only">{label}</span>
    </span>
  );
}
