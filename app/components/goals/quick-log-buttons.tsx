// Quick-log buttons: one tap, one log. For the goal's owner only (U-24).

import clsx from "clsx";
import { PlainForm } from "~/components/form/plain-form";
import { Icon } from "~/components/pictures/icon";
import { Button, type ButtonVariant } from "~/components/ui/button";
import { formatDuration } from "~/domain/duration-text";
import { type Goal, type QuickLogButton, quickLogsOf } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { buttonLabel, decimalField, distanceField } from "~/domain/goals/measure-text";
import type { Reader } from "~/domain/numbers";
import { useReader } from "~/hooks/use-shell";

type Props = {
  goal: Pick<Goal, "id" | "quickLogButtons" | "amount" | "unit" | "duration" | "actionDuration">;
  onPress: (button: QuickLogButton) => void;
  isBusy: boolean;
  variant?: ButtonVariant;
  className?: string;
};

/**
 * The fields of a button's form. A default button is not stored, so it has no uuid: the button "one more" posts an
 * empty uuid, and any other posts its measures.
 */
export const buttonFields = (
  goalId: number,
  button: QuickLogButton,
  reader: Reader,
): { intent: string } & Record<string, string | number> =>
  button.uuid || button.amount === 1000
    ? { intent: "log.quick", goal: goalId, button: button.uuid }
    : {
        intent: "log.create",
        goal: goalId,
        amount: decimalField(button.amount, reader),
        duration: button.duration === null ? "" : formatDuration(button.duration),
        distance: distanceField(button.distance, reader),
      };

export const BUTTON_ICONS = {
  [LOG_STATUS.active]: "play",
  [LOG_STATUS.done]: "plus",
  [LOG_STATUS.paused]: "checklist",
} as const;

export function QuickLogButtons({ goal, onPress, isBusy, variant, className }: Props) {
  const reader = useReader();
  const buttons = quickLogsOf(goal);
  if (buttons.length === 0) return null;
  return (
    <ul aria-label="Quick log" className={clsx("flex flex-wrap gap-2", className)}>
      {buttons.map((button) => (
        <li key={button.uuid || buttonLabel(button, goal.unit, reader)}>
          <PlainForm fields={buttonFields(goal.id, button, reader)} onPress={() => onPress(button)}>
            <Button
              type="submit"
              variant={variant}
              className="wrap-anywhere!"
              aria-disabled={isBusy || undefined}
            >
              <Icon name={BUTTON_ICONS[button.status]} />
              {buttonLabel(button, goal.unit, reader)}
            </Button>
          </PlainForm>
        </li>
      ))}
    </ul>
  );
}
