// Logging from a button: the log and its counts appear optimistically, retry until answered, and revert on a refusal.
// The caller chooses the target: a goal of the user, whose done logs wait for the network (W-05), or one of a session.
import { useContext, useRef, useState } from "react";
import { milesOut } from "~/domain/distances";
import { buttonDraft, progressDraft, type QuickLogButton } from "~/domain/goals/goals";
import { isRunning, LOG_STATUS } from "~/domain/goals/log-state";
import { type LoggedGoal, loggedText } from "~/domain/goals/logged-text";
import type { LogDraft } from "~/domain/goals/logs";
import { instant } from "~/domain/time";
import { hold, isOutOfReach } from "~/hooks/outbox-door";
import { toast } from "~/hooks/toasts";
import { useCall } from "~/hooks/use-call";
import { ClockContext } from "~/hooks/use-now";
import { useOptimistic } from "~/hooks/use-optimistic";
import { useSecondClock } from "~/hooks/use-second-clock";
import { useReader } from "~/hooks/use-shell";
import type { CallPath } from "~/wire/call-path";
import * as paths from "~/wire/paths";
import { type Ask, type DraftedGoal, draftLog, type Progress, withLog } from "./draft-log";

/** The call for logs of a goal, and its parameters. */
export type LogDoor = {
  call: CallPath;
  params?: Record<string, string | number>;
  body: Record<string, unknown>;
};
/** C-37 */
export const ownDoor = (goalId: number): LogDoor => ({
  call: paths.storeQuickLog,
  body: { goal_id: goalId },
});
/** */
export const sessionDoor = (sessionId: number, sessionGoalUuid: string): LogDoor => ({
  call: paths.logInSession,
  params: { event: sessionId },
  body: { task_uuid: sessionGoalUuid, type: "task" },
});

export type LoggedHere = DraftedGoal & LoggedGoal & Parameters<typeof progressDraft>[0];

export function useLogging(goal: LoggedHere, server: Progress, door: LogDoor, username: string) {
  const reader = useReader();
  const { shown, apply, confirmPatch, dropPatch } = useOptimistic(server);
  const clock = useContext(ClockContext);
  /** The key of the pending log; a second press before the answer is ignored (C-06). */
  const key = useRef("");
  const [isPending, setPending] = useState(false);
  /** The sentence of a press, with its figures; Start Progress shows its timer and says nothing. */
  const sentence = useRef<string | null>(null);
  /** Keeps the pending log for later; false where only the server can store it. */
  const later = useRef<false | (() => Promise<void>)>(false);
  const { run } = useCall<{ log: { id: number } }>({
    onDone: ({ log }) => {
      confirmPatch(key.current);
      if (sentence.current !== null) toast.logged(log.id, sentence.current);
    },
    onError: (error) => {
      if (error.isUnanswered && later.current) {
        void later.current();
        return true;
      }
      dropPatch(key.current);
      return false;
    },
    retries: true,
  });

  const askOfClock = useSecondClock();
  const send = (ask: Ask, body: Record<string, unknown>, isTold = false, isSecond = false) => {
    if (key.current) return;
    const goOn = () => send(ask, body, isTold, true);
    if (ask.status === LOG_STATUS.active && shown.openLogs.some(isRunning)) {
      toast.info("A timer is already running for this goal.", { id: "running" });
      return;
    }
    const isLasting = door.call === paths.storeQuickLog && ask.status === LOG_STATUS.done;
    if (!isLasting && isOutOfReach()) return;
    if (ask.status === LOG_STATUS.active && !isSecond && askOfClock(goal.id, goOn)) return;
    const uuid = crypto.randomUUID();
    key.current = uuid;
    setPending(true);
    const now = instant(clock.now());
    const log = draftLog(goal, ask, uuid, username, now);
    const given = { ...door.body, ...body, uuid };
    sentence.current = isTold ? loggedText(log, goal, withLog(shown, log).totals, reader) : null;
    const words = sentence.current ?? "";
    later.current =
      isLasting &&
      (async () => {
        const isHeld = await hold({ call: door.call, body: given, about: goal.title, words, at: now });
        (isHeld ? confirmPatch : dropPatch)(uuid);
      });
    apply(uuid, (before) => withLog(before, log));
    const sent =
      !navigator.onLine && later.current
        ? later.current()
        : run(door.call, {
            ...(door.params ? { params: door.params } : {}),
            body: given,
            idempotencyKey: null,
          });
    void sent.finally(() => {
      key.current = "";
      setPending(false);
    });
  };

  return {
    progress: shown,
    isBusy: isPending,
    /** One tap (U-17). */
    press: (button: QuickLogButton) =>
      send(
        { ...buttonDraft(button), content: undefined, qlButtonUuid: button.uuid || null } as Ask,
        button.uuid
          ? { ql_button_uuid: button.uuid }
          : {
              amount: button.amount === null ? null : button.amount / 1000,
              duration: button.duration,
              distance: milesOut(button.distance),
              status: button.status,
            },
        true,
      ),
    /**
     * Start Progress: an active log with a pausable timer (U-25), or with a timer of the goal for that timer's
     * duration.
     */
    begin: (timer?: { uuid: string; title: string; duration: LogDraft["duration"] }) => {
      const draft = timer
        ? { title: timer.title, amount: 0, duration: timer.duration, timerUuid: timer.uuid }
        : progressDraft(goal);
      send(
        { ...draft, status: LOG_STATUS.active },
        {
          status: LOG_STATUS.active,
          amount: draft.amount / 1000,
          duration: draft.duration,
          ...(timer ? { timer_uuid: timer.uuid, title: timer.title } : {}),
        },
      );
    },
  };
}
