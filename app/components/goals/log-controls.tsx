// Start, Pause and Done of a log, as its state allows (S-11), and the menu of the rarer moves. Only for its owner (U-24).
import { PlainForm } from "~/components/form/plain-form";
import { Icon, type IconName } from "~/components/pictures/icon";
import { Button, type ButtonVariant } from "~/components/ui/button";
import { isToDo, LOG_STATUS } from "~/domain/goals/log-state";
import type { LogMove, LogShown } from "~/domain/goals/logs";
import { LogMenu } from "./log-menu";

/** Without a variant it is quiet. */
type Control = { move: LogMove; intent: string; label: string; icon: IconName; variant?: ButtonVariant };

const PAUSE: Control = { move: "pause", intent: "log.pause", label: "Pause", icon: "pause" };
const DONE: Control = { move: "complete", intent: "log.done", label: "Done", icon: "check" };
const START: Control = { move: "start", intent: "log.start", label: "Start", icon: "play" };

function controlsOf(log: Pick<LogShown, "status" | "pausedAt" | "goalId">): Control[] {
  if (log.status === LOG_STATUS.done) return [];
  // Without a goal no timer starts (S-13).
  if (log.goalId === null) return [DONE];
  if (log.status === LOG_STATUS.active) return [PAUSE, { ...DONE, variant: "primary" }];
  const isPaused = log.status === LOG_STATUS.paused && !isToDo(log);
  return [isPaused ? { ...START, label: "Resume", variant: "primary" } : START, DONE];
}

type Props = {
  log: LogShown;
  onMove: (move: LogMove) => void;
  isBusy: boolean;
  /** Only one control per page is emphasised; elsewhere all are quiet. */
  isQuiet?: boolean;
  size?: "md" | "lg";
};

export function LogControls({ log, onMove, isBusy, isQuiet = false, size = "md" }: Props) {
  const controls = controlsOf(log);
  if (controls.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2 max-sm:[&>form_button]:px-4 max-sm:[&>form_svg]:hidden">
      {controls.map((control) => (
        <PlainForm
          key={control.move}
          fields={{ intent: control.intent, log: log.id }}
          onPress={() => onMove(control.move)}
        >
          <Button
            type="submit"
            size={size}
            variant={(!isQuiet && control.variant) || "quiet"}
            aria-disabled={isBusy || undefined}
          >
            <Icon name={control.icon} />
            {control.label}
          </Button>
        </PlainForm>
      ))}
      {log.id !== 0 && log.status !== LOG_STATUS.stopped && <LogMenu log={log} onMove={onMove} />}
    </div>
  );
}
