// The empty state of a list: a drawing, a sentence, and what to do.
import clsx from "clsx";
import type { ReactNode } from "react";
import { Drawing, type DrawingName } from "~/components/pictures/drawing";

export type EmptyStateProps = {
  drawing?: DrawingName;
  children: ReactNode;
  action?: ReactNode;
  className?: string;
};

export function EmptyState({ drawing = "hut", children, action, className }: EmptyStateProps) {
  return (
    <div className={clsx("flex flex-col items-center gap-4 px-4 py-10 text-center", className)}>
      <Drawing name={drawing} className="h-32 w-auto text-faint" />
      <div className="max-w-[46ch] text-soft">{children}</div>
      {action}
    </div>
  );
}
