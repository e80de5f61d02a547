// Updating a session (C-71, A-09). Before the run the record changes, if it is unchanged since it was read; afterwards
// the room writes texts and schedule, and the record the other fields.

import type { SQL } from "drizzle-orm";
import { runBatch, type Statement } from "#db/connect.server";
import * as categories from "#db/queries/activities/categories";
import type { SessionRow } from "#db/queries/sessions/sessions";
import type { SessionChanges } from "#db/queries/sessions/writes";
import * as sessionWrites from "#db/queries/sessions/writes";
import { beginningOf } from "~/domain/beginnings";
import { AppError, brokenConstraint, invalid } from "~/domain/errors";
import { allow, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import type { RoomView } from "~/domain/room/room";
import { withoutRunState } from "~/domain/schedule/schedule";
import type { SessionChange } from "~/domain/sessions/input";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { codeChange, planForLength, planSession } from "~/domain/sessions/sessions";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { isoOf } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { refuseStaleEdit } from "~/use-cases/stale-edits.server";
import { insertOverseen, type OverseenAct, recordOverseen } from "~/use-cases/super-admin-acts.server";
import { requireMayWrite, requireMayWriteInHut, sessionPlace } from "~/use-cases/writing.server";
import { codeChanged } from "./code-changes.server";
import {
  allowCategory,
  allowHut,
  allowTemplate,
  type NewSession,
  readMade,
  requireStartAhead,
} from "./create.server";
import { goalsReplaced } from "./goals.server";
import { requireGuestsAllowed } from "./guest-seats.server";
import { writePlan } from "./plan-writes.server";
import {
  actorOf,
  changeRoom,
  mayHost,
  mayRun,
  overseenBy,
  readSession,
  sessionPath,
  viewRoom,
} from "./read.server";
import { updatePlan } from "./roster-plan.server";
import { passRest, passSeatStatements } from "./waiting.server";

const MAX_ATTEMPTS = 8;
/** Characters of the previous values in the audit. */
const PREVIOUS_LENGTH = 500;

/** Fields that only the host and super admins set. */
const HOSTS_ONLY = [
  "isFree",
  "guestLimit",
  "needsHost",
  "joinCode",
  "donationLink",
  "meetingLink",
  "participantLimit",
  "isPrivate",
] as const;

/** The fields with words that others read. */
const WORDS = ["title", "content", "prompt", "goals", "schedule", "donationLink", "meetingLink"] as const;

/** A partial update (C-71): by host, admins, super admin. */
export async function updateSession(app: App, input: SessionChange): Promise<NewSession> {
  await countUse(app, "change-session", requireUser(app.user).id);
  return update(app, input, false);
}

/** A session of the acting user's own series, whoever hosts it; the caller has checked the series (G-10). */
export const updateInSeries = (app: App, input: SessionChange): Promise<NewSession> =>
  update(app, input, true);

/** Refuses what `updateSession` or `updateInSeries` would refuse, and writes nothing. */
export async function checkUpdate(app: App, change: SessionChange, isOwnSeries: boolean): Promise<void> {
  const input = isOwnSeries ? withoutGuestLimit(change) : change;
  const row = await readSession(app, { session: input.session });
  await requireAllowed(app, row, input, isOwnSeries);
  if (statusAt(row, app.now) === SESSION_STATUS.waiting) planOf(app, row, input);
}

/** Each host answers for the guests of their own date (H-17). */
const withoutGuestLimit = ({ guestLimit: _, ...change }: SessionChange): SessionChange => change;

async function update(app: App, change: SessionChange, isOwnSeries: boolean): Promise<NewSession> {
  const input = isOwnSeries ? withoutGuestLimit(change) : change;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const row = await readSession(app, { session: input.session });
    const goals = await requireAllowed(app, row, input, isOwnSeries);
    const result =
      statusAt(row, app.now) === SESSION_STATUS.waiting
        ? await changePlan(app, row, input)
        : await changeRun(app, row, input);
    if (!result) continue;
    const changesOnlyGoals =
      statusAt(row, app.now) !== SESSION_STATUS.waiting && Object.keys(factsOf(input)).length === 0;
    const act =
      input.goals && changesOnlyGoals ? insertOverseen(app, overseenBy(app, row, "goals-changed")) : [];
    await runBatch(app.db, [...goals, ...act]);
    if (freesSeats(row, input)) {
      await passRest(app, row);
      await updatePlan(app, await readSession(app, { session: row.id }));
    }
    notifyRoom(app, row.id);
    return readMade(app, row.id, result.view);
  }
  throw new AppError("CONFLICT", sessionRefusals.changedElsewhere);
}

