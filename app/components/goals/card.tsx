// A goal in a list: progress, one-tap logging, and its form in place while editing (U-15, U-16). Forbidden actions are
// hidden (U-24).
import { Link } from "@remix-run/react";
import clsx from "clsx";
import { forwardRef, type ReactNode, startTransition, useMemo } from "react";
import { PlainForm } from "~/components/form/plain-form";
import { Icon } from "~/components/pictures/icon";
import { Badge } from "~/components/ui/badge";
import { Button, type ButtonVariant } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import type { Day } from "~/domain/days";
import { GOAL_STATUS, type Goal, isProgressComplete, type Totals } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { deedText, goalMeasures } from "~/domain/goals/measure-text";
import { type DayTotals, describeRecurrence, totalsOn } from "~/domain/goals/recurrence";
import type { GoalMeasure } from "~/domain/goals/target-changes";
import { GOAL_ANCHORS } from "~/domain/tour-anchors";
import { useInlineEdit } from "~/hooks/form/use-inline-edit";
import { useReader } from "~/hooks/use-shell";
import { GoalEditor } from "./editor";
import { GoalProgress } from "./progress";
import { QuickLogButtons } from "./quick-log-buttons";
import { RunningLine } from "./running-line";
import { type LogTarget, ownTarget, useLogging } from "./use-logging";
import { isRecurring, periodText, WeekDots } from "./week-dots";

export type GoalCardProps = {
  goal: Goal;
  isOwner: boolean;
  username: string;
  /** The link of the title; null for none. */
  path: string | null;
  tags?: readonly string[];
  /** The viewer's running, paused and to-do logs of this goal. */
  openLogs?: readonly LogShown[];
  /** The totals of one participant instead of the goal's own. */
  totals?: Totals;
  days?: readonly DayTotals[];
  measures?: readonly GoalMeasure[];
  today?: Day;
  /** The target of logs, by default the viewer's own goal. Null disables logging. */
  logTarget?: LogTarget | null;
  canEdit?: boolean;
  startsEditing?: boolean;
  /** Additional buttons, e.g. Copy to My Goals. */
  actions?: ReactNode;
  headingLevel?: 2 | 3;
};

const NO_LOGS: readonly LogShown[] = [];
const NO_MEASURES: readonly GoalMeasure[] = [];

