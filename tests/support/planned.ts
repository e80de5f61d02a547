// Sessions whose start is planned only by the record, for tests of notices.
import { eq } from "drizzle-orm";
import { runBatch, schema } from "#db/connect.server";
import { recordEvent } from "#db/queries/notices/events";
import { DAY, HOUR, type Instant, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { fanOut, newEvent } from "~/use-cases/notices/events.server";
import { NOON } from "./clock";
import { db, makeUser, type TestUser } from "./factories";
import { join, makeSession, setSession } from "./sessions";

/** A day ahead of the clock by which the rooms of the sessions go. */
export const PLANNED_NOW = instant(NOON + DAY);
export const START = instant(PLANNED_NOW + 3 * HOUR);
/** A session of a host and a guest that begins at START, planned by the record alone. */
export async function plannedSession(start: Instant = START) {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await makeSession(host);
  await join(guest, id);
  await moveTo(id, start);
  await db
    .update(schema.participants)
    .set({ joinedAt: PLANNED_NOW })
    .where(eq(schema.participants.sessionId, id));
  return { host, guest, id };
}
export const moveTo = (id: number, start: Instant) =>
  setSession(id, { startedAt: start, endedAt: instant(start + HOUR) });
export const moved = (app: App, id: number, startedAt: Instant = START) =>
  newEvent(app, {
    kind: "session-moved",
    subject: `session:${id}`,
    body: { title: "Morning pages", path: `/sessions/${id}`, startedAt },
  });
export const unreadOf = async (user: TestUser) =>
  (await db.select().from(schema.users).where(eq(schema.users.id, user.id)))[0]?.unreadNotices;

/** An event of a session far ahead, fanned out, for the host and the guest. */
export async function announce(app: App, id: number, startedAt: Instant) {
  const event = moved(app, id, startedAt);
  await runBatch(db, [recordEvent(db, event)]);
  await fanOut(app, event.id);
}
