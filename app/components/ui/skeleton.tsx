// A loading placeholder, visible after 150 ms.
import clsx from "clsx";

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={clsx("skeleton h-4", className)} />;
}