export function GoalCard(props: GoalCardProps) {
  const { goal, isOwner, username, path, tags = [], openLogs = NO_LOGS, canEdit = isOwner, actions } = props;
  const { isEditing, setEditing, pencil, isOpenedByPress } = useInlineEdit(props.startsEditing);
  const logTarget = props.logTarget === undefined ? (isOwner ? ownTarget(goal.id) : null) : props.logTarget;
  const { days, measures = NO_MEASURES, today } = props;
  const totals = useMemo(
    () => props.totals ?? (goal.recurrence && days && today ? totalsOn(days, today) : goal),
    [props.totals, goal, days, today],
  );
  const serverState = useMemo(() => ({ totals, openLogs: [...openLogs] }), [totals, openLogs]);
  const logging = useLogging(goal, serverState, logTarget ?? ownTarget(goal.id), username);
  const { progress } = logging;
  const runningLogs = progress.openLogs.filter(({ isTimed }) => isTimed);
  const isCompleted = goal.status === GOAL_STATUS.completed;
  // The target is reached; further logs are possible but not emphasised.
  const isReached = !isCompleted && runningLogs.length === 0 && isProgressComplete(goal, progress.totals);
  const deed = deedText(goal.action, goalMeasures(goal, useReader()));
  const Heading = `h${props.headingLevel ?? 2}` as const;

  if (isEditing)
    return (
      <Card as="li">
        <GoalEditor
          goal={goal}
          tags={tags}
          takesFocus={isOpenedByPress}
          onDone={() => setEditing(false)}
          onCancel={() => setEditing(false)}
        />
      </Card>
    );

  return (
    <Card
      as="li"
      isGlowing={runningLogs.some(({ status }) => status === LOG_STATUS.active)}
      className={clsx("flex flex-col gap-3", path && "transition-colors hover:border-edge")}
    >
      <div className="flex flex-wrap items-start gap-x-3">
        <div className="flex min-w-0 flex-1 basis-36 flex-col gap-0.5">
          <Heading className="text-lg">
            {path ? (
              <Link
                to={path}
                prefetch="intent"
                className="card-link rounded-sm"
                data-tour={GOAL_ANCHORS.finishMyGoalTour}
              >
                {goal.title}
              </Link>
            ) : (
              goal.title
            )}
          </Heading>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
            {deed && <span>{deed}</span>}
            {goal.recurrence && <span>{describeRecurrence(goal.recurrence)}</span>}
            {goal.isList && goal.items.length > 0 && (
              <span className="tabular inline-flex items-center gap-1">
                <Icon name="checklist" className="size-4!" />
                {goal.items.filter(({ isChecked }) => isChecked).length} of {goal.items.length}
                <span className="sr-only">of the checklist</span>
              </span>
            )}
            {isCompleted && <Badge tone="pine">Completed</Badge>}
            {isReached && !goal.recurrence && <Badge tone="pine">Reached</Badge>}
            {tags.map((tag) => (
              <span key={tag}>#{tag}</span>
            ))}
          </p>
        </div>
        {canEdit && (
          <EditLink ref={pencil} goalId={goal.id} onPress={() => startTransition(() => setEditing(true))} />
        )}
      </div>
      {isRecurring(goal) && days && today && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="font-semibold">{periodText({ goal, measures, days, today })}</p>
          <WeekDots goal={goal} measures={measures} days={days} today={today} />
        </div>
      )}
      <GoalProgress goal={goal} totals={progress.totals} openLogs={progress.openLogs} />
      {logTarget && !isCompleted && (
        <>
          {progress.openLogs.map((log) => (
            <div key={log.uuid} className="card-action">
              <RunningLine log={log} />
            </div>
          ))}
          <div
            className={clsx(
              "card-action flex flex-wrap gap-2 empty:hidden",
              isReached && "-ms-4 forced-colors:ms-0",
            )}
          >
            {!runningLogs.some(({ status }) => status === LOG_STATUS.active) && (
              <StartProgressButton
                goalId={goal.id}
                onPress={() => logging.begin()}
                isBusy={logging.isBusy}
                variant={isReached ? "ghost" : "quiet"}
              />
            )}
            <QuickLogButtons
              goal={goal}
              onPress={logging.press}
              isBusy={logging.isBusy}
              variant={isReached ? "ghost" : "quiet"}
            />
          </div>
        </>
      )}
      {actions && <div className="card-action flex flex-wrap gap-2">{actions}</div>}
    </Card>
  );
}

type EditProps = { goalId: number; onPress: () => void };

const EditLink = forwardRef<HTMLAnchorElement, EditProps>(function EditLink({ goalId, onPress }, ref) {
  return (
    <Button asChild variant="ghost" size="icon" className="card-action -me-2">
      <Link
        ref={ref}
        to={`?edit=${goalId}`}
        preventScrollReset
        aria-label="Edit goal"
        onClick={(event) => {
          event.preventDefault();
          onPress();
        }}
      >
        <Icon name="edit" />
      </Link>
    </Button>
  );
});

type StartProps = { goalId: number; onPress: () => void; isBusy: boolean; variant?: ButtonVariant };

/** The button that starts a log with a pausable timer (U-25). */
export function StartProgressButton({ goalId, onPress, isBusy, variant = "quiet" }: StartProps) {
  return (
    <PlainForm fields={{ intent: "log.begin", goal: goalId }} onPress={onPress}>
      <Button
        type="submit"
        variant={variant}
        size={variant === "primary" ? "lg" : "md"}
        aria-disabled={isBusy || undefined}
        aria-keyshortcuts={variant === "primary" ? "l" : undefined}
        data-tour={GOAL_ANCHORS.logProgressButton}
      >
        <Icon name="play" />
        Start Progress
      </Button>
    </PlainForm>
  );
}
