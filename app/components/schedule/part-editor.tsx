// The part editor: groups and parts, with a live preview. It is a chunk of its own that holds a value and reports every
// change, without a form or server.
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { FieldErrors } from "~/components/ui/field";
import { describeDuration } from "~/domain/duration-text";
import { type ProblemWithSentence, scheduleProblems } from "~/domain/schedule/problems";
import { withSentence } from "~/domain/schedule/sentences";
import { findPlace, type PartGroup, partPlaces, type Schedule } from "~/domain/schedule/shape";
import type { Seconds } from "~/domain/time";
import { useShell } from "~/hooks/use-shell";
import { DragBoard, Draggable, PartList } from "./drag-board";
import { type Editing, EditingContext, newId } from "./editor-context";
import { type EditorAction, type EditorPlan, type EditorState, editParts, openEditor } from "./editor-state";
import { GroupCard } from "./group-card";
import { PartRow } from "./part-row";
import { ScheduleRibbon } from "./ribbon";
import { timelineOf } from "./timeline";

export type PartEditorProps = {
  /** The schedule that the editor opens with. Another schedule needs another React key. */
  initial: Schedule;
  plan: EditorPlan;
  /** Begins with only the ribbon. */
  isFolded?: boolean;
  onChange: (schedule: Schedule, length: Seconds, problems: readonly ProblemWithSentence[]) => void;
};

export default function PartEditor({ initial, plan, isFolded = false, onChange }: PartEditorProps) {
  const { timeZone, locale } = useShell();
  const [state, dispatch] = useReducer(editParts, null, () => openEditor(initial, plan));
  const [openParts, setOpenParts] = useState<ReadonlySet<string>>(new Set());
  const [isUnfolded, setUnfolded] = useState(!isFolded);
  const root = useRef<HTMLDivElement>(null);
  const { sessionStart, isManuallyStarted, rosterSize } = plan;

  useEffect(() => {
    dispatch({ type: "set-plan", plan: { sessionStart, isManuallyStarted, rosterSize } });
  }, [sessionStart, isManuallyStarted, rosterSize]);

  const { schedule, focusOn } = state;
  const timeline = useMemo(() => timelineOf(schedule, state.plan), [schedule, state.plan]);
  const problems = useMemo(
    () => scheduleProblems(schedule, state.plan).map(withSentence),
    [schedule, state.plan],
  );

  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  useEffect(
    () => latestOnChange.current(schedule, timeline.length, problems),
    [schedule, timeline, problems],
  );

  const toggle = useCallback(
    (partId: string, isOpen: boolean) =>
      setOpenParts((open) => {
        const next = new Set(open);
        if (isOpen) next.add(partId);
        else next.delete(partId);
        return next;
      }),
    [],
  );

  const edit = (action: EditorAction) => {
    dispatch(action);
    // A new part or group opens for editing.
    if (action.type === "add-part" || action.type === "add-group") toggle(action.partId, true);
    setUnfolded(true);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a second change of the same part focuses it again.
  useEffect(() => {
    if (focusOn === null) return;
    root.current?.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focusOn)}"]`)?.focus();
  }, [focusOn, schedule]);

  const editing: Editing = {
    state,
    dispatch: edit,
    problems,
    timeline,
    timeZone,
    locale,
    openParts,
    toggle,
  };
  const groups = schedule.groups.filter((group) => group.type === "event");
  const planProblems = problems
    .filter((problem) => problem.partId === null)
    .map((problem) => problem.sentence);
  const partsCount = partPlaces(schedule).length;
  const isShown = isUnfolded || problems.length > 0;

  const ribbon = timeline.pieces.length > 0 && (
    <ScheduleRibbon
      label="How the session will run"
      parts={timeline.pieces.map((piece) => ({ ...piece, state: "waiting" as const }))}
      className={isShown ? undefined : "max-sm:order-last sm:flex-1"}
    />
  );

  return (
    <EditingContext.Provider value={editing}>
      <div ref={root} className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:flex-nowrap">
          <p className="tabular shrink-0 text-soft max-sm:min-w-0 max-sm:shrink">
            {partsCount === 0
              ? "No timers yet: everybody just sees the session's time."
              : `${partsCount} ${partsCount === 1 ? "timer" : "timers"}, ${describeDuration(timeline.length)} in all`}
          </p>
          {!isShown && ribbon}
          {isShown
            ? (partsCount > 0 || state.past.length > 0) && <UndoButtons state={state} dispatch={dispatch} />
            : partsCount > 0 && <Button onClick={() => setUnfolded(true)}>Change</Button>}
        </div>
        {isShown && ribbon}
        <FieldErrors error={planProblems} />
        {isShown && <GroupList groups={groups} schedule={schedule} />}
        {(isShown || partsCount === 0) && (
          <Button
            className="self-start"
            onClick={() => edit({ type: "add-group", groupId: newId(), partId: newId() })}
          >
            <Icon name="plus" />
            {groups.length === 0 ? "Add a timer" : "Add a group of timers"}
          </Button>
        )}
        <p className="sr-only" aria-live="polite">
          {state.announcement}
        </p>
      </div>
    </EditingContext.Provider>
  );
}

function GroupList({ groups, schedule }: { groups: readonly PartGroup[]; schedule: Schedule }) {
  return (
    <DragBoard>
      <ol className="flex flex-col gap-4">
        {groups.map((group, index) => (
          <Draggable key={group.id} id={group.id} kind="group" groupId={group.id} name={`Group ${index + 1}`}>
            {(handle, isLifted) => (
              <GroupCard
                group={group}
                index={index}
                handle={groups.length > 1 ? handle : null}
                isLifted={isLifted}
              >
                <PartList group={group}>
                  {group.parts.map((part) => {
                    const place = findPlace(schedule, part.id);
                    return place ? (
                      <Draggable
                        key={part.id}
                        id={part.id}
                        kind="part"
                        groupId={group.id}
                        name={part.title || `Timer ${place.number}`}
                      >
                        {(partHandle, isPartLifted) => (
                          <PartRow place={place} handle={partHandle} isLifted={isPartLifted} />
                        )}
                      </Draggable>
                    ) : null;
                  })}
                </PartList>
              </GroupCard>
            )}
          </Draggable>
        ))}
      </ol>
    </DragBoard>
  );
}

function UndoButtons({ state, dispatch }: { state: EditorState; dispatch: (action: EditorAction) => void }) {
  return (
    <div className="flex">
      <Button
        size="icon"
        variant="ghost"
        aria-label="Undo"
        disabled={state.past.length === 0}
        onClick={() => dispatch({ type: "undo" })}
      >
        <Icon name="undo" />
      </Button>
      <Button
        size="icon"
        variant="ghost"
        aria-label="Redo"
        disabled={state.future.length === 0}
        onClick={() => dispatch({ type: "redo" })}
      >
        <Icon name="undo" className="-scale-x-100" />
      </Button>
    </div>
  );
}
