// The shape of what is on its way; shows after 150 ms only.
import clsx from "clsx";

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={clsx("skeleton h-4", className)} />;
}
