// Words for screen readers only.
import type { ReactNode } from "react";

export function SrOnly({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
