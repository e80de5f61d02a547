// The wire input of a session and its parts, translated into the inside words (E-06 to E-08, R-30, X-05). Errors name
// the fields as they were sent; the domain checks the rules.
import { z } from "zod";
import type { GoalDraft } from "~/domain/goals/goals";
import { choiceIn, numberIn } from "~/domain/number-fields";
import type { PartChange } from "~/domain/schedule/part-changes";
import {
  intervalsDuration,
  newPart,
  newPartGroup,
  type RelativeStart,
  SCHEDULE_LIMITS,
  START_OF,
  type StartOf,
  TIME_FROM,
} from "~/domain/schedule/shape";
import { SLOW_MODES } from "~/domain/sessions/chat";
import { SessionFields } from "~/domain/sessions/input";
import { SESSION_LIMITS } from "~/domain/sessions/limits";
import { manyLines, oneLine } from "~/domain/text-fields";
import { type Seconds, seconds } from "~/domain/time";
import { uncheckedText } from "~/wire/call";
import { wireGoal } from "~/wire/goals/input";
import { FLAG_NAMES, type FlagName, flagsIn } from "~/wire/schedule/schedule";
import { flag, id, instantIn } from "~/wire/values";

/** A client-generated id of a part or group: a uuid or any other unique text. */
export const partIdIn = z
  .union([oneLine(), z.number().transform(String)])
  .pipe(oneLine().min(1, "Please give a uuid.").max(64, "This uuid is too long."));
const newId = partIdIn.nullish().transform((sentId) => sentId ?? crypto.randomUUID());
const bit = flag.optional();
const blankToNull = (value: unknown) => (value === "" ? null : value);
/** `null` or an empty text clears the field; undefined leaves it unchanged. */
export const clearableInstant = z.preprocess(blankToNull, instantIn.nullish());
const WHOLE_SECONDS = "Please give a duration in whole seconds.";
const span = z.preprocess(
  blankToNull,
  numberIn(
    z
      .number(WHOLE_SECONDS)
      .int(WHOLE_SECONDS)
      .min(0, "A duration cannot be negative.")
      .max(SCHEDULE_LIMITS.duration, "A timer lasts at most 30 days.")
      .transform(seconds),
  ).nullish(),
);
/** A session's own length; the domain checks its bounds. */
const sessionLength = z.preprocess(
  blankToNull,
  numberIn(
    z
      .number("Please set the challenge duration.")
      .int(WHOLE_SECONDS)
      .transform((value) => value as Seconds),
  ).nullish(),
);
const title = oneLine().max(SCHEDULE_LIMITS.title, "This title is too long.").nullish();
const sets = numberIn(
  z
    .number("How many sets?")
    .int("How many sets?")
    .min(1, "At least one set, please.")
    .max(SCHEDULE_LIMITS.sets, "That is too many sets."),
).nullish();

/** R-30; dashes count as underscores. */
const startOf = z.preprocess(
  (value) => (typeof value === "string" ? (value === "" ? null : value.replaceAll("_", "-")) : value),
  z
    .enum(START_OF, "Please choose after_previous_ends, before_previous_ends or after_previous_starts.")
    .nullish(),
);
const timeFrom = z.preprocess(
  blankToNull,
  choiceIn(TIME_FROM, "Please choose 0, 300, 1800, 3600 or 86400 seconds.").nullish(),
);

const interval = z
  .object({ uuid: newId, title, duration: span })
  .transform(({ uuid, title, duration }, ctx) => {
    if (!duration) ctx.addIssue({ code: "custom", path: ["duration"], message: "The duration cannot be 0" });
    return { id: uuid, title: title ?? "", duration: duration ?? seconds(0) };
  });

const partFields = {
  title,
  duration: span,
  started_at: clearableInstant,
  ended_at: clearableInstant,
  ...(Object.fromEntries(Object.values(FLAG_NAMES).map((name) => [name, bit])) as Record<
    FlagName,
    typeof bit
  >),
  relative_dates: bit,
  start_of: startOf,
  time_from: timeFrom,
  is_interval: bit,
  timers: z.array(interval).max(SCHEDULE_LIMITS.intervals, "That is too many intervals.").nullish(),
  sets,
};
type PartBody = z.output<z.ZodObject<typeof partFields>>;

/** Undefined leaves the start unchanged; an absolute date alone makes the start absolute. */
function relativeOf(body: PartBody): RelativeStart | null | undefined {
  if (body.relative_dates === false) return null;
  if (body.start_of || typeof body.time_from === "number")
    return { startOf: (body.start_of ?? "after-previous-ends") as StartOf, timeFrom: body.time_from ?? 0 };
  if (body.relative_dates) return { startOf: "after-previous-ends", timeFrom: 0 };
  return body.started_at || body.start_of === null || body.time_from === null ? null : undefined;
}

