// Activities: create, update, follow, delete.

import { sql } from "drizzle-orm";
import { runBatch, type Statement } from "#db/connect.server";
import type { ActivityRow } from "#db/queries/activities/activities";
import * as activities from "#db/queries/activities/activities";
import * as categoryQueries from "#db/queries/activities/categories";
import * as goalCopies from "#db/queries/goals/copies";
import * as goalQueries from "#db/queries/goals/goals";
import * as hutQueries from "#db/queries/huts/huts";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import * as sessionWrites from "#db/queries/sessions/writes";
import * as tokens from "#db/queries/tokens";
import { type ActivityChange, type ActivityInput, hasPlaces } from "~/domain/activities/activities";
import { planSentences } from "~/domain/activities/plan-problems";
import * as activityRefusals from "~/domain/activities/refusals";
import { AppError, brokenConstraint, invalid, TOO_LARGE_A_PLAN, UNKNOWN_CATEGORY } from "~/domain/errors";
import type { Goal } from "~/domain/goals/goals";
import { withPresentHut } from "~/domain/huts/huts";
import { allow, asOrdinary, canManageOwned, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import {
  asOnOtherDates,
  emptySchedule,
  newPart,
  newPartGroup,
  type Schedule,
  scheduleLength,
} from "~/domain/schedule/schedule";
import { fitsPlan } from "~/domain/schedule/size";
import { type Seconds, seconds } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { withFreeSlug } from "~/use-cases/free-slug.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { type OverseenAct, recordOverseen } from "~/use-cases/super-admin-acts.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { requireMayWriteInHut } from "~/use-cases/writing.server";
import { mayRead } from "../sessions/read.server";
import { insertGoalStatements, replaceGoalStatements } from "./goals.server";

export type ActivityView = Omit<ActivityRow, "ownerId" | "personId"> & {
  path: string;
  canManage: boolean;
  canJoin: boolean;
  mayReset: boolean;
};
/** An activity with its goals, and with the viewer's own goals of this activity. */
export type WholeActivity = ActivityView & { goals: Goal[]; myGoals: TiedGoal[] };
export type TiedGoal = { goal: Goal; activeLogId: number | null; username: string };

export function showActivity(app: App, row: ActivityRow): ActivityView {
  const { ownerId: _, personId: __, ...publicFields } = row;
  return {
    ...publicFields,
    path: `/activities/${row.slug}`,
    canManage: canManageOwned(app.user, row),
    canJoin: !row.isJoined && hasPlaces(row),
    mayReset: isSuperAdmin(app.user),
  };
}

export const noActivity = (): AppError => new AppError("NOT_FOUND", refusals.noActivity);

export async function requireActivity(app: App, slug: string): Promise<ActivityRow> {
  const [row] = await activities.findActivity(app.db, slug, viewerOf(app));
  if (!row) throw noActivity();
  return row;
}

/** The answer of activity calls. */
const readActivity = async (app: App, slug: string): Promise<WholeActivity> =>
  asWhole(app, await app.db.batch(readStatements(app, slug)));

/** The reads of the answer; the batch of a write ends with them. */
const readStatements = (app: App, slug: string) => {
  const userId = app.user?.id ?? 0;
  return [
    activities.findActivity(app.db, slug, viewerOf(app)),
    activities.listGoalsByActivitySlug(app.db, slug),
    goalQueries.listOwnGoalsOfActivity(app.db, slug, userId),
  ] as const;
};

function asWhole(app: App, parts: readonly [ActivityRow[], Goal[], TiedRow[]]): WholeActivity {
  const [[row], goals, tiedRows] = parts;
  if (!row) throw noActivity();
  return { ...showActivity(app, row), goals, myGoals: showTiedGoals(app, tiedRows) };
}

/** Runs the writes and returns the changed activity. */
async function changeAndRead(app: App, slug: string, writes: Statement[]): Promise<WholeActivity> {
  const results = await runBatch<Statement>(app.db, [...writes, ...readStatements(app, slug)]);
  return asWhole(app, results.slice(-3) as [ActivityRow[], Goal[], TiedRow[]]);
}

type TiedRow = Goal & { activeLogId: number | null };
export const showTiedGoals = (app: App, rows: TiedRow[]): TiedGoal[] =>
  rows.map(({ activeLogId, ...goal }) => ({ goal, activeLogId, username: app.user?.username ?? "" }));

/** The length of a schedule, as an activity's duration: from five minutes to 30 days. */
const lengthOf = (schedule: Schedule): Seconds =>
  seconds(Math.min(2_592_000, Math.max(300, scheduleLength(schedule, 1))));

/** A new activity by its id, for the answer to the call that created it. */
export async function readMadeActivity(app: App, id: number): Promise<WholeActivity> {
  const [activity] = await activities.findActivitySlug(app.db, id);
  return readActivity(app, activity?.slug ?? "");
}

/** Creates an activity with the schedule of the input, or with one part of its whole length. */
export async function createActivity(app: App, input: ActivityInput): Promise<WholeActivity> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "activities", user.id);
  await requireHut(app, user, input.hutId);
  await requireMayWriteInHut(app, input.hutId);
  const schedule = input.schedule ?? emptySchedule();
  requirePlan({ schedule, isManuallyStarted: input.isManuallyStarted }, null);
  const duration = input.duration ?? (schedule.groups.length > 0 ? lengthOf(schedule) : seconds(1800));
  const row = {
    ...(await app.richText.render(input.content)),
    title: input.title,
    ownerId: user.id,
    personId: user.personId,
    hutId: input.hutId,
    category: input.category || null,
    difficulty: input.difficulty,
    isTemplate: input.isTemplate,
    // In a hut, triggers set `isPrivate`.
    isPrivate: input.isPrivate === true && !input.hutId,
    isManuallyStarted: input.isManuallyStarted,
    duration,
    participantLimit: input.participantLimit || null,
    schedule: schedule.groups.length > 0 ? schedule : onePart(duration),
    createdAt: app.now,
    updatedAt: app.now,
  };
  // The slugs among these that an activity or session uses.
  const listTaken = (slugs: readonly string[]) => sessionWrites.findSlugs(app.db, slugs);
  try {
    return await withFreeSlug(input.title, listTaken, async (slug) => {
      const activity = { activityId: activities.activityIdOf(slug), ownerId: user.id };
      const goals = await insertGoalStatements(app, activity, input.goals ?? []);
      await runBatch(app.db, [...activities.insertActivity(app.db, { ...row, slug }), ...goals]);
      return readActivity(app, slug);
    });
  } catch (error) {
    throw asCategoryError(error, input.category);
  }
}

