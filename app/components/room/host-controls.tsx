// The controls of host and admins: start, pause, resume, finish, skip, back, a minute more or less, each with its
// word and its key. The host's screen updates optimistically by the room's rules.
import { type MouseEvent, useMemo } from "react";
import { Icon, type IconName } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { DropdownMenu, MenuButton } from "~/components/ui/dropdown-menu";
import { nameAmong } from "~/domain/room/guest-names";
import { comingTurns } from "~/domain/schedule/round";
import type { Part, Schedule } from "~/domain/schedule/shape";
import { ordersOf, type PartOrder } from "~/domain/schedule/skip-and-back";
import { turnAt } from "~/domain/schedule/timer-pieces";
import { instant } from "~/domain/time";
import { useFlips } from "~/hooks/use-now";
import { useLive } from "./live-context";
import { nextOf, type Stage } from "./stage-reading";

export type HostControlsProps = {
  stage: Stage;
  schedule: Schedule;
  isBusy: boolean;
  onOrders: (orders: PartOrder[]) => void;
};

/** For the main button, between the small ones. */
const MAIN_BUTTON_CLASS =
  "sm:min-w-36 max-sm:min-h-14 max-sm:flex-[1.4] max-sm:flex-col max-sm:gap-0 max-sm:px-1 max-sm:py-1 max-sm:text-sm!";

export default function HostControls({ stage, schedule, isBusy, onOrders }: HostControlsProps) {
  const current = stage.kind === "part" ? stage.part : null;
  const waitingPart = stage.kind === "host-awaited" || stage.kind === "gap" ? stage.part : null;
  const skipOrders = useMemo(
    () => ordersOf("skip", schedule, current ?? waitingPart),
    [schedule, current, waitingPart],
  );
  const backOrders = useMemo(() => ordersOf("back", schedule, current), [schedule, current]);
  const turn = useTurn(current);
  if (stage.kind === "before" || stage.kind === "after") return null;
  const onPressOf = (order: PartOrder) => () => onOrders([order]);
  return (
    <div
      role="toolbar"
      aria-label="Host controls"
      aria-busy={isBusy}
      className="needs-script flex flex-wrap items-center justify-center gap-1 max-sm:w-full sm:gap-2"
    >
      {!turn && (
        <Control
          icon="left"
          label="Back"
          text="Back"
          shortcut="ArrowLeft"
          isDisabled={backOrders.length === 0}
          onPress={() => onOrders(backOrders)}
        />
      )}
      {current && (
        <Control
          icon="minus"
          label="1m: One minute less"
          text="1m"
          shortcut="-"
          onPress={onPressOf({ type: "adjust", partId: current.id, seconds: -60 })}
        />
      )}
      {current?.state === "running" && (
        <Button
          size="lg"
          className={MAIN_BUTTON_CLASS}
          aria-keyshortcuts="Space"
          onClick={onPressOf({ type: "pause", partId: current.id })}
        >
          <Icon name="pause" />
          Pause
        </Button>
      )}
      {current?.state === "paused" && (
        <Button
          variant="primary"
          size="lg"
          className={MAIN_BUTTON_CLASS}
          aria-keyshortcuts="Space"
          onClick={onPressOf({ type: "resume", partId: current.id })}
        >
          <Icon name="play" />
          Resume
        </Button>
      )}
      {waitingPart && (
        <Button
          variant="primary"
          size="lg"
          className="min-w-36 max-sm:order-first max-sm:w-full"
          aria-keyshortcuts="Space"
          onClick={onPressOf({ type: "start", partId: waitingPart.id })}
        >
          <Icon name="play" />
          <span className="line-clamp-2 wrap-anywhere">Start {waitingPart.title || "timer"}</span>
        </Button>
      )}
      {current && (
        <Control
          icon="plus"
          label="1m: One minute more"
          text="1m"
          shortcut="Plus"
          onPress={onPressOf({ type: "adjust", partId: current.id, seconds: 60 })}
        />
      )}
      {current && turn && (
        <RoundControls part={current} turn={turn} backOrders={backOrders} onOrders={onOrders} />
      )}
      {current && !turn && (
        <Control
          icon="stop"
          label="Finish now"
          text="Finish"
          onPress={onPressOf({ type: "finish", partId: current.id })}
        />
      )}
      {!turn && (
        <Control
          icon="skip"
          label="Skip to the next"
          text="Skip"
          shortcut="ArrowRight"
          isDisabled={skipOrders.length === 0}
          onPress={() => onOrders(skipOrders)}
        />
      )}
    </div>
  );
}

