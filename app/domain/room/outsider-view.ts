// A session as people without a seat see it: with a join code, only the host's texts. Pure.

import type { HiddenPeople } from "~/domain/safety/blocks";
import { mapParts, type Schedule } from "~/domain/schedule/shape";
import { roomSeenBy } from "./aliases";
import type { RoomState } from "./room";

/** The schedule without the names of its turns. Their number stays, because durations depend on it. */
export const withoutNames = (schedule: Schedule): Schedule =>
  mapParts(schedule, (part) =>
    part.turns.length === 0
      ? part
      : {
          ...part,
          turns: part.turns.map((_, index) => `Participant ${index + 1}`),
          again: undefined,
          missed: undefined,
        },
  );

/** People without a seat do not read the aims of others. Without a join code, the rest is the room itself. */
export function outsiderView(state: RoomState): RoomState {
  if (state.hasCode)
    return {
      ...state,
      contributions: [],
      prompt: "",
      summary: "",
      line: null,
      participants: [],
      schedule: withoutNames(state.schedule),
    };
  if (state.participants.every(({ aim }) => !aim)) return state;
  const participants = state.participants.map((person) => (person.aim ? { ...person, aim: "" } : person));
  return { ...state, participants };
}

/**
 * A room on a stage, which anybody may read: title, times, plan and people, of whom `hidden` are numbered (J-10). With a
 * join code it names nobody.
 */
export function stageView(state: RoomState, hidden: HiddenPeople | null): RoomState {
  const seen = outsiderView(hidden ? roomSeenBy(state, hidden) : state);
  const participants = seen.participants.map((person) => ({ ...person, handle: null }));
  // A stage names nobody beside the line.
  const line = state.hasCode ? null : state.line;
  return {
    ...seen,
    line,
    participants,
    content: "",
    contentHtml: "",
    contributions: [],
    prompt: "",
    summary: "",
  };
}

/** A room behind a view link: as one with a code, with the host's line, which names nobody (J-10). */
export const linkedView = (state: RoomState): RoomState => ({
  ...stageView({ ...state, hasCode: true }, null),
  line: state.line,
});
