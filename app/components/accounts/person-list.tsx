// The names a user acts under: which one now, another one, a new one.
import { useFetcher } from "@remix-run/react";
import { Avatar } from "~/components/ui/avatar";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/text-link";
import { MAX_PERSONS, personRules } from "~/domain/account-rules";
import type { ActResult } from "~/wire/act";
import { FormProblems, TextRow } from "./account-fields";
import { useActForm, useActToast } from "./use-act-form";

export type ListedPerson = { id: number; username: string; isCurrent: boolean };

export function PersonList({ persons }: { persons: readonly ListedPerson[] }) {
  return (
    <>
      <ul aria-label="Names" className="flex flex-col">
        {persons.map((person) => (
          <PersonRow key={person.id} person={person} />
        ))}
      </ul>
      {persons.length < MAX_PERSONS && <AddPerson />}
    </>
  );
}

function PersonRow({ person: { username, isCurrent } }: { person: ListedPerson }) {
  const fetcher = useFetcher<ActResult>();
  useActToast(fetcher.data);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-3">
      <p className="flex min-w-0 flex-wrap items-center gap-3 font-semibold">
        <Avatar name={username} size={36} />
        <TextLink to={`/${username}`} className="break-all">
          {username}
        </TextLink>
        {isCurrent && <Badge tone="pine">You act as this</Badge>}
      </p>
      {!isCurrent && (
        <fetcher.Form method="post">
          <input type="hidden" name="person" value={username} />
          <Button type="submit" name="intent" value="switch-person" isLoading={fetcher.state !== "idle"}>
            Act as {username}
          </Button>
        </fetcher.Form>
      )}
    </li>
  );
}

function AddPerson() {
  const { fields, formProps, Form, isBusy, problems } = useActForm({
    rules: personRules,
    intent: "add-person",
    isClearedWhenDone: true,
  });
  return (
    <Form {...formProps} className="flex flex-col gap-4">
      <input type="hidden" name="intent" value="add-person" />
      <TextRow
        field={fields.username}
        label="New name"
        autoComplete="off"
        hint="Letters, numbers, underscores and dashes. Tokens stay yours."
      />
      <FormProblems problems={problems} />
      <Button type="submit" isLoading={isBusy} className="self-start">
        Add name
      </Button>
    </Form>
  );
}
