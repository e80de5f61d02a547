// The keys of records in paths, the keys of page data, and favourites.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, makeUser } from "#tests/support/factories";
import { makeSession } from "#tests/support/sessions";
import { importBook, viewBook } from "~/use-cases/items/books.server";

/** Creates a record of each kind, by calls. */
async function makeAll() {
  const user = await makeUser({ roleId: 10 });
  const made = async (path: string, body: object) => {
    const answer = await callAs(user, "POST", path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const { hut } = await made("/groups/store", { hut: { title: `Hut ${user.username}` } });
  const { challenge } = await made("/challenges", { challenge: { title: "Bound", hut_id: hut.id } });
  const session = await makeSession(user, { challenge_slug: challenge.slug, tasks: [{ title: "Shared" }] });
  const { goal } = await made("/api/goals/store", { title: "Row", amount: 3 });
  const note = await made("/api/notes", { title: "A note", goal_id: goal.id });
  const { log } = await made("/api/logs/store-quick-log", { goal_id: goal.id });
  const { item } = await made("/items", { itemData: { title: `Item ${user.username}`, status: 1 } });
  const title = `Book ${user.username}`;
  const book = await importBook(await appOf(user), {
    title,
    text: "A first passage of it.\n\nAnd a second one.",
  });
  const [snippet] = (await viewBook(await appOf(user), { book: book.slug, page: 1 })).snippets;
  if (!snippet) throw new Error("no snippet");
  const { paraphrase } = await made("/api/paraphrases", { snippet_id: snippet.id, content: "Mine" });
  return {
    user,
    hut,
    challenge,
    session,
    goal,
    note: note.note ?? note,
    log,
    item,
    book,
    snippet,
    paraphrase,
  };
}

test("E-24 a path finds each record by its own key, and by no other", async () => {
  const all = await makeAll();
  const { user, hut, challenge, session, goal, note, log, book, snippet, paraphrase } = all;
  const status = async (method: string, path: string, body?: object) =>
    (await callAs(user, method, path, body)).status;
  const bookId = await env.DB.prepare("SELECT id FROM items WHERE slug = ?").bind(book.slug).first("id");
  for (const [key, other, ask] of [
    [challenge.slug, challenge.id, (key) => status("GET", `/api/activities/${key}`)],
    [session.id, session.slug, (key) => status("GET", `/api/sessions/${key}`)],
    [goal.id, goal.uuid, (key) => status("GET", `/api/my/goals/${key}`)],
    [log.id, log.uuid, (key) => status("PATCH", `/api/challenge-logs/${key}/update`, { title: "x" })],
    [note.id, "a-note", (key) => status("PATCH", `/api/notes/${key}`, { title: "x" })],
    [paraphrase.id, "mine", (key) => status("PATCH", `/api/paraphrases/${key}/update`, { title: "x" })],
    [snippet.id, "first", (key) => status("GET", `/api/books/${book.slug}/snippets/${key}`)],
    [hut.slug, hut.id, (key) => status("GET", `/api/group/${key}`)],
    [book.slug, bookId, (key) => status("GET", `/api/books/${key}/snippets/${snippet.id}`)],
  ] as [string | number, string | number, (key: string | number) => Promise<number>][]) {
    expect(await ask(key), String(key)).toBe(200);
    expect(await ask(other), String(other)).toBeGreaterThanOrEqual(404);
  }
  // a product by its id or its name.
  const [{ id, name }] = (await dataOf(user, "/api/pricing")).products;
  for (const product of [id, name])
    expect(await status("POST", `/api/subscriptions/create/${product}`, {})).not.toBe(404);
  expect(await status("POST", "/api/subscriptions/create/nothing-like-it", {})).toBe(404);
});

test("E-23 page data is under the documented keys", async () => {
  const { user, hut, challenge, session, goal, item } = await makeAll();
  const keysOf = (path: string) => dataOf(user, `/api${path}`);
  const event = `/sessions/${session.id}`;
  for (const [path, keys] of [
    ["/home", ["challengeEvents", "challenges", "challengesCount", "templates", "terms"]],
    ["/activities", ["challenges", "challengesCount", "templates", "terms"]],
    [`/activities/${challenge.slug}`, ["challengeEvents"]],
    ["/events", ["challengeEvents", "templates", "terms"]],
    ["/groups", ["groups"]],
    [`/group/${hut.slug}`, ["challenges", "challengesCount", "terms"]],
    [event, ["breadcrumbs", "logs"]],
    [`${event}/goals`, ["goals"]],
    [`${event}/member-goals`, ["member_goals"]],
    [`${event}/logs`, ["logs"]],
    [`${event}/hut`, ["posts"]],
    [`${event}/chat`, ["messages"]],
    ["/my/goals", ["goals"]],
    [`/my/goals/${goal.id}/logs`, ["logs"]],
    [item.path, ["breadcrumbs", "isOwner", "itemsCount"]],
  ] as const) {
    const data = await keysOf(path);
    for (const key of keys) expect(data, `${path} ${key}`).toHaveProperty(key);
  }
});

test("E-23 challengesCount is the length of the list, whatever its page and its search", async () => {
  const [user, host] = [await makeUser(), await makeUser({ roleId: 10 })];
  const { hut } = (await callAs(host, "POST", "/groups/store", { hut: { title: "Counted" } })).body;
  const slugs: string[] = [];
  for (let i = 0; i < 14; i++) {
    const challenge = { title: `Count ${i}`, hut_id: hut.id, difficulty: i < 3 ? 3 : 6 };
    slugs.push((await callAs(host, "POST", "/challenges", { challenge })).body.challenge.slug);
  }
  const counted = async (query: string) =>
    (await dataOf(user, `/api/hut/${hut.slug}/activities${query}`)).challengesCount;
  for (const query of ["", "?page=2", "?q=count"]) expect(await counted(query)).toBe(14);
  expect(await counted("?difficulty=3")).toBe(3);
  await callAs(host, "DELETE", `/challenges/${slugs[0]}`);
  expect([await counted(""), await counted("?difficulty=3")]).toEqual([13, 2]);
  await callAs(user, "POST", `/challenges/${slugs[5]}/join`, {});
  expect((await dataOf(user, "/api/activities?joined=1")).challengesCount).toBe(1);
});

test("C-47 R-24 a favourite of every kind is set and removed repeatedly, by its user only", async () => {
  const { user, hut, challenge, item, snippet, book } = await makeAll();
  const other = await makeUser();
  const set = (who: typeof user, body: object) => callAs(who, "POST", "/favorites", body);
  for (const [favoritable_type, favoritable_id] of [
    ["item", item.id],
    ["challenge", challenge.id],
    ["hut", hut.id],
    ["snippet", snippet.id],
  ]) {
    const about = { favoritable_type, favoritable_id };
    for (const favorite of [1, 1, 0, 0, 1])
      expect(await set(user, { ...about, favorite })).toMatchObject({ status: 200, body: { favorite } });
    const kept = env.DB.prepare(
      "SELECT count(*) AS n FROM favorites WHERE user_id = ? AND target_id = ? AND kind = ?",
    );
    const kind = favoritable_type === "challenge" ? "activity" : favoritable_type;
    expect(await kept.bind(user.id, favoritable_id, kind).first("n")).toBe(1);
    expect((await set(user, { ...about, favoritable_id: 999_999, favorite: 1 })).status).toBe(404);
  }
  const starred = async (who: typeof user | null) => [
    (await dataOf(who, `/api${item.path}`)).item.favorite,
    (await dataOf(who, `/api/books/${book.slug}/snippets/${snippet.id}`)).snippet.favorite,
  ];
  expect(await starred(user)).toEqual([1, 1]);
  expect(await starred(other)).toEqual([0, 0]);
  expect((await set(user, { favoritable_type: "goal", favoritable_id: 1, favorite: 1 })).body).toMatchObject({
    error_code: "INVALID",
    fields: { favoritable_type: ["Please say what it is: item, challenge, hut or snippet."] },
  });
  const hidden = (await callAs(user, "POST", "/items", { itemData: { title: "Hidden", status: 0 } })).body
    .item;
  expect(
    (await set(other, { favoritable_type: "item", favoritable_id: hidden.id, favorite: 1 })).status,
  ).toBe(404);
});