/** `speaker` is a username; `next` is the displayed name of the next speaker or part. */
type Turn = { speaker: string; next: string };

/** The turn of a round; null without one. */
function useTurn(part: Part | null): Turn | null {
  const online = useLive("online");
  const room = useLive("room");
  const { at } = useFlips((now) => (part ? (turnAt(part, now)?.index ?? -1) : -1));
  const turn = part && turnAt(part, at);
  if (!part || !turn) return null;
  const presentNames = new Set(online);
  const [next] = comingTurns(part, at, (name) => ({ isHere: presentNames.has(name), since: instant(0) }));
  const nextTitle = nextOf(room.schedule, at)?.part.title;
  return { speaker: turn.username, next: next ? nameAmong(room.participants, next) : nextTitle || "the end" };
}

type RoundControlsProps = {
  part: Part;
  turn: Turn;
  /** The orders that go back to the previous part. */
  backOrders: PartOrder[];
  onOrders: (orders: PartOrder[]) => void;
};

function RoundControls({ part, turn, backOrders, onOrders }: RoundControlsProps) {
  return (
    <>
      <Button
        size="lg"
        className="min-w-0 max-sm:min-h-14 max-sm:flex-[1.6] max-sm:px-1 max-sm:text-sm!"
        aria-keyshortcuts="ArrowRight"
        onClick={(event) => {
          onOrders([{ type: "next", partId: part.id, speaker: turn.speaker }]);
          focusFace(event);
        }}
      >
        <span className="line-clamp-2 wrap-anywhere">Next: {turn.next}</span>
      </Button>
      <DropdownMenu
        label="More of the round"
        trigger={<Icon name="more" />}
        triggerClassName="grid size-13 cursor-pointer place-content-center rounded-md hover:bg-sunken"
      >
        <MenuButton onClick={() => onOrders([{ type: "end-round", partId: part.id }])}>
          <Icon name="stop" />
          End this round
        </MenuButton>
        <MenuButton onClick={() => onOrders(backOrders)} disabled={backOrders.length === 0}>
          <Icon name="left" />
          Back
        </MenuButton>
      </DropdownMenu>
    </>
  );
}

/** Moves the focus to the face after a click, so that Space pauses. A key press keeps it on its control. */
function focusFace({ detail, currentTarget }: MouseEvent<HTMLElement>): void {
  const section = detail > 0 && currentTarget.closest("section");
  if (section) section.querySelector<HTMLElement>("[role=timer]")?.focus({ preventScroll: true });
}

function Control({
  icon,
  label,
  text,
  shortcut,
  isDisabled,
  onPress,
}: {
  icon: IconName;
  /** Spoken, and shown on hover; it contains the text. */
  label: string;
  text: string;
  shortcut?: string;
  isDisabled?: boolean;
  onPress: () => void;
}) {
  return (
    <Button
      size="icon"
      className="min-h-13 min-w-13 flex-col gap-0! px-1.5 py-1 text-sm! max-sm:min-w-11 max-sm:flex-1 max-sm:px-0.5"
      aria-label={label}
      aria-keyshortcuts={shortcut}
      title={label}
      disabled={isDisabled}
      onClick={(event) => {
        onPress();
        focusFace(event);
      }}
    >
      <Icon name={icon} />
      <span aria-hidden="true">{text}</span>
    </Button>
  );
}
