// The parts of a session, their groups and their state changes (C-60 to C-64, C-76).
import { z } from "zod";
import { numberIn } from "~/domain/number-fields";
import type { PartGroup } from "~/domain/schedule/shape";
import type { PartAnswer } from "~/domain/sessions/view";
import { oneLine } from "~/domain/text-fields";
import { call, fields, IN_ROOM, isObject } from "../call";
import { groupOut, partOut } from "../schedule/schedule";
import { bit, challengeToSlug, eventParams, eventToSession, slugParams } from "../sessions/ids";
import { goalPayload, partIdIn, partKind, placeFields, timedPayload } from "../sessions/input";
import { groupsOut, plainGoalOut, sessionHeadOut } from "../sessions/sessions";
import { instantIn } from "../values";

type Flat = Record<string, unknown>;
/** `{ params, body }` → one object; a `part` or `challenge` wrapper is unwrapped. */
const flatten = (raw: unknown): Flat => {
  const { params, body } = raw as { params: Flat; body: unknown };
  const bare = isObject(body) ? body : {};
  const inner = [bare.part, bare.challenge].find(isObject) ?? {};
  return { ...bare, ...inner, ...params };
};
/** Parses inside a transform, and reports each error at its own field. */
function parse<S extends z.ZodType>(schema: S, value: unknown, ctx: z.RefinementCtx): z.output<S> | null {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues)
    ctx.addIssue({ code: "custom", path: issue.path, message: issue.message });
  return null;
}

/** The documented fields of a part; a part of type `task` has the fields of a goal instead of a timer's. */
const documentedPart = z.object({
  ...slugParams,
  ...placeFields,
  type: partKind,
  ...timedPayload.read.shape,
});
/** The fields of the part's group that a change of the part may carry. */
const documentedGroup = { linked: bit, hidden: bit, auto_start: bit };
/** The version of the goal from which the edit began. */
const versionField = { updated_at: instantIn.nullish() };
const NO_FIELDS = {} as const;
const newPart = z.unknown().transform((raw, ctx) => {
  const flatBody = flatten(raw);
  const target = parse(
    z.object({ ...slugParams, ...placeFields, type: partKind, uuid: partIdIn.nullish() }),
    flatBody,
    ctx,
  );
  if (!target) return z.NEVER;
  const ref = {
    slug: target.challenge,
    uuid: target.uuid ?? undefined,
    groupId: target.events_group_uuid ?? null,
    index: target.order,
  };
  if (target.type === "task") {
    const goal = parse(goalPayload(true), { ...flatBody, uuid: target.uuid ?? undefined }, ctx);
    return goal ? { ...ref, type: target.type, goal, part: NO_FIELDS } : z.NEVER;
  }
  const part = parse(timedPayload.read, flatBody, ctx);
  return part ? { ...ref, type: target.type, part: timedPayload.changeOf(part), goal: NO_FIELDS } : z.NEVER;
});

const changedPart = z.unknown().transform((raw, ctx) => {
  const flatBody = flatten(raw);
  const target = parse(
    z.object({ ...slugParams, ...placeFields, ...versionField, part: partIdIn }),
    flatBody,
    ctx,
  );
  if (!target) return z.NEVER;
  const type =
    flatBody.type === "task" || flatBody.type === "event" ? (flatBody.type as "task" | "event") : undefined;
  const reference = {
    slug: target.challenge,
    part: target.part,
    type,
    since: target.updated_at ?? undefined,
  };
  const goal = parse(
    goalPayload(false),
    { ...flatBody, uuid: undefined },
    type === "event" ? ignoresIssues : ctx,
  );
  if (type === "task") return goal ? { ...reference, goal, change: NO_FIELDS, group: NO_FIELDS } : z.NEVER;
  const part = parse(timedPayload.read, flatBody, ctx);
  const group = parse(timedPayload.group, flatBody, ctx);
  if (!part || !group) return z.NEVER;
  const change = {
    ...timedPayload.changeOf(part),
    groupId: target.events_group_uuid ?? undefined,
    index: target.order ?? undefined,
  };
  return { ...reference, goal: goal ?? NO_FIELDS, change, group };
});
const ignoresIssues = { addIssue() {} } as unknown as z.RefinementCtx;

const currentInstant = () => Date.now() as Parameters<typeof groupOut>[1];
const asPartAnswer = ({ part, goal, schedule, goals }: PartAnswer) => {
  const tasks = goals.map((goal) => plainGoalOut(goal, ""));
  const group = part && schedule.groups.find((candidate) => candidate.parts.some(({ id }) => id === part.id));
  const order = group ? group.parts.findIndex(({ id }) => id === part.id) : 0;
  return {
    part: part && group ? partOut(part, group, order, currentInstant()) : goal && plainGoalOut(goal, ""),
    task: goal && plainGoalOut(goal, ""),
    parts: groupsOut(schedule, tasks, currentInstant()),
    tasks,
  };
};
const groupFields = { uuid: partIdIn.nullish(), type: partKind, auto_start: bit };
const groupInputOf = <R extends object>({
  uuid,
  auto_start,
  ...rest
}: R & { uuid?: string | null | undefined; type: "event" | "task"; auto_start?: boolean | undefined }) => ({
  ...rest,
  uuid: uuid ?? undefined,
  isAutoStart: auto_start,
});
const asGroupAnswer = ({ group }: { group: PartGroup }) => ({ group: groupOut(group, currentInstant()) });

