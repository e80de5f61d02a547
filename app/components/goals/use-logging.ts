// Logging from a button: the log and its counts appear optimistically, retry until answered, and revert on a refusal.
// The caller chooses the target: a goal of the user, or a goal of a session.
import { useContext, useEffect, useRef, useState } from "react";
import { buttonDraft, type Goal, progressDraft, type QuickLogButton } from "~/domain/goals/goals";
import { isRunning, LOG_STATUS } from "~/domain/goals/log-state";
import type { LogDraft } from "~/domain/goals/logs";
import { instant } from "~/domain/time";
import { toast } from "~/hooks/toasts";
import { useCall } from "~/hooks/use-call";
import { ClockContext } from "~/hooks/use-now";
import { useOptimistic } from "~/hooks/use-optimistic";
import { useReader } from "~/hooks/use-shell";
import type { CallPath } from "~/wire/call-path";
import * as paths from "~/wire/paths";
import type { Ask, Progress } from "./draft-log";

/** Null if loading failed; then the log shows with the answer. */
const loadDrafts = () => import("./draft-log").catch(() => null);

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

export function useLogging(goal: Goal, server: Progress, door: LogDoor, username: string) {
  const reader = useReader();
  const { shown, apply, answered, refused } = useOptimistic(server);
  const clock = useContext(ClockContext);
  /** The key of the pending log; a second press before the answer is ignored (C-06). */
  const key = useRef("");
  const [isPending, setPending] = useState(false);
  /** The sentence of a press, with its figures; Start Progress shows its timer and says nothing. */
  const sentence = useRef<Promise<string> | null>(null);
  const { run } = useCall<{ log: { id: number } }>({
    onDone: ({ log }) => {
      answered(key.current);
      void sentence.current?.then((words) => toast.logged(log.id, words));
    },
    onError: () => {
      refused(key.current);
      return false;
    },
    retries: true,
  });

  // The first press must not wait for its code.
  useEffect(() => void loadDrafts(), []);

  const send = async (ask: Ask, body: Record<string, unknown>, isTold = false) => {
    if (key.current) return;
    if (ask.status === LOG_STATUS.active && shown.openLogs.some(isRunning)) {
      toast.info("A timer is already running for this goal.", { id: "running" });
      return;
    }
    const uuid = crypto.randomUUID();
    key.current = uuid;
    sentence.current = null;
    setPending(true);
    const now = instant(clock.now());
    const drafts = await loadDrafts();
    if (drafts) {
      const log = drafts.draftLog(goal, ask, uuid, username, now);
      const { totals } = drafts.withLog(shown, log);
      if (isTold)
        sentence.current = import("~/domain/goals/logged-text").then(({ loggedText }) =>
          loggedText(log, goal, totals, reader),
        );
      apply(uuid, (before) => drafts.withLog(before, log));
    }
    void run(door.call, {
      ...(door.params ? { params: door.params } : {}),
      body: { ...door.body, ...body, uuid },
      idempotencyKey: null,
    }).finally(() => {
      key.current = "";
      setPending(false);
    });
  };

  return {
    progress: shown,
    isBusy: isPending,
    /** One tap (U-17). */
    press: (button: QuickLogButton) =>
      void send(
        { ...buttonDraft(button), content: undefined, qlButtonUuid: button.uuid || null } as Ask,
        button.uuid
          ? { ql_button_uuid: button.uuid }
          : { amount: (button.amount ?? 0) / 1000, status: button.status },
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
      void send(
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