const changeOf = (body: PartBody): PartChange => ({
  title: body.title ?? undefined,
  duration: body.duration ?? undefined,
  intervals: body.is_interval === false ? [] : (body.timers ?? undefined),
  sets: body.sets ?? undefined,
  ...flagsIn(body),
  relativeStart: relativeOf(body),
  startedAt: body.started_at,
  endedAt: body.ended_at,
});

export const partKind = z
  .enum(["event", "task"], "Please choose event or task.")
  .nullish()
  .transform((value) => value ?? "event");

/** A waiting part of a complete plan, with the defaults of a new one (K-03). */
function partOf(uuid: string, body: PartBody) {
  const change = Object.fromEntries(
    Object.entries(changeOf(body)).filter(([name, value]) => value !== undefined && name !== "endedAt"),
  );
  const part = newPart(uuid, change);
  const secondsBetween =
    body.duration == null && body.started_at && body.ended_at && !change.intervals
      ? Math.round((body.ended_at - body.started_at) / 1000)
      : null;
  const duration =
    part.intervals.length > 0
      ? intervalsDuration(part.intervals, part.sets)
      : secondsBetween !== null && secondsBetween >= 0
        ? seconds(secondsBetween)
        : part.duration;
  return { ...part, duration, startedAt: part.relativeStart ? null : part.startedAt };
}

/** A goal, with its group if it names one; `isNew` requires a title. */
export const goalPayload = (isNew: boolean) =>
  z
    .intersection(wireGoal(isNew), z.object({ events_group_uuid: partIdIn.nullish() }))
    .transform(
      ({ events_group_uuid, ...draft }): GoalDraft =>
        events_group_uuid === undefined ? draft : { ...draft, partGroupId: events_group_uuid },
    );
const goal = goalPayload(true);

const timedPart = z.object({ ...partFields, uuid: newId, events_group_uuid: partIdIn.nullish() });
const groupFields = { uuid: newId, linked: bit, hidden: bit, auto_start: bit, sets };
const timedParts = z.array(timedPart).max(SCHEDULE_LIMITS.parts, "That is too many timers for one session.");
const group = z.discriminatedUnion("type", [
  z.object({ ...groupFields, type: z.literal("event"), parts: timedParts.nullish() }),
  z.object({
    ...groupFields,
    type: z.literal("task"),
    parts: z.array(goal).max(SESSION_LIMITS.goals).nullish(),
  }),
]);

/**
 * Groups of parts. A part outside a group joins the group that it names, otherwise a new group of all such parts of its
 * type.
 */
function putIntoGroups(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const groups: Record<string, unknown>[] = [];
  const groupsByUuid = new Map<unknown, Record<string, unknown>>();
  const newGroupsByType = new Map<unknown, Record<string, unknown>>();
  for (const item of value) {
    if (typeof item !== "object" || item === null) return value;
    const part = item as Record<string, unknown>;
    const type = part.type ?? "event";
    const isGroup = Array.isArray(part.parts) || !("title" in part || "duration" in part);
    const uuid = isGroup ? part.uuid : part.events_group_uuid;
    let group = isGroup ? undefined : uuid ? groupsByUuid.get(uuid) : newGroupsByType.get(type);
    if (!group) {
      group = isGroup ? { ...part, type } : { uuid: uuid ?? crypto.randomUUID(), type, parts: [] };
      groups.push(group);
      if (!groupsByUuid.has(uuid)) groupsByUuid.set(uuid, group);
      if (!isGroup && !uuid) newGroupsByType.set(type, group);
    }
    if (isGroup) continue;
    const parts = Array.isArray(group.parts) ? group.parts : [];
    parts.push(part);
    group.parts = parts;
  }
  return groups;
}

const plan = z.preprocess(
  putIntoGroups,
  z
    .array(group, "Please send the groups of timers.")
    .max(SCHEDULE_LIMITS.groups, "That is too many groups.")
    .nullish()
    .transform((groups) => (groups === null ? [] : groups)),
);
type Group = z.output<typeof group>;

const scheduleOf = (groups: readonly Group[]) => ({
  groups: groups.map((sentGroup) => ({
    ...newPartGroup(sentGroup.uuid, {
      type: sentGroup.type,
      isLinked: sentGroup.linked ?? true,
      isHidden: sentGroup.hidden ?? false,
      isAutoStart: sentGroup.auto_start ?? true,
      sets: sentGroup.sets ?? 1,
    }),
    parts: sentGroup.type === "event" ? (sentGroup.parts ?? []).map((part) => partOf(part.uuid, part)) : [],
  })),
});
const goalsOf = (groups: readonly Group[]): GoalDraft[] =>
  groups.flatMap((sentGroup) =>
    sentGroup.type === "task"
      ? (sentGroup.parts ?? []).map((part) => ({ ...part, partGroupId: part.partGroupId ?? sentGroup.uuid }))
      : [],
  );

/** The plan of a session or an activity: groups with timers, and goals. */
export const planFields = {
  parts: plan,
  tasks: z
    .array(goal)
    .max(SESSION_LIMITS.goals, `At most ${SESSION_LIMITS.goals} goals, please.`)
    .nullish()
    .transform((goals) => (goals === null ? [] : goals)),
};

