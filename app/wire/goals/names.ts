// The outside names of a goal's fields: snake case of ours, with a few exceptions.
import type { ChecklistItem, GoalDraft } from "~/domain/goals/goals";

const EXCEPTIONS = {
  isPerParticipant: "per_participant",
  mayEditContent: "edit_content",
  mayEditSummary: "edit_summary",
  isChecked: "x",
  partGroupId: "events_group_uuid",
  position: "order",
} as const satisfies { [Name in keyof (GoalDraft & ChecklistItem)]?: string };
type GoalNames = typeof EXCEPTIONS;

type Underscored<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Underscored<Rest>}`
  : "";

export const outsideName = (name: string): string =>
  EXCEPTIONS[name as keyof GoalNames] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Every field of a goal, by its outside name. */
export type OutsideGoal = {
  [Name in keyof Required<GoalDraft> as Name extends keyof GoalNames
    ? GoalNames[Name]
    : Underscored<Name>]: unknown;
};
