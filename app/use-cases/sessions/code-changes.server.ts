// A new join code of a session or series, and its effects on people who have not given it. Taken seats stay, and
// the room closes to spectators when it reads the record.
import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "#db/connect.server";
import { endingsOf } from "#db/queries/endings";
import * as standingQueries from "#db/queries/series/standing";
import * as waiters from "#db/queries/sessions/waiters";
import type { NewEvent } from "~/domain/notices/cause";
import { subjectOf } from "~/domain/notices/events";
import { codeChange } from "~/domain/sessions/join-code";
import { WAITING_LIMITS } from "~/domain/sessions/waiting";
import { instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { newEvent } from "~/use-cases/notices/events.server";

type CodedRecord = {
  of: "session" | "series";
  id: number;
  title: string;
  path: string;
  /** The code until now. */
  joinCode: string;
};
type CodeChange = {
  /** Statements for the batch that stores the code, before that one. */
  statements: Statement[];
  causes: NewEvent[];
};

/** No statements if the code stays, also in another case. `condition` holds where the batch stores the code. */
export function planCodeChange(
  app: App,
  { of: kind, id, title, path, joinCode: formerCode }: CodedRecord,
  joinCode: string | undefined,
  condition: SQL = sql`true`,
): CodeChange {
  const change = codeChange(formerCode, joinCode);
  if (change === "none" || joinCode === undefined) return { statements: [], causes: [] };
  if (change === "cleared") {
    const stop =
      kind === "session"
        ? waiters.stopAskingWaiters(app.db, id, condition)
        : standingQueries.stopAskingForCode(app.db, id);
    return { statements: [stop], causes: [] };
  }
  const body = { title, path, until: instant(app.now + WAITING_LIMITS.code) };
  const { now, db } = app;
  if (kind === "session") {
    const cause = newEvent(app, { kind: "waiting-asked", subject: subjectOf("session", id), body });
    const statements = endingsOf(db, "sessions", "code-added", {
      sessionId: id,
      joinCode,
      now,
      askedEvent: cause,
      condition,
    });
    return { statements, causes: [cause] };
  }
  const cause = newEvent(app, { kind: "standing-asked", subject: subjectOf("series", id), body });
  return {
    statements: endingsOf(db, "series", "code-added", { seriesId: id, now, askedEvent: cause }),
    causes: [cause],
  };
}
