// The hand-over of a session to another host: by the host, by a claim, or at the end of the host's account.
import type { SQL } from "drizzle-orm";
import { endingsOf } from "#db/queries/endings";
import { type Act, recordAct } from "#db/queries/safety/audit";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { subjectOf } from "~/domain/notices/events";
import { requireUser } from "~/domain/permissions";
import type { App } from "~/use-cases/app.server";
import { newEvent } from "~/use-cases/notices/events.server";
import { sessionPath } from "./read.server";

/**
 * The statements of a hand-over, and the event to wake after their batch. `keepsFree`: the new host chose to keep joining
 * free (G-30).
 */
export function planHandOver(
  app: App,
  row: SessionRow,
  to: { userId: number; keepsFree?: boolean | undefined; condition?: SQL | undefined },
) {
  const { hostGivenEvent, act } = newHandOver(app, row, { userId: to.userId });
  const change = { sessionId: row.id, userId: to.userId, keepsFree: to.keepsFree === true };
  const statements = endingsOf(app.db, "sessions", "handed-over", {
    change,
    hostGivenEvent,
    condition: to.condition,
  });
  return { statements: [...statements, recordAct(app.db, act)], handOverEvent: hostGivenEvent };
}

/** The event of a hand-over, whose notice reaches the new host if `isNotified`, and its audit row. */
export function newHandOver(
  app: App,
  { id, title, hostName }: Pick<SessionRow, "id" | "title" | "hostName">,
  { userId, isNotified = true }: { userId: number; isNotified?: boolean },
) {
  // The event has no actor, so that a host who claimed the session gets the notice too.
  const hostGivenEvent = newEvent(
    { now: app.now, user: null },
    {
      kind: "host-given",
      subject: subjectOf("session", id),
      body: { title, path: sessionPath(id), to: isNotified ? [userId] : [] },
    },
  );
  const act: Act = {
    at: app.now,
    actorId: requireUser(app.user).id,
    action: "host-changed",
    target: { kind: "session", id },
    userId,
    previous: hostName ?? "",
  };
  return { hostGivenEvent, act };
}
