// Sessions: joining one, and the refusal of templates (U-44, H-02). Pure and without zod, because browsers import it;
// planning.ts computes dates, room/room.ts and room/change.ts are the running room.

import { AppError } from "~/domain/errors";
import type { Instant } from "~/domain/time";
import { isFull, type Spots } from "./spots";
import { SESSION_STATUS, type SessionTimes, statusAt } from "./status";

type Joinable = SessionTimes & Spots & { isTemplate: boolean; isExample: boolean };
/** Not joined, not ended, with a spot (U-44). The example offers Join too; joining it answers CONFLICT (H-02). */
export const canJoin = (session: Joinable, hasSeat: boolean, capacity: number, now: Instant): boolean =>
  !hasSeat &&
  (!session.isTemplate || session.isExample) &&
  statusAt(session, now) !== SESSION_STATUS.ended &&
  !isFull(session, capacity);

/** Throws CONFLICT for a template or the example of the tour: nobody joins, starts or waits for one (H-02). */
export function refuseTemplate({ isTemplate, isExample }: { isTemplate: boolean; isExample: boolean }): void {
  if (isExample) throw new AppError("CONFLICT", "This session is an example.");
  if (isTemplate) throw new AppError("CONFLICT", "This is a template. Create an activity from it.");
}
