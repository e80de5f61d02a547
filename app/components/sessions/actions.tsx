// The actions on a session, each where it is allowed: near the start Start Session glows, the rest is quiet (U-39, R-13).
import { Link, useLocation } from "@remix-run/react";
import type { ReactElement } from "react";
import { ActionForm } from "~/components/form/action-form";
import { ButtonForm } from "~/components/form/button-form";
import { Icon } from "~/components/pictures/icon";
import { useLive } from "~/components/room/live-context";
import { ReadyCount } from "~/components/room/ready-count";
import { ReportMenuLink } from "~/components/safety/report-link";
import { Button, buttonClass } from "~/components/ui/button";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { DropdownMenu, MenuLink } from "~/components/ui/dropdown-menu";
import { Time } from "~/components/ui/time";
import { SEAT_ROLE } from "~/domain/roles";
import { isClaimOpen, isNearStart, SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";
import type { SessionMe, ShownSession } from "~/domain/sessions/view";
import { PRICES, tokensOf } from "~/domain/tokens";
import { useAnswer } from "~/hooks/answers";
import { useActionForm } from "~/hooks/form/use-action-form";
import { toast } from "~/hooks/toasts";
import { useFlips } from "~/hooks/use-now";
import type { ActResult } from "~/wire/act";
import { LeaveSession } from "./leave-session";

type SessionActionsProps = {
  session: ShownSession;
  me: SessionMe;
  status: SessionStatus;
  /** The answer to a submit without JavaScript. */
  posted: ActResult | undefined;
};

/** The labels name the cost, because one press spends it (G-02). */
const REPEAT_LABEL = `Repeat (${tokensOf(PRICES.join)} token)`;
const NEXT_WEEK_LABEL = `Again next week (${tokensOf(PRICES.join)} token)`;
const NO_ICON_ON_PHONES = "max-sm:[&_svg]:hidden max-sm:px-3";

/** The intents of these buttons. The room may remove a button before the answer to its press, and these stay. */
const INTENTS = ["start", "end", "leave", "complete", "delete", "reset", "ready", "repeat", "claim"];

const isHostOf = (session: ShownSession, me: SessionMe): boolean =>
  me.seat?.isHost === true && !session.isTemplate;

export function SessionActions({ session, me, status, posted }: SessionActionsProps) {
  const isRecap = useLocation().pathname.endsWith("/recap");
  const room = useLive("room");
  const ownSeat = room.participants.find((person) => person.username === me.username);
  const isDone = ownSeat?.completedAt != null;
  const isHost = isHostOf(session, me);
  const refusal = posted && !posted.ok && INTENTS.includes(posted.intent) ? posted : undefined;
  useAnswer(refusal, ({ sentences }) => toast.errors(sentences));
  const isLastToFinish =
    !isDone && room.participants.every((person) => person === ownSeat || person.completedAt !== null);
  const doneButton = me.isJoined && status === SESSION_STATUS.running && (
    <ButtonForm fields={{ intent: "complete", isDone: isDone ? 0 : 1 }} action={session.path} posted={posted}>
      {(isBusy) => (
        <Button type="submit" aria-pressed={isDone} className={NO_ICON_ON_PHONES} isLoading={isBusy}>
          <Icon name="check" />
          {isLastToFinish ? "I’m done, and it ends" : "I’m done"}
        </Button>
      )}
    </ButtonForm>
  );
  return (
    <>
      <StartSession
        path={session.path}
        isShown={me.canStart && status === SESSION_STATUS.waiting}
        posted={posted}
      />
      <ClaimSession session={session} me={me} />
      {!me.canRun && doneButton}
      {session.isTemplate && (
        <Link to={`/challenges/create?template=${session.slug}`} className={buttonClass("primary")}>
          Create Challenge
        </Link>
      )}
      {session.donationLink && !isHost && (
        <a href={session.donationLink} rel="noreferrer" className={buttonClass("quiet")}>
          <Icon name="heart" />
          Thank the Host (Donate)
        </a>
      )}
      {me.canRun && status !== SESSION_STATUS.ended && (
        <Link to={`/events/${session.id}/update`} className={buttonClass("quiet", "md", NO_ICON_ON_PHONES)}>
          <Icon name="edit" />
          Update
        </Link>
      )}
      {me.isJoined && session.hasRecap && !isRecap && (
        <Link to={`${session.path}/recap`} className={buttonClass("quiet", "md", NO_ICON_ON_PHONES)}>
          <Icon name="list" />
          Recap
        </Link>
      )}
      {status === SESSION_STATUS.ended && me.series?.next && !me.isGuest && (
        <Link
          to={me.series.next.path}
          className={buttonClass(isRecap ? "quiet" : "primary", "md", NO_ICON_ON_PHONES)}
        >
          <Icon name="repeat" />
          <span>
            Next: <Time at={me.series.next.startedAt} />
          </span>
        </Link>
      )}
      {isHost && status === SESSION_STATUS.ended && !me.series && (
        <RepeatForm session={session} posted={posted} isNextWeek>
          {(isBusy) => (
            <Button type="submit" variant="primary" className={NO_ICON_ON_PHONES} isLoading={isBusy}>
              <Icon name="repeat" />
              {NEXT_WEEK_LABEL}
            </Button>
          )}
        </RepeatForm>
      )}
      {me.canLeave && status !== SESSION_STATUS.ended && me.seatTerms && (
        <LeaveSession
          path={session.path}
          terms={me.seatTerms}
          isFree={session.isFree || me.isGuest}
          trigger={<Button>Leave</Button>}
        />
      )}
      {me.canHost && status === SESSION_STATUS.running && (
        <ConfirmDialog
          trigger={
            <Button className={NO_ICON_ON_PHONES}>
              <Icon name="stop" />
              End session
            </Button>
          }
          title="End this session for everybody?"
          confirmLabel="End session"
          cancelLabel="Go on"
          form={{ fields: { intent: "end" }, action: session.path }}
        >
          All timers stop now. Logs, forum and chat stay readable. This cannot be undone.
        </ConfirmDialog>
      )}
      {me.canRun && doneButton}
      <SessionMenu session={session} me={me} status={status} posted={posted} />
    </>
  );
}

/** The rarer actions. */
function SessionMenu({ session, me, status, posted }: SessionActionsProps) {
  const mayCancel = me.canHost && status === SESSION_STATUS.waiting;
  const isHost = isHostOf(session, me);
  if (!me.mayDelete && !me.mayReset && !me.mayReport && !isHost) return null;
  return (
    <DropdownMenu
      label="More"
      trigger={<Icon name="more" />}
      triggerClassName="grid size-11 cursor-pointer place-content-center rounded-md hover:bg-sunken"
    >
      {me.mayReport && (
        <ReportMenuLink target={{ kind: "session", id: String(session.id) }} author={session.ownerUsername} />
      )}
      {isHost && status !== SESSION_STATUS.ended && (
        <RepeatForm session={session} posted={posted}>
          {() => (
            <button type="submit" className="menu-item">
              {REPEAT_LABEL}
            </button>
          )}
        </RepeatForm>
      )}
      {isHost && (
        <MenuLink to={`/challenges/events/create?session=${session.id}`}>Repeat with changes</MenuLink>
      )}
      {isHost && me.series === null && (
        <MenuLink to={`/my/series?session=${session.id}`}>Make a series</MenuLink>
      )}
      {me.canRun && status === SESSION_STATUS.ended && (
        <MenuLink to={`/events/${session.id}/update`}>Update</MenuLink>
      )}
      {mayCancel && (
        <CancelSession path={session.path}>
          <button type="button" className="menu-item">
            Cancel session
          </button>
        </CancelSession>
      )}
      {me.mayReset && (
        <ConfirmDialog
          trigger={
            <button type="button" className="menu-item">
              Reset challenge
            </button>
          }
          title="Reset this session?"
          confirmLabel="Reset"
          form={{ fields: { intent: "reset" }, action: session.path }}
        >
          It goes back to before its start: timers are reset and ready marks cleared. Logs are kept.
        </ConfirmDialog>
      )}
      {me.mayDelete && (
        <ConfirmDialog
          trigger={
            <button type="button" className="menu-item is-danger">
              Delete session
            </button>
          }
          title="Delete this session?"
          confirmLabel="Delete"
          form={{ fields: { intent: "delete" }, action: session.path }}
        >
          {status === SESSION_STATUS.waiting
            ? "It will be deleted for everybody, and everybody who paid gets their token back."
            : "It will be deleted for everybody. Logs stay with the people who made them."}
        </ConfirmDialog>
      )}
    </DropdownMenu>
  );
}

/**
 * Stays mounted while it shows nothing: the room may report the start before the answer to the form, whose toast still
 * says that the session has started (M-24).
 */
function StartSession({
  path,
  isShown,
  posted,
}: {
  path: string;
  isShown: boolean;
  posted: ActResult | undefined;
}) {
  const form = useActionForm({ intent: "start", action: path, posted });
  const room = useLive("room");
  const isNear = useFlips((now) => isNearStart(room, now)).value;
  return isShown ? (
    <ActionForm form={form} className="actions-row">
      <Button
        type="submit"
        variant={isNear ? "primary" : "quiet"}
        isLoading={form.isBusy}
        aria-describedby="ready-count"
      >
        <Icon name="play" />
        Start Session
      </Button>
      <span id="ready-count" className="tabular text-sm text-soft">
        <ReadyCount />
      </span>
    </ActionForm>
  ) : null;
}

/** Makes the next session and opens its page. `isNextWeek`: it gets a date even after a manual start. */
const RepeatForm = ({
  session,
  posted,
  isNextWeek = false,
  children,
}: {
  session: ShownSession;
  posted: ActResult | undefined;
  isNextWeek?: boolean;
  children: (isBusy: boolean) => ReactElement;
}) => (
  <ButtonForm
    fields={{ intent: "repeat", ...(isNextWeek ? { isNextWeek: 1 } : {}) }}
    action={session.path}
    posted={posted}
    redirects
  >
    {children}
  </ButtonForm>
);

/** `children`: the button that opens the dialog. */
function CancelSession({ path, children }: { path: string; children: ReactElement }) {
  return (
    <ConfirmDialog
      trigger={children}
      title="Cancel this session?"
      confirmLabel="Cancel the session"
      cancelLabel="Keep it"
      form={{ fields: { intent: "end" }, action: path }}
    >
      Everybody who paid gets their token back. This cannot be undone.
    </ConfirmDialog>
  );
}

const KEEP_FREE = {
  name: "keepsFree",
  label: "Keep joining free",
  hint: "You pay for people who join from now on.",
};

/** For an admin, while the host has no open page (G-29). */
function ClaimSession({ session, me }: { session: ShownSession; me: SessionMe }) {
  const room = useLive("room");
  const online = useLive("online");
  const isOpen = useFlips((now) => isClaimOpen(room, now)).value;
  const host = room.participants.find(({ isHost }) => isHost);
  const isAdmin = me.seat?.role === SEAT_ROLE.admin && !me.seat.isHost && host?.username !== me.username;
  if (!isOpen || !isAdmin || session.isTemplate || (host && online.includes(host.username))) return null;
  return (
    <ConfirmDialog
      trigger={<Button>Host this session</Button>}
      title="Host this session?"
      confirmLabel="Host it"
      isDanger={false}
      form={{ fields: { intent: "claim" }, action: session.path }}
      {...(session.isFree ? { choice: KEEP_FREE } : {})}
    >
      The host is not here. You become the host, and the present host stays an admin.
    </ConfirmDialog>
  );
}
