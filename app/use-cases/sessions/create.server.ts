// Creates sessions (C-70, C-71, A-09, B-06, R-34, R-38). One atomic batch writes slug, session, the host's seat with
// its price, the activity's count and the goals; the room reads them later.
import { runBatch, type Statement } from "#db/connect.server";
import * as categoryQueries from "#db/queries/activities/categories";
import * as goalCopies from "#db/queries/goals/copies";
import { recordEvent } from "#db/queries/notices/events";
import { findNextPassage } from "#db/queries/passages";
import { adoptSession, goesOnUnchanged } from "#db/queries/series/series";
import { seatStandingHolders } from "#db/queries/series/standing";
import * as participants from "#db/queries/sessions/participants";
import * as sessionWrites from "#db/queries/sessions/writes";
import * as tokens from "#db/queries/tokens";
import { AppError, brokenConstraint, invalid, UNKNOWN_CATEGORY } from "~/domain/errors";
import type { GoalDraft } from "~/domain/goals/goals";
import type { NewEvent } from "~/domain/notices/cause";
import { subjectOf } from "~/domain/notices/events";
import { isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import type { RoomView } from "~/domain/room/room";
import {
  asOnOtherDates,
  emptySchedule,
  type Schedule,
  withoutDates,
  withoutRunState,
} from "~/domain/schedule/schedule";
import type { SeriesTemplate, SessionInput } from "~/domain/sessions/input";
import { SESSION_LIMITS, SESSION_SENTENCES } from "~/domain/sessions/limits";
import { planForLength, planSession } from "~/domain/sessions/planning";
import * as sessionRefusals from "~/domain/sessions/refusals";
import type { SessionHead } from "~/domain/sessions/view";
import { slugify } from "~/domain/slugs";
import type { Instant } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { randomId } from "~/use-cases/random-id.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { type OverseenAct, recordOverseen } from "~/use-cases/super-admin-acts.server";
import { sharedGoalRow } from "./goals.server";
import { requireGuestsAllowed } from "./guest-seats.server";
import { headOf } from "./head.server";
import { callOfDate } from "./new-call.server";
import { type Activity, type FoundPlace, readsOfPlace, requirePlace } from "./place.server";
import { readSession } from "./read.server";
import { updatePlan } from "./roster-plan.server";

const MAX_ATTEMPTS = 4;

export type NewSession = SessionHead & { goals: Awaited<ReturnType<typeof goalCopies.listSessionGoals>> };

/**
 * The creator joins as host and pays for that join (B-06). A repeated request with the same uuid returns the session that
 * the first request created.
 */
export async function createSession(
  app: App,
  input: SessionInput,
  newSeries: NewSeries | null = null,
): Promise<NewSession> {
  const user = requireUser(app.user);
  await countUse(app, "session", user.id);
  return readMade(app, await insert(app, user, input, { newSeries }));
}

/** A series that is created with its first session: its statements, and the day of the session. */
type NewSeries = { day: string; statements: Statement[] };

/**
 * Creates the session that the welcome tour visits (H-02), with this id unless it is null. It never starts, and is
 * treated as a template.
 */
export async function createExample(
  app: App,
  { id, ...input }: Pick<SessionInput, "title" | "activitySlug"> & { id: number | null },
): Promise<void> {
  await insert(app, requireUser(app.user), { ...input, isManuallyStarted: true }, { example: { id } });
}

/** The day of a series for which a session is created. */
export type Occurrence = {
  seriesId: number;
  /** The version of the series that named the day. */
  seriesUpdatedAt: Instant;
  day: string;
  startedAt: Instant;
  /** The host of the series. Another host of the rota gets a notice of the turn. */
  ownerId: number;
  /** Seats for guests, as the host of this date decided (H-17). */
  guestLimit?: number;
};

/**
 * Creates a session of a series, as its host `app.user` (G-08). Standing seats and their payment are part of its batch,
 * so that they come before all other seats (G-13). False if the day has its session already, or if the series was changed,
 * paused or ended since it was read (G-12).
 */
export async function createOccurrence(
  app: App,
  template: SeriesTemplate,
  occurrence: Occurrence,
): Promise<boolean> {
  // A template that an earlier release stored may have dates.
  const input = { ...withoutDates(template), startedAt: occurrence.startedAt };
  try {
    const id = await insert(app, requireUser(app.user), input, { occurrence });
    // The plan gives turns to everybody with a seat, so it follows the standing seats.
    await updatePlan(app, await readSession(app, { session: id }));
    return true;
  } catch (error) {
    const constraint = brokenConstraint(error);
    if (constraint === "one_session_per_series_day" || constraint === sessionWrites.CONDITION_BROKEN)
      return false;
    throw error;
  }
}

/** The date of a series, the example or the new series for which a session is created; none for a single session. */
type Origin = {
  occurrence?: Occurrence | null;
  example?: { id: number | null } | null;
  newSeries?: NewSeries | null;
};

/** Checks the input, inserts the session and returns its id. */
async function insert(
  app: App,
  user: CurrentUser,
  input: SeriesTemplate,
  { occurrence = null, example = null, newSeries = null }: Origin,
): Promise<number> {
  const seat = `join:${input.uuid ?? app.newId()}`;
  const candidateSlugs = slugCandidates(input.title);
  const [activities, huts, sanctions, hiddenActivities, takenSlugs, [ownSeat], [category], [passage]] =
    await app.db.batch([
      ...readsOfPlace(app, input, occurrence?.ownerId),
      sessionWrites.findSlugs(app.db, candidateSlugs),
      participants.findSeatByReference(app.db, user.id, seat),
      categoryQueries.findCategory(app.db, input.category ?? ""),
      findNextPassage(app.db, input.promptBook ?? "", { userId: user.id, occurrence }),
    ]);
  // An earlier request with the same uuid has created the session.
  if (ownSeat) return ownSeat.sessionId;
  const place = requirePlace(app, input, [activities, huts, sanctions, hiddenActivities], {
    isDate: occurrence !== null,
  });
  const { activity } = place;
  // A series whose book was deleted goes on without it.
  if (input.promptBook && !passage && occurrence === null) throw invalid("promptBook", refusals.noBook);
  if (input.isTemplate) allowTemplate(user);
  allowCategory(input.category, category);
  requireStartAhead(app, input.startedAt);

  const passageText = passage?.content;
  const row = await newRow(app, user, input, { place, passageText, occurrence, example });
  const { hutId } = row;
  const causes =
    hutId === null || row.isTemplate
      ? []
      : [
          newEvent(app, {
            kind: "hut-session",
            subject: subjectOf("hut", hutId),
            body: { title: row.title, ...(occurrence ? { series: occurrence.seriesId } : {}) },
          }),
        ];
  const goals = input.goals ? await newGoals(app, user, input.goals) : null;
  const availableSlugs = freeSlugs(
    candidateSlugs,
    takenSlugs.map(({ slug }) => slug),
  );
  const parts = { seat, row, goals, causes, activity, occurrence, example, newSeries };
  const isTemplate = input.isTemplate === true;
  const insertStatements = (slug: string) => insertStatementsFor(app, user, { ...parts, slug, isTemplate });
  const id = await writeOnce(app, user, seat, availableSlugs, insertStatements);
  notifyRoom(app, id);
  // Events of a series wait for those of its other sessions, until the cron of the next minute.
  if (occurrence === null) wakeEvents(app, causes);
  return id;
}

/** The columns of a new session. INVALID for a plan or for guests that it cannot have. */
async function newRow(
  app: App,
  user: CurrentUser,
  input: SeriesTemplate,
  {
    place: { activity, hutId, category, isPrivate, isHidden },
    passageText,
    occurrence,
    example,
  }: {
    place: FoundPlace;
    passageText: string | undefined;
    occurrence: Occurrence | null;
    example: { id: number | null } | null;
  },
) {
  const { schedule, startedAt, endedAt, duration } = planSession({
    schedule: planForLength(scheduleOf(input.schedule, activity?.schedule), {
      duration: input.duration,
      isPlanSent: input.schedule !== undefined,
      rosterSize: 1,
    }),
    startedAt: input.startedAt ?? null,
    endedAt: input.endedAt,
    duration: input.duration ?? (input.endedAt || input.schedule ? null : (activity?.duration ?? null)),
    isManuallyStarted: input.isManuallyStarted ?? activity?.isManuallyStarted ?? false,
    rosterSize: 1,
  });
  requireGuestsAllowed(user, {
    guestLimit: occurrence ? 0 : input.guestLimit,
    participantLimit: input.participantLimit,
    isPrivate: isHidden,
  });
  const text = await app.richText.render(input.content ?? activity?.content ?? "");
  return {
    ...text,
    activityId: activity?.id ?? null,
    hutId,
    isPrivate,
    ownerId: user.id,
    title: input.title,
    prompt: passageText ?? input.prompt ?? "",
    category,
    difficulty: input.difficulty ?? activity?.difficulty ?? 4,
    isTemplate: input.isTemplate ?? example !== null,
    isExample: example !== null,
    ...(example?.id ? { id: example.id } : {}),
    isManuallyStarted: input.isManuallyStarted ?? activity?.isManuallyStarted ?? false,
    startedAt,
    endedAt,
    duration,
    participantLimit: input.participantLimit || null,
    participantsCount: 1,
    donationLink: input.donationLink ?? "",
    meetingLink: callOfDate(input, app.settings.meetingBase),
    joinCode: input.joinCode ?? "",
    isFree: input.isFree ?? false,
    // Each host of a series decides for their own dates (H-17).
    guestLimit: occurrence
      ? Math.min(
          isHidden ? 0 : (occurrence.guestLimit ?? 0),
          input.participantLimit || Number.POSITIVE_INFINITY,
        )
      : (input.guestLimit ?? 0),
    needsHost: input.needsHost ?? false,
    slowMode: input.slowMode ?? 0,
    schedule,
    seriesId: occurrence?.seriesId ?? null,
    seriesDay: occurrence?.day ?? null,
    createdAt: app.now,
    updatedAt: app.now,
  };
}

type NewSessionParts = {
  /** The reference of the host's seat. */
  seat: string;
  slug: string;
  row: Awaited<ReturnType<typeof newRow>>;
  goals: Awaited<ReturnType<typeof newGoals>> | null;
  causes: NewEvent<"hut-session">[];
  /** A super admin makes a template, which is audited. */
  isTemplate: boolean;
  activity: Activity | undefined;
  occurrence: Occurrence | null;
  example: { id: number | null } | null;
  newSeries: NewSeries | null;
};

/** The statements of the one batch that creates a session. The first one returns its id. */
function insertStatementsFor(app: App, user: CurrentUser, parts: NewSessionParts): Statement[] {
  const { seat, slug, row, goals, causes, isTemplate, activity, occurrence, example, newSeries } = parts;
  return [
    sessionWrites.insertSession(
      app.db,
      { ...row, slug },
      occurrence
        ? goesOnUnchanged({ id: occurrence.seriesId, updatedAt: occurrence.seriesUpdatedAt })
        : undefined,
    ),
    sessionWrites.insertSlug(app.db, slug, example?.id ?? undefined),
    ...(isTemplate ? recordOverseen(app, templateAct(slug)) : []),
    sessionWrites.insertHost(app.db, slug, {
      userId: user.id,
      personId: user.personId,
      username: user.username,
      seat,
      now: app.now,
    }),
    ...tokens.spendTokens(app.db, {
      userId: user.id,
      what: "join",
      reference: seat,
      now: app.now,
    }),
    ...(activity && !row.isTemplate ? [sessionWrites.raiseOpenSessionsCount(app.db, activity.id)] : []),
    ...(goals === null
      ? activity
        ? [
            goalCopies.insertGoalCopies(app.db, {
              from: { activityId: activity.id },
              userId: user.id,
              sessionId: sessionWrites.idOf(slug),
              now: app.now,
            }),
          ]
        : []
      : goals.map((goal) =>
          sessionWrites.insertSessionGoal(app.db, { ...goal, sessionId: sessionWrites.idOf(slug) }),
        )),
    ...(occurrence === null
      ? []
      : seatStandingHolders(app.db, {
          seriesId: occurrence.seriesId,
          slug,
          capacity: app.settings.roomCapacity,
          startedAt: occurrence.startedAt,
          title: row.title,
          now: app.now,
        })),
    ...(occurrence === null || occurrence.ownerId === user.id
      ? []
      : [
          recordEvent(app.db, newTurnEvent(app, user, occurrence.seriesId, row), {
            textFields: { path: sessionWrites.pathOf(slug) },
          }),
        ]),
    ...(newSeries === null
      ? []
      : [...newSeries.statements, adoptSession(app.db, user.id, sessionWrites.idOf(slug), newSeries.day)]),
    ...causes.map((cause) =>
      sessionWrites.recordHutSession(app.db, slug, cause, {
        hutId: row.hutId ?? 0,
        seriesId: row.seriesId,
      }),
    ),
  ];
}

/** The notice to the host in turn. The batch adds the path, because the session has no id before it. */
const newTurnEvent = (
  app: App,
  { id }: CurrentUser,
  seriesId: number,
  row: { title: string; startedAt: Instant | null; isFree: boolean },
) =>
  newEvent(
    { now: app.now, user: null },
    {
      kind: "turn-given",
      subject: subjectOf("series", seriesId),
      body: {
        title: row.title,
        startedAt: row.startedAt ?? app.now,
        ...(row.isFree ? { isFree: true } : {}),
        to: [id],
      },
    },
  );

const templateAct = (slug: string): OverseenAct => ({
  action: "template-made",
  target: { kind: "session", id: sessionWrites.idOf(slug) },
  isOwnRight: false,
});

/** Writes with the first slug that is still free. If a form is submitted twice at once, it creates one session. */
async function writeOnce(
  app: App,
  user: CurrentUser,
  seat: string,
  slugs: string[],
  insertStatements: (slug: string) => Statement[],
): Promise<number> {
  for (const slug of slugs.slice(0, MAX_ATTEMPTS)) {
    try {
      const [insertedSession] = (await runBatch(app.db, insertStatements(slug)))[0] as { id: number }[];
      if (!insertedSession) throw new AppError("SERVER_ERROR");
      return insertedSession.id;
    } catch (error) {
      const constraint = brokenConstraint(error);
      if (constraint === "entry_written_once") {
        const [earlierSeat] = await participants.findSeatByReference(app.db, user.id, seat);
        if (earlierSeat) return earlierSeat.sessionId;
        throw new AppError("CONFLICT", sessionRefusals.made);
      }
      if (constraint !== "slugs.slug") throw error;
    }
  }
  throw new AppError("CONFLICT", sessionRefusals.otherTitle);
}

/** The session as the creator sees it. `view` is the state of its room, if the caller changed it. */
export async function readMade(app: App, id: number, view: RoomView | null = null): Promise<NewSession> {
  const [row, goals] = await Promise.all([
    readSession(app, { session: id }),
    goalCopies.listSessionGoals(app.db, id),
  ]);
  return { ...(await headOf(app, row, view)), goals };
}

const slugCandidates = (title: string): string[] => {
  const titleSlug = slugify(title);
  return [titleSlug, ...Array.from({ length: MAX_ATTEMPTS }, () => `${titleSlug}-${randomId()}`)];
};
const freeSlugs = (candidates: readonly string[], takenSlugs: readonly string[]) =>
  candidates.filter((slug) => !takenSlugs.includes(slug));

/** The requested schedule, else the activity's, without its run, else an empty one. */
const scheduleOf = (requested: Schedule | undefined, activity: Schedule | undefined): Schedule =>
  requested ? withoutRunState(requested) : activity ? asOnOtherDates(activity) : emptySchedule();

const newGoals = (app: App, user: CurrentUser, drafts: GoalDraft[]) =>
  Promise.all(
    drafts.map(async (draft, position) => ({
      position,
      ...(await sharedGoalRow(app, draft)),
      uuid: draft.uuid ?? app.newId(),
      userId: user.id,
    })),
  );

export function allowTemplate(user: CurrentUser): void {
  if (!isSuperAdmin(user)) throw invalid("isTemplate", sessionRefusals.superAdminMakesTemplate);
}
export function requireStartAhead(app: App, startedAt: Instant | null | undefined): void {
  if (!startedAt) return;
  if (startedAt < app.now - SESSION_LIMITS.pastStart) throw invalid("startedAt", SESSION_SENTENCES.pastStart);
  if (startedAt > app.now + SESSION_LIMITS.startAhead) throw invalid("startedAt", SESSION_SENTENCES.farStart);
}
/** INVALID for an unknown category (K-05), which has no row. */
export function allowCategory(category: string | null | undefined, row: object | undefined): void {
  if (category && !row) throw invalid("category", UNKNOWN_CATEGORY);
}
