// Items, books, paraphrases, favourites and uploads through their calls.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, makeUsers, NOW, type TestUser, testApp } from "#tests/support/factories";
import { makeHut } from "#tests/support/sessions";
import { createHut } from "~/use-cases/huts/huts.server";
import {
  createParaphrase,
  importBook,
  randomSnippet,
  storeBook,
  viewBook,
  viewSnippet,
} from "./books.server";

const make = async (user: TestUser, itemData: object) =>
  (await callAs(user, "POST", "/items", { itemData })).body.item;

test("C-91 E-18 R-33 an item is created with every documented field, bare or in itemData", async () => {
  const user = await makeUser();
  const made = await callAs(user, "POST", "/items", {
    itemData: { title: "A walk", content: "**Up** the hill", status: 1 },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect(made.body.item).toMatchObject({
    title: "A walk",
    slug: "a-walk",
    content: "**Up** the hill",
    content_html: "<p><strong>Up</strong> the hill</p>",
    summary: "Up the hill",
    status: 1,
    type: "item",
    is_book: 0,
    url: "",
    parent_id: null,
    group_id: null,
    person_id: user.personId,
    path: `/${user.username}/a-walk`,
    parent: null,
    group: null,
  });
  expect(made.body.item.created_at).toMatch(/^\d{4}-.*Z$/);
  expect((await callAs(user, "POST", "/items", { title: "Bare" })).body.item.title).toBe("Bare");
  const refused = await callAs(user, "POST", "/items", {
    itemData: { title: "  ", url: "javascript:alert(1)" },
  });
  expect(refused.body).toMatchObject({
    error_code: "INVALID",
    fields: { title: ["Please give a title."], url: ["Please give an http or https address."] },
  });
});

test("X-07 X-09 items with the same title, created at the same moment, have different URLs", async () => {
  const users = [await makeUser(), await makeUser()];
  const title = `At once ${crypto.randomUUID()}`;
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, i) => callAs(users[i % 2] as TestUser, "POST", "/items", { title })),
  );
  expect(made.map(({ status, body }) => [status, body.error])).toEqual(made.map(() => [201, undefined]));
  expect(new Set(made.map(({ body }) => body.item.slug)).size).toBe(12);
  const reserved = await callAs(users[0] as TestUser, "POST", "/items", { title: "Pricing" });
  expect(reserved.body.item.slug).toMatch(/^pricing-./);
});

test("A-11 C-92 C-93 only its person changes or deletes an item, and an unpublished one is hidden from others", async () => {
  const [user, stranger] = [await makeUser(), await makeUser()];
  const hidden = await make(user, { title: "Hidden" });
  const shown = await make(user, { title: "Shown", status: 1 });
  expect((await callAs(stranger, "PATCH", `/items/${hidden.id}`, { itemData: { title: "x" } })).status).toBe(
    404,
  );
  expect((await callAs(stranger, "PATCH", `/items/${shown.id}`, { itemData: { title: "x" } })).status).toBe(
    403,
  );
  expect((await callAs(stranger, "DELETE", `/items/${shown.id}`)).status).toBe(403);
  const changed = await callAs(user, "PATCH", `/items/${hidden.id}`, {
    itemData: { title: "Now open", status: 1 },
  });
  expect(changed).toMatchObject({
    status: 200,
    body: { item: { title: "Now open", status: 1, slug: "hidden" } },
  });
  const child = await make(user, { title: "Below", parent_id: shown.id });
  expect(child).toMatchObject({ parent: { title: "Shown" }, path: `/${shown.slug}/below` });
  const last = await make(user, { title: "Lowest", parent_id: child.id });
  const parentOf = async (id: number) =>
    (await callAs(user, "PATCH", `/items/${id}`, { itemData: {} })).body.item.parent_id;
  expect((await callAs(user, "DELETE", `/items/${child.id}`)).status).toBe(204);
  expect(await parentOf(last.id)).toBe(shown.id);
  expect((await callAs(user, "DELETE", `/items/${shown.id}`)).status).toBe(204);
  expect(await parentOf(last.id)).toBeNull();
});

