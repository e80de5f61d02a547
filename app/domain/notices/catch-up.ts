// How far back a planner of reminders looks after an outage (N-20). Pure.
import { type Instant, instant, MINUTE } from "~/domain/time";

/** The longest outage after which the planner catches up (N-20). */
const CATCH_UP_MINUTES = 30;

/** The span since the mark, after an outage at most its last half hour. */
export const windowSince = (mark: string, now: Instant): Instant =>
  instant(
    Math.min(now, Math.max(mark === "" ? now - MINUTE : Number(mark), now - CATCH_UP_MINUTES * MINUTE)),
  );
