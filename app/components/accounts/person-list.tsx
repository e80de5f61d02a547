// The persons of a user: the active one, the others, and a form for a new one.
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { ButtonForm } from "~/components/form/button-form";
import { TextRow } from "~/components/form/rows";
import { Avatar } from "~/components/ui/avatar";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { More } from "~/components/ui/more";
import { TextLink } from "~/components/ui/text-link";
import { MAX_PERSONS, personRules } from "~/domain/accounts/rules";
import { useActionForm } from "~/hooks/form/use-action-form";

export type ListedPerson = { id: number; username: string; isCurrent: boolean; showsAttended: boolean };

export function PersonList({ persons }: { persons: readonly ListedPerson[] }) {
  return (
    <>
      <ul aria-label="Names" className="flex flex-col">
        {persons.map((person) => (
          <PersonRow key={person.id} person={person} />
        ))}
      </ul>
      {persons.length < MAX_PERSONS && <NewPersonForm />}
    </>
  );
}

function PersonRow({ person }: { person: ListedPerson }) {
  const { username, isCurrent } = person;
  const form = useActionForm({
    intent: "switch-person",
    hiddenFields: { person: username },
    changesOwner: true,
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-3">
      <p className="flex min-w-0 flex-wrap items-center gap-3 font-semibold">
        <Avatar name={username} size={36} />
        <TextLink to={`/${username}`} className="break-all">
          {username}
        </TextLink>
        {isCurrent && <Badge tone="pine">In use</Badge>}
      </p>
      {!isCurrent && (
        <ActionForm form={form}>
          <Button type="submit" isLoading={form.isBusy}>
            Act as {username}
          </Button>
        </ActionForm>
      )}
      <AttendedSwitch person={person} />
    </li>
  );
}

/** Shows or hides attended sessions on the person's profile. */
const AttendedSwitch = ({ person: { username, showsAttended } }: { person: ListedPerson }) => (
  <div className="flex basis-full flex-wrap items-center justify-between gap-x-4 text-sm text-soft">
    <p>
      {showsAttended
        ? "The profile shows attended sessions and the streak."
        : "The profile hides attended sessions and the streak."}
    </p>
    <ButtonForm fields={{ intent: "show-attended", person: username, isShown: showsAttended ? 0 : 1 }}>
      {(isBusy) => (
        <Button type="submit" variant="ghost" isLoading={isBusy}>
          {showsAttended ? "Hide" : "Show"}
          <span className="sr-only">attended sessions and the streak of {username}</span>
        </Button>
      )}
    </ButtonForm>
  </div>
);

function NewPersonForm() {
  const form = useActionForm({
    intent: "add-person",
    rules: personRules,
    clearsWhenDone: true,
  });
  return (
    <More name="names" hint="Another name" isOpen={form.isFailed}>
      <ActionForm form={form} className="flex flex-col gap-4">
        <TextRow
          {...form.field("username")}
          label="New name"
          hint="Letters, numbers, underscores and dashes. Your names share your tokens."
        />
        <SubmitRow form={form}>Add name</SubmitRow>
      </ActionForm>
    </More>
  );
}
