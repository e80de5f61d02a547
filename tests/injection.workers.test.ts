// Input with a meaning for a decoder, query, router or proxy must stay plain text.
import { expect, test, vi } from "vitest";
import { asDeployed } from "./support/as-deployed";
import { ask, callAs, dataOf } from "./support/ask";
import { makeUser, type TestUser } from "./support/factories";
import { drawn } from "./support/property-seed";
import { post, visit } from "./support/visit";

asDeployed();

const made = async (user: TestUser, method: string, path: string, body: unknown) => {
  const answer = await callAs(user, method, path, body);
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};
const makeHut = async (user: TestUser, title: string): Promise<{ slug: string }> =>
  (await made(user, "POST", "/groups/store", { hut: { title } })).hut;

/** Encoded once more than the server decodes. */
const TWICE = "%253Cb%253E %3Ci%3E &amp;lt;u&amp;gt; &#x3c;s&#x3e; \\u0041 =?utf-8?q?=41?=";

test("ASVS 1.1.1 twice-encoded input is decoded once, by a call, a form, a path, a query and a cookie", async () => {
  const user = await makeUser();
  const { id } = await made(user, "POST", "/api/notes", { title: TWICE, content: TWICE });
  const { notes } = await dataOf(user, "/api/my/notes");
  expect(notes.find((note: { id: number }) => note.id === id)).toMatchObject({
    title: TWICE,
    content: TWICE,
  });
  expect((await visit(user, "/my/notes")).html).not.toMatch(/<(b|i|u|s)>/);

  await post(user, "/my/notes", { intent: "note.create", title: `form ${TWICE}`, content: "x" });
  const again = (await dataOf(user, "/api/my/notes")).notes;
  expect(again.map(({ title }: { title: string }) => title)).toContain(`form ${TWICE}`);

  const { slug } = await makeHut(user, `Hut ${crypto.randomUUID()}`);
  const once = `%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}`;
  expect((await visit(user, `/group/${once}`)).status).toBe(200);
  expect((await visit(user, `/group/${encodeURIComponent(once)}`)).status).toBe(404);
  expect((await visit(user, "/group/%255C")).status).toBe(404);

  const searched = await visit(user, `/groups?q=${encodeURIComponent("%3Cb%3E")}`);
  expect((await searched.all('input[name="q"]'))[0]?.attributes.value).toBe("%3Cb%3E");
  const themeOf = async (theme: string) =>
    /data-theme="(\w+)"/.exec(
      await (await ask("/about", { headers: { Accept: "text/html", Cookie: `theme=${theme}` } })).text(),
    )?.[1];
  expect([await themeOf("%64ark"), await themeOf("%2564ark")]).toEqual(["dark", "system"]);
});

/** Each search continues after a word that only its own thing contains. */
const HOSTILE_SEARCHES = [
  `' OR '1'='1`,
  `" OR "mill`,
  `"*) OR (mill`,
  `') UNION SELECT password_hash FROM users --`,
  `; DROP TABLE huts; --`,
  `OR mill`,
  `NOT zzz`,
  `NEAR(mill, 10)`,
  `{title} : mill`,
  `title:mill`,
  `- mill`,
  `^mill * %_\\`,
  `\u0000mill`,
];
const LISTS = ["/", "/events", "/activities", "/challenges/templates", "/groups", "/my/goals", "/my/logs"];
const QUERY_NAMES = ["q", "category", "difficulty", "after", "tag", "status", "page"];
/** The mark of the index's own filters. */
const FILTER = "\ue000t0";

test("ASVS 1.2.4 hostile words in every search find only the rows that contain them all", async () => {
  const user = await makeUser({ tokens: 100_000 });
  const mine = crypto.randomUUID().slice(0, 8).replace(/\d/g, "q");
  await makeHut(user, "mill t0");
  await made(user, "POST", "/challenges", { challenge: { title: "mill t0" } });
  await made(user, "POST", "/api/goals/store", { challenge: { tasks: [{ title: "mill t0" }] } });
  const wrong: string[] = [];
  for (const [n, hostile] of drawn([...HOSTILE_SEARCHES.entries()], 4)) {
    const word = `${mine}${String.fromCharCode(97 + n)}`;
    const title = `${word} ${hostile}`;
    await makeHut(user, title);
    await made(user, "POST", "/challenges", { challenge: { title } });
    await made(user, "POST", "/api/goals/store", { challenge: { tasks: [{ title }] } });
    const q = encodeURIComponent(title);
    for (const [path, rows] of [
      [`/api/groups?q=${q}`, "groups"],
      [`/api/activities?q=${q}`, "challenges"],
      [`/api/my/goals?q=${q}`, "goals"],
    ] as const) {
      const { status, body } = await callAs(user, "GET", path);
      const titles = (body.serverData?.[rows] ?? []).map((row: { title: string }) => row.title);
      if (status !== 200 || titles.length !== 1 || !titles[0].startsWith(word))
        wrong.push(`${path}: ${status} ${JSON.stringify(titles)}`);
    }
  }
  const everything = encodeURIComponent([...HOSTILE_SEARCHES, FILTER].join(" "));
  const queries = LISTS.flatMap((path) => QUERY_NAMES.map((name) => `${path}?${name}=${everything}`));
  for (const query of drawn(queries, 10)) {
    const page = await ask(query, { headers: { Cookie: `login=${user.loginToken}` } });
    await page.text();
    if (page.status !== 200) wrong.push(`${query}: ${page.status}`);
  }
  expect(wrong).toEqual([]);
});