/** The statements of the goals of a change that the user may make. The host alone switches free joining on. */
async function requireAllowed(
  app: App,
  row: SessionRow,
  input: SessionChange,
  isOwnSeries: boolean,
): Promise<Statement[]> {
  const user = requireUser(app.user);
  const turnsFree = input.isFree === true && !row.isFree;
  allow(isOwnSeries || mayRun(app, row), refusals.hostAndAdminsChange);
  if (HOSTS_ONLY.some((name) => input[name] !== undefined && (input[name] || null) !== (row[name] || null)))
    allow(mayHost(app, row) || (isOwnSeries && !turnsFree), sessionRefusals.hostChangesSeats);
  requireGuestsAllowed(user, {
    guestLimit: input.guestLimit === row.guestLimit ? 0 : input.guestLimit,
    participantLimit: input.participantLimit === undefined ? row.participantLimit : input.participantLimit,
    isPrivate: row.isPrivate && input.isPrivate !== false,
  });
  if (input.isTemplate !== undefined && input.isTemplate !== row.isTemplate) allowTemplate(user);
  if (input.hutId && input.hutId !== row.hutId) {
    allowHut((await sessionWrites.findHutOf(app.db, input.hutId, user.id))[0]);
    await requireMayWriteInHut(app, input.hutId);
  }
  if (statusAt(row, app.now) === SESSION_STATUS.waiting) refuseStaleEdit(row, input, input.since);
  if (WORDS.some((name) => input[name] !== undefined)) {
    // A sanction of one session, which somebody else may host, does not close the series to its owner.
    const sanctions = row.sanctions.filter(({ scope }) => !isOwnSeries || scope === "hut");
    requireMayWrite(app, sessionPlace({ ...row, sanctions }, true));
  }
  if (input.category && input.category !== row.category)
    allowCategory(input.category, (await categories.findCategory(app.db, input.category))[0]);
  if (input.participantLimit && input.participantLimit < row.participantsCount) throw limitBelowRoster(row);
  return input.goals ? await goalsReplaced(app, row, input.goals) : [];
}

/** People on the waiting list are asked for a new code too, unless the host exempts them (G-18). */
const codeOf = (app: App, row: SessionRow, { joinCode, keepsWaiting }: SessionChange, condition?: SQL) =>
  codeChanged(
    app,
    { of: "session", id: row.id, title: row.title, path: sessionPath(row.id), joinCode: row.joinCode },
    keepsWaiting && joinCode ? undefined : joinCode,
    condition,
  );

/** A new limit frees seats, and without a code people who were asked for it may come. */
const freesSeats = (row: SessionRow, { participantLimit, joinCode }: SessionChange): boolean =>
  (participantLimit !== undefined && (participantLimit || null) !== row.participantLimit) ||
  codeChange(row.joinCode, joinCode) === "cleared";
/** The statements for these seats; someone may begin to wait after the read (G-20). */
const passFreed = (app: App, row: SessionRow, input: SessionChange) =>
  freesSeats(row, input) ? passSeatStatements(app, row, row.waiting.length + 1) : [];

