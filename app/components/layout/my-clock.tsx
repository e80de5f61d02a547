// The server's time for all timers of a page, so that two devices show the same second.
import type { ReactNode } from "react";
import { useClock } from "~/hooks/use-clock";
import { useFreshWhenSeen } from "~/hooks/use-fresh-data";
import { ClockContext } from "~/hooks/use-now";

/** Wraps a page with logs: one clock, and a reload when the page is visible again. */
export function MyClock({ children }: { children: ReactNode }) {
  const clock = useClock();
  useFreshWhenSeen();
  return <ClockContext.Provider value={clock}>{children}</ClockContext.Provider>;
}
