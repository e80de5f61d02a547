// The shape of what is on its way; shows after 150 ms only.
import clsx from "clsx";

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={clsx("skeleton h-4", className)} />;
}

/** Cards that are on their way. */
export function SkeletonCards({ count = 3, label = "Loading…" }: { count?: number; label?: string }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div className="grid gap-3 sm:gap-4" aria-hidden="true">
        {Array.from({ length: count }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
          <div key={at} className="late flex flex-col gap-3 rounded-lg border border-line bg-surface p-5">
            <Skeleton className="h-5 w-2/5" />
            <Skeleton className="w-3/5" />
          </div>
        ))}
      </div>
    </div>
  );
}
