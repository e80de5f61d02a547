// The ticks of a goal's checklist. They are saved 50 seconds after the last one, or when the page is hidden (S-16);
// without a network the outbox sends them later (W-05).
import { useCallback, useEffect, useRef, useState } from "react";
import type { ChecklistItem } from "~/domain/goals/goals";
import { CallError, callServer } from "~/hooks/call-server";
import { OUTBOX, queueAct } from "~/hooks/outbox/door";
import { toast } from "~/hooks/toasts";
import { notifyOtherTabs, useFreshData } from "~/hooks/use-fresh-data";
import { useShell } from "~/hooks/use-shell";
import * as paths from "~/wire/paths";
import { mergeTicks, readStoredTicks, storeTicks, ticksKey } from "./stored-ticks";

const uuidsOf = (joined: string): string[] => (joined === "" ? [] : joined.split(","));

/** `held`: the outbox has the ticks. `refused`: they wait for another tick, or for their own login. */
export type TicksState = "saved" | "waiting" | "saving" | "held" | "refused";
type Answer = { goal: { items: { uuid: string; x: 0 | 1 }[] } };

/** The wait after the last tick. */
const SAVE_AFTER_MS = 50_000;

export function useChecklistTicks(props: {
  goalId: number;
  title: string;
  items: readonly ChecklistItem[];
  sessionId?: number;
  canTick: boolean;
  /** The session has ended, and its server still takes ticks for a moment. */
  isOver?: boolean;
}) {
  const { goalId, title, items, sessionId, canTick, isOver = false } = props;
  const username = useShell().viewer?.username ?? "";
  const checkedUuids = items.filter(({ isChecked }) => isChecked).map(({ uuid }) => uuid);
  const serverTicks = checkedUuids.join();
  const [ticked, setTicked] = useState(() => new Set(checkedUuids));
  const [state, setState] = useState<TicksState>("saved");
  const readAgain = useFreshData();
  /** `base`: the ticks that the server last sent to this page. */
  const latest = useRef({ ticked, state, timer: 0, base: serverTicks });
  latest.current.state = state;
  // Set at once, because two ticks may come before the next render.
  const showTicks = useCallback((uuids: Iterable<string>) => {
    latest.current.ticked = new Set(uuids);
    setTicked(latest.current.ticked);
  }, []);

  // Ticks from elsewhere are applied while no change of this page is pending, in the page or in the outbox.
  const takeServerTicks = useCallback(() => {
    const { state } = latest.current;
    if (state !== "saved" && (state !== "held" || readStoredTicks(goalId, username))) return;
    latest.current.base = serverTicks;
    latest.current.state = "saved";
    setState("saved");
    showTicks(uuidsOf(serverTicks));
  }, [serverTicks, goalId, username, showTicks]);
  useEffect(() => {
    takeServerTicks();
    // The user may have deleted the ticks that waited in the outbox.
    document.addEventListener(OUTBOX, takeServerTicks);
    return () => document.removeEventListener(OUTBOX, takeServerTicks);
  }, [takeServerTicks]);

  const save = useCallback(
    async ({ isLeaving = false } = {}) => {
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
          showTicks(savedTicks);
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
        const isRefused = error.code === "CONFLICT" && latest.current.ticked === sentTicks;
        if (isRefused && isOver) {
          storeTicks(goalId, username, null);
          showTicks(uuidsOf(latest.current.base));
          setState("saved");
        } else if (isRefused) setState("refused");
        else {
          setState("waiting");
          clearTimeout(latest.current.timer);
          latest.current.timer = window.setTimeout(() => void save(), SAVE_AFTER_MS);
        }
        toast.error(error.message, { id: `ticks-${goalId}` });
      }
    },
    [goalId, sessionId, username, readAgain, showTicks, title, items.length, isOver],
  );

  // Sends the ticks that the browser could not send before it closed.
  useEffect(() => {
    const storedTicks = readStoredTicks(goalId, username);
    if (!storedTicks || !(canTick || isOver) || latest.current.state === "saving") return;
    const serverUuids = uuidsOf(latest.current.base);
    const restoredTicks = new Set(
      mergeTicks({ ticked: storedTicks.ticked, base: uuidsOf(storedTicks.base) }, serverUuids),
    );
    if (restoredTicks.size === serverUuids.length && serverUuids.every((uuid) => restoredTicks.has(uuid)))
      return storeTicks(goalId, username, null);
    showTicks(restoredTicks);
    latest.current.state = storedTicks.isHeld ? "held" : "waiting";
    if (!storedTicks.isHeld) return void save();
    latest.current.base = [...restoredTicks].join();
    setState("held");
  }, [goalId, save, showTicks, username, canTick, isOver]);

  useEffect(() => {
    const leave = () => void save({ isLeaving: true });
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
    const { ticked: previous, base } = latest.current;
    // In the order of the list, as in the server's answer.
    const next = items
      .map((item) => item.uuid)
      .filter((itemUuid) => previous.has(itemUuid) !== (itemUuid === uuid));
    storeTicks(goalId, username, { ticked: next, base });
    showTicks(next);
    setState("waiting");
    clearTimeout(latest.current.timer);
    latest.current.timer = window.setTimeout(() => void save(), SAVE_AFTER_MS);
  };
  return { ticked, tick, save, state };
}
