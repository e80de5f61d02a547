// Quick-log buttons: one tap, one log. For the goal's owner only (U-24).

import { PlainForm } from "~/components/logs/plain-form";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { formatDuration } from "~/domain/duration-text";
import type { QuickLogButton } from "~/domain/goals";
import { amountText, milesText } from "~/domain/measure-text";

type Props = {
  buttons: readonly QuickLogButton[];
  unit: string;
  goalId: number;
  onPress: (button: QuickLogButton) => void;
  isBusy: boolean;
};

/** What it says on the button: its title, else what it logs. */
export function buttonLabel(button: QuickLogButton, unit: string): string {
  if (button.title) return button.title;
  const measures = [
    button.amount !== null ? amountText(button.amount, unit) : "",
    button.duration ? formatDuration(button.duration) : "",
    button.distance !== null ? milesText(button.distance) : "",
  ].filter(Boolean);
  return [button.action, measures.join(" · ") || amountText(1000, unit)].filter(Boolean).join(" ");
}

const ICONS = { 1: "play", 2: "plus", 3: "checklist" } as const;

export function QuickLogButtons({ buttons, unit, goalId, onPress, isBusy }: Props) {
  if (buttons.length === 0) return null;
  return (
    <ul aria-label="Quick log" className="flex flex-wrap gap-2">
      {buttons.map((button) => (
        <li key={button.uuid}>
          <PlainForm
            fields={{ intent: "log.quick", goal: goalId, button: button.uuid }}
            onPress={() => onPress(button)}
          >
            <Button type="submit" className="wrap-anywhere!" aria-disabled={isBusy || undefined}>
              <Icon name={ICONS[button.status]} />
              {buttonLabel(button, unit)}
            </Button>
          </PlainForm>
        </li>
      ))}
    </ul>
  );
}
