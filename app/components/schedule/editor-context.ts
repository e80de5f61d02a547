// The context of the part editor: the state, its actions and its errors.
import { createContext, useContext } from "react";
import type { ProblemWithSentence } from "~/domain/schedule/problems";
import type { EditorAction, EditorState } from "./editor-state";
import type { Timeline } from "./timeline";

export type Editing = {
  state: EditorState;
  dispatch: (action: EditorAction) => void;
  problems: readonly ProblemWithSentence[];
  timeline: Timeline;
  timeZone: string;
  locale: string;
  openParts: ReadonlySet<string>;
  toggle: (partId: string, isOpen: boolean) => void;
};

export const EditingContext = createContext<Editing | null>(null);

export function usePartEditor(): Editing {
  const editing = useContext(EditingContext);
  if (!editing) throw new Error("This belongs inside the part editor.");
  return editing;
}

/** The errors of a part: the last refusal, and the problems of the plan. */
export function problemsAt(editing: Editing, id: string): string[] {
  const { state, problems } = editing;
  const refusals = state.refusal?.targetId === id ? [state.refusal.sentence] : [];
  return [
    ...new Set([
      ...refusals,
      ...problems.filter(({ partId }) => partId === id).map(({ sentence }) => sentence),
    ]),
  ];
}

export const newId = (): string => crypto.randomUUID();
