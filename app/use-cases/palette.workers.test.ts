// The palette's search: its kinds, people that it leaves out, and its cost.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { countingD1 } from "#tests/support/counting-d1";
import { appOf, db, makeUser, NOW, type TestUser, testApp } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makeSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { deletedName } from "~/domain/accounts/deleted";
import { AppError } from "~/domain/errors";
import { createNote } from "~/use-cases/goals/notes.server";
import { search } from "./palette.server";

type Row = { kind: string; title: string; url: string };
async function found(user: TestUser | null, q: string): Promise<string[]> {
  const { status, body } = await callAs(user, "GET", `/api/search?q=${encodeURIComponent(q)}`);
  expect(status).toBe(200);
  return body.serverData.results.map(({ kind, title }: Row) => `${kind} ${title}`);
}
const makeHut = async (owner: TestUser, title: string) =>
  (await callAs(owner, "POST", "/groups/store", { hut: { title } })).body.hut.id as number;
const goal = (user: TestUser, title: string) => makeGoal(user, { title, searchText: title.toLowerCase() });
const note = async (user: TestUser, title: string, content = "") =>
  createNote(await appOf(user), { title, content, todo: "", done: "" });

test("Y-01 the search finds sessions, huts, people, and only the user's goals and notes", async () => {
  const [me, other] = [await makeUser({ username: "zither-player" }), await makeUser()];
  await makeSession(other, { title: "Zither evening" });
  await makeHut(other, "Zither hut");
  await goal(me, "Practise the zither");
  await goal(other, "Practise the zither of others");
  await note(me, "Strings", "Buy zither strings");
  await note(other, "Theirs", "A zither");
  const mine = await found(me, "zither");
  expect(mine.toSorted()).toEqual([
    "goal Practise the zither",
    "hut Zither hut",
    "note Strings",
    "person zither-player",
    "session Zither evening",
  ]);
  expect((await found(null, "zither")).toSorted()).toEqual([
    "hut Zither hut",
    "person zither-player",
    "session Zither evening",
  ]);
  expect(await found(me, "  ")).toEqual([]);
  await makeSession(other, { title: "Ocarina whenever", is_manually_started: 1, started_at: null });
  const { body } = await callAs(me, "GET", "/api/search?q=ocarina");
  expect(body.serverData.results).toMatchObject([{ title: "Ocarina whenever", started_at: null }]);
});

test("Y-01 an old note is found by a word behind 42 newer ones, and its address shows it", async () => {
  const me = await makeUser();
  await note(me, "", "The password of the cabin is under the Kettle");
  for (let at = 0; at < 42; at++) await note(me, `Newer ${at}`);
  const { body } = await callAs(me, "GET", "/api/search?q=kettle");
  const [{ kind, url }] = body.serverData.results;
  expect(kind).toBe("note");
  const { html } = await visit(me, url);
  expect(html).toContain("under the Kettle");
  expect(html).not.toContain("Newer");
});

test("Q-11 Q-18 Y-01 blocked and suspended people are not found, in either direction", async () => {
  const me = await makeUser();
  const [blocked, blocker, suspended, fine] = (await Promise.all(
    ["blocked", "blocker", "suspended", "fine"].map((name) => makeUser({ username: `quokka-${name}` })),
  )) as [TestUser, TestUser, TestUser, TestUser];
  await callAs(me, "PUT", `/api/blocks/${blocked.username}`);
  await callAs(blocker, "PUT", `/api/blocks/${me.username}`);
  await env.DB.prepare(
    "INSERT INTO sanctions (scope, target_id, user_id, kind, until, reason, created_at) VALUES ('site', 0, ?, 'ban', NULL, 'Spam', 1)",
  )
    .bind(suspended.id)
    .run();
  expect(await found(me, "quokka")).toEqual([`person ${fine.username}`]);
  expect(await found(me, "q")).toEqual([]);
  expect(await found(null, "QUOKKA-B")).toEqual(["person quokka-blocked", "person quokka-blocker"]);
});

test("Q-41 Y-01 a deleted account is not found", async () => {
  const gone = await makeUser();
  await db
    .update(schema.persons)
    .set({ username: deletedName(gone.id) })
    .where(eq(schema.persons.userId, gone.id));
  expect(await found(null, "deleted")).toEqual([]);
});

test("Q-27 Q-45 Y-01 nothing of a private hut and no text behind a code is found", async () => {
  const [owner, other] = [await makeUser(), await makeUser()];
  const hut = await makeHut(owner, "Wombat hut");
  await makeSession(owner, { title: "Wombat session", hut_id: hut });
  await env.DB.prepare("UPDATE huts SET is_private = 1 WHERE id = ?").bind(hut).run();
  await makeSession(owner, { title: "Behind a code", join_code: "sesame", content: "About the wombat" });
  for (const user of [other, null]) expect(await found(user, "wombat")).toEqual([]);
});

