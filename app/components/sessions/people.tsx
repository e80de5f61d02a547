// The page on which host and admins manage the people of a session. Every control is a form, so that it works before
// JavaScript has loaded.

import { ActionForm, FormErrors, SubmitRow } from "~/components/form/action-form";
import { ButtonForm } from "~/components/form/button-form";
import { ConfirmFirst } from "~/components/form/confirm-first";
import { TextAreaRow } from "~/components/form/rows";
import { Section } from "~/components/layout/page";
import { useShownLine } from "~/components/room/host-line";
import { useLive, useWholeRoster } from "~/components/room/live-context";
import { BanList } from "~/components/safety/ban-list";
import { MuteForm } from "~/components/safety/mute-form";
import { Avatar } from "~/components/ui/avatar";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { CopyButton } from "~/components/ui/copy-button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { QrCode } from "~/components/ui/qr-code";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { HOST_MESSAGE_LENGTH } from "~/domain/notices/events";
import { SEAT_ROLE } from "~/domain/roles";
import { canBeNamed, isAlias, nameForActs } from "~/domain/room/aliases";
import { isGuestName, nameOfSeat } from "~/domain/room/guest-names";
import { HOST_LINE_LENGTH } from "~/domain/room/host-line";
import { RELIABILITY } from "~/domain/room/presence";
import { REASON_LENGTH } from "~/domain/safety/sanctions";
import { SESSION_STATUS } from "~/domain/sessions/status";
import type { SessionPeopleView } from "~/domain/sessions/view";
import { useActionForm } from "~/hooks/form/use-action-form";
import { usePosted } from "~/hooks/form/use-posted";
import { toast } from "~/hooks/toasts";
import { useShell } from "~/hooks/use-shell";
import type { LiveRoom } from "~/wire/room/live-room";
import { useStatus } from "./page";
import { ViewLink } from "./view-link";

/** Say which people the invitation link lets in (G-36, R-82). */
const LINK_SENTENCES = {
  code: "This link holds the code, so everybody with the link can join. After a new code, please share it again.",
  everybody: "Everybody with this link can join.",
  members: "Members of the hut can join by this link.",
  invited: "This link is the hut's invitation: it leads newcomers into the hut, and then to this session.",
};

type LivePerson = LiveRoom["participants"][number];

export function SessionPeople({ view }: { view: SessionPeopleView }) {
  const { session, me, bans, joinLink, viewLink, waiters, reliability, newUuid } = view;
  const room = useLive("room");
  useWholeRoster(true);
  const status = useStatus();
  const isOver = status === SESSION_STATUS.ended;
  const isRunning = status === SESSION_STATUS.running;
  const others = room.participants.filter(({ username }) => username !== me.username);
  const posted = usePosted();
  return (
    <div className="flex max-w-3xl flex-col gap-8">
      <Section title="Participants">
        {/* A guest who has left has no row that could show this. */}
        {posted?.intent === "guest.rename" && !posted.ok && posted.code === "NOT_FOUND" && (
          <Notice tone="warning">{posted.message}</Notice>
        )}
        {others.length === 0 ? (
          <p className="text-soft">Nobody else is in this session.</p>
        ) : (
          <ul aria-label="Participants" className="flex flex-col">
            {others.map((person) => (
              <Person
                key={nameForActs(person)}
                person={person}
                reliability={reliability.find(({ username }) => username === person.username)?.percent}
                mute={room.mutes.find(({ username }) => username === person.username)}
                mayMute={canBeNamed(person) && !isOver && (me.canHost || !person.isHost)}
                mayRemove={canBeNamed(person) && !isOver && me.canHost && !person.isHost}
                isInSeries={me.series?.isMine === true}
              />
            ))}
          </ul>
        )}
        {me.canHost && !isOver && others.some(({ guestName }) => guestName) && (
          <ButtonForm fields={{ intent: "guests.remove" }}>
            {(isBusy) => (
              <Button type="submit" isLoading={isBusy}>
                Remove all guests
              </Button>
            )}
          </ButtonForm>
        )}
        <p>
          <TextLink to={session.path}>Back to the session</TextLink>
        </p>
      </Section>
      {isRunning && (
        <Section title="A line on all screens" id="line">
          <LineForm newUuid={newUuid} />
        </Section>
      )}
      {!isOver && (
        <Section title="Message to all" id="message">
          <MessageForm sessionId={session.id} newUuid={newUuid} />
        </Section>
      )}
      {!isOver && <InviteLink needsCode={session.needsCode} joinLink={joinLink} />}
      {!isOver && viewLink !== null && <ViewLink isMade={viewLink.isMade} />}
      {waiters.length > 0 && <WaitingList waiters={waiters} />}
      {me.canHost && (
        <Section title="Kept out">
          {bans.length === 0 ? (
            <p className="text-soft">Nobody is kept out of this session.</p>
          ) : (
            <BanList bans={bans} />
          )}
        </Section>
      )}
    </div>
  );
}

