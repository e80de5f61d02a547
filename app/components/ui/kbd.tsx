// A keyboard key.
import type { ReactNode } from "react";

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-7 min-w-7 place-content-center rounded-sm border border-edge border-b-2 bg-raised px-1.5 font-mono text-sm">
      {children}
    </kbd>
  );
}
