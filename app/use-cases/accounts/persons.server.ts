// The persons of a user: one from registration, more on request, one active (A-12, C-16 to C-18).
import * as accounts from "#db/queries/accounts/accounts";
import { storePersons } from "#db/queries/person-of-row";
import type { Person } from "~/domain/accounts/accounts";
import * as accountRefusals from "~/domain/accounts/refusals";
import { MAX_PERSONS } from "~/domain/accounts/rules";
import { AppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import { refuseKeptName } from "~/use-cases/accounts/kept-names.server";
import type { App } from "~/use-cases/app.server";
import { countAttempts } from "~/use-cases/rate-limits.server";

export type Persons = { persons: Person[]; current: Person };

export async function listPersons(app: App): Promise<Persons> {
  const user = requireUser(app.user);
  const persons = await accounts.listPersons(app.db, user.id);
  return { persons, current: { id: user.personId, username: user.username } };
}

/** INVALID at `username` when anybody has it; CONFLICT at the maximum. */
export async function addPerson(app: App, { username }: { username: string }): Promise<Person> {
  const user = requireUser(app.user);
  await countAttempts(app, { what: "add-person", by: user.id });
  await refuseKeptName(app, username);
  const [person] = await accounts.insertPerson(app.db, {
    userId: user.id,
    username,
    now: app.now,
    limit: MAX_PERSONS,
  });
  if (!person) throw new AppError("CONFLICT", accountRefusals.tooManyPersons(MAX_PERSONS));
  return person;
}

/** A person of the user, for the answer of the call that adds one. NOT_FOUND for any other. */
export async function readPerson(app: App, id: number): Promise<Person> {
  const person = (await listPersons(app)).persons.find((candidate) => candidate.id === id);
  if (!person) throw new AppError("NOT_FOUND");
  return person;
}

/**
 * Sets whether the person's profile shows attended sessions and the streak. NOT_FOUND unless it is the user's
 * own.
 */
export async function showAttended(
  app: App,
  { person, isShown }: { person: string; isShown: boolean },
): Promise<void> {
  const user = requireUser(app.user);
  await countAttempts(app, { what: "change-profile", by: user.id });
  const [changed] = await accounts.setShowsAttended(app.db, user.id, person, isShown);
  if (!changed) throw new AppError("NOT_FOUND");
}

/** From now on the user acts, posts and owns as this person. NOT_FOUND unless it is the user's own. */
export async function switchPerson(app: App, { person: username }: { person: string }): Promise<Person> {
  const user = requireUser(app.user);
  const [, , , [switched], persons] = await app.db.batch([
    ...storePersons(app.db, user.id),
    accounts.switchPerson(app.db, user.id, username),
    accounts.listPersons(app.db, user.id),
  ]);
  const person = persons.find(({ id }) => id === switched?.personId);
  if (!person) throw new AppError("NOT_FOUND");
  app.user = { ...user, personId: person.id, username: person.username };
  return person;
}