test("H-06 Y-01 the search finds published books by words of their titles, and none of a private hut or of blocked people", async () => {
  const [me, author] = [await makeUser(), await makeUser()];
  const [hut, privateHut] = [await makeHut(author, "Open shelf"), await makeHut(author, "Closed shelf")];
  await env.DB.prepare("UPDATE huts SET is_private = 1 WHERE id = ?").bind(privateHut).run();
  const make = async (title: string, over: object = {}) => {
    const item = { title, content: "", status: 1, is_book: 1, ...over };
    const { status, body } = await callAs(author, "POST", "/items", { itemData: item });
    expect(status).toBe(201);
    return body.item as { id: number; slug: string };
  };
  const book = await make("Yak’s Fábles", { group_id: hut });
  await make("Yak fables, a draft", { status: 0 });
  await make("Yak fables of members", { group_id: privateHut });
  await make("Yak fables, an item", { is_book: 0 });
  for (const user of [me, author, null])
    for (const q of ["yaks", "fables yak", "fab"])
      expect(await found(user, q)).toEqual(["book Yak’s Fábles"]);
  const { body } = await callAs(me, "GET", "/api/search?q=yaks");
  expect(body.serverData.results).toMatchObject([{ url: `/books/${book.slug}`, hut: null, status: null }]);
  expect(await found(me, "yak tales")).toEqual([]);

  const change = (item: object) => callAs(author, "PATCH", `/items/${book.id}`, { itemData: item });
  expect((await change({ title: "ヤクの物語" })).status).toBe(200);
  expect([await found(me, "yaks"), await found(me, "物語")]).toEqual([[], ["book ヤクの物語"]]);
  await env.DB.prepare("UPDATE huts SET is_private = 1 WHERE id = ?").bind(hut).run();
  expect(await found(author, "物語")).toEqual([]);
  await env.DB.prepare("UPDATE huts SET is_private = 0 WHERE id = ?").bind(hut).run();
  await callAs(me, "PUT", `/api/blocks/${author.username}`);
  expect([await found(me, "物語"), await found(null, "物語")]).toEqual([[], ["book ヤクの物語"]]);
  await change({ status: 0 });
  expect(await found(null, "物語")).toEqual([]);
  await change({ status: 1 });
  expect(await found(null, "物語")).toHaveLength(1);
  expect((await callAs(author, "DELETE", `/items/${book.id}`)).status).toBe(204);
  expect(await found(null, "物語")).toEqual([]);
});

test("R-25 Y-01 a search counts for the account, or for the network of a visitor", async () => {
  const me = await makeUser();
  const keys: string[] = [];
  const attempts = {
    take: async (key: string) => {
      keys.push(key);
      throw new AppError("RATE_LIMITED");
    },
  };
  const apps = [
    await appOf(me),
    { ...(await testApp()), origin: { ip: "192.0.2.7", userAgent: "", place: "" } },
  ];
  for (const app of apps)
    await expect(search({ ...app, attempts: attempts as never }, { q: "tea" })).rejects.toMatchObject({
      code: "RATE_LIMITED",
    });
  expect(keys).toEqual([`search:${me.id}`, "search:192.0.2.7"]);
});

describe("D1 Y-01 a search is one batch and reads at most ten rows per result plus 80", () => {
  const MANY = 600;
  const numbers = `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${MANY})`;
  let me: TestUser;
  beforeAll(async () => {
    me = await makeUser();
    const run = (statement: string) => env.DB.prepare(statement).run();
    const stamps = `${NOW}, ${NOW}`;
    await run(
      `${numbers} INSERT INTO huts (id, slug, title, summary, owner_id, created_at, updated_at) SELECT 5000 + n, 'hut-' || n, 'Heron hut ' || n, '', ${me.id}, ${stamps} FROM c`,
    );
    await run(
      `${numbers} INSERT INTO activities (id, slug, title, summary, owner_id, difficulty, duration, schedule, created_at, updated_at) SELECT 5000 + n, 'activity-' || n, 'Heron pages ' || n, '', ${me.id}, 6, 1800, '{"groups":[]}', ${stamps} FROM c`,
    );
    await run(
      `${numbers} INSERT INTO sessions (id, slug, owner_id, title, summary, difficulty, started_at, ended_at, duration, schedule, created_at, updated_at) SELECT 5000 + n, 'session-' || n, ${me.id}, 'Heron session ' || n, '', 6, ${NOW} + n * 3600000, ${NOW} + n * 3600000 + 1800000, 1800, '{"groups":[]}', ${stamps} FROM c`,
    );
    await run(
      `${numbers} INSERT INTO persons (user_id, username, created_at) SELECT ${me.id}, 'heron-' || n, ${NOW} FROM c`,
    );
    const books = `${numbers} INSERT INTO items (person_id, title, slug, summary, status, is_book, order_ms, created_at, updated_at) SELECT (SELECT person_id FROM users WHERE id = ${me.id}), 'Heron book ' || n, 'heron-book-' || n, '', 1, 1, n, ${stamps} FROM c`;
    await run(books);
    for (let at = 0; at < 80; at++) {
      await note(me, `Heron note ${at}`);
      await goal(me, `Heron goal ${at}`);
    }
  }, 60_000);

  test.each(["heron", "heron 7", "her", "nothing-at-all", "a"])("for %s", async (q) => {
    const app = await appOf(me);
    for (const user of [app.user, null]) {
      const { d1, counts } = countingD1(env.DB);
      const { results: rows } = await search({ ...app, user, db: connect(d1) }, { q });
      expect(counts.trips).toBe(1);
      expect(counts.rowsRead, `${rows.length} rows`).toBeLessThanOrEqual(10 * rows.length + 80);
      if (q === "heron") expect(rows.length).toBe(user ? 35 : 25);
    }
  });
});
