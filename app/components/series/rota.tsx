// The hosts of a series in turn (G-17). Every control is a form, so that it works before JavaScript has loaded.

import { ActionForm, FormErrors, SubmitRow } from "~/components/form/action-form";
import { ConfirmFirst } from "~/components/form/confirm-first";
import { GuestFields } from "~/components/form/guest-fields";
import { Section } from "~/components/layout/page";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { isAlias, nameForActs } from "~/domain/room/aliases";
import { MAX_HOSTS } from "~/domain/series/form";
import type { SeriesView, ShownSeries } from "~/domain/series/view";
import { GUESTS_BY_DEFAULT } from "~/domain/sessions/limits";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useShell } from "~/hooks/use-shell";

export function Rota({ view: { series, hosts } }: { view: SeriesView }) {
  return (
    <Section title="Hosts in turn">
      <p className="text-soft">
        {hosts.length === 0
          ? `${series.isMine ? "You host" : "The host of the series hosts"} every session.`
          : "The next host in the list hosts each new session and pays for it. A host without tokens is skipped."}
      </p>
      {hosts.length > 0 && (
        <ol aria-label="Hosts in turn" className="flex flex-col">
          {hosts.map((host, index) => (
            <HostRow key={host.username} host={host} index={index} mayChange={series.isMine} />
          ))}
        </ol>
      )}
      {series.isMine && hosts.length < MAX_HOSTS && <InviteForm />}
    </Section>
  );
}

/** A link to the person; an alias has no page. */
export const SeriesPerson = ({ username }: { username: string }) =>
  isAlias(username) ? (
    <span>{username}</span>
  ) : (
    <TextLink to={`/${username}`} className="break-all">
      {username}
    </TextLink>
  );

type HostRowProps = { host: SeriesView["hosts"][number]; index: number; mayChange: boolean };

function HostRow({ host, index, mayChange }: HostRowProps) {
  const { username, isAccepted } = host;
  const hostField = { username: nameForActs(host) };
  const moveUp = useActionForm({ intent: "host.move", hiddenFields: { ...hostField, place: index - 1 } });
  const remove = useActionForm({ intent: "host.remove", hiddenFields: hostField });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <span className="flex min-w-0 flex-wrap items-center gap-3">
        <SeriesPerson username={username} />
        {!isAccepted && <Badge>Invited</Badge>}
      </span>
      {mayChange && (
        <span className="flex flex-wrap gap-2">
          {index > 0 && (
            <ActionForm form={moveUp}>
              <Button
                type="submit"
                variant="quiet"
                isLoading={moveUp.isBusy}
                aria-label={`Move ${username} up`}
              >
                Move up
              </Button>
              <FormErrors form={moveUp} />
            </ActionForm>
          )}
          <ActionForm form={remove}>
            <Button type="submit" variant="quiet" isLoading={remove.isBusy} aria-label={`Remove ${username}`}>
              Remove
            </Button>
            <FormErrors form={remove} />
          </ActionForm>
        </span>
      )}
    </li>
  );
}

function InviteForm() {
  const { viewer } = useShell();
  return viewer && !viewer.isConfirmed ? <ConfirmFirst email={viewer.email} /> : <OpenInviteForm />;
}

function OpenInviteForm() {
  const form = useActionForm({ intent: "host.invite" });
  return (
    <ActionForm form={form} className="flex flex-col gap-3">
      <Field
        label="Invite a host"
        hint="Enter a username. The person hosts after accepting."
        error={form.errorsOf("username")}
        className="max-w-sm"
      >
        <TextInput name="username" maxLength={60} autoComplete="off" autoCapitalize="none" />
      </Field>
      <SubmitRow form={form}>Invite</SubmitRow>
    </ActionForm>
  );
}

/** The notice to a viewer who has a turn or is invited to one. */
export function TurnNotice({ series }: { series: ShownSeries }) {
  const { viewer } = useShell();
  const username = viewer?.username ?? "";
  const leave = useActionForm({ intent: "host.leave", hiddenFields: { username }, redirects: true });
  const isInvited = series.turn === "invited";
  return (
    <Notice
      action={
        <ActionForm form={leave}>
          <Button type="submit" variant="quiet" isLoading={leave.isBusy}>
            {isInvited ? "Decline" : "Stop hosting"}
          </Button>
          <FormErrors form={leave} />
        </ActionForm>
      }
    >
      {isInvited
        ? `${series.hostUsername || "The host"} asks you to host this series in turn. Each session that you host costs you 1 token when it is created${series.isFree ? ", and 1 token for everybody who joins it, because joining is free" : ""}.`
        : "You host this series in turn. If you stop, you keep the sessions that already exist."}
      {isInvited && <AcceptForm isFree={series.isFree} />}
    </Notice>
  );
}

/** On accepting, each host decides whether their sessions take guests (H-17). */
function AcceptForm({ isFree }: { isFree: boolean }) {
  const form = useActionForm({ intent: "host.accept", hiddenFields: { isFree: isFree ? "1" : "0" } });
  return (
    <ActionForm form={form} className="flex flex-col gap-3 pt-3">
      <GuestFields
        field={(name) => ({
          name,
          defaultValue: form.shownValue(name, name === "guestLimit" ? String(GUESTS_BY_DEFAULT) : ""),
          error: form.errorsOf(name),
        })}
      />
      <SubmitRow form={form}>Accept</SubmitRow>
    </ActionForm>
  );
}
