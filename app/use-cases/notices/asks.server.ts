// Asks: causes of notices to people who share no seat, membership or thread with the sender. They need a confirmed
// address, and reach ten people a day.

import { requireConfirmed } from "~/domain/confirmation";
import { AppError, isAppError } from "~/domain/errors";
import type { NewEvent } from "~/domain/notices/cause";
import type { AskKind } from "~/domain/notices/event-rules";
import type { EventBodies } from "~/domain/notices/events";
import * as noticeRefusals from "~/domain/notices/refusals";
import { requireUser } from "~/domain/permissions";
import { DAY, SECOND } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { type Attempt, countAttempts, giveBackAttempts } from "~/use-cases/rate-limits.server";
import { causeOf } from "./events.server";

/**
 * Counts the ask, then runs its batch. The batch stores a row per person and subject, so that one ask is open at a
 * time, and records the event only with a new row. Without a recipient (`insertAsk` throws) nothing counts. FORBIDDEN
 * without a confirmed address, RATE_LIMITED beyond ten in 24 hours.
 */
export async function askPerson<K extends AskKind, T>(
  app: App,
  event: { kind: K; subject: string; body: Partial<EventBodies[K]> },
  insertAsk: (cause: NewEvent<K>) => Promise<T>,
): Promise<T> {
  const user = requireUser(app.user);
  requireConfirmed(user);
  const attempt: Attempt = { what: "ask", by: user.id };
  await countAsk(app, attempt);
  try {
    return await insertAsk(causeOf(app, event));
  } catch (error) {
    await giveBackAttempts(app, attempt);
    throw error;
  }
}

async function countAsk(app: App, attempt: Attempt): Promise<void> {
  try {
    await countAttempts(app, attempt);
  } catch (error) {
    if (!isAppError(error) || error.code !== "RATE_LIMITED") throw error;
    throw new AppError("RATE_LIMITED", noticeRefusals.invitedTen, {
      retryAfter: error.retryAfter ?? DAY / SECOND,
    });
  }
}
