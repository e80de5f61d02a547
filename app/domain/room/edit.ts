// Edits of a live room: its texts, timers and fields, and their versions. Pure.

import { type Newer, TOO_LARGE_A_PLAN } from "~/domain/errors";
import { canHostSession, canRunSession } from "~/domain/permissions";
import { advanceSchedule } from "~/domain/schedule/advance";
import { replaceSchedule, withoutRunState } from "~/domain/schedule/groups";
import { scheduleSentences } from "~/domain/schedule/sentences";
import { fitsPlan } from "~/domain/schedule/size";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { activeParts, mayEditNow } from "~/domain/sessions/turns";
import { CHANGED_ELSEWHERE, findNewerSave } from "~/domain/stale-edits";
import { type Instant, instant } from "~/domain/time";
import { contextOf } from "./advance";
import {
  accept,
  acceptWithEnd,
  asActor,
  ENDED,
  fitsRoomRow,
  type RoomOutcome,
  refuse,
  refuseUnlessRunner,
  tooLong,
} from "./outcome";
import { type RoomActor, type RoomEdit, type RoomState, rosterOf, type StateChange, seatOf } from "./room";

/**
 * A save is atomic. Each version is later than those before, even if the clock goes back. A future `since` is a
 * client's clock error, so it is capped at `now`.
 */
export function saveEdit(state: RoomState, change: RoomEdit, now: Instant): RoomOutcome {
  const newer = newerSaveIn(state, change);
  if (newer) return { ...refuse("CONFLICT", CHANGED_ELSEWHERE), ...newer };
  const {
    by: actor,
    title,
    content,
    contentHtml,
    prompt,
    schedule,
    facts: editedFields = [],
    since = 0,
    recorded: recordVersion = 0,
  } = change;
  const version = instant(Math.max(now, versionOf(state) + 1, recordVersion + 1, Math.min(since, now) + 1));
  const steps: ((before: RoomState) => RoomOutcome)[] = [
    ...(schedule ? [(before: RoomState) => replaceParts(before, { by: actor, schedule }, now, version)] : []),
    ...(title === undefined && content === undefined
      ? []
      : [
          (before: RoomState) =>
            saveContent(before, { by: actor, title, content, contentHtml }, now, version),
        ]),
    ...(prompt === undefined
      ? []
      : [(before: RoomState) => savePrompt(before, { by: actor, prompt }, now, version)]),
    ...(editedFields.length > 0 ? [(before: RoomState) => stampFields(before, editedFields, version)] : []),
  ];
  return steps.reduce<RoomOutcome>((outcome, step) => {
    if (!outcome.ok) return outcome;
    const next = step(outcome.state);
    return next.ok ? { ...next, topics: [...new Set([...outcome.topics, ...next.topics])] } : next;
  }, accept(state));
}

/** The version of the room's last edit. The session's version is the later of this and D1's. */
export const versionOf = ({ editedAt, planEditedAt, factsEditedAt }: RoomState): Instant =>
  instant(
    Math.max(0, planEditedAt ?? 0, ...Object.values(editedAt ?? {}), ...Object.values(factsEditedAt ?? {})),
  );

/** Each text, the timers and each field have a version of their own, because the clock changes the session too. */
function newerSaveIn(
  state: RoomState,
  { since, schedule, facts: editedFields = [], ...texts }: RoomEdit,
): { newer: Newer; fields: string[] } | null {
  const plan = { sessionStart: state.startedAt, rosterSize: rosterOf(state).length };
  const replaced = schedule && replaceSchedule(state.schedule, schedule, plan);
  const { title, content, prompt } = state;
  const { editedAt = {}, planEditedAt = instant(0), factsEditedAt = {} } = state;
  const storedTexts = { title, content, prompt, schedule: withoutRunState(state.schedule) };
  // Parts that have begun keep their times. Times that the clock set do not count as edits. A plan that the newer one
  // no longer allows is compared as it came, because its author has not seen that one.
  const typedPlan = replaced?.ok ? replaced.schedule : schedule;
  const typedTexts = { ...texts, ...(typedPlan ? { schedule: withoutRunState(typedPlan) } : {}) };
  const versions = { ...editedAt, schedule: planEditedAt };
  const saves = (["title", "content", "prompt", "schedule"] as const).flatMap(
    (name) =>
      findNewerSave(
        { ...storedTexts, updatedAt: versions[name] ?? instant(0) },
        { [name]: (typedTexts as Partial<typeof storedTexts>)[name] },
        since,
      ) ?? [],
  );
  for (const name of editedFields) {
    const updatedAt = factsEditedAt[name] ?? instant(0);
    if (since !== undefined && updatedAt > since)
      saves.push({ newer: { updatedAt, texts: [] }, fields: [name] });
  }
  if (saves.length === 0) return null;
  return {
    newer: {
      updatedAt: instant(Math.max(...saves.map(({ newer }) => newer.updatedAt))),
      texts: saves.flatMap(({ newer }) => newer.texts),
    },
    fields: saves.flatMap(({ fields }) => fields),
  };
}

