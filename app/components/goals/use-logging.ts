// Logging from a button: the log and its counts appear optimistically, retry until answered, and revert on a refusal. A
// finished log of the user's own goal is queued while offline (W-05).
import { useContext, useRef, useState } from "react";
import { milesOut } from "~/domain/distances";
import { buttonDraft, progressDraft, type QuickLogButton } from "~/domain/goals/goals";
import { isRunning, LOG_STATUS } from "~/domain/goals/log-state";
import { type LoggedGoal, loggedText } from "~/domain/goals/logged-text";
import type { LogDraft } from "~/domain/goals/logs";
import { instant } from "~/domain/time";
import { useSecondClock } from "~/hooks/goals/use-second-clock";
import { isOutOfReach, queueAct } from "~/hooks/outbox/door";
import { toast } from "~/hooks/toasts";
import { useCall } from "~/hooks/use-call";
import { ClockContext } from "~/hooks/use-now";
import { useOptimistic } from "~/hooks/use-optimistic";
import { useReader } from "~/hooks/use-shell";
import type { CallPath } from "~/wire/call-path";
import * as paths from "~/wire/paths";
import { type DraftedGoal, draftLog, type Progress, type RequestedLog, withLog } from "./draft-log";

/** The call for logs of a goal, and its parameters. */
export type LogTarget = {
  call: CallPath;
  params?: Record<string, string | number>;
  body: Record<string, unknown>;
};
/** A goal of the user (C-37). */
export const ownTarget = (goalId: number): LogTarget => ({
  call: paths.storeQuickLog,
  body: { goal_id: goalId },
});
/** A goal of a session. */
export const sessionTarget = (sessionId: number, sessionGoalUuid: string): LogTarget => ({
  call: paths.logInSession,
  params: { event: sessionId },
  body: { task_uuid: sessionGoalUuid, type: "task" },
});

export type LoggableGoal = DraftedGoal & LoggedGoal & Parameters<typeof progressDraft>[0];

type Press = {
  requested: RequestedLog;
  /** The request's fields about the log; `LogTarget` has the others. */
  body: Record<string, unknown>;
  showsToast?: boolean;
  /** The user has confirmed that a second clock may run. */
  isClockConfirmed?: boolean;
};

export function useLogging(goal: LoggableGoal, server: Progress, target: LogTarget, username: string) {
  const reader = useReader();
  const { value: shownProgress, apply, confirmPatch, dropPatch } = useOptimistic(server);
  const clock = useContext(ClockContext);
  /** The key of the pending log; a second press before the answer is ignored (C-06). */
  const key = useRef("");
  const [isPending, setPending] = useState(false);
  /** The toast's text. Null for Start Progress, whose timer is the feedback. */
  const sentence = useRef<string | null>(null);
  /** Null where only the server can store the pending log. */
  const queueOffline = useRef<(() => Promise<void>) | null>(null);
  const { run } = useCall<{ log: { id: number } }>({
    onDone: ({ log }) => {
      confirmPatch(key.current);
      if (sentence.current !== null) toast.logged(log.id, sentence.current);
    },
    onError: (error) => {
      if (error.isUnanswered && queueOffline.current) {
        void queueOffline.current();
        return true;
      }
      dropPatch(key.current);
      return false;
    },
    onSkip: () => dropPatch(key.current),
    retries: true,
  });

  const confirmSecondClock = useSecondClock();
  const send = (press: Press) => {
    if (key.current) return;
    const { requested, body, showsToast = false, isClockConfirmed = false } = press;
    const sendAnyway = () => send({ ...press, isClockConfirmed: true });
    if (requested.status === LOG_STATUS.active && shownProgress.openLogs.some(isRunning)) {
      toast.info("A timer is already running for this goal.", { id: "running" });
      return;
    }
    const canQueue = target.call === paths.storeQuickLog && requested.status === LOG_STATUS.done;
    if (!canQueue && isOutOfReach()) return;
    if (
      requested.status === LOG_STATUS.active &&
      !isClockConfirmed &&
      confirmSecondClock(goal.id, sendAnyway)
    )
      return;
    const uuid = crypto.randomUUID();
    key.current = uuid;
    setPending(true);
    const now = instant(clock.now());
    const log = draftLog(goal, requested, uuid, username, now);
    const requestBody = { ...target.body, ...body, uuid };
    sentence.current = showsToast ? loggedText(log, goal, withLog(shownProgress, log).totals, reader) : null;
    const toastText = sentence.current ?? "";
    const queue = async () => {
      const isHeld = await queueAct({
        call: target.call,
        body: requestBody,
        about: goal.title,
        words: toastText,
        at: now,
      });
      (isHeld ? confirmPatch : dropPatch)(uuid);
    };
    queueOffline.current = canQueue ? queue : null;
    apply(uuid, (previous) => withLog(previous, log));
    const request =
      !navigator.onLine && queueOffline.current
        ? queueOffline.current()
        : run(target.call, {
            ...(target.params ? { params: target.params } : {}),
            body: requestBody,
            idempotencyKey: null,
            record: goal.id,
          });
    void request.finally(() => {
      key.current = "";
      setPending(false);
    });
  };

  return {
    progress: shownProgress,
    isBusy: isPending,
    /** A quick-log button (U-17). */
    press: (button: QuickLogButton) =>
      send({
        requested: {
          ...buttonDraft(button),
          content: undefined,
          qlButtonUuid: button.uuid || null,
        } as RequestedLog,
        body: button.uuid
          ? { ql_button_uuid: button.uuid }
          : {
              amount: button.amount === null ? null : button.amount / 1000,
              duration: button.duration,
              distance: milesOut(button.distance),
              status: button.status,
            },
        showsToast: true,
      }),
    /**
     * Start Progress: an active log with a pausable timer (U-25), or a goal's own timer, for its duration.
     */
    begin: (timer?: { uuid: string; title: string; duration: LogDraft["duration"] }) => {
      const draft = timer
        ? { title: timer.title, amount: 0, duration: timer.duration, timerUuid: timer.uuid }
        : progressDraft(goal);
      send({
        requested: { ...draft, status: LOG_STATUS.active },
        body: {
          status: LOG_STATUS.active,
          amount: draft.amount / 1000,
          duration: draft.duration,
          ...(timer ? { timer_uuid: timer.uuid, title: timer.title } : {}),
        },
      });
    },
  };
}
