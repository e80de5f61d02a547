// The waiting list of a full session: joining it, the viewer's place, an offered seat, leaving it (G-18, G-22, G-23).
import { ButtonForm } from "~/components/form/button-form";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import type { SessionMe, ShownSession } from "~/domain/sessions/view";
import type { Instant } from "~/domain/time";
import type { ActResult } from "~/wire/act";
import { JoinCodeForm } from "./join-code-form";

type WaitingProps = {
  session: Pick<ShownSession, "id" | "path" | "needsCode" | "waitersCount">;
  me: SessionMe;
  posted: ActResult | undefined;
};

/** The viewer's place on the list. They take an offered seat with the Join button beside it. */
export function WaitingPlace({ session, me, posted, linkCode }: WaitingProps & { linkCode: string }) {
  if (me.waiting === null) return null;
  const { position, offeredUntil, codeUntil } = me.waiting;
  return (
    <div className="flex flex-col gap-3">
      {codeUntil !== null && offeredUntil === null && (
        <NewCodeForm session={session} posted={posted} linkCode={linkCode} placeEndsAt={codeUntil} />
      )}
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
      <ButtonForm fields={{ intent: "unwait" }} action={session.path} posted={posted}>
        {(isBusy) => (
          <Button type="submit" isLoading={isBusy}>
            Leave the waiting list
          </Button>
        )}
      </ButtonForm>
    </div>
  );
}

/** Asks for the new code of a session whose code has changed since the viewer began to wait. */
function NewCodeForm({
  session,
  posted,
  linkCode,
  placeEndsAt,
}: Omit<WaitingProps, "me"> & { linkCode: string; placeEndsAt: Instant }) {
  return (
    <Notice
      tone="warning"
      title="This session has another join code"
      action={
        <JoinCodeForm intent="wait" action={session.path} needsCode linkCode={linkCode} posted={posted}>
          {(isBusy) => (
            <Button type="submit" isLoading={isBusy}>
              Give the code
            </Button>
          )}
        </JoinCodeForm>
      }
    >
      Without it you get no seat, and your place ends on <Time at={placeEndsAt} look="auto" />.
    </Notice>
  );
}

const peopleWaiting = (count: number): string =>
  count === 0 ? "Nobody is waiting." : count === 1 ? "1 person is waiting." : `${count} people are waiting.`;

export function WaitForm({ session, posted, linkCode }: Omit<WaitingProps, "me"> & { linkCode: string }) {
  const label = "Join the waiting list";
  return (
    <JoinCodeForm
      intent="wait"
      action={session.path}
      needsCode={session.needsCode}
      linkCode={linkCode}
      posted={posted}
    >
      {(isBusy) => (
        <>
          <Button type="submit" variant="primary" size="lg" className="self-start" isLoading={isBusy}>
            {label}
          </Button>
          <p className="text-sm text-soft">Waiting costs nothing. {peopleWaiting(session.waitersCount)}</p>
        </>
      )}
    </JoinCodeForm>
  );
}
