// The people that journeys and benchmarks write into a local database are as registration leaves them.
import { env } from "cloudflare:workers";
import { eq, getTableColumns, getTableName, type SQL } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { tables } from "#tests/support/every-row";
import { db, testApp } from "#tests/support/factories";
import { statementsOf } from "#tests/support/local-people.mjs";
import { confirmAddress } from "~/use-cases/accounts/confirmations.server";
import { passwords } from "~/use-cases/accounts/password-hashes.server";
import { hashToken } from "~/use-cases/tokens.server";

const PASSWORD = "a long walk to the hut";
/** Tables that only the doors of registration fill: the browser, and the link of the mail. */
const OF_THE_DOORS = ["confirmations", "devices"];

/** Every row of a user by its table, without ids, checksums and instants. */
async function rowsOf(username: string) {
  const [user] = await db.select().from(schema.users).where(eq(schema.users.username, username));
  const id = user?.id ?? 0;
  const found: [string, unknown[]][] = [["users", [user]]];
  for (const table of tables) {
    const columns = getTableColumns(table) as Record<string, (typeof schema.persons)["userId"]>;
    if (!columns.userId) continue;
    const rows = await db
      .select()
      .from(table)
      .where(eq(columns.userId, id) as SQL);
    if (rows.length > 0) found.push([getTableName(table), rows]);
  }
  return Object.fromEntries(
    found.map(([name, rows]) => [name, rows.map((row) => withoutOwn(row as Record<string, unknown>, id))]),
  );
}

/** A row with placeholders for all that differs from person to person. */
const withoutOwn = (row: Record<string, unknown>, id: number) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      /^(id|userId|personId|email|username|passwordHash|tokenHash|loginHash)$/.test(name)
        ? typeof value
        : /At$/.test(name)
          ? typeof value
          : typeof value === "string"
            ? value.replace(`:${id}`, ":id")
            : value,
    ]),
  );

test("X-16 a person that a test writes has the rows, and the login, of a registered one with a confirmed address", async () => {
  const registration = {
    email: "ada@example.com",
    username: "ada",
    name: "ada",
    first_name: "",
    last_name: "",
    password: PASSWORD,
    password_confirmation: PASSWORD,
  };
  expect((await callAs(null, "POST", "/register", registration)).status).toBe(201);
  await db.update(schema.confirmations).set({ tokenHash: await hashToken("the link") });
  const app = await testApp();
  await confirmAddress(app, { token: "the link" });

  const bruno = { username: "bruno", token: "bruno-token", now: Date.now() };
  const passwordHash = await passwords.hash(PASSWORD);
  await env.DB.batch(
    statementsOf({ ...bruno, passwordHash }).map(({ sql, values }) => env.DB.prepare(sql).bind(...values)),
  );

  const registered = await rowsOf("ada");
  for (const name of OF_THE_DOORS) delete registered[name];
  expect(await rowsOf("bruno")).toEqual(registered);
  const { status, body } = await callAs({ loginToken: "bruno-token" } as never, "GET", "/get-user");
  expect([status, body.user?.username ?? body.username]).toEqual([200, "bruno"]);
});

test("Q-03 a person that a test writes without a confirmed address has none", async () => {
  await env.DB.batch(
    statementsOf({ username: "cleo", token: "cleo-token", now: 1, isConfirmed: false }).map(
      ({ sql, values }) => env.DB.prepare(sql).bind(...values),
    ),
  );
  const { users } = await rowsOf("cleo");
  expect(users).toEqual([expect.objectContaining({ emailConfirmedAt: "object" })]);
});
