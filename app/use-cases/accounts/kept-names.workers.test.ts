// The names of a deleted account, which nobody takes for a year.
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, makeUsers, setUser, testApp } from "#tests/support/factories";
import { createVault } from "#workers/adapters/vault";
import { DAY, instant } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";
import { refuseKeptName } from "./kept-names.server";

const TAKEN = ["This username is taken. Please choose another."];
const keyOf = (letter: string) => btoa(letter.repeat(32));

test("R-81 the names of all persons of a deleted account cannot be taken for a year, and only hashes are kept", async () => {
  const [user, bystander] = await makeUsers(2);
  const other = `Other-${user.id}`;
  expect((await callAs(user, "POST", "/me/persons", { username: other })).status).toBe(201);
  const app = await testApp({ now: instant(Date.now()) });
  await setUser(user.id, { deletionDueAt: instant(app.now - DAY) });
  expect(await deleteDueAccounts(app)).toEqual({ deleted: 1, failed: 0 });
  for (const username of [user.username, other, other.toUpperCase()]) {
    const { status, body } = await callAs(bystander, "POST", "/me/persons", { username });
    expect([username, status, body.fields?.username]).toEqual([username, 422, TAKEN]);
    const password = "a long walk to the hut";
    const registered = await callAs(null, "POST", "/register", {
      email: `new-${user.id}@example.com`,
      first_name: "New",
      username,
      password,
      password_confirmation: password,
    });
    expect([username, registered.body.fields?.username]).toEqual([username, TAKEN]);
  }
  expect((await callAs(bystander, "POST", "/me/persons", { username: `Free-${user.id}` })).status).toBe(201);
  const kept = JSON.stringify(await db.select().from(schema.keptNames)).toLowerCase();
  expect(await db.$count(schema.keptNames)).toBe(2);
  for (const name of [user.username, other]) expect(kept).not.toContain(name.toLowerCase());

  await deleteExpiredRows({ ...app, now: instant(app.now + 364 * DAY) });
  expect(await db.$count(schema.keptNames)).toBe(2);
  await deleteExpiredRows({ ...app, now: instant(app.now + 365 * DAY) });
  expect(await db.$count(schema.keptNames)).toBe(0);
  expect((await callAs(bystander, "POST", "/me/persons", { username: other })).status).toBe(201);
});

test("R-81 a name that an older key has hashed stays kept after a new key", async () => {
  const app = await testApp({ now: instant(Date.now()) });
  const before = createVault({ DATA_KEY: keyOf("a") }, false);
  const after = createVault({ DATA_KEY: `${keyOf("b")} ${keyOf("a")}` }, false);
  const [hash = ""] = (await before?.signatures("name:ada")) ?? [];
  await db.insert(schema.keptNames).values({ hash, until: instant(app.now + DAY) });
  await expect(refuseKeptName({ ...app, vault: after }, "Ada")).rejects.toMatchObject({ code: "INVALID" });
  await expect(refuseKeptName({ ...app, vault: after }, "Bea")).resolves.toBeUndefined();
});