function InviteLink({ needsCode, joinLink }: Pick<SessionPeopleView, "joinLink"> & { needsCode: boolean }) {
  return (
    <Section title="Invite" id="invite">
      <p>{LINK_SENTENCES[needsCode && joinLink.opensTo === "everybody" ? "code" : joinLink.opensTo]}</p>
      <p className="flex flex-wrap items-center gap-3">
        <code className="wrap-anywhere rounded-md bg-sunken px-2 py-1">{joinLink.url}</code>
        <CopyButton text={joinLink.url} label="Copy link" />
      </p>
      <QrCode qr={joinLink.qr} label="QR code of the join link" className="h-auto w-60" />
    </Section>
  );
}

function WaitingList({ waiters }: Pick<SessionPeopleView, "waiters">) {
  return (
    <Section title="Waiting list">
      <ol aria-label="Waiting list" className="flex flex-col">
        {waiters.map(({ username, since, offeredUntil }, index) => (
          <li
            key={`${username} ${since}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-3"
          >
            <span className="tabular text-soft">{index + 1}.</span>
            <span className="min-w-0 break-all font-semibold">{username}</span>
            <span className="text-sm text-soft">
              since <Time at={since} look="full" />
            </span>
            {offeredUntil !== null && (
              <Badge tone="ember">
                Asked until <Time at={offeredUntil} look="time" />
              </Badge>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

type PersonProps = {
  person: LivePerson;
  /** In percent, only for the host (G-28). */
  reliability: number | undefined;
  mute: LiveRoom["mutes"][number] | undefined;
  mayMute: boolean;
  mayRemove: boolean;
  /** The session belongs to a series of the viewer. */
  isInSeries: boolean;
};

function Person({ person, reliability, mute, mayMute, mayRemove, isInSeries }: PersonProps) {
  const { username } = person;
  return (
    <li className="flex flex-col gap-3 border-b border-line py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Avatar name={username} size={36} />
        {isAlias(username) || isGuestName(username) ? (
          <span className="font-semibold wrap-anywhere">{nameOfSeat(person)}</span>
        ) : (
          <TextLink to={`/${username}`} className="min-w-0 break-all font-semibold">
            {username}
          </TextLink>
        )}
        {person.isHost ? <Badge>Host</Badge> : person.role === SEAT_ROLE.admin && <Badge>Admin</Badge>}
        {reliability !== undefined && (
          <span className="tabular text-sm text-soft">
            came to {reliability}% of sessions in {RELIABILITY.days} days
          </span>
        )}
        {mute && (
          <Badge tone="ember">
            {mute.until === null ? (
              "Muted for this session"
            ) : (
              <>
                Muted until <Time at={mute.until} look="time" />
              </>
            )}
          </Badge>
        )}
      </div>
      {person.aim && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="min-w-0 wrap-anywhere">“{person.aim}”</p>
          {mayMute && (
            <ButtonForm fields={{ intent: "aim.remove", username: nameForActs(person) }}>
              {(isBusy) => (
                <Button type="submit" variant="ghost" isLoading={isBusy}>
                  Remove this line<span className="sr-only"> of {nameOfSeat(person)}</span>
                </Button>
              )}
            </ButtonForm>
          )}
        </div>
      )}
      {(mayMute || mayRemove) && (
        <div className="flex flex-wrap items-start gap-3">
          {mayMute && <MuteForm person={person} isMuted={mute !== undefined} endlessLabel="This session" />}
          {mayRemove && <RemoveForm person={person} isInSeries={isInSeries} />}
          {mayRemove && person.guestName && <GuestNameForm person={person} />}
        </div>
      )}
    </li>
  );
}

function RemoveForm({ person, isInSeries }: Pick<PersonProps, "person" | "isInSeries">) {
  const hasStarted = useStatus() !== SESSION_STATUS.waiting;
  const form = useActionForm({ intent: "remove", hiddenFields: { username: nameForActs(person) } });
  return (
    <details open={form.isFailed} className="min-w-0">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold text-red">
        Remove<span className="sr-only"> {nameOfSeat(person)}</span>
      </summary>
      <ActionForm form={form} className="flex flex-col gap-3 py-2">
        <p className="text-sm text-soft">
          Their spot becomes free. Before the start, their token is refunded.
        </p>
        <Checkbox name="isBanned" label="Keep out: they cannot join again" defaultChecked />
        {hasStarted && <Checkbox name="withLines" label="Remove their messages" defaultChecked />}
        {isInSeries && <Checkbox name="isSeries" label="Keep out of the whole series" />}
        <Field label="Reason, which they read" error={form.errorsOf("reason")}>
          <TextInput name="reason" maxLength={REASON_LENGTH} autoComplete="off" />
        </Field>
        <SubmitRow form={form} variant="danger">
          Remove {nameOfSeat(person)}
        </SubmitRow>
      </ActionForm>
    </details>
  );
}

function LineForm({ newUuid }: { newUuid: string }) {
  const line = useShownLine(useLive("room"));
  const form = useActionForm({ intent: "line", uuid: newUuid, clearsWhenDone: true });
  return (
    <>
      <ActionForm form={form} className="flex flex-col gap-3">
        <Field
          label="Line"
          hint="Everybody in the session and every stage reads it until this timer ends. It is in the chat, too."
          error={form.errorsOf("content")}
        >
          <TextInput name="content" maxLength={HOST_LINE_LENGTH} autoComplete="off" required />
        </Field>
        <SubmitRow form={form}>Show</SubmitRow>
      </ActionForm>
      {line && (
        <ButtonForm fields={{ intent: "line.clear" }}>
          {(isBusy) => (
            <Button type="submit" disabled={isBusy}>
              Take “{line.content}” away
            </Button>
          )}
        </ButtonForm>
      )}
    </>
  );
}

function MessageForm(props: { sessionId: number; newUuid: string }) {
  const { viewer } = useShell();
  return viewer && !viewer.isConfirmed ? (
    <ConfirmFirst email={viewer.email} />
  ) : (
    <OpenMessageForm {...props} />
  );
}

function OpenMessageForm({ sessionId, newUuid }: { sessionId: number; newUuid: string }) {
  const form = useActionForm({
    intent: "notify",
    uuid: newUuid,
    draft: `message ${sessionId}`,
    clearsWhenDone: true,
  });
  return (
    <ActionForm form={form} className="flex flex-col gap-3">
      <TextAreaRow
        {...form.field("content")}
        label="Message"
        hint="Everybody in this session gets it as a notice, and by email unless they turned that off. At most five a day."
        isRequired
        rows={4}
        maxLength={HOST_MESSAGE_LENGTH}
      />
      <SubmitRow form={form}>Send</SubmitRow>
    </ActionForm>
  );
}

/** The form by which the host renames a guest (H-23). */
function GuestNameForm({ person }: { person: LivePerson }) {
  const form = useActionForm({
    intent: "guest.rename",
    hiddenFields: { username: person.username },
    // The guest has left, and the row with this form goes too.
    onRefused({ code, message }) {
      if (code === "NOT_FOUND") toast.error(message);
      return code === "NOT_FOUND";
    },
  });
  return (
    <ActionForm form={form} className="flex flex-col gap-3">
      <FormErrors form={form} />
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Name of the guest" error={form.errorsOf("name")}>
          <TextInput name="name" defaultValue={form.shownValue("name", person.guestName)} maxLength={60} />
        </Field>
        <Button type="submit" isLoading={form.isBusy}>
          Rename
        </Button>
      </div>
    </ActionForm>
  );
}
