// The persons of a user, through HTTP.
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { makeUser, userNow } from "#tests/support/factories";

const name = () => `p-${crypto.randomUUID().slice(0, 8)}`;

test("C-16 the persons of a user, and the active one", async () => {
  const user = await makeUser();
  const answer = await callAs(user, "GET", "/me/persons");
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      persons: [{ id: user.personId, username: user.username }],
      person: { id: user.personId, username: user.username },
    },
  ]);
});

test("C-16 the persons of a user are in the order in which they were added", async () => {
  const user = await makeUser();
  const names = [`z-${name()}`, `a-${name()}`];
  for (const username of names) await callAs(user, "POST", "/me/persons", { username });
  const { body } = await callAs(user, "GET", "/me/persons");
  expect(body.persons.map(({ username }: { username: string }) => username)).toEqual([
    user.username,
    ...names,
  ]);
});

test("C-17 R-32 E-02 adding a person answers it, once for a repeated request", async () => {
  const user = await makeUser();
  const username = name();
  const key = { "Idempotency-Key": `k-${username}` };
  const first = await callAs(user, "POST", "/me/persons", { username }, key);
  expect([first.status, first.body]).toEqual([201, { person: { id: expect.any(Number), username } }]);
  const again = await callAs(user, "POST", "/me/persons", { username }, key);
  expect([again.status, again.body]).toEqual([201, first.body]);
  const { body } = await callAs(user, "GET", "/me/persons");
  expect(body.persons).toHaveLength(2);
  // Adding does not switch.
  expect(body.person.username).toBe(user.username);
});

test("C-17 V-03 V-04 X-09 a person's name follows the rules of usernames and is unique", async () => {
  const user = await makeUser();
  const other = await makeUser();
  const told = async (username: unknown) => {
    const { status, body } = await callAs(user, "POST", "/me/persons", { username });
    return [status, body.fields.username];
  };
  expect(await told("")).toEqual([422, ["Value is required"]]);
  expect(await told("no spaces")).toEqual([
    422,
    ["Your username can only contain letters, numbers, underscores, and dashes."],
  ]);
  const taken = [422, ["This username is taken. Please choose another."]];
  for (const username of ["groups", other.username.toUpperCase(), user.username])
    expect(await told(username)).toEqual(taken);
});

test("C-17 a user has at most ten persons", async () => {
  const user = await makeUser();
  for (let i = 0; i < 9; i++)
    expect((await callAs(user, "POST", "/me/persons", { username: name() })).status).toBe(201);
  const refused = await callAs(user, "POST", "/me/persons", { username: name() });
  expect([refused.status, refused.body.error_code, refused.body.message]).toEqual([
    409,
    "CONFLICT",
    "You can act under 10 names at most.",
  ]);
});

test("C-18 A-12 switching activates another own person, and tokens stay the user's", async () => {
  const user = await makeUser();
  const username = name();
  await callAs(user, "POST", "/me/persons", { username });
  const switched = await callAs(user, "POST", `/me/persons/${username.toUpperCase()}/switch-to`, {
    person: username,
  });
  expect([switched.status, switched.body]).toEqual([200, { person: { id: expect.any(Number), username } }]);
  const now = (await callAs(user, "GET", "/get-user")).body;
  expect(now).toMatchObject({
    id: user.id,
    username,
    all_remaining_tokens: 10,
    person: switched.body.person,
  });
  await callAs(user, "POST", `/me/persons/${user.username}/switch-to`, {});
  expect((await callAs(user, "GET", "/get-user")).body.username).toBe(user.username);
});

test("C-18 switching to the person of another user is refused", async () => {
  const user = await makeUser();
  const other = await makeUser();
  for (const person of [other.username, "nobody-at-all"]) {
    const refused = await callAs(user, "POST", `/me/persons/${person}/switch-to`, { person });
    expect([refused.status, refused.body.error_code]).toEqual([404, "NOT_FOUND"]);
  }
  const row = await userNow(user.id);
  expect(row?.personId).toBe(user.personId);
});