test("ASVS 1.4.2 a number at its limit is stored exactly, and a number beyond it is refused", async () => {
  const user = await makeUser();
  const { goal } = await made(user, "POST", "/api/goals/store", { challenge: { tasks: [{ title: "Far" }] } });
  const log = (amount: unknown) =>
    callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, amount });
  for (let i = 0; i < 3; i++) expect((await log(1e9)).status).toBe(201);
  const { body } = await callAs(user, "GET", `/api/my/goals/${goal.id}`);
  expect(body.serverData.goal.amount_elapsed).toBe(3e9);
  for (const amount of [
    1e9 + 0.001,
    -1e9 - 1,
    2 ** 31 * 10,
    2 ** 53,
    2 ** 63,
    1e300,
    "1e999",
    "-Infinity",
    "NaN",
  ])
    expect([amount, (await log(amount)).status]).toEqual([amount, 422]);
  const admin = await makeUser({ roleId: 10 });
  const before = (await callAs(admin, "GET", "/get-user")).body;
  for (const amount of [2 ** 31, 2 ** 53, 2 ** 63, -1, 0.001, 1e300, "1e999"])
    expect([amount, (await callAs(admin, "POST", "/tokens/tokens/add-free", { amount })).status]).toEqual([
      amount,
      422,
    ]);
  expect((await callAs(admin, "GET", "/get-user")).body).toEqual(before);
});

test("ASVS 15.3.7 of a repeated parameter the path's value counts, otherwise the first", async () => {
  const user = await makeUser();
  const note = async (title: string) => made(user, "POST", "/api/notes", { title, content: "x" });
  const [first, second] = [await note("first"), await note("second")];
  await made(user, "PATCH", `/api/notes/${first.id}?note=${second.id}`, {
    note: second.id,
    title: "changed",
    content: "x",
  });
  const { notes } = await dataOf(user, "/api/my/notes");
  const titleOf = (id: number) => notes.find((one: { id: number }) => one.id === id).title;
  expect([titleOf(first.id), titleOf(second.id)]).toEqual(["changed", "second"]);

  const [hut, other] = [await makeHut(user, "One of two"), await makeHut(user, "Two of two")];
  const guest = await makeUser();
  await post(guest, `/group/${hut.slug}?hut=${other.slug}`, { intent: "join", hut: other.slug });
  const { groups } = await dataOf(guest, "/api/my/groups");
  expect(groups.map(({ slug }: { slug: string }) => slug)).toEqual([hut.slug]);
});

test("ASVS 4.1.3 headers that a proxy or our worker sets are never trusted from a client", async () => {
  const user = await makeUser();
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  const forged = {
    "X-Forwarded-For": "203.0.113.7",
    "X-Real-IP": "203.0.113.7",
    "True-Client-IP": "203.0.113.7",
    Forwarded: "for=203.0.113.7;host=evil.example;proto=https",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "https",
    "X-Original-URL": "/get-user",
    "X-HTTP-Method-Override": "DELETE",
    "X-Bothy-Entry": JSON.stringify({
      sessionId: 1,
      identity: { userId: user.id, username: user.username, isSuperAdmin: true },
      network: "203.0.113.7",
    }),
  };
  try {
    expect((await callAs(null, "GET", "/get-user", undefined, forged)).status).toBe(401);
    const refused = await ask("/forgot-password", {
      method: "POST",
      headers: { ...forged, Origin: "https://evil.example" },
      body: new URLSearchParams({ email: user.email }),
    });
    expect(refused.status).toBe(419);
    const lines = said.mock.calls.map(String).filter((line) => line.includes('"log":"security"'));
    expect(lines.map((line) => JSON.parse(line).network)).toEqual(["local"]);
    const page = await ask("/about", { headers: { ...forged, Accept: "text/html" } });
    expect([page.status, (await page.text()).includes("evil.example")]).toEqual([200, false]);
    expect(page.headers.getSetCookie().join()).not.toContain("Secure");
    expect(
      (await ask("/auth/logout", { headers: forged, redirect: "manual" })).headers.get("Location"),
    ).not.toContain("evil.example");
  } finally {
    said.mockRestore();
  }
});