type ActivityPlan = Pick<ActivityRow, "schedule" | "isManuallyStarted">;

/** INVALID at `schedule` for a plan that is too large, or has problems that the plan before did not have. */
function requirePlan(plan: ActivityPlan, before: ActivityPlan | null): void {
  if (!fitsPlan(plan.schedule)) throw invalid("schedule", TOO_LARGE_A_PLAN);
  const sentences = planSentences(plan, before);
  if (sentences.length > 0) throw new AppError("INVALID", undefined, { fields: { schedule: sentences } });
}

const onePart = (duration: Seconds): Schedule => ({
  groups: [newPartGroup(crypto.randomUUID(), { parts: [newPart(crypto.randomUUID(), { duration })] })],
});

/** INVALID if the input names a category that does not exist, which breaks a foreign key (K-05). */
const asCategoryError = (error: unknown, category: unknown): unknown =>
  category && brokenConstraint(error) === "FOREIGN KEY" ? invalid("category", UNKNOWN_CATEGORY) : error;

async function requireHut(app: App, user: CurrentUser, hutId: number | null | undefined): Promise<void> {
  if (!hutId) return;
  const [ownHut] = await hutQueries.findOwnHut(app.db, hutId, user.id);
  if (!ownHut) throw invalid("hutId", refusals.chooseOwnHut);
}

