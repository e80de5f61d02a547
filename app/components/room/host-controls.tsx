// The controls of host and admins: start, pause, resume, finish, skip, back, a minute more or less. The own
// screen updates optimistically by the room's rules.
import { useMemo } from "react";
import { Icon, type IconName } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { ordersOf, type PartOrder } from "~/domain/schedule/orders";
import type { Schedule } from "~/domain/schedule/shape";
import type { Stage } from "./stage-reading";

type HostControlsProps = {
  stage: Stage;
  schedule: Schedule;
  isBusy: boolean;
  onOrders: (orders: PartOrder[]) => void;
};

/** Between the small buttons, or above them if they would not fit in one row. */
const MAIN = "min-w-36 max-sm:order-first max-sm:w-full";

export function HostControls({ stage, schedule, isBusy, onOrders }: HostControlsProps) {
  const current = stage.kind === "part" ? stage.part : null;
  const waiting = stage.kind === "host-awaited" || stage.kind === "gap" ? stage.part : null;
  const skip = useMemo(() => ordersOf("skip", schedule, current ?? waiting), [schedule, current, waiting]);
  const back = useMemo(() => ordersOf("back", schedule, current), [schedule, current]);
  if (stage.kind === "before" || stage.kind === "after") return null;
  const one = (order: PartOrder) => () => onOrders([order]);
  return (
    <div
      role="toolbar"
      aria-label="Host controls"
      aria-busy={isBusy}
      className="needs-script flex flex-wrap items-center justify-center gap-1 sm:gap-2"
    >
      <Control icon="left" label="Back" isDisabled={back.length === 0} onPress={() => onOrders(back)} />
      {current && (
        <Control
          icon="minus"
          label="One minute less"
          text="1m"
          onPress={one({ type: "adjust", partId: current.id, seconds: -60 })}
        />
      )}
      {current?.state === "running" && (
        <Button size="lg" className={MAIN} onClick={one({ type: "pause", partId: current.id })}>
          <Icon name="pause" />
          Pause
        </Button>
      )}
      {current?.state === "paused" && (
        <Button
          variant="primary"
          size="lg"
          className={MAIN}
          onClick={one({ type: "resume", partId: current.id })}
        >
          <Icon name="play" />
          Resume
        </Button>
      )}
      {waiting && (
        <Button
          variant="primary"
          size="lg"
          className={MAIN}
          onClick={one({ type: "start", partId: waiting.id })}
        >
          <Icon name="play" />
          <span className="line-clamp-2 wrap-anywhere">Start {waiting.title || "timer"}</span>
        </Button>
      )}
      {current && (
        <Control
          icon="plus"
          label="One minute more"
          text="1m"
          onPress={one({ type: "adjust", partId: current.id, seconds: 60 })}
        />
      )}
      {current && (
        <Control icon="stop" label="Finish now" onPress={one({ type: "finish", partId: current.id })} />
      )}
      <Control
        icon="skip"
        label="Skip to the next"
        isDisabled={skip.length === 0}
        onPress={() => onOrders(skip)}
      />
    </div>
  );
}

function Control({
  icon,
  label,
  text,
  isDisabled,
  onPress,
}: {
  icon: IconName;
  label: string;
  text?: string;
  isDisabled?: boolean;
  onPress: () => void;
}) {
  return (
    <Button
      size="icon"
      className="max-sm:gap-1 max-sm:px-2"
      aria-label={text ? `${text}: ${label}` : label}
      title={label}
      disabled={isDisabled}
      onClick={onPress}
    >
      <Icon name={icon} />
      {text && <span aria-hidden="true">{text}</span>}
    </Button>
  );
}
