// The panel that joins a session (U-44). It asks for the login, then the code, then the tokens, without leaving the page.
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { joiningSentence } from "~/domain/sessions/leaving";
import { sessionFull, signInToJoin } from "~/domain/sessions/refusals";
import { SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";
import type { SessionMe, ShownSession } from "~/domain/sessions/view";
import { useLinkCode } from "~/hooks/sessions/use-link-code";
import type { ActResult } from "~/wire/act";
import { JoinCodeForm } from "./join-code-form";
import { KeepGuestSeat, SitIn } from "./late-parts";
import { WaitForm, WaitingPlace } from "./waiting-panel";

export type JoinPanelProps = {
  session: Pick<
    ShownSession,
    | "id"
    | "path"
    | "needsCode"
    | "isFree"
    | "participantLimit"
    | "participantsCount"
    | "waitersCount"
    | "takesGuests"
    | "isTemplate"
  >;
  me: SessionMe;
  status: SessionStatus;
  /** The answer to a submit without JavaScript. */
  posted?: ActResult | undefined;
};

export function JoinPanel({ session, me, status, posted }: JoinPanelProps) {
  const linkCode = useLinkCode();
  if (me.isGuest && (me.isJoined || status === SESSION_STATUS.ended))
    return <KeepGuestSeat path={session.path} name={me.guestName} />;
  if (me.isJoined || status === SESSION_STATUS.ended || session.isTemplate)
    // The session may have ended while the guest typed the name.
    return posted?.intent === "sit-in" && !posted.ok && <Notice tone="warning">{posted.message}</Notice>;
  if (me.closed !== null)
    return (
      <Notice tone="warning" title={me.closed}>
        You can still read what everybody sees. Only the host can let you back in.
      </Notice>
    );
  const waitProps = { session, me, posted, linkCode };
  if (!me.canJoin)
    return (
      <div className="flex flex-col gap-3">
        <Notice tone="warning">{sessionFull}</Notice>
        {me.waiting !== null ? <WaitingPlace {...waitProps} /> : me.canWait && <WaitForm {...waitProps} />}
      </div>
    );
  // A person on the waiting list has given the code, unless the code is newer than their place.
  const needsCode = session.needsCode && (me.waiting === null || me.waiting.codeUntil !== null);
  const form = (
    <JoinCodeForm
      intent="join"
      action={session.path}
      needsCode={needsCode}
      linkCode={linkCode}
      posted={posted}
    >
      {(isBusy) => (
        <>
          {/* For viewers who may start it, the start button glows instead. */}
          <Button
            type="submit"
            variant={me.canStart && status === SESSION_STATUS.waiting ? "quiet" : "primary"}
            size="lg"
            className="self-start"
            isLoading={isBusy}
          >
            Join
          </Button>
          <p className="text-sm text-soft">
            {joiningSentence({ isFree: session.isFree || me.isGuest })}
            {needsCode && (linkCode ? " Your link holds the code." : " You need the code the host gave you.")}
          </p>
          {!me.isSignedIn && (
            <p className="basis-full text-soft">
              <TextLink to={`?auth=login&next=${encodeURIComponent(session.path)}`} preventScrollReset>
                {signInToJoin}
              </TextLink>
            </p>
          )}
        </>
      )}
    </JoinCodeForm>
  );
  // A refusal may be that the last seat for guests has just gone; the form shows it, with the name.
  if (!me.isSignedIn && (session.takesGuests || posted?.intent === "sit-in"))
    return (
      <div className="flex flex-col gap-4">
        {form}
        <SitIn path={session.path} needsCode={session.needsCode} linkCode={linkCode} posted={posted} />
      </div>
    );
  return me.waiting === null ? (
    form
  ) : (
    <div className="flex flex-col gap-3">
      {form}
      <WaitingPlace {...waitProps} />
    </div>
  );
}
