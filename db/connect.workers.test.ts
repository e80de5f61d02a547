// The database connection against a real D1.
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { makeUser } from "#tests/support/factories";
import { connect, schema } from "./connect.server";

const db = connect(env.DB);
const { users, persons } = schema;

test("a batched select with two columns of one name throws", async () => {
  const alike = db
    .select({ id: users.id, personId: persons.id, name: persons.username })
    .from(users)
    .innerJoin(persons, eq(persons.userId, users.id));
  await expect(async () => db.batch([alike])).rejects.toThrow('called "id"');
});

test("columns with names of their own keep their values", async () => {
  const user = await makeUser();
  const own = db
    .select({ id: users.id, personId: sql<number>`${persons.id}`.as("person"), name: persons.username })
    .from(users)
    .innerJoin(persons, eq(persons.userId, users.id))
    .where(eq(users.id, user.id));
  const [rows] = await db.batch([own]);
  expect(rows).toEqual([{ id: user.id, personId: user.personId, name: user.username }]);
});

test("each column of a batched select is decoded, and null stays null", async () => {
  const user = await makeUser();
  const decoded = db
    .select({
      isNew: users.isNew,
      isOld: sql<boolean>`NOT is_new`.mapWith(Boolean).as("is_old"),
      bare: sql<number>`1 + 1`,
      none: sql<boolean | null>`NULL`.mapWith(Boolean).as("none"),
    })
    .from(users)
    .where(eq(users.id, user.id));
  const nothing = db.select({ id: users.id }).from(users).where(eq(users.id, -1));
  const [rows, empty] = await db.batch([decoded, nothing]);
  expect(rows).toEqual(await decoded);
  expect(rows).toMatchObject([
    { isNew: expect.any(Boolean), isOld: expect.any(Boolean), bare: 2, none: null },
  ]);
  expect(empty).toEqual([]);
});