export async function updateActivity(app: App, change: ActivityChange): Promise<WholeActivity> {
  const user = requireUser(app.user);
  await countUse(app, "change-activity", user.id);
  const row = await requireActivity(app, change.slug);
  allow(canManageOwned(user, row), activityRefusals.ownerChanges);
  const hutId = change.hutId === undefined ? row.hutId : change.hutId;
  if (hutId !== row.hutId) await requireHut(app, user, hutId);
  // An activity may leave a hut that is closed to its owner.
  await requireMayWriteInHut(app, hutId);
  if (change.isPrivate && !row.isPrivate) throw invalid("isPrivate", activityRefusals.onlyHutHides);
  const { schedule = row.schedule, isManuallyStarted = row.isManuallyStarted } = change;
  if (change.schedule || isManuallyStarted !== row.isManuallyStarted)
    requirePlan({ schedule, isManuallyStarted }, row);
  const { slug, content, participantLimit, goals, isPrivate, ...fields } = change;
  const text = content === undefined ? {} : await app.richText.render(content);
  const changedFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const goalStatements = goals ? await replaceGoalStatements(app, row, goals) : [];
  try {
    await runBatch(app.db, [
      activities.updateActivity(app.db, row.id, {
        ...changedFields,
        ...text,
        ...(hutId === null && isPrivate === false ? { isPrivate } : {}),
        ...(participantLimit === undefined ? {} : { participantLimit: participantLimit || null }),
        updatedAt: app.now,
      }),
      ...recordOverseen(app, overseenActivityAct(app, row, "activity-changed")),
      ...goalStatements,
    ]);
  } catch (error) {
    if (brokenConstraint(error) === "activity_not_full")
      throw invalid("participantLimit", activityRefusals.followersAlready(row.followersCount));
    throw asCategoryError(error, change.category);
  }
  return readActivity(app, slug);
}

const overseenActivityAct = (app: App, row: ActivityRow, action: OverseenAct["action"]): OverseenAct => ({
  action,
  target: { kind: "activity", id: row.id },
  userId: row.ownerId,
  isOwnRight: canManageOwned(asOrdinary(app.user), row),
  previous: row.title,
});

/** CONFLICT while the activity has upcoming or running sessions. */
export async function deleteActivity(app: App, input: { slug: string }): Promise<void> {
  const user = requireUser(app.user);
  await countUse(app, "change-activity", user.id);
  const row = await requireActivity(app, input.slug);
  allow(canManageOwned(user, row), activityRefusals.ownerDeletes);
  const [keptNotes, activityDeletion, slugDeletion] = activities.deleteActivity(
    app.db,
    row.id,
    row.slug,
    app.now,
  );
  const act = recordOverseen(app, overseenActivityAct(app, row, "activity-removed"));
  const [, deletedRows] = await runBatch(app.db, [keptNotes, activityDeletion, ...act, slugDeletion]);
  if ((deletedRows as unknown[]).length === 0) throw new AppError("CONFLICT", activityRefusals.hasSessions);
}

/** Follows an activity; 0.01 token the first time, free on a repeat (R-02, B-05). */
export async function followActivity(app: App, input: { slug: string }): Promise<WholeActivity> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "change-follow", user.id);
  const row = await readActivity(app, input.slug);
  if (row.isJoined) return row;
  if (!hasPlaces(row)) throw new AppError("CONFLICT", activityRefusals.full);
  const reference = `follow:${row.id}:${user.id}:${app.newId()}`;
  // Paid only if this batch creates the follow; the condition is evaluated before the insert.
  const isNew = sql`NOT EXISTS (SELECT 1 FROM followers WHERE activity_id = ${row.id} AND user_id = ${user.id})`;
  return changeAndRead(app, input.slug, [
    ...tokens.spendTokens(app.db, {
      userId: user.id,
      what: "follow",
      reference,
      now: app.now,
      condition: isNew,
    }),
    activities.insertFollower(app.db, { activityId: row.id, userId: user.id, now: app.now }),
    activities.updateFollowersCount(app.db, row.id),
  ]);
}

