// A goal's checklist. Ticks are saved 50 seconds after the last one, or when the page is hidden (S-16); without a network
// the outbox sends them later (W-05).
import { useCallback, useEffect, useRef, useState } from "react";
import { PlainForm } from "~/components/form/plain-form";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { OutsideLink } from "~/components/ui/text-link";
import type { ChecklistItem } from "~/domain/goals/goals";
import { CallError, callServer } from "~/hooks/call-server";
import { OUTBOX, queueAct } from "~/hooks/outbox/door";
import { toast } from "~/hooks/toasts";
import { notifyOtherTabs, useFreshData } from "~/hooks/use-fresh-data";
import { useHydrated } from "~/hooks/use-hydrated";
import { useShell } from "~/hooks/use-shell";
import * as paths from "~/wire/paths";
import { mergeTicks, readStoredTicks, storeTicks, ticksKey } from "./stored-ticks";

/** The wait after the last tick. */
const SAVE_AFTER_MS = 50_000;

type Props = {
  goalId: number;
  title: string;
  items: readonly ChecklistItem[];
  /** In a session the ticks belong to the participant. */
  sessionId?: number;
  canTick: boolean;
};

export function Checklist({ goalId, title, items, sessionId, canTick }: Props) {
  const isHydrated = useHydrated();
  const { ticked, tick, save, state } = useTicks({
    goalId,
    title,
    items,
    ...(sessionId ? { sessionId } : {}),
  });
  const doneCount = items.filter(({ uuid }) => ticked.has(uuid)).length;
  return (
    <PlainForm
      fields={{ intent: "list.tick", goal: goalId }}
      onPress={() => void save(false)}
      className="flex flex-col gap-1"
      label={`Checklist of ${title}`}
    >
      {items.map(
        ({ uuid, isChecked }) => isChecked && <input key={uuid} type="hidden" name="base" value={uuid} />,
      )}
      <p className="tabular text-sm text-soft" aria-live="polite">
        {doneCount} of {items.length} done
        {STATE_TEXTS[state]}
      </p>
      <ul>
        {items.map((item) => (
          <li key={item.uuid} className="flex flex-wrap items-center gap-x-4">
            <Checkbox
              name="ticked"
              value={item.uuid}
              label={item.title}
              {...(isHydrated
                ? { checked: ticked.has(item.uuid), onChange: () => tick(item.uuid) }
                : { defaultChecked: item.isChecked })}
              disabled={!canTick}
            />
            {item.link && <OutsideLink href={item.link}>Link</OutsideLink>}
          </li>
        ))}
      </ul>
      {canTick && !isHydrated && (
        <Button type="submit" className="self-start">
          Save
        </Button>
      )}
    </PlainForm>
  );
}

const uuidsOf = (joined: string): string[] => (joined === "" ? [] : joined.split(","));

type State = "saved" | "waiting" | "saving" | "held";
const STATE_TEXTS: Record<State, string> = {
  saved: "",
  waiting: " · not saved yet",
  saving: " · saving",
  held: " · waits for the connection",
};
type Answer = { goal: { items: { uuid: string; x: 0 | 1 }[] } };

