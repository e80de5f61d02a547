// Applies an update of a session that the user may make: to the record before the run, to the room and the record
// afterwards.

import { sql } from "drizzle-orm";
import { runBatch, type Statement } from "#db/connect.server";
import { deleteSeatsOfBanned } from "#db/queries/huts/exits";
import type { SessionRow } from "#db/queries/sessions/sessions";
import type { SessionChanges } from "#db/queries/sessions/writes";
import * as sessionWrites from "#db/queries/sessions/writes";
import { invalid } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import type { RoomView } from "~/domain/room/room";
import { withoutRunState } from "~/domain/schedule/schedule";
import type { SessionChange } from "~/domain/sessions/input";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import { planForLength, planSession } from "~/domain/sessions/planning";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { App } from "~/use-cases/app.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { insertOverseen, recordOverseen } from "~/use-cases/super-admin-acts.server";
import {
  countAgainStatements,
  definedFields,
  factsOf,
  madePublic,
  overseenChangeOf,
  passFreedSeatStatements,
  planSessionCode,
  refuseLimitBelowRoster,
} from "./changed-fields.server";
import { requireStartAhead } from "./create.server";
import { writePlan } from "./plan-writes.server";
import { actorOf, changeRoom, overseenBy, viewRoom } from "./read.server";

/** The dates and the plan of a session that has not begun. */
export function planOf(app: App, row: SessionRow, input: SessionChange) {
  const startedAt = input.startedAt === undefined ? row.startedAt : input.startedAt;
  if (startedAt !== row.startedAt) requireStartAhead(app, startedAt);
  const isManuallyStarted = input.isManuallyStarted ?? row.isManuallyStarted;
  // An end that comes with the length as it was sets the length (T-08).
  const isEndNew = Boolean(input.endedAt) && input.endedAt !== row.endedAt;
  const length = isEndNew && input.duration === row.duration ? undefined : input.duration;
  const isReplanned = [input.startedAt, input.endedAt, input.duration, input.schedule].some(
    (value) => value !== undefined,
  );
  const plan =
    isReplanned || isManuallyStarted !== row.isManuallyStarted
      ? planSession({
          schedule: planForLength(input.schedule ? withoutRunState(input.schedule) : row.schedule, {
            duration: length,
            isPlanSent: input.schedule !== undefined,
            rosterSize: row.participantsCount,
          }),
          startedAt,
          endedAt: input.endedAt,
          duration: length === undefined && !input.endedAt ? row.duration : (length ?? null),
          isManuallyStarted,
          rosterSize: row.participantsCount,
        })
      : {};
  return { isManuallyStarted, plan };
}

/** `view`: the room after the change, if the room made it. */
type AppliedUpdate = { view: RoomView | null };

/**
 * Before the start: recomputes the dates. Null if the record has changed since it was read; then `goals`, whose
 * statements have that condition, do not apply either.
 */
export async function changePlan(
  app: App,
  row: SessionRow,
  input: SessionChange,
  goals: readonly Statement[],
): Promise<AppliedUpdate | null> {
  const { isManuallyStarted, plan } = planOf(app, row, input);
  const text = input.content === undefined ? {} : await app.richText.render(input.content);
  const change = {
    ...factsOf(input),
    ...madePublic(row, input),
    ...plan,
    ...text,
    ...definedFields({ title: input.title, prompt: input.prompt }),
  };
  const code = planSessionCode(app, row, input, sessionWrites.isSessionVersion(row));
  const planWrite = writePlan(
    app,
    row,
    { ...change, isManuallyStarted },
    {
      before: [...code.statements, ...goals],
      causes: code.causes,
      after: [
        ...recordOverseen(app, overseenChangeOf(app, row, input)),
        ...passFreedSeatStatements(app, row, input),
        ...countAgainStatements(app, row, input),
      ],
    },
  );
  return (await refuseLimitBelowRoster(row, planWrite)) && { view: null };
}

/**
 * After the start: the room accepts or refuses the whole change, with its texts and schedule; then the record
 * gets the other fields and the goals. No dates.
 */
export async function changeRun(
  app: App,
  row: SessionRow,
  input: SessionChange,
  goals: readonly Statement[],
): Promise<AppliedUpdate> {
  let view = await viewRoom(app, row.id);
  const current = view?.state.runBegunAt ? { ...row, ...view.state } : row;
  const hasEnded = statusAt(row, app.now) === SESSION_STATUS.ended;
  const differs = (value: unknown, stored: unknown) =>
    value !== undefined && value !== null && value !== stored;
  for (const [field, isChanged] of [
    ["startedAt", differs(input.startedAt, current.startedAt)],
    ["duration", differs(input.duration, row.duration)],
    ["isManuallyStarted", differs(input.isManuallyStarted, row.isManuallyStarted)],
  ] as const)
    if (isChanged) throw invalid(field, hasEnded ? SESSION_SENTENCES.ended : SESSION_SENTENCES.started);
  const changedFacts = { ...factsOf(input), ...madePublic(row, input) };
  const facts: SessionChanges = Object.fromEntries(
    Object.entries(changedFacts).filter(
      ([name, value]) => (value || null) !== (row[name as keyof SessionRow] || null),
    ),
  );
  const names = Object.keys(facts);
  // The room itself compares these with the texts that it has when the change arrives.
  const { title, content, prompt } = input;
  const texts = {
    ...(differs(title, current.title) ? { title } : {}),
    ...(differs(content, current.content) ? await app.richText.render(content ?? "") : {}),
    ...(differs(prompt, current.prompt) ? { prompt } : {}),
    ...(input.schedule && !hasEnded ? { schedule: input.schedule } : {}),
  };
  const hasFacts = names.length > 0;
  const goesToRoom = Object.keys(texts).length > 0;
  const act = overseenChangeOf(app, row, input);
  const actor = actorOf(requireUser(app.user));
  // A call leaves one audit row: it is written with the goals, with the change in the room, or with the fields only.
  const roomWritesAudit = goesToRoom && hasFacts && !overseenBy(app, row, "session-changed").isOwnRight;
  if (goesToRoom || (hasFacts && view))
    view = await changeRoom(app, row, {
      type: "edit",
      by: input.goals && !hasFacts ? { ...actor, isAudited: true } : actor,
      ...texts,
      ...definedFields({ since: input.since }),
      ...(hasFacts ? { facts: names } : {}),
      ...(roomWritesAudit ? { act: { action: act.action, previous: String(act.previous ?? "") } } : {}),
    });
  const code = planSessionCode(app, row, input);
  const factStatements = hasFacts
    ? [
        ...code.statements,
        // Before the end, a ban frees the seats itself.
        ...(hasEnded && "hutId" in facts && row.hutId !== null
          ? deleteSeatsOfBanned(app.db, row.hutId, sql`s.id = ${row.id}`)
          : []),
        sessionWrites.updateDetails(app.db, row.id, facts),
        ...(roomWritesAudit ? [] : recordOverseen(app, act)),
        ...passFreedSeatStatements(app, row, input),
        ...countAgainStatements(app, row, input),
      ]
    : [];
  const goalsAct = input.goals && !hasFacts ? insertOverseen(app, overseenBy(app, row, "goals-changed")) : [];
  await refuseLimitBelowRoster(row, runBatch(app.db, [...factStatements, ...goals, ...goalsAct]));
  wakeEvents(app, code.causes);
  return { view };
}