export async function unfollowActivity(app: App, input: { slug: string }): Promise<WholeActivity> {
  const user = requireUser(app.user);
  await countUse(app, "change-follow", user.id);
  const activity = await readActivity(app, input.slug);
  const [, [counts]] = await app.db.batch([
    activities.deleteFollower(app.db, activity.id, user.id),
    activities.updateFollowersCount(app.db, activity.id),
  ]);
  // The follow may have been the only right to see the activity.
  const { followersCount } = counts ?? activity;
  const left = { ...activity, isJoined: false, followersCount };
  return { ...left, canJoin: hasPlaces(left) };
}

/** The data of the create and update forms: own huts, categories, and initial values. */
export async function viewActivityForm(
  app: App,
  input: { slug?: string | undefined; template?: string | undefined; hut?: string | undefined },
) {
  const user = requireUser(app.user);
  const slug = input.slug || input.template || "";
  const [huts, categories, [row], goals, [session], sessionGoals] = await app.db.batch([
    hutQueries.listOwnHuts(app.db, user.id),
    categoryQueries.listCategories(app.db),
    activities.findActivity(app.db, slug, viewerOf(app)),
    activities.listGoalsByActivitySlug(app.db, slug),
    sessions.findSessionBySlug(app.db, input.template ?? "", viewerOf(app)),
    goalCopies.listSessionGoals(app.db, sessionWrites.idOf(input.template ?? "")),
  ]);
  const activity = row && { row, goals };
  const initial = input.slug
    ? valuesOfActivity(app, activity)
    : input.template
      ? valuesOfTemplate(app, activity, session && { row: session, goals: sessionGoals })
      : null;
  return {
    huts: input.slug && row ? withPresentHut(huts, row) : huts,
    categories,
    activity: initial?.activity ?? null,
    goals: initial?.goals ?? [],
    isUpdate: input.slug !== undefined,
    hutId: initial?.activity.hutId ?? huts.find((hut) => hut.slug === input.hut)?.id ?? null,
  };
}

const FORM_FIELDS = [
  "slug",
  "title",
  "content",
  "category",
  "difficulty",
  "hutId",
  "duration",
  "participantLimit",
  "isManuallyStarted",
  "isTemplate",
  "isPrivate",
  "schedule",
] as const satisfies (keyof ActivityRow)[];
type FormValues = Pick<ActivityRow, (typeof FORM_FIELDS)[number]>;
type InitialValues = { activity: FormValues; goals: Goal[] };
/** The columns of a row that the form shows. */
const formValues = (row: FormValues) =>
  Object.fromEntries(FORM_FIELDS.map((name) => [name, row[name]])) as FormValues;

type WithGoals<Row> = { row: Row; goals: Goal[] } | undefined;

function valuesOfActivity(app: App, activity: WithGoals<ActivityRow>): InitialValues {
  if (!activity) throw noActivity();
  allow(canManageOwned(app.user, activity.row), activityRefusals.ownerChanges);
  return { activity: formValues(activity.row), goals: activity.goals };
}

/** The values of any activity, or of a session that is a template, whose page offers Create Challenge (U-39). */
function valuesOfTemplate(
  app: App,
  activity: WithGoals<ActivityRow>,
  session: WithGoals<SessionRow>,
): InitialValues {
  if (activity) return { activity: formValues(activity.row), goals: activity.goals };
  if (!session?.row.isTemplate || !mayRead(app, session.row))
    throw new AppError("NOT_FOUND", activityRefusals.noTemplate);
  const { row, goals } = session;
  return { activity: formValues({ ...row, schedule: asOnOtherDates(row.schedule) }), goals };
}