/** D1 stores the values. The caller has checked the permission. */
function stampFields(state: RoomState, fields: readonly string[], version: Instant): RoomOutcome {
  const stamps = Object.fromEntries(fields.map((name) => [name, version]));
  return accept({ ...state, factsEditedAt: { ...state.factsEditedAt, ...stamps } }, "facts");
}

export function replaceParts(
  state: RoomState,
  change: Pick<Extract<StateChange, { type: "replace-schedule" }>, "by" | "schedule">,
  now: Instant,
  version = now,
): RoomOutcome {
  const refused = refuseUnlessRunner(state, change.by);
  if (refused) return refused;
  if (statusAt(state, now) === SESSION_STATUS.ended) return refuse("CONFLICT", ENDED);
  const plan = { sessionStart: state.startedAt, rosterSize: rosterOf(state).length };
  const replaced = replaceSchedule(state.schedule, change.schedule, plan);
  if (!replaced.ok)
    return { ...refuse("INVALID", scheduleSentences(replaced).join(" ")), fields: ["schedule"] };
  if (!fitsPlan(replaced.schedule)) return { ...refuse("INVALID", TOO_LARGE_A_PLAN), fields: ["schedule"] };
  const { schedule } =
    state.runBegunAt === null ? replaced : advanceSchedule(replaced.schedule, contextOf(state, now), now);
  return acceptWithEnd(state, { ...state, schedule, planEditedAt: version }, now, "parts");
}

/** The host and super admin always; an admin before the start and while the active part allows it. */
function mayEdit(
  state: RoomState,
  actor: RoomActor,
  permission: "mayEditContent" | "mayEditPrompt",
  now: Instant,
): boolean {
  const seat = seatOf(state, actor);
  const rights = {
    canRun: canRunSession(asActor(actor), seat),
    canHost: canHostSession(asActor(actor), seat),
  };
  const status = statusAt(state, now);
  // After the end the host reads that the session is over, not that the part forbids editing.
  if (status === SESSION_STATUS.ended) return rights.canHost;
  return mayEditNow(rights, status, activeParts(state.schedule), permission);
}

export function saveContent(
  state: RoomState,
  change: Pick<RoomEdit, "by" | "title" | "content" | "contentHtml">,
  now: Instant,
  version = now,
): RoomOutcome {
  if (!mayEdit(state, change.by, "mayEditContent", now))
    return refuse("FORBIDDEN", "This part does not allow editing the content.");
  if (statusAt(state, now) === SESSION_STATUS.ended && !change.by.isSuperAdmin)
    return refuse("CONFLICT", ENDED);
  const { title = state.title, content = state.content, contentHtml = state.contentHtml } = change;
  const editedAt = {
    ...state.editedAt,
    ...(title === state.title ? {} : { title: version }),
    ...(content === state.content ? {} : { content: version }),
  };
  const next = { ...state, title, content, contentHtml, editedAt };
  return fitsRoomRow(next) ? accept(next, "content") : tooLong("content");
}

/** While awaiting participants, or during an active part with edit_prompt. */
export function savePrompt(
  state: RoomState,
  change: Pick<Extract<StateChange, { type: "save-prompt" }>, "by" | "prompt">,
  now: Instant,
  version = now,
): RoomOutcome {
  if (!mayEdit(state, change.by, "mayEditPrompt", now))
    return refuse("FORBIDDEN", "The prompt cannot be edited now.");
  if (statusAt(state, now) === SESSION_STATUS.ended && !change.by.isSuperAdmin)
    return refuse("CONFLICT", ENDED);
  const next = {
    ...state,
    prompt: change.prompt,
    editedAt: { ...state.editedAt, ...(change.prompt === state.prompt ? {} : { prompt: version }) },
  };
  return fitsRoomRow(next) ? accept(next, "content") : tooLong("prompt");
}
