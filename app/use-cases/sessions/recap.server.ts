// The recap of a session that has closed, as a page and as files (G-27, G-33, G-34).

import { findNextDate } from "#db/queries/sessions/next-date";
import * as recaps from "#db/queries/sessions/recaps";
import * as sessions from "#db/queries/sessions/sessions";
import { thousandthsOf } from "~/domain/distances";
import { AppError } from "~/domain/errors";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { aliasAt } from "~/domain/room/aliases";
import { type NamedPerson, nameOfSeat } from "~/domain/room/guest-names";
import { hiddenOf } from "~/domain/safety/blocks";
import * as sessionRefusals from "~/domain/sessions/refusals";
import type { AfterSession, SessionRecapView, ShownRecap, ShownSession } from "~/domain/sessions/view";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { asLogSeenBy } from "~/use-cases/my.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { CSV_START, csvLine } from "~/wire/export";
import { instantOut } from "~/wire/values";
import { companyIn, lineIn, nextIn, readTimeLog, timeLogOf } from "./after.server";
import { headOf } from "./head.server";
import { mayRead, mayRun, noSession, seatOfRow, withRoom } from "./read.server";

/** FORBIDDEN for people who had no part in the session; NOT_FOUND while it has no recap. */
export async function viewRecap(app: App, input: { session: number }): Promise<SessionRecapView> {
  const user = requireUser(app.user);
  const { db } = app;
  const [[[row], names, logRows, goals, usedUuids, [next]], view] = await withRoom(
    app,
    input.session,
    db.batch([
      sessions.findSession(db, input.session, viewerOf(app)),
      recaps.listRecapNames(db, input.session),
      ...readTimeLog(db, { sessionId: input.session, userId: user.id }),
      findNextDate(db, input.session, { userId: user.id, now: app.now }),
    ]),
  );
  if (!row) throw noSession();
  const tookPart =
    seatOfRow(row) !== null || (row.recap?.people.some(({ userId }) => userId === user.id) ?? false);
  allow(tookPart || isSuperAdmin(user), sessionRefusals.recapForPeople);
  if (row.recap === null) throw new AppError("NOT_FOUND", sessionRefusals.noRecap);
  const { people, ...facts } = row.recap;
  const isWhole = mayRun(app, row);
  const hiddenPeople = hiddenOf(row.hidden);
  const namesOfDeparted = new Map(view?.departed?.map(({ userId, username }) => [userId, username]));
  const namesById = new Map(
    names.flatMap(({ userId, username: seatName, guestName }) => {
      const username = seatName ?? namesOfDeparted.get(userId);
      return username ? [[userId, { username, ...(guestName && { guestName }) }]] : [];
    }),
  );
  const attendees = people.map(({ userId, seconds, hasCome }, index) => ({
    ...((!hiddenPeople.ids.has(userId) && namesById.get(userId)) || { username: aliasAt(index) }),
    isMe: userId === user.id,
    seconds,
    hasCome,
  }));
  const isOpen = mayRead(app, row);
  const company = tookPart ? companyIn(row, names, { userId: user.id, seesNames: isOpen }) : null;
  const afterSession: AfterSession | null = company && {
    ...company,
    line: lineIn(row, names, user.id),
    next: nextIn(app, next),
    goals,
    ...timeLogOf({ userId: user.id, sessionId: input.session }, usedUuids),
  };
  const came = people.filter(({ hasCome }) => hasCome).length;
  return {
    ...(await headOf(app, row, view)),
    recap: {
      ...facts,
      hostLines: (isOpen ? (view?.hostLines ?? []) : [])
        .filter(({ userId }) => !hiddenPeople.ids.has(userId))
        .map(({ content }) => content),
      came,
      missed: people.length - came,
      people: isWhole ? attendees : attendees.filter(({ isMe }) => isMe),
      isWhole,
    },
    myLogs: logRows.map(asLogSeenBy(app)),
    after: afterSession,
  };
}

/** The files of a recap, by the last segment of their address. */
const FILES = {
  "attendance.csv": attendanceCsv,
  "recap.csv": recapCsv,
  "recap.markdown": recapMarkdown,
} as const;
export type RecapFile = keyof typeof FILES;

/** A file of the recap, for host and admins; FORBIDDEN for others. */
export async function exportRecap(
  app: App,
  { session, file }: { session: number; file: RecapFile },
): Promise<{ name: string; type: string; text: string }> {
  const { session: head, recap } = await viewRecap(app, { session });
  allow(recap.isWhole, refusals.hostAndAdminsOnly);
  const type = file.endsWith(".markdown") ? "text/markdown" : "text/csv";
  return { name: `${head.slug}-${file}`, type, text: FILES[file](recap, head) };
}