test("D-09 items move to the top, between others and to the end, and a closed gap renumbers the list", async () => {
  const user = await makeUser();
  const ids: number[] = [];
  for (const title of ["one", "two", "three"])
    ids.push((await make(user, { title: `${title} ${user.id}` })).id);
  const [one, two, three] = ids;
  const move = (id: number | undefined, itemData: object) =>
    callAs(user, "PATCH", `/items/${id}`, { itemData });
  const order = async () =>
    (await callAs(user, "GET", `/items/parents/search/${user.username}`)).body.map(
      (option: { id: number | null }) => option.id,
    );
  await move(one, { after: null });
  expect(await order()).toEqual([one, three, two, null]);
  const last = (await move(two, {})).body.item.order_ms;
  expect((await move(one, { to_end: 1 })).body.item.order_ms).toBe(last - 10_000);
  for (let i = 0; i < 60; i++) {
    const [moved, other] = i % 2 ? [two, one] : [one, two];
    await move(moved, { after: three });
    expect(await order()).toEqual([three, moved, other, null]);
  }
});

test("D-09 an item that moves into a closed gap is renumbered with its list", async () => {
  const user = await makeUser();
  const ids: number[] = [];
  for (const [title, orderMs] of [
    ["one", 1000],
    ["another", 1000],
    ["last", 500],
  ] as const) {
    const { id } = await make(user, { title: `${title} ${user.id}` });
    await env.DB.prepare("UPDATE items SET order_ms = ? WHERE id = ?").bind(orderMs, id).run();
    ids.push(id);
  }
  const order = async () =>
    (await callAs(user, "GET", `/items/parents/search/${user.username}`)).body.map(
      (option: { id: number | null }) => option.id,
    );
  const [first, second, last] = await order();
  expect(last).toBe(ids[2]);
  await callAs(user, "PATCH", `/items/${last}`, { itemData: { after: first } });
  expect(await order()).toEqual([first, last, second, null]);
});

test("D-09 a closed gap far down a list of 2,100 items is renumbered where it is", async () => {
  const user = await makeUser();
  const moved = await make(user, { title: "moved" });
  // The orders fall by 1000; the items 2050 and 2051 have the same, and the later one comes first.
  await env.DB.prepare(
    `INSERT INTO items (person_id, parent_id, title, slug, status, order_ms, created_at, updated_at, content, content_html, summary)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
     SELECT ?1, 0, 'n' || i, ?2 || i, 1, 1e9 - 1000 * iif(i = 2051, 2050, i), 0, 0, '', '', '' FROM n`,
  )
    .bind(user.personId, `${user.username}-`)
    .run();
  const listOf = async () =>
    (
      await env.DB.prepare(
        "SELECT id, title, order_ms AS orderMs FROM items WHERE person_id = ? AND parent_id = 0 ORDER BY order_ms DESC, id DESC",
      )
        .bind(user.personId)
        .all<{ id: number; title: string; orderMs: number }>()
    ).results;
  const before = await listOf();
  const above = before.find(({ title }) => title === "n2051");
  expect((await callAs(user, "PATCH", `/items/${moved.id}`, { itemData: { after: above?.id } })).status).toBe(
    200,
  );
  const after = await listOf();
  expect(after.slice(2048, 2052).map(({ title }) => title)).toEqual(["n2049", "n2051", "moved", "n2050"]);
  const isRaised = ({ title }: { title: string }) => title === "moved" || title === "n2051";
  expect(after.filter((item) => !isRaised(item))).toEqual(before.filter((item) => !isRaised(item)));
});

