// The screen that logs by one press (W-03). Only the server renders it.
import { useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { MadeFor } from "~/components/form/made-for";
import { Page } from "~/components/layout/page";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/text-link";
import { milesOut } from "~/domain/distances";
import { GOAL_STATUS, type QuickLogButton, quickLogsOf } from "~/domain/goals/goals";
import { isOwnLogOn } from "~/domain/goals/listed-log";
import { isRunning, LOG_STATUS } from "~/domain/goals/log-state";
import { loggedText } from "~/domain/goals/logged-text";
import { canUndoLog } from "~/domain/goals/logs";
import { buttonLabel } from "~/domain/goals/measure-text";
import { totalsOn } from "~/domain/goals/recurrence";
import { instant } from "~/domain/time";
import { useReader, useShell } from "~/hooks/use-shell";
import type { LandingToast } from "~/wire/landing-toast";
import type { GoalDetailsProps } from "./details";
import { GoalProgress } from "./progress";
import { BUTTON_ICONS, buttonFields } from "./quick-log-buttons";

export function LogScreen({ data }: GoalDetailsProps) {
  const { goal, days, today, openLogs, logs, newUuid, username } = data;
  const { now, timeZone } = useShell();
  const reader = useReader();
  const totals = goal.recurrence ? totalsOn(days, today) : goal;
  const buttons = goal.status === GOAL_STATUS.completed ? [] : quickLogsOf(goal);
  const runningLog = openLogs.find(isRunning);
  const newestLog = logs.find(isOwnLogOn(goal, username));
  // After a press the notice above has the Undo.
  const isJustLogged = useRouteLoaderData<{ toast?: LandingToast | null }>("root")?.toast != null;
  // Undo is offered as long as it returns the log's price.
  const undoable =
    newestLog && !runningLog && !isJustLogged && canUndoLog(newestLog, instant(now)) ? newestLog : null;
  return (
    <Page title={goal.title} width="narrow">
      {/* public/sw.js shows this paragraph after a press without a network. */}
      <p data-waits="" hidden className="rounded-md bg-dusk-wash px-4 py-3">
        You are offline. This browser keeps your logs and sends them when the connection is back.
      </p>
      <GoalProgress goal={goal} totals={totals} openLogs={openLogs} />
      {runningLog && (
        <PressForm fields={{ intent: "log.done", log: runningLog.id }}>
          <Icon name="check" />
          Done
        </PressForm>
      )}
      {buttons.length > 0 && (
        <ul aria-label="Quick log" className="flex flex-col gap-3">
          {buttons.map((button) => (
            <li key={button.uuid}>
              <PressForm
                fields={{
                  ...buttonFields(goal.id, button, reader),
                  uuid: newUuid,
                  // For public/sw.js, where the press waits in the outbox (W-05).
                  ...(button.status === LOG_STATUS.done && {
                    held: JSON.stringify(heldBody(goal.id, button)),
                    about: goal.title,
                    words: buttonLabel(button, goal.unit, reader),
                    zone: timeZone,
                  }),
                }}
              >
                <Icon name={BUTTON_ICONS[button.status]} />
                {buttonLabel(button, goal.unit, reader)}
              </PressForm>
            </li>
          ))}
        </ul>
      )}
      {buttons.length === 0 && !runningLog && (
        <p className="text-soft">
          {goal.status === GOAL_STATUS.completed
            ? "This goal is completed."
            : "This goal has no buttons yet. Its form has a place for them."}
        </p>
      )}
      {undoable && (
        <form
          method="post"
          className="flex flex-wrap items-center justify-between gap-3"
          aria-label="Last log"
        >
          <MadeFor />
          <input type="hidden" name="intent" value="log.delete" />
          <input type="hidden" name="log" value={undoable.id} />
          <span className="text-soft">Last: {loggedText(undoable, goal, null, reader)}</span>
          <Button type="submit">
            <Icon name="undo" />
            Undo
          </Button>
        </form>
      )}
      <TextLink to={`/my/goals/${goal.id}`}>All of this goal</TextLink>
    </Page>
  );
}

/** The body of the call by which the outbox stores this press. public/sw.js adds the uuid and the day. */
const heldBody = (goalId: number, button: QuickLogButton) => ({
  goal_id: goalId,
  ...(button.uuid
    ? { ql_button_uuid: button.uuid }
    : {
        amount: button.amount === null ? null : button.amount / 1000,
        duration: button.duration,
        distance: milesOut(button.distance),
      }),
});

/** The browser itself submits the form, so that one press is one request. */
function PressForm({ fields, children }: { fields: Record<string, string | number>; children: ReactNode }) {
  return (
    <form method="post">
      <MadeFor />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" variant="primary" size="lg" className="min-h-20 w-full wrap-anywhere! text-xl">
        {children}
      </Button>
    </form>
  );
}
