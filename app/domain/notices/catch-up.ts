// The window that a planner of reminders covers, also after an outage (N-20). Pure.
import { type Instant, instant, MINUTE } from "~/domain/time";

/** The longest outage after which the planner catches up (N-20). */
const CATCH_UP_MINUTES = 30;

/** The start of the window: the last mark, but at most half an hour ago. Without a mark, a minute ago. */
export const windowSince = (mark: string, now: Instant): Instant =>
  instant(
    Math.min(now, Math.max(mark === "" ? now - MINUTE : Number(mark), now - CATCH_UP_MINUTES * MINUTE)),
  );