/** `{ uuid: order }`, or a list of uuids in order. */
const orderIn = z.union(
  [
    z.record(oneLine().max(64), numberIn(z.number())),
    z
      .array(oneLine().max(64))
      .max(500)
      .transform((uuids) => Object.fromEntries(uuids.map((uuid, order) => [uuid, order]))),
  ],
  "Please send the order of each uuid.",
);

const controlOptions = {
  scope: "host" as const,
  input: fields({ params: { ...eventParams, part: partIdIn } }).transform(eventToSession),
  answer: sessionHeadOut,
};
export const sessionPartCalls = {
  addSessionPartGroup: call(
    "POST /challenge-events/{event}/events-groups",
    "Add a group of parts to a session",
    {
      scope: "host",
      limits: ["parts"],
      input: fields({ params: eventParams, body: groupFields }).transform((input) =>
        groupInputOf(eventToSession(input)),
      ),
      isRepeatable: true,
      keyFirst: IN_ROOM,
      answer: asGroupAnswer,
    },
  ),
  addPartGroup: call("POST /challenges/{challenge}/events-groups", "Add a group of parts to an activity", {
    scope: "host",
    limits: ["parts"],
    input: fields({ params: slugParams, body: groupFields }).transform((input) =>
      groupInputOf(challengeToSlug(input)),
    ),
    isRepeatable: true,
    keyFirst: IN_ROOM,
    answer: asGroupAnswer,
  }),
  addPart: call("POST /challenges/{challenge}/parts", "Add a part", {
    scope: "host",
    limits: ["parts"],
    input: newPart,
    sends: documentedPart.extend({ uuid: partIdIn.nullish() }),
    isRepeatable: true,
    keyFirst: IN_ROOM,
    answer: asPartAnswer,
  }),
  updatePart: call("PATCH /challenges/{challenge}/parts/{part}", "Update a part", {
    scope: "host",
    limits: ["parts"],
    input: changedPart,
    sends: documentedPart.extend({ part: partIdIn, ...documentedGroup, ...versionField }),
    answer: asPartAnswer,
  }),
  deletePart: call("DELETE /challenges/{challenge}/parts/{part}/{type}", "Delete a part", {
    scope: "host",
    limits: ["parts"],
    input: fields({ params: { ...slugParams, part: partIdIn, type: partKind } }).transform(challengeToSlug),
    status: 204,
    answer: () => null,
  }),
  reorderParts: call("PATCH /challenges/{challenge}/parts/reorder", "Change the order of parts", {
    scope: "host",
    limits: ["parts"],
    input: fields({
      params: slugParams,
      body: { parts: orderIn, events_group_uuid: partIdIn.nullish(), type: partKind },
    }).transform(({ challenge, parts, events_group_uuid, type }) => ({
      slug: challenge,
      type,
      order: parts,
      groupId: events_group_uuid ?? null,
    })),
    answer: asPartAnswer,
  }),
  startPart: call("POST /challenge-events/{event}/parts/{part}/start", "Start a part", controlOptions),
  pausePart: call("POST /challenge-events/{event}/parts/{part}/pause", "Pause a part", controlOptions),
  resumePart: call("POST /challenge-events/{event}/parts/{part}/resume", "Resume a part", controlOptions),
  finishPart: call("POST /challenge-events/{event}/parts/{part}/finish", "Finish a part", controlOptions),
  resetPart: call("POST /challenge-events/{event}/parts/{part}/reset", "Reset a part", controlOptions),
  nextTurn: call("POST /challenge-events/{event}/parts/{part}/next", "Go on to the next turn of a round", {
    ...controlOptions,
    input: fields({
      params: { ...eventParams, part: partIdIn },
      body: { speaker: oneLine().max(60).optional() },
    }).transform(eventToSession),
  }),
  endRound: call("POST /challenge-events/{event}/parts/{part}/end-round", "End a round", controlOptions),
  undoRound: call(
    "POST /challenge-events/{event}/parts/{part}/undo",
    "Take back the last step of a round",
    controlOptions,
  ),
  passTurn: call("POST /challenge-events/{event}/parts/{part}/pass", "Pass your turn on", {
    ...controlOptions,
    scope: "write",
  }),
  adjustPart: call(
    "POST /challenge-events/{event}/parts/{part}/adjust",
    "Add or take away seconds of a running part",
    {
      scope: "host",
      input: fields({
        params: { ...eventParams, part: partIdIn },
        body: {
          seconds: numberIn(
            z
              .number("Please give whole seconds.")
              .int("Please give whole seconds.")
              .min(-2_592_000, "That is too long.")
              .max(2_592_000, "That is too long."),
          ),
          all: bit,
        },
      }).transform(({ all, ...rest }) => ({ ...eventToSession(rest), isOnward: all ?? false })),
      answer: sessionHeadOut,
    },
  ),
};
