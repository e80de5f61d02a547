// A session's hand-over to another host, for every cause of one: by the host, a claim, or the end of an account.
import type { SQL } from "drizzle-orm";
import { endingsOf } from "#db/queries/endings";
import { type Act, recordAct } from "#db/queries/safety/audit";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { subjectOf } from "~/domain/notices/events";
import { requireUser } from "~/domain/permissions";
import type { App } from "~/use-cases/app.server";
import { newEvent } from "~/use-cases/notices/events.server";
import { sessionPath } from "./read.server";

/** The statements, and the cause to wake after their batch. `keepsFree` is the new host's own choice (G-30). */
export function planHandOver(
  app: App,
  row: SessionRow,
  to: { userId: number; keepsFree?: boolean | undefined; condition?: SQL | undefined },
) {
  const { given: cause, act } = hostGiven(app, row, { userId: to.userId });
  const change = { sessionId: row.id, userId: to.userId, keepsFree: to.keepsFree === true };
  const passed = endingsOf(app.db, "sessions", "handed-over", {
    change,
    given: cause,
    condition: to.condition,
  });
  return { statements: [...passed, recordAct(app.db, act)], given: cause };
}

/** The notice of a hand-over and its audit row. */
export function hostGiven(
  app: App,
  { id, title, hostName }: Pick<SessionRow, "id" | "title" | "hostName">,
  { userId, isTold = true }: { userId: number; isTold?: boolean },
) {
  // Without an actor: the new host hears of it, also after claiming the session.
  const cause = newEvent(
    { now: app.now, user: null },
    {
      kind: "host-given",
      subject: subjectOf("session", id),
      body: { title, path: sessionPath(id), to: isTold ? [userId] : [] },
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
  return { given: cause, act };
}