/** Holds the ticks and saves them. */
function useTicks(props: {
  goalId: number;
  title: string;
  items: readonly ChecklistItem[];
  sessionId?: number;
}) {
  const { goalId, title, items, sessionId } = props;
  const username = useShell().viewer?.username ?? "";
  const checkedUuids = items.filter(({ isChecked }) => isChecked).map(({ uuid }) => uuid);
  const serverTicks = checkedUuids.join();
  const [ticked, setTicked] = useState(() => new Set(checkedUuids));
  const [state, setState] = useState<State>("saved");
  const readAgain = useFreshData();
  /** `base`: the ticks that the server last sent to this page. */
  const latest = useRef({ ticked, state, timer: 0, base: serverTicks });
  latest.current.ticked = ticked;
  latest.current.state = state;

  // Ticks from elsewhere are applied while no change of this page is pending, in the page or in the outbox.
  const takeServerTicks = useCallback(() => {
    const { state } = latest.current;
    if (state !== "saved" && (state !== "held" || readStoredTicks(goalId, username))) return;
    latest.current.base = serverTicks;
    latest.current.state = "saved";
    setState("saved");
    setTicked(new Set(uuidsOf(serverTicks)));
  }, [serverTicks, goalId, username]);
  useEffect(() => {
    takeServerTicks();
    // The user may have deleted the ticks that waited in the outbox.
    document.addEventListener(OUTBOX, takeServerTicks);
    return () => document.removeEventListener(OUTBOX, takeServerTicks);
  }, [takeServerTicks]);

  const save = useCallback(
    async (isLeaving: boolean) => {
      if (latest.current.state !== "waiting") return;
      clearTimeout(latest.current.timer);
      const sentTicks = latest.current.ticked;
      latest.current.state = "saving";
      setState("saving");
      const body = {
        goal_id: goalId,
        items: [...sentTicks],
        base: uuidsOf(latest.current.base),
        ...(sessionId ? { challenge_event_id: sessionId } : {}),
      };
      try {
        const { goal } = await callServer<Answer>(paths.saveListProgress, { body, keepalive: isLeaving });
        // A later tick waits for its own 50 seconds.
        if (latest.current.ticked === sentTicks) {
          const savedTicks = goal.items.flatMap(({ uuid, x }) => (x === 1 ? uuid : []));
          latest.current.base = savedTicks.join();
          storeTicks(goalId, username, null);
          setTicked(new Set(savedTicks));
          setState("saved");
        } else latest.current.base = [...sentTicks].join();
        notifyOtherTabs();
        if (!isLeaving) readAgain();
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        const isHeld =
          error.isUnanswered &&
          !sessionId &&
          (await queueAct({
            call: paths.saveListProgress,
            body,
            about: title,
            words: `Ticks: ${sentTicks.size} of ${items.length}`,
            stored: ticksKey(goalId),
          }));
        if (isHeld) {
          if (latest.current.ticked === sentTicks) {
            storeTicks(goalId, username, { ticked: [...sentTicks], base: latest.current.base, isHeld });
            latest.current.state = "held";
            setState("held");
          }
          // The outbox sends these ticks, so later changes count from them.
          latest.current.base = [...sentTicks].join();
          return;
        }
        setState("waiting");
        latest.current.timer = window.setTimeout(() => void save(false), SAVE_AFTER_MS);
        toast.error(error.message, { id: `ticks-${goalId}` });
      }
    },
    [goalId, sessionId, username, readAgain, title, items.length],
  );

  // Sends the ticks that the browser could not send before it closed.
  useEffect(() => {
    const storedTicks = readStoredTicks(goalId, username);
    if (!storedTicks) return;
    const checkedUuids = uuidsOf(latest.current.base);
    const restoredTicks = new Set(
      mergeTicks({ ticked: storedTicks.ticked, base: uuidsOf(storedTicks.base) }, checkedUuids),
    );
    if (restoredTicks.size === checkedUuids.length && checkedUuids.every((uuid) => restoredTicks.has(uuid)))
      return storeTicks(goalId, username, null);
    setTicked(restoredTicks);
    latest.current.ticked = restoredTicks;
    latest.current.state = storedTicks.isHeld ? "held" : "waiting";
    if (!storedTicks.isHeld) return void save(false);
    latest.current.base = [...restoredTicks].join();
    setState("held");
  }, [goalId, save, username]);

  useEffect(() => {
    const leave = () => void save(true);
    const hide = () => document.visibilityState === "hidden" && leave();
    document.addEventListener("visibilitychange", hide);
    window.addEventListener("pagehide", leave);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      window.removeEventListener("pagehide", leave);
      // A navigation within the app unmounts the list without hiding the page.
      leave();
    };
  }, [save]);

  const tick = (uuid: string) => {
    setTicked((previous) => {
      // In the order of the list, as in the server's answer.
      const next = items
        .map((item) => item.uuid)
        .filter((itemUuid) => previous.has(itemUuid) !== (itemUuid === uuid));
      storeTicks(goalId, username, { ticked: next, base: latest.current.base });
      return new Set(next);
    });
    setState("waiting");
    clearTimeout(latest.current.timer);
    latest.current.timer = window.setTimeout(() => void save(false), SAVE_AFTER_MS);
  };
  return { ticked, tick, save, state };
}