test("D-09 an item moves into a crowd of 300 items with one order, and only those above it change", async () => {
  const user = await makeUser();
  await env.DB.prepare(
    `INSERT INTO items (person_id, parent_id, title, slug, status, order_ms, created_at, updated_at, content, content_html, summary)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
     SELECT ?1, 0, 'n' || i, ?2 || i, 1, 1e9, 0, 0, '', '', '' FROM n`,
  )
    .bind(user.personId, `${user.username}-`)
    .run();
  const listOf = async () =>
    (
      await env.DB.prepare(
        "SELECT id, title, order_ms AS orderMs FROM items WHERE person_id = ? AND parent_id = 0 ORDER BY order_ms DESC, id DESC",
      )
        .bind(user.personId)
        .all<{ id: number; title: string; orderMs: number }>()
    ).results;
  const before = await listOf();
  const [top, last] = [before[0], before.at(-1)];
  const move = () => callAs(user, "PATCH", `/items/${top?.id}`, { itemData: { before: last?.id } });
  expect((await move()).status).toBe(200);
  const after = await listOf();
  const titles = before.map(({ title }) => title);
  expect(after.map(({ title }) => title)).toEqual([...titles.slice(1, -1), "n300", "n1"]);
  expect(after.at(-1)).toEqual(last);
  expect(new Set(after.slice(-202).map(({ orderMs }) => orderMs)).size).toBe(202);
});

test("D-09 the only item of a list stays above the items of earlier moments when it moves", async () => {
  const user = await makeUser();
  const { id, order_ms } = await make(user, { title: `alone ${user.id}` });
  const moved = await callAs(user, "PATCH", `/items/${id}`, { itemData: { to_end: 1 } });
  expect(moved.body.item.order_ms).toBeGreaterThanOrEqual(order_ms);
});

test("C-94 E-20 U-54 parents with their full titles: own items with a None entry, no descendants, filtered by favourites", async () => {
  const [user, stranger] = [await makeUser(), await makeUser()];
  const top = await make(user, { title: "Top" });
  const below = await make(user, { title: "Below top", parent_id: top.id });
  const options = await callAs(user, "GET", `/items/parents/search/${user.username}`);
  expect(options.body).toContainEqual({
    id: below.id,
    title: "Below top",
    full_title: "Top › Below top",
    parents_title: "Top",
  });
  expect(options.body.at(-1)).toEqual({ id: null, title: "None", full_title: "None", parents_title: null });
  expect((await callAs(stranger, "GET", `/items/parents/search/${user.username}`)).status).toBe(403);
  const loop = await callAs(user, "PATCH", `/items/${top.id}`, { itemData: { parent_id: below.id } });
  expect(loop.body.fields.parent_id).toEqual(["An item cannot be under itself."]);
  const theirs = await make(stranger, { title: "Theirs", status: 1 });
  for (const parent_id of [theirs.id, 999_999]) {
    const refused = await callAs(user, "PATCH", `/items/${top.id}`, { itemData: { parent_id } });
    expect(refused.body.fields.parent_id).toEqual(["Please choose one of your own items."]);
  }
  for (let i = 0; i < 2; i++)
    expect(
      (
        await callAs(user, "POST", "/favorites", {
          favoritable_type: "item",
          favoritable_id: top.id,
          favorite: 1,
        })
      ).body,
    ).toEqual({ favorite: 1 });
  const favored = await callAs(user, "GET", `/items/parents/search/${user.username}?favorites=1`);
  expect(favored.body.map((option: { id: number | null }) => option.id)).toEqual([top.id, null]);
  await callAs(user, "POST", "/favorites", { favoritable_type: "item", favoritable_id: top.id, favorite: 0 });
  expect((await callAs(user, "GET", `/items/parents/search/${user.username}?favorites=1`)).body).toHaveLength(
    1,
  );
});