/** The plan in inside names; missing fields stay undefined. */
export function planInputOf(body: z.output<z.ZodObject<typeof planFields>>) {
  const goalsOfParts = body.parts ? goalsOf(body.parts) : [];
  const tasks = body.tasks?.map((sentGoal) => ({ ...sentGoal, partGroupId: sentGoal.partGroupId ?? null }));
  const knownIds = new Set(goalsOfParts.map(({ uuid }) => uuid));
  const goals =
    tasks || goalsOfParts.length > 0
      ? [...goalsOfParts, ...(tasks ?? []).filter(({ uuid }) => uuid === undefined || !knownIds.has(uuid))]
      : undefined;
  return { schedule: body.parts ? scheduleOf(body.parts) : undefined, goals };
}

/** Seats for guests; 0: none (H-17). */
export const guestLimit = numberIn(SessionFields.shape.guestLimit.unwrap()).optional();

/** The fields of `{ challenge: session }`; the domain checks texts and numbers. */
export const sessionFields = {
  uuid: z.uuid().optional().catch(undefined),
  title: uncheckedText,
  content: manyLines("Please give a text.").nullish(),
  prompt: manyLines("Please give a text.").nullish(),
  challenge_id: id.nullish(),
  challenge_slug: oneLine().max(200).nullish(),
  hut_id: id.nullish(),
  group_id: id.nullish(),
  started_at: clearableInstant,
  ended_at: clearableInstant,
  duration: sessionLength,
  is_manually_started: bit,
  is_preset: bit,
  is_private: bit,
  participant_limit: z.preprocess(
    blankToNull,
    numberIn(z.number("Please give a number of participants.")).nullish(),
  ),
  donation_link: oneLine("Please give an address.").nullish(),
  meeting_link: oneLine("Please give an address.").nullish(),
  join_code: z.union([oneLine(), z.number().transform(String)], "Please give a code.").nullish(),
  is_free: bit,
  guest_limit: guestLimit,
  needs_host: bit,
  slow_mode: choiceIn(SLOW_MODES, "Please choose 0, 5, 15 or 60 seconds.").optional(),
  category: z.preprocess(blankToNull, oneLine().max(60).nullish()),
  difficulty: numberIn(z.number("Please choose a difficulty: 3, 4 or 6.")).optional(),
  ...planFields,
};
type SessionBody = z.output<z.ZodObject<typeof sessionFields>>;

const emptyIfNull = (value: string | null | undefined) => (value === null ? "" : value);

/** The session in inside names, for the domain's schema. */
export function sessionInputOf(body: SessionBody) {
  return {
    uuid: body.uuid,
    title: body.title,
    content: emptyIfNull(body.content),
    prompt: emptyIfNull(body.prompt),
    activityId: body.challenge_id,
    activitySlug: body.challenge_slug,
    hutId: body.hut_id === undefined ? body.group_id : body.hut_id,
    startedAt: body.started_at,
    endedAt: body.ended_at,
    duration: body.duration,
    isManuallyStarted: body.is_manually_started,
    isTemplate: body.is_preset,
    isPrivate: body.is_private,
    participantLimit: body.participant_limit,
    donationLink: emptyIfNull(body.donation_link),
    meetingLink: emptyIfNull(body.meeting_link),
    joinCode: emptyIfNull(body.join_code),
    isFree: body.is_free,
    guestLimit: body.guest_limit,
    needsHost: body.needs_host,
    slowMode: body.slow_mode,
    category: body.category,
    difficulty: body.difficulty,
    ...planInputOf(body),
  };
}

/** The fields of a change of a session: also the other dates of its series that it reaches (G-10), and its version. */
export const sessionChangeFields = {
  ...sessionFields,
  scope: oneLine().optional(),
  keep_waiting: bit,
  updated_at: instantIn.nullish(),
};

export const sessionChangeOf = ({
  scope,
  keep_waiting,
  updated_at,
  ...body
}: z.output<z.ZodObject<typeof sessionChangeFields>>) => ({
  ...sessionInputOf(body),
  since: updated_at ?? undefined,
  scope,
  keepsWaiting: keep_waiting,
});

// ---- single parts

const AN_ORDER = "Please give a position from 0 up.";
/** The group and the position of a part in a call. */
export const placeFields = {
  events_group_uuid: partIdIn.nullish(),
  order: numberIn(z.number(AN_ORDER)).pipe(z.number().int(AN_ORDER).min(0, AN_ORDER)).optional(),
};

const partPayload = z.object(partFields);
const groupPayload = z.object({ linked: bit, hidden: bit, auto_start: bit, sets });
/** Parses the fields of a timer and of its group in one body. */
export const timedPayload = {
  read: partPayload,
  changeOf,
  group: groupPayload.transform(({ linked, hidden, auto_start, sets }) => ({
    isLinked: linked,
    isHidden: hidden,
    isAutoStart: auto_start,
    sets: sets ?? undefined,
  })),
};