const definedIn = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** The fields that a run never changes. */
const factsOf = (input: SessionChange): SessionChanges =>
  definedIn({
    hutId: input.hutId,
    participantLimit: input.participantLimit === undefined ? undefined : input.participantLimit || null,
    donationLink: input.donationLink,
    meetingLink: input.meetingLink,
    joinCode: input.joinCode,
    isFree: input.isFree,
    guestLimit: input.guestLimit,
    needsHost: input.needsHost,
    slowMode: input.slowMode,
    category: input.category === undefined ? undefined : input.category || null,
    difficulty: input.difficulty,
    isTemplate: input.isTemplate,
  });

/** In a hut, the hut decides who sees the session. */
const madePublic = (row: SessionRow, { hutId = row.hutId, isPrivate }: SessionChange): SessionChanges =>
  hutId === null && isPrivate === false ? { isPrivate } : {};

/** The dates and the plan of a session that has not begun. */
function planOf(app: App, row: SessionRow, input: SessionChange) {
  const startedAt = input.startedAt === undefined ? row.startedAt : input.startedAt;
  if (startedAt !== row.startedAt) requireStartAhead(app, startedAt);
  const isManuallyStarted = input.isManuallyStarted ?? row.isManuallyStarted;
  const isReplanned = [input.startedAt, input.endedAt, input.duration, input.schedule].some(
    (value) => value !== undefined,
  );
  const plan =
    isReplanned || isManuallyStarted !== row.isManuallyStarted
      ? planSession({
          schedule: planForLength(input.schedule ? withoutRunState(input.schedule) : row.schedule, {
            duration: input.duration,
            isPlanSent: input.schedule !== undefined,
            rosterSize: row.participantsCount,
          }),
          startedAt,
          endedAt: input.endedAt,
          duration: input.duration === undefined && !input.endedAt ? row.duration : (input.duration ?? null),
          isManuallyStarted,
          rosterSize: row.participantsCount,
        })
      : {};
  return { isManuallyStarted, plan };
}

/** `view`: the room after the change, if the room made it. */
type Done = { view: RoomView | null };

/** Before the start: recomputes the dates. Null if the record has changed since it was read. */
async function changePlan(app: App, row: SessionRow, input: SessionChange): Promise<Done | null> {
  const { isManuallyStarted, plan } = planOf(app, row, input);
  const text = input.content === undefined ? {} : await app.richText.render(input.content);
  const change = {
    ...factsOf(input),
    ...madePublic(row, input),
    ...plan,
    ...text,
    ...definedIn({ title: input.title, prompt: input.prompt }),
  };
  const code = codeOf(app, row, input, sessionWrites.isSessionVersion(row));
  const planWrite = writePlan(
    app,
    row,
    { ...change, isManuallyStarted },
    {
      before: code.statements,
      causes: code.causes,
      after: [...recordOverseen(app, changeOf(app, row, input)), ...passFreed(app, row, input)],
    },
  );
  return (await refuseLimitBelowRoster(row, planWrite)) && { view: null };
}

/**
 * After the start: the room accepts or refuses the whole change, with its texts and schedule; then the record
 * gets the other fields. No dates.
 */
