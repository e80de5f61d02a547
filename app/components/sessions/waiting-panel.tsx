// The waiting list of a full session: joining it, the own place, an offered seat, leaving it (G-18, G-22, G-23).
import { Link } from "@remix-run/react";
import { useRef } from "react";
import { PlainForm } from "~/components/form/plain-form";
import { Button, buttonClass } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import type { SessionMe, ShownSession } from "~/domain/session-view";
import { takeRefusal, useAnswer } from "~/hooks/answers";
import { openModal } from "~/hooks/modal-store";
import { toast } from "~/hooks/toasts";
import { useCall } from "~/hooks/use-call";
import type { ActResult } from "~/wire/act";
import { JoinCodeForm } from "./join-code-form";

type WaitingProps = {
  session: Pick<ShownSession, "id" | "path" | "needsCode" | "waitersCount">;
  me: SessionMe;
  answered: ActResult | undefined;
};

const WAITS = "You are on the waiting list.";

/** The place of somebody who waits; an offered seat is taken with the Join button beside it. */
export function WaitingPlace({ session, me, answered }: WaitingProps) {
  const leave = useCall({ success: "You have left the waiting list." });
  if (me.waiting === null) return null;
  const { position, offeredUntil } = me.waiting;
  return (
    <div className="flex flex-col gap-3">
      {offeredUntil === null ? (
        <Notice title={`You are number ${position} of ${session.waitersCount} on the waiting list.`}>
          A seat that becomes free is yours at once, and costs what joining costs. In the last hour before the
          start you are asked first.
        </Notice>
      ) : (
        <Notice tone="success" title="A seat is free for you">
          Take it before <Time at={offeredUntil} look="time" />. Then it goes to the next person.
        </Notice>
      )}
      <PlainForm
        fields={{ intent: "unwait" }}
        action={session.path}
        answered={answered}
        onPress={() => void leave.run("stopWaiting", { params: { event: session.id } })}
      >
        <Button type="submit" isLoading={leave.isBusy}>
          Leave the waiting list
        </Button>
      </PlainForm>
    </div>
  );
}

const peopleWaiting = (count: number): string =>
  count === 0 ? "Nobody is waiting." : count === 1 ? "1 person is waiting." : `${count} people are waiting.`;

export function WaitForm({ session, me, answered, linkCode }: WaitingProps & { linkCode: string }) {
  const failed = answered && !answered.ok && answered.intent === "wait" ? answered : null;
  const tried = useRef("");
  const wait = useCall({
    success: WAITS,
    onError: (error) => {
      if (error.code !== "WRONG_CODE") return undefined;
      openModal({ name: "join-code", message: error.message, tried: tried.current, onCode: waitWith });
      return true;
    },
  });
  const waitWith = (code: string, isRetry = false) => {
    tried.current = code;
    const body = code ? { join_code: code } : {};
    void wait.run("waitForSeat", { params: { event: session.id }, body }, isRetry);
  };
  useAnswer(failed ?? undefined, (refused) => {
    const again = (isRetry: boolean) => waitWith(String(refused.form.initialValue?.joinCode ?? ""), isRetry);
    if (refused.code === "WRONG_CODE") openModal({ name: "join-code", onCode: waitWith });
    else if (!takeRefusal(refused, { again, isRetry: false })) toast.errors(refused.sentences);
  });
  const label = "Join the waiting list";
  if (!me.isSignedIn)
    return (
      <Link
        to={`?auth=login&next=${encodeURIComponent(session.path)}`}
        preventScrollReset
        className={buttonClass("primary", "lg", "self-start")}
      >
        {label}
      </Link>
    );
  return (
    <JoinCodeForm
      intent="wait"
      action={session.path}
      needsCode={session.needsCode}
      linkCode={linkCode}
      failed={failed}
      onCode={waitWith}
    >
      <Button type="submit" variant="primary" size="lg" className="self-start" isLoading={wait.isBusy}>
        {label}
      </Button>
      <p className="text-sm text-soft">Waiting costs nothing. {peopleWaiting(session.waitersCount)}</p>
    </JoinCodeForm>
  );
}
