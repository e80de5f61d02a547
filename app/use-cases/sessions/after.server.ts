// The summary of a finished session for each person who came: their time and company, on the page and in the mail.
import * as logs from "#db/queries/goals/logs";
import { findNextDate, type NextDateRow } from "#db/queries/sessions/next-date";
import * as recaps from "#db/queries/sessions/recaps";
import * as sessions from "#db/queries/sessions/sessions";
import { shorten } from "~/domain/beginnings";
import { isolateRtl } from "~/domain/isolated";
import { aliasAt } from "~/domain/room/aliases";
import { isGuestName } from "~/domain/room/guest-names";
import { hiddenOf } from "~/domain/safety/blocks";
import {
  type Company,
  canLogTime,
  companyOf,
  loggedSpan,
  type NextDate,
  type OwnLine,
  satText,
  tickText,
} from "~/domain/sessions/after";
import { canJoin } from "~/domain/sessions/sessions";
import { type Instant, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { repeatableIds } from "~/use-cases/new-id.server";
import { seatOfRow, sessionPath } from "./read.server";

type RecapRow = Pick<sessions.SessionRow, "recap" | "hidden" | "seatAim">;
type Names = Awaited<ReturnType<typeof recaps.listRecapNames>>;

/** The names of the people who came and still have a seat, as this reader sees them. */
function namesIn({ recap, hidden }: RecapRow, names: Names): Map<number, string> {
  const seated = new Map(
    names.flatMap(({ userId, username, hasSeat }) =>
      hasSeat && username !== null ? [[userId, username]] : [],
    ),
  );
  const hiddenIds = hiddenOf(hidden).ids;
  return new Map(
    (recap?.people ?? []).flatMap(({ userId, hasCome }, index) => {
      const name = seated.get(userId);
      if (name === undefined || !hasCome) return [];
      const displayName = isGuestName(name) ? "a guest" : name;
      return [[userId, hiddenIds.has(userId) ? aliasAt(index) : displayName]];
    }),
  );
}

/**
 * The reader's time and company; null for a reader who did not come. A reader who may not read the session's texts gets
 * no names.
 */
export function companyIn(
  row: RecapRow,
  names: Names,
  { userId, seesNames }: { userId: number; seesNames: boolean },
): Company | null {
  const ownRecap = row.recap?.people.find((person) => person.userId === userId);
  if (!ownRecap?.hasCome) return null;
  const otherNames = [...namesIn(row, names)].flatMap(([id, name]) => (id === userId ? [] : [name]));
  return companyOf(ownRecap.seconds, otherNames, seesNames);
}

/** The reader's own line, while they have the seat. */
export const lineIn = ({ seatAim }: RecapRow, names: Names, userId: number): OwnLine | null =>
  seatAim ? { text: seatAim, isDone: names.some((seat) => seat.userId === userId && seat.isDone) } : null;

export function nextIn(app: Pick<App, "settings" | "now">, row: NextDateRow | undefined): NextDate | null {
  if (!row?.startedAt) return null;
  const { id, startedAt, isJoined, needsCode, isFree } = row;
  return {
    path: sessionPath(id),
    startedAt,
    isJoined,
    canJoin: canJoin(row, isJoined, app.settings.roomCapacity, app.now),
    needsCode,
    isFree,
  };
}

/** At most this many logs of one session's time, each after the Undo of the last. */
const MAX_TIME_LOGS = 20;
/**
 * The uuids of the log of a session's time. They are always the same, so that a second press finds the first log; each
 * Undo uses up one of them, because a reference is paid once.
 */
const timeLogUuids = (userId: number, sessionId: number): string[] =>
  Array.from(
    { length: MAX_TIME_LOGS },
    repeatableIds({ userId, key: "time", call: `session ${sessionId}` }, instant(0)),
  );

/** The goal to which a session's time is logged, null without a log; and the uuid of the next log. */
export function timeLogOf(
  { userId, sessionId }: { userId: number; sessionId: number },
  usedUuids: Awaited<ReturnType<typeof recaps.listUsedLogUuids>>,
): { loggedTo: { id: number; title: string } | null; logUuid: string } {
  const goal = usedUuids.find(({ goalId }) => goalId !== null);
  const uuids = timeLogUuids(userId, sessionId);
  return {
    loggedTo: goal ? { id: goal.goalId ?? 0, title: goal.title ?? "" } : null,
    logUuid: uuids.find((uuid) => !usedUuids.some((used) => used.uuid === uuid)) ?? uuids[0] ?? "",
  };
}

/** Maximum logs of one person that a recap shows. */
const MAX_LOGS = 50;
/** Three statements: the reader's logs of the run, the goals to which its time may be logged, and the logs of that. */
export const readTimeLog = (db: App["db"], { sessionId, userId }: { sessionId: number; userId: number }) =>
  [
    logs.listLogsOfRun(db, sessionId, userId, MAX_LOGS),
    recaps.listGoalsForTime(db, sessionId, userId),
    recaps.listUsedLogUuids(db, timeLogUuids(userId, sessionId), userId),
  ] as const;

/** Maximum contributions in a mail, and maximum characters of each. */
const MAX_CONTRIBUTIONS = 5;
const MAX_CONTRIBUTION_CHARS = 300;

/** The mail's texts; null for a reader who no longer sees the session. `nextText`: the sentence of the next date. */
export async function readAfter(
  app: Pick<App, "db" | "settings" | "now">,
  { sessionId, userId, nextText }: { sessionId: number; userId: number; nextText: (at: Instant) => string },
): Promise<{ subject: string; text: string; more: string[] } | null> {
  const [[row], names, [nextRow], logRows, goals, usedUuids] = await app.db.batch([
    sessions.findSession(app.db, sessionId, userId),
    recaps.listRecapNames(app.db, sessionId),
    findNextDate(app.db, sessionId, { userId, now: app.now }),
    ...readTimeLog(app.db, { sessionId, userId }),
  ]);
  // Somebody who gave up the seat of a session with a code is outside again.
  const seesNames = row !== undefined && (row.joinCode === "" || seatOfRow(row) !== null);
  const company = row && companyIn(row, names, { userId, seesNames });
  if (!company) return null;
  const displayNames = seesNames ? namesIn(row, names) : new Map<number, string>();
  const line = lineIn(row, names, userId);
  const next = nextIn(app, nextRow);
  const title = isolateRtl(row.title);
  const contributionLines = row.contributions.flatMap(({ userId: author, content }) => {
    const name = author === null ? undefined : displayNames.get(author);
    return name === undefined ? [] : [`${name}: ${isolateRtl(shorten(content, MAX_CONTRIBUTION_CHARS))}`];
  });
  const minutes = loggedSpan(company.seconds) / 60;
  return {
    subject: `${minutes} min in ${title}`,
    text: `${satText(company)} in ${title}.`,
    more: [
      ...(line === null ? [] : [`${tickText(line)}: ${isolateRtl(line.text)}`]),
      ...(canLogTime({ goals, loggedTo: timeLogOf({ userId, sessionId }, usedUuids).loggedTo, logs: logRows })
        ? [`The page logs the ${minutes} min to a goal of yours in one press.`]
        : []),
      ...contributionLines.slice(0, MAX_CONTRIBUTIONS),
      ...(next === null ? [] : [`${nextText(next.startedAt)}${answerText(next)}`]),
    ],
  };
}

const answerText = ({ isJoined, canJoin }: NextDate): string =>
  isJoined ? " You have a seat." : canJoin ? " “I come” is one press on the page." : "";