async function changeRun(app: App, row: SessionRow, input: SessionChange): Promise<Done> {
  let view = await viewRoom(app, row.id);
  const current = view?.state.runBegunAt ? { ...row, ...view.state } : row;
  const hasEnded = statusAt(row, app.now) === SESSION_STATUS.ended;
  const isOther = (value: unknown, stored: unknown) =>
    value !== undefined && value !== null && value !== stored;
  for (const [field, isChanged] of [
    ["startedAt", isOther(input.startedAt, current.startedAt)],
    ["duration", isOther(input.duration, row.duration)],
    ["isManuallyStarted", isOther(input.isManuallyStarted, row.isManuallyStarted)],
  ] as const)
    if (isChanged) throw invalid(field, hasEnded ? SESSION_SENTENCES.ended : SESSION_SENTENCES.started);
  const changedFacts = { ...factsOf(input), ...madePublic(row, input) };
  const facts: SessionChanges = Object.fromEntries(
    Object.entries(changedFacts).filter(
      ([name, value]) => (value || null) !== (row[name as keyof SessionRow] || null),
    ),
  );
  const names = Object.keys(facts);
  // Sent as they are: the room itself compares them with the texts that it has by then.
  const { title, content, prompt } = input;
  const texts = {
    ...(isOther(title, current.title) ? { title } : {}),
    ...(isOther(content, current.content) ? await app.richText.render(content ?? "") : {}),
    ...(isOther(prompt, current.prompt) ? { prompt } : {}),
    ...(input.schedule && !hasEnded ? { schedule: input.schedule } : {}),
  };
  const hasFacts = names.length > 0;
  const isInRoom = Object.keys(texts).length > 0;
  const act = changeOf(app, row, input);
  const actor = actorOf(requireUser(app.user));
  // A call leaves one row of the audit: with its goals, with its change in the room, or with its fields alone.
  const roomWritesAudit = isInRoom && hasFacts && !overseenBy(app, row, "session-changed").isOwnRight;
  if (isInRoom || (hasFacts && view))
    view = await changeRoom(app, row, {
      type: "edit",
      by: input.goals && !hasFacts ? { ...actor, isAudited: true } : actor,
      ...texts,
      ...definedIn({ since: input.since }),
      ...(hasFacts ? { facts: names } : {}),
      ...(roomWritesAudit ? { act: { action: act.action, previous: String(act.previous ?? "") } } : {}),
    });
  const code = codeOf(app, row, input);
  if (hasFacts)
    await refuseLimitBelowRoster(
      row,
      runBatch(app.db, [
        ...code.statements,
        sessionWrites.changeFacts(app.db, row.id, facts),
        ...(roomWritesAudit ? [] : recordOverseen(app, act)),
        ...passFreed(app, row, input),
      ]),
    );
  wakeEvents(app, code.causes);
  return { view };
}

const FACT_NAMES = {
  title: "title",
  hutId: "hut",
  participantLimit: "limit",
  donationLink: "donation link",
  guestLimit: "guests",
  isFree: "free",
  needsHost: "needs host",
  slowMode: "slow mode",
  isPrivate: "private",
  category: "category",
  difficulty: "difficulty",
  startedAt: "start",
  duration: "duration",
} as const;

/** Only a super admin may mark a template; other changes are audited unless host or admin makes them. */
function changeOf(app: App, row: SessionRow, input: SessionChange): OverseenAct {
  const facts = Object.entries(FACT_NAMES).flatMap(([name, label]) => {
    const [stored, next] = [row[name as keyof typeof FACT_NAMES], input[name as keyof typeof FACT_NAMES]];
    if (next === undefined || (next || null) === (stored || null)) return [];
    return [
      `${label}: ${name === "startedAt" ? (isoOf(row.startedAt) ?? "none") : String(stored ?? "none")}`,
    ];
  });
  const isNew = (name: "joinCode" | "meetingLink") => input[name] !== undefined && input[name] !== row[name];
  // The code and the address of the call themselves stay secret.
  const secrets = [
    ...(isNew("joinCode") ? ["join code"] : []),
    ...(isNew("meetingLink") ? ["meeting link"] : []),
  ];
  const previous = beginningOf([...facts, ...secrets].join("; "), PREVIOUS_LENGTH);
  if (input.isTemplate === undefined || input.isTemplate === row.isTemplate)
    return overseenBy(app, row, "session-changed", { previous });
  const action = input.isTemplate ? "template-made" : "template-ended";
  return { ...overseenBy(app, row, action, { previous }), isOwnRight: false };
}

const limitBelowRoster = ({ participantsCount }: SessionRow): AppError =>
  invalid("participantLimit", refusals.participantsAlready(participantsCount));

/** Refuses a limit below the present number of participants. */
async function refuseLimitBelowRoster<T>(row: SessionRow, work: Promise<T> | PromiseLike<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (brokenConstraint(error) === "session_not_full") throw limitBelowRoster(row);
    throw error;
  }
}
