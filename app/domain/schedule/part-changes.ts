// Applies a call that changes several fields of a part: each by its own rule, all or none (C-64, T-05, T-06). Pure.

import type { Instant, Seconds } from "~/domain/time";
import {
  clearPartStart,
  describePart,
  isNewDate,
  reorderParts,
  setIntervals,
  setKind,
  setPartDuration,
  setPartEnd,
  setPartStart,
  setRelativeStart,
} from "./edit";
import { kindOf } from "./part-kinds";
import type { Plan } from "./plan";
import {
  accept,
  type Edit,
  findPlace,
  hasBegun,
  type Interval,
  KIND_FLAGS,
  type Part,
  type PartFlags,
  pickFlags,
  type RelativeStart,
  refuse,
  type Schedule,
  TEXT_FLAGS,
} from "./shape";

/** A partial update of a part; `undefined` leaves a field unchanged. */
export type PartChange = PartFlags & {
  title?: string | undefined;
  duration?: Seconds | undefined;
  intervals?: Interval[] | undefined;
  sets?: number | undefined;
  /** null: the start is absolute. */
  relativeStart?: RelativeStart | null | undefined;
  /** null clears it, and the dates of the later parts (T-06). */
  startedAt?: Instant | null | undefined;
  endedAt?: Instant | null | undefined;
  /** Another group, and the index in it, from 0. */
  groupId?: string | undefined;
  index?: number | undefined;
};

type Step = (schedule: Schedule) => Edit;

export function editPart(schedule: Schedule, partId: string, change: PartChange, plan: Plan): Edit {
  const place = findPlace(schedule, partId);
  if (!place) return refuse("no-part");
  const { part } = place;
  const title = change.title === undefined ? {} : { title: change.title };
  const texts = { ...title, ...pickFlags(TEXT_FLAGS, change) };
  const steps: Step[] = [(current) => describePart(current, partId, texts)];
  const addStep = (newStep: Step) => steps.push(newStep);

  const intervals = change.intervals ?? part.intervals;
  const sets = change.sets ?? part.sets;
  if (sets !== part.sets || (change.intervals && !isSame(change.intervals, part.intervals)))
    addStep((current) => setIntervals(current, partId, intervals, sets, plan));
  const { duration, relativeStart, startedAt, endedAt } = change;
  // A linked part that gets a date keeps its rule, which holds while it is linked.
  const isFollowing = place.group.isLinked && place.index > 0 && !isOther(change.groupId, place.group.id);
  const isLinkedDate = Boolean(startedAt) && relativeStart === null && isFollowing;
  const isNewRule =
    relativeStart !== undefined && !isLinkedDate && !isSame(relativeStart, part.relativeStart);
  if (duration !== undefined && intervals.length === 0 && duration !== part.duration)
    addStep((current) => setPartDuration(current, partId, duration, plan));
  const kind = pickFlags(KIND_FLAGS, change);
  const isNewKind = KIND_FLAGS.some((flag) => isOther(kind[flag], part[flag] ?? false));
  if (isNewKind) addStep((current) => setKind(current, partId, kind, plan));
  if (isNewRule) addStep((current) => setRelativeStart(current, partId, relativeStart, plan));
  // A whole part may come from a client that read it before another edit or the run moved it. So its start counts only
  // without a rule, and its end only without a length or if nothing else differs.
  const isBegunBefore = hasBegun(part) && duration === part.duration;
  const takesStart = !relativeStart && !isBegunBefore;
  if (takesStart && startedAt === null && part.startedAt !== null)
    addStep((current) => clearPartStart(current, partId, plan));
  else if (takesStart && startedAt && startedAt !== part.startedAt)
    addStep((current) =>
      setPartStart(current, partId, startedAt, plan, !isNewRule && !isNewDate(part, startedAt)),
    );
  const isMoved = startedAt && endedAt && isSame(endedAt - startedAt, spanOf(part));
  const isEndAlone = !isOther(startedAt, part.startedAt) && duration === part.duration && !isNewKind;
  const takesEnd =
    duration === undefined
      ? !isMoved
      : isEndAlone && !isBegunBefore && isPlain(part) && intervals.length === 0;
  if (takesEnd && endedAt && endedAt !== part.endedAt)
    addStep((current) => setPartEnd(current, partId, endedAt, plan));
  if (change.groupId !== undefined || change.index !== undefined)
    addStep((current) => movePartTo(current, partId, change.groupId ?? place.group.id, change.index, plan));

  return steps.reduce<Edit>(
    (edit, applyStep) => (edit.ok ? applyStep(edit.schedule) : edit),
    accept(schedule),
  );
}

const spanOf = ({ startedAt, endedAt }: Part): number | null =>
  startedAt === null || endedAt === null ? null : endedAt - startedAt;

const isOther = <Value>(sent: Value | undefined, present: Value): boolean =>
  sent !== undefined && sent !== present;
const isPlain = (part: Part): boolean => kindOf(part) === "plain";

function movePartTo(
  schedule: Schedule,
  partId: string,
  groupId: string,
  index: number | undefined,
  plan: Plan,
): Edit {
  const group = schedule.groups.find(({ id }) => id === groupId);
  if (!group) return refuse("no-group");
  const ids = group.parts.map(({ id }) => id);
  if (ids.includes(partId) && (index === undefined || ids.indexOf(partId) === index)) return accept(schedule);
  const others = ids.filter((id) => id !== partId);
  return reorderParts(schedule, groupId, others.toSpliced(index ?? others.length, 0, partId), plan);
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