test("X-09 an item's slug is never a username, a page or another item", async () => {
  const user = await makeUser({ username: "walker" });
  for (const title of ["Walker", "Tokens", "Groups"]) {
    const item = await make(user, { title });
    expect(item.slug).not.toBe(title.toLowerCase());
  }
  const [a, b] = [await make(user, { title: "Same title" }), await make(user, { title: "Same title" })];
  expect(a.slug).not.toBe(b.slug);
});

test("C-44 C-45 C-46 D-10 a book's snippets, and a paraphrase that only its author changes", async () => {
  const [author, other] = [await makeUser(), await makeUser()];
  const text = Array.from({ length: 8 }, (_, i) => `Passage ${i}. ${"Words that stay. ".repeat(20)}`).join(
    "\n\n",
  );
  const book = await importBook(await appOf(author), { title: "Of Huts", text });
  const random = (await dataOf(null, "/api/snippets/random")).snippet;
  expect(random.book).toEqual({ slug: book.slug, title: "Of Huts" });
  const page = await callAs(null, "GET", `/api/books/${book.slug}/snippets/${random.id}`);
  expect(page.body.serverData).toMatchObject({
    snippet: { id: random.id, number: random.number },
    paraphrases: [],
  });
  expect((await dataOf(null, "/api/books")).books).toMatchObject([{ title: "Of Huts" }]);
  const empty = await callAs(other, "POST", "/api/paraphrases", { snippet_id: random.id, content: " " });
  expect(empty.body.fields.content).toEqual(["Please write your paraphrase."]);
  const made = await callAs(other, "POST", "/api/paraphrases", {
    snippet_id: random.id,
    title: "Mine",
    content: "In *other* words",
  });
  expect(made).toMatchObject({
    status: 201,
    body: { paraphrase: { username: other.username, content_html: "<p>In <em>other</em> words</p>" } },
  });
  const path = `/api/paraphrases/${made.body.paraphrase.id}/update`;
  expect((await callAs(author, "PATCH", path, { content: "no" })).status).toBe(403);
  expect((await callAs(other, "PATCH", path, { content: "Better" })).body.paraphrase.content).toBe("Better");
  expect((await callAs(null, "GET", `/api/books/${book.slug}/snippets/999999`)).status).toBe(404);
  await db.update(schema.items).set({ status: 0 }).where(eq(schema.items.slug, book.slug));
  expect((await dataOf(null, "/api/snippets/random")).snippet).toBeNull();
  expect((await dataOf(null, "/api/books")).books).toEqual([]);
});

test("C-46 every passage of a published book, and no other, is drawn by its share of the chance", async () => {
  const author = await makeUser();
  const app = await appOf(author);
  const slugs: string[] = [];
  for (const [title, passages] of [
    ["Of Paths", 2],
    ["Of Closed Doors", 20],
    ["Of Ropes", 3],
    ["Of Locked Chests", 20],
  ] as const)
    slugs.push(
      (
        await storeBook(app, {
          title,
          about: "",
          passages: Array.from({ length: passages }, (_, n) => `${title} ${n + 1}`),
        })
      ).slug,
    );
  for (const slug of [slugs[1], slugs[3]])
    await db
      .update(schema.items)
      .set({ status: 0 })
      .where(eq(schema.items.slug, slug ?? ""));
  const drawn = await Promise.all(
    [0, 0.1999, 0.2, 0.4, 0.6, 0.8, 0.9999].map((chance) => randomSnippet(app, { chance })),
  );
  expect(drawn.map((snippet) => snippet?.content)).toEqual([
    "Of Paths 1",
    "Of Paths 1",
    "Of Paths 2",
    "Of Ropes 1",
    "Of Ropes 2",
    "Of Ropes 3",
    "Of Ropes 3",
  ]);
});

