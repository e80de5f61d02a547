// The hosts of a series in turn (G-17). Every control is a form, so that it works before JavaScript has loaded.

import { ActionForm, FormErrors, SubmitRow } from "~/components/form/action-form";
import { ConfirmFirst } from "~/components/form/confirm-first";
import { Section } from "~/components/layout/page";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { nameForActs } from "~/domain/room/aliases";
import { MAX_HOSTS } from "~/domain/series/form";
import type { SeriesView } from "~/domain/series/view";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useShell } from "~/hooks/use-shell";
import { SeriesPerson } from "./person";
import { AcceptForm } from "./turn-notice";

export function Rota({ view: { series, hosts, ownGuests } }: { view: SeriesView }) {
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
      {ownGuests !== null && (
        <section className="flex flex-col gap-1">
          <h3 className="text-lg">Guests in your sessions</h3>
          <p className="text-soft">
            For sessions that are created from now on. You change the others one by one.
          </p>
          <AcceptForm isFree={series.isFree} guests={ownGuests} label="Save" />
        </section>
      )}
      {series.isMine && hosts.length < MAX_HOSTS && <InviteSection />}
    </Section>
  );
}

type HostRowProps = { host: SeriesView["hosts"][number]; index: number; mayChange: boolean };

function HostRow({ host, index, mayChange }: HostRowProps) {
  const { username, isAccepted } = host;
  const hostField = { username: nameForActs(host) };
  const moveUpForm = useActionForm({ intent: "host.move", hiddenFields: { ...hostField, place: index - 1 } });
  const removalForm = useActionForm({ intent: "host.remove", hiddenFields: hostField });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <span className="flex min-w-0 flex-wrap items-center gap-3">
        <SeriesPerson username={username} />
        {!isAccepted && <Badge>Invited</Badge>}
      </span>
      {mayChange && (
        <span className="flex flex-wrap gap-2">
          {index > 0 && (
            <ActionForm form={moveUpForm}>
              <Button
                type="submit"
                variant="quiet"
                isLoading={moveUpForm.isBusy}
                aria-label={`Move ${username} up`}
              >
                Move up
              </Button>
              <FormErrors form={moveUpForm} />
            </ActionForm>
          )}
          <ActionForm form={removalForm}>
            <Button
              type="submit"
              variant="quiet"
              isLoading={removalForm.isBusy}
              aria-label={`Remove ${username}`}
            >
              Remove
            </Button>
            <FormErrors form={removalForm} />
          </ActionForm>
        </span>
      )}
    </li>
  );
}

function InviteSection() {
  const { viewer } = useShell();
  return viewer && !viewer.isConfirmed ? <ConfirmFirst email={viewer.email} /> : <InviteForm />;
}

function InviteForm() {
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
