// A session as people without a seat see it. With a join code they read the title, times and parts, and of the texts
// only the host's. Pure.

import type { HiddenPeople } from "~/domain/safety/blocks";
import { mapParts, type Schedule } from "~/domain/schedule/shape";
import { roomSeenBy } from "./aliases";
import type { RoomState } from "./room";

/** The schedule without the speakers' names. The number of turns stays, because durations depend on it. */
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

/** People without a seat do not read the aims of others. Without a join code they see everything else. */
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
 * A room on a stage, which anybody may read: title, times, plan and people; those in `hiddenPeople` appear as Participant N
 * (J-10). With a join code it names nobody.
 */
export function stageView(state: RoomState, hiddenPeople: HiddenPeople | null): RoomState {
  const visibleState = outsiderView(hiddenPeople ? roomSeenBy(state, hiddenPeople) : state);
  const participants = visibleState.participants.map((person) => ({ ...person, handle: null }));
  // The stage shows the host's line without its author, so a block does not hide it.
  const line = state.hasCode ? null : state.line;
  return {
    ...visibleState,
    line,
    participants,
    content: "",
    contentHtml: "",
    contributions: [],
    prompt: "",
    summary: "",
  };
}

/** A room behind a view link: the stage of a room with a join code, plus the host's line (J-10). */
export const viewLinkView = (state: RoomState): RoomState => ({
  ...stageView({ ...state, hasCode: true }, null),
  line: state.line,
});