test("C-45 X-02 an outsider gets the same answer for a paraphrase of a hidden book as for no paraphrase", async () => {
  const [author, outsider] = [await makeUser({ tokens: 10_000 }), await makeUser()];
  const app = await appOf(author);
  const { slug } = await storeBook(app, { title: "Of Secrets", about: "", passages: ["A passage."] });
  const [passage] = (await viewBook(app, { book: slug, page: 1 })).snippets;
  const { id } = await createParaphrase(app, { snippetId: passage?.id ?? 0, title: "", content: "Words" });
  const change = (number: number) =>
    callAs(outsider, "PATCH", `/api/paraphrases/${number}/update`, { content: "Others" });
  expect((await change(id)).status).toBe(403);
  const hut = await createHut(app, { title: `Secret ${author.username}`, content: "", isPrivate: true });
  await db.update(schema.items).set({ hutId: hut.id, isPrivate: true }).where(eq(schema.items.slug, slug));
  const [existing, free] = [await change(id), await change(999_999)];
  expect(existing.status).toBe(404);
  expect(existing.body).toEqual(free.body);
});

test("P-22 a passage shows the reader's own and its newest paraphrases, fifty, and a visitor nobody's favourites", async () => {
  const [author, early] = [await makeUser({ tokens: 10_000 }), await makeUser()];
  const app = await appOf(author);
  const book = await importBook(app, { title: "Of Stoves", text: "A single passage." });
  const [passage] = (await viewBook(app, { book: book.slug, page: 1 })).snippets;
  if (!passage) throw new Error("no passage");
  const own = { snippetId: passage.id, title: "The first", content: "In other words" };
  await createParaphrase(await appOf(early), own);
  for (let n = 0; n < 51; n++)
    await createParaphrase(app, { snippetId: passage.id, title: `Version ${n}`, content: "In other words" });
  const [oldest] = await db.select().from(schema.users).orderBy(schema.users.id).limit(1);
  await db
    .insert(schema.favorites)
    .values({ userId: oldest?.id ?? 0, kind: "snippet", targetId: passage.id, createdAt: NOW });
  const shown = await viewSnippet(await testApp(), { book: book.slug, snippet: passage.id });
  expect(shown.paraphrases.map(({ title }) => title)).toEqual(
    Array.from({ length: 50 }, (_, n) => `Version ${50 - n}`),
  );
  expect(shown.isFavorite).toBe(false);
  const seen = await viewSnippet(await appOf(early), { book: book.slug, snippet: passage.id });
  expect(seen.paraphrases.map(({ title }) => title)).toEqual([
    "The first",
    ...Array.from({ length: 49 }, (_, n) => `Version ${50 - n}`),
  ]);
});

test("C-44 a book whose passages fill a page has no next page", async () => {
  const app = await appOf(await makeUser());
  const text = Array.from({ length: 3 }, (_, i) => `Passage ${i}. ${"Words that stay. ".repeat(20)}`).join(
    "\n\n",
  );
  const { slug, snippets } = await importBook(app, { title: "Of Lamps", text });
  const hasNext = async (perPage: number) =>
    (await viewBook({ ...app, settings: { ...app.settings, perPage } }, { book: slug, page: 1 })).hasNext;
  expect(snippets).toBeGreaterThan(1);
  expect([await hasNext(snippets - 1), await hasNext(snippets)]).toEqual([true, false]);
});

test("C-47 Q-27 a favourite is of an item that its reader sees: in a private hut members may have one, and nobody outside", async () => {
  const [owner, member, outsider] = await makeUsers(3);
  const [hut, open] = [await makeHut(owner, [owner, member]), await makeHut(owner, [owner])];
  await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
  const [inside, outside] = await Promise.all(
    [hut, open].map(({ id }) => make(owner, { title: "Blue kettle", status: 1, group_id: id })),
  );
  const favour = async (user: TestUser, { id }: { id: number }) =>
    (await callAs(user, "POST", "/favorites", { favoritable_type: "item", favoritable_id: id, favorite: 1 }))
      .status;
  expect([await favour(member, inside), await favour(outsider, inside)]).toEqual([200, 404]);
  expect([await favour(member, outside), await favour(outsider, outside)]).toEqual([200, 200]);
});