/** Every line has as many cells as the head (RFC 4180). */
const csvTable = ([head = [], ...rows]: readonly (readonly unknown[])[]): string =>
  CSV_START +
  [head, ...rows.map((cells) => head.map((_, index) => cells[index] ?? ""))]
    .map((cells) => csvLine(cells))
    .join("");
const yesOrNo = (value: boolean): string => (value ? "yes" : "no");
const thousandths = (sum: number): number => sum / 1000;
const miles = (sum: number): number => thousandths(thousandthsOf(sum, "mi"));

function attendanceCsv({ people }: ShownRecap): string {
  return csvTable([
    ["username", "came", "seconds_present", "name"],
    ...people.map((person) => [person.username, yesOrNo(person.hasCome), person.seconds, nameOfSeat(person)]),
  ]);
}

function recapCsv(recap: ShownRecap): string {
  return csvTable([
    [
      "kind",
      "title",
      "planned_seconds",
      "started_at",
      "ended_at",
      "added_seconds",
      "paused_seconds",
      "came",
      "seconds_present",
      "amount",
      "unit",
      "distance",
      "duration_ms",
      "name",
    ],
    ["session", "planned", "", instantOut(recap.plannedStart), instantOut(recap.plannedEnd)],
    ["session", "actual", "", instantOut(recap.startedAt), instantOut(recap.endedAt)],
    ...recap.parts.map((part) => [
      "part",
      part.title,
      part.planned,
      instantOut(part.startedAt),
      instantOut(part.endedAt),
      part.added,
      Math.round(part.paused / 1000),
    ]),
    ...recap.people.map((person) => [
      ...["person", person.username, "", "", "", "", "", yesOrNo(person.hasCome), person.seconds],
      ...["", "", "", "", nameOfSeat(person)],
    ]),
    ...recap.goals.map(({ title, unit, amount, distance, duration }) => [
      ...["goal", title, "", "", "", "", "", "", ""],
      thousandths(amount),
      unit,
      miles(distance),
      duration,
    ]),
    ["chat", "lines", "", "", "", "", "", "", "", recap.lines, "lines"],
  ]);
}

/** Text inside a Markdown table: one line, and no character that Markdown reads. */
const plainText = (text: string): string =>
  text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>#|~&]/g, (mark) => `\\${mark}`);
/** A name as people read it: a guest's as typed (H-23). */
const plainName = (person: NamedPerson): string => plainText(nameOfSeat(person));
const tableRow = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
const markdownTable = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [tableRow(head), tableRow(head.map(() => "---")), ...rows.map(tableRow)].join("\n");

function recapMarkdown(recap: ShownRecap, { title, contributions }: ShownSession): string {
  const timeText = (instant: Instant | null) => instantOut(instant) ?? "";
  const sections = [
    `# ${plainText(title)}`,
    markdownTable(
      ["", "start", "end"],
      [
        ["planned", timeText(recap.plannedStart), timeText(recap.plannedEnd)],
        ["actual", timeText(recap.startedAt), timeText(recap.endedAt)],
      ],
    ),
    `${recap.came} came, ${recap.missed} missed it. ${recap.lines} chat lines.`,
    "## Timers",
    markdownTable(
      ["timer", "planned, s", "start", "end", "added, s", "paused, s"],
      recap.parts.map((part) => [
        plainText(part.title),
        part.planned ?? "",
        timeText(part.startedAt),
        timeText(part.endedAt),
        part.added,
        Math.round(part.paused / 1000),
      ]),
    ),
    "## People",
    markdownTable(
      ["person", "came", "present, s"],
      recap.people.map((person) => [plainName(person), yesOrNo(person.hasCome), person.seconds]),
    ),
    "## Goals",
    markdownTable(
      ["goal", "amount", "unit", "distance", "duration, s"],
      recap.goals.map(({ title: goal, unit, amount, distance, duration }) => [
        plainText(goal),
        thousandths(amount),
        plainText(unit),
        miles(distance),
        Math.round(duration / 1000),
      ]),
    ),
    ...(recap.hostLines.length > 0
      ? ["## Lines on all screens", recap.hostLines.map((line) => `- ${plainText(line)}`).join("\n")]
      : []),
    ...(contributions.length > 0 ? ["## Contributions"] : []),
    ...contributions.map(({ username, guestName, content }) =>
      username === null ? content : `${plainName({ username, guestName })}:\n\n${content}`,
    ),
  ];
  return `${sections.join("\n\n")}\n`;
}
