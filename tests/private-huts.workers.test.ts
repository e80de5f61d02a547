// A private hut from outside: no list, page or call names its things to an outsider, a former member or a
// visitor. As the control, a member finds each of them.
import { beforeAll, expect, test } from "vitest";
import { instant } from "~/domain/time";
import { createKey } from "~/use-cases/accounts/api-keys.server";
import { BODIES } from "./roles/calls";
import { ADDRESS_OF, FORMS, INTENT_ROWS } from "./roles/forms";
import { place } from "./roles/pages";
import { ask, callAs, dataOf } from "./support/ask";
import { type CallName, everyCall } from "./support/every-call";
import { appOf, makeUser, type TestUser } from "./support/factories";
import { filled, pageRoutes } from "./support/route-table";
import { post, visit } from "./support/visit";

const THINGS = [
  "hut",
  "activity",
  "session",
  "item",
  "book",
  "passage",
  "post",
  "line",
  "goal",
  "stranded",
] as const;
type Thing = (typeof THINGS)[number];
/** A unique word in the title of each of the hut's things. */
const WORD: Record<Thing, string> = {
  hut: "quillfeather",
  activity: "marrowstone",
  session: "thistledown",
  item: "candlewick",
  book: "hollyhock",
  passage: "bramblewood",
  post: "foxglove",
  line: "larkspur",
  goal: "snowberry",
  // A session whose hut was deleted stays private.
  stranded: "windlestraw",
};
/** The title has more words than the slug, so that an address in an answer differs from a name. */
const titled = (thing: Thing) => `${WORD[thing]} by the beck`;
const saysOf = (text: string): Thing[] => THINGS.filter((thing) => text.toLowerCase().includes(WORD[thing]));

type Ids = Record<string, string | number>;
let ids: Ids;
let owner: TestUser;
let outsiders: [name: string, user: TestUser | null][];

const must = async (user: TestUser, method: string, path: string, body: object = {}) => {
  const answer = await callAs(user, method, path, body);
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const session = async (user: TestUser, over: object) =>
  (
    await must(user, "POST", "/challenge-events", {
      challenge: { is_manually_started: 1, duration: 3600, ...over },
    })
  ).challenge_event;
const item = async (user: TestUser, over: object) =>
  (await must(user, "POST", "/items", { itemData: { content: "", status: 1, ...over } })).item;

beforeAll(async () => {
  const [outsider, former] = [await makeUser({ tokens: 10_000_000 }), await makeUser({ tokens: 10_000_000 })];
  owner = await makeUser({ tokens: 10_000_000, roleId: 10 });
  const member = await makeUser({ tokens: 10_000_000 });
  // The owner is a super admin only to import a book, and then a plain user.
  const { hut } = await must(owner, "POST", "/groups/store", {
    hut: { title: titled("hut"), content: titled("hut") },
  });
  for (const user of [member, former]) await must(user, "POST", `/groups/${hut.slug}/join`);
  const { challenge: activity } = await must(owner, "POST", "/challenges", {
    challenge: { title: titled("activity"), hut_id: hut.id, tasks: [{ title: titled("goal") }] },
  });
  await must(former, "POST", `/challenges/${activity.slug}/join`);
  const made = await session(owner, { title: titled("session"), challenge_id: activity.id, hut_id: hut.id });
  const goals = await dataOf(owner, `/api/sessions/${made.id}/goals`);
  // A public session of a private activity.
  const open = await session(owner, { title: "In the open", challenge_id: activity.id });
  await must(owner, "PATCH", `/challenge-events/${open.id}/patch`, { challenge: { hut_id: null } });
  const top = await item(owner, { title: titled("item"), group_id: hut.id });
  const child = await item(owner, { title: "A child in the open", parent_id: top.id });
  const { post: said } = await must(owner, "POST", `/challenges/${hut.slug}/posts`, {
    item: { content: WORD.post },
  });
  await must(former, "POST", `/challenges/${hut.slug}/posts`, { item: { content: "Mine in the hut" } });
  await must(former, "POST", "/favorites", { favoritable_type: "hut", favoritable_id: hut.id, favorite: 1 });
  await must(owner, "POST", `/challenge-events/${made.id}/start`);
  const { message } = await must(owner, "POST", "/messages", {
    content: WORD.line,
    messageable_type: "challenge_event",
    messageable_id: made.id,
  });
  await must(owner, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  await must(former, "DELETE", `/groups/${hut.slug}/leave`);
  // Things created in a private hut are private at once.
  const later = await session(member, { title: `later ${titled("session")}`, hut_id: hut.id });
  const book = await item(owner, { title: titled("book"), group_id: hut.id, is_book: 1 });
  const { env } = await import("cloudflare:workers");
  const passage = await env.DB.prepare(
    "INSERT INTO snippets (item_id, number, content) VALUES (?, 1, ?) RETURNING id",
  )
    .bind(book.id, WORD.passage)
    .first<number>("id");
  // A deleted private hut leaves its session private.
  const { hut: gone } = await must(owner, "POST", "/groups/store", { hut: { title: "Gone", is_private: 1 } });
  const stranded = await session(owner, { title: titled("stranded"), hut_id: gone.id });
  await env.DB.prepare("DELETE FROM huts WHERE id = ?").bind(gone.id).run();
  await env.DB.prepare("UPDATE users SET role_id = 1 WHERE id = ?").bind(owner.id).run();
  ids = {
    hut: hut.slug,
    group: hut.slug,
    challenge: activity.slug,
    slug: activity.slug,
    activity: activity.slug,
    activityId: activity.id,
    event: made.id,
    session: made.id,
    later: later.id,
    stranded: stranded.id,
    uuid: goals.goals?.[0]?.uuid ?? goals.tasks?.[0]?.uuid ?? "",
    goal: goals.goals?.[0]?.id ?? goals.tasks?.[0]?.id ?? 1,
    username: owner.username,
    person: owner.username,
    parentItem: owner.username,
    childItem: top.slug,
    child: child.slug,
    item: top.id,
    itemId: top.id,
    book: book.slug,
    snippet: passage ?? 0,
    post: said.id,
    seq: message.seq,
    part: made.parts?.[0]?.parts?.[0]?.uuid ?? "p",
    type: "event",
    log: 999_999,
    note: 999_999,
    paraphrase: 999_999,
    product: "goals_sub",
    tab: "login",
    file: "everything.json",
    join_code: "",
    messageable_id: made.id,
  };
  outsiders = [
    ["an outsider", outsider],
    ["a former member", former],
    ["a visitor", null],
  ];
});

/** Every page and call, and lists searched for the words of the hut's things, with and without typing mistakes. */
const searches = () =>
  THINGS.flatMap((thing) => [WORD[thing], `${WORD[thing].slice(0, -1)}`, `x${WORD[thing]}`]);
const LISTS = ["/", "/events", "/activities", "/groups", "/challenges/templates"];
const LIST_CALLS = [
  "/api/home",
  "/api/search",
  "/api/events",
  "/api/activities",
  "/api/groups",
  "/api/challenges/templates",
];

async function pagesToAsk(): Promise<string[]> {
  const texts = Object.fromEntries(Object.entries(ids).map(([name, value]) => [name, String(value)]));
  const routes = pageRoutes().map(({ path }) => path);
  return [
    ...new Set([
      ...routes.map((path) => filled(path, texts)),
      ...routes
        .filter((path) => path.includes(":session"))
        .map((path) => filled(path, { ...texts, session: String(ids.stranded) })),
      ...routes
        .filter((path) => path.includes(":event"))
        .map((path) => filled(path, { ...texts, event: String(ids.later) })),
      `/${ids.person}/${ids.child}`,
      ...LISTS.flatMap((path) => THINGS.map((thing) => `${path}?q=${WORD[thing]}`)),
      ...["/events", "/activities", "/groups"].map((path) => `${path}?joined=1`),
    ]),
  ];
}

/** An answer without the requested address, which a page repeats in links to itself. */
const without = (text: string, path: string) => {
  const asked = [...path.split(/[/?=&]/), ...Object.values(ids).map(String)].filter(
    (part) => part.length > 3,
  );
  return asked.reduce(
    (rest, part) => rest.replaceAll(part, "").replaceAll(encodeURIComponent(part), ""),
    text,
  );
};

test("Q-27 no page names a thing of a private hut to people outside", {
  timeout: 600_000,
}, async () => {
  const told: string[] = [];
  const pages = await pagesToAsk();
  for (const [name, user] of outsiders)
    for (const path of pages) {
      // Signing out would end the login.
      if (path === "/auth/logout") continue;
      for (const address of [
        path,
        ...(path.includes("?") ? [] : [`${path === "/" ? "/_root" : path}.data`]),
      ]) {
        const { html, location } = await visit(user, address);
        const words = path.includes("?q=")
          ? html.replaceAll(new URLSearchParams(path.split("?")[1]).get("q") ?? "", "")
          : html;
        const named = saysOf(path.includes("?q=") ? words : without(html, path)).concat(
          location ? saysOf(without(location, path)) : [],
        );
        if (named.length > 0) told.push(`${name}: ${address} names ${named.join(", ")}`);
      }
    }
  expect(told).toEqual([]);
  expect(pages.length).toBeGreaterThan(120);
});

const OF_THE_HUT = /\{(hut|group|challenge|event|book|snippet|post|item|childItem)\}/;
const MISSING: Ids = new Proxy({} as Ids, {
  get: (_, name) =>
    ["hut", "group", "challenge", "book", "childItem"].includes(String(name))
      ? "no-such-thing"
      : ["event", "snippet", "post", "item"].includes(String(name))
        ? 987_654_321
        : ids[String(name)],
});
const pathOf = (template: string, named: Ids) =>
  template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(named[key] ?? key)));

test("Q-27 no call returns or changes a thing of a private hut for people outside", {
  timeout: 600_000,
}, async () => {
  const told: string[] = [];
  for (const [name, user] of outsiders)
    for (const call of Object.keys(everyCall) as CallName[]) {
      const { method, path: template } = everyCall[call];
      if (call === "logout") continue;
      const path = pathOf(template, ids);
      const body =
        method === "GET" || method === "DELETE"
          ? undefined
          : (BODIES[call]?.(ids, { role: "stranger", user }) ?? {});
      const { status, body: answer } = await callAs(user, method, path, body);
      const named = saysOf(without(JSON.stringify(answer ?? ""), path));
      if (named.length > 0) told.push(`${name}: ${call} ${status} names ${named.join(", ")}`);
      // Outside, a private thing answers like a missing thing.
      if (!OF_THE_HUT.test(template)) continue;
      const missing = await callAs(user, method, pathOf(template, MISSING), body);
      if (status !== missing.status || answer?.error_code !== missing.body?.error_code)
        told.push(`${name}: ${call} answers ${status}, and ${missing.status} where nothing is`);
    }
  for (const [name, user] of outsiders)
    for (const path of LIST_CALLS.flatMap((list) => searches().map((words) => `${list}?q=${words}`))) {
      const { body } = await callAs(user, "GET", path);
      const q = new URLSearchParams(path.split("?")[1]).get("q") ?? "";
      const named = saysOf(JSON.stringify(body).replaceAll(q, ""));
      if (named.length > 0) told.push(`${name}: ${path} names ${named.join(", ")}`);
    }
  expect(told).toEqual([]);
});

test("R-94 O-03 each read call with a super admin's key answers as with an ordinary user's", async () => {
  const overseer = await makeUser({ roleId: 10 });
  const [ordinary, above] = await Promise.all(
    [await makeUser(), overseer].map(async (user) => {
      const app = await appOf(user, instant(Date.now()));
      return (await createKey(app, { name: "Test", scopes: ["read"], days: 30 })).key;
    }),
  );
  const answerTo = async (key: string | undefined, path: string) => {
    const response = await ask(path, { headers: { Authorization: `Bearer ${key}` } });
    const text = await response.text();
    return [path, response.status, saysOf(without(text, path))];
  };
  const reads = Object.values(everyCall).filter(({ method, scope }) => method === "GET" && scope === "read");
  expect(reads.length).toBeGreaterThan(30);
  for (const { path } of reads)
    expect(await answerTo(above, pathOf(path, ids))).toEqual(await answerTo(ordinary, pathOf(path, ids)));
  // The control: in a browser the same person sees the hut.
  const { status, body } = await callAs(overseer, "GET", `/api/group/${ids.hut}`);
  expect([status, saysOf(JSON.stringify(body))]).toEqual([200, expect.arrayContaining(["hut"])]);
});

test("Q-27 no form changes or names a thing of a private hut for people outside", {
  timeout: 600_000,
}, async () => {
  const told: string[] = [];
  const [, user] = outsiders[0] ?? [];
  if (!user) throw new Error("no outsider");
  for (const name of new Set(INTENT_ROWS.map((row) => row.name))) {
    const [file = "", intent = ""] = name.split(" ");
    if (["account", "auth", "logout", "forgot-password", "reset-password", "confirm-email"].includes(file))
      continue;
    const address = place(ADDRESS_OF[name] ?? ADDRESS_OF[file] ?? "", ids);
    const form = { intent, ...FORMS[name]?.(ids, { role: "stranger", user }) };
    const { html } = await post(user, `${address}.data`, form);
    const named = saysOf(without(html, address));
    if (named.length > 0) told.push(`${name} names ${named.join(", ")}`);
  }
  expect(told).toEqual([]);
});

test("Q-27 the socket upgrade and the sitemap reveal nothing of a private hut", async () => {
  const { ask, ORIGIN } = await import("./support/ask");
  const statusOf = async (path: string, user: TestUser | null) => {
    const cookie: Record<string, string> = user ? { Cookie: `login=${user.loginToken}` } : {};
    return (await ask(path, { headers: { Upgrade: "websocket", Origin: ORIGIN, ...cookie } })).status;
  };
  for (const [, user] of outsiders)
    for (const id of [ids.session, ids.later, ids.stranded])
      expect(await statusOf(`/sessions/${id}/socket?watch=1`, user)).toBe(404);
  expect(await statusOf(`/sessions/${ids.session}/socket?watch=1`, owner)).toBe(101);
  expect(saysOf(await (await ask("/sitemap.xml")).text())).toEqual([]);
});

test("Q-27 control: a member finds everything of the private hut, and a seat shows only its session", {
  timeout: 300_000,
}, async () => {
  const member = await makeUser();
  const { env } = await import("cloudflare:workers");
  await env.DB.prepare(
    "INSERT INTO hut_members (hut_id, user_id, joined_at) SELECT id, ?, 1 FROM huts WHERE slug = ?",
  )
    .bind(member.id, ids.hut ?? "")
    .run();
  const found = new Set<Thing>();
  let places = 0;
  for (const path of await pagesToAsk()) {
    if (path.includes("?") || path === "/auth/logout") continue;
    const { html } = await visit(member, path);
    const named = saysOf(without(html, path));
    if (named.length > 0) places++;
    for (const thing of named) found.add(thing);
  }
  // Chat is for participants, and the stranded session has no members.
  expect(THINGS.filter((thing) => !found.has(thing))).toEqual(["line", "stranded"]);
  expect(places).toBeGreaterThan(10);
  const inside = async (path: string) => saysOf(JSON.stringify((await callAs(member, "GET", path)).body));
  expect(await inside(`/api/group/${ids.hut}/sessions?q=${WORD.session}`)).toContain("session");
  expect(await inside(`/api/hut/${ids.hut}/activities?q=${WORD.activity}`)).toContain("activity");
  expect(await inside("/api/groups?joined=1")).toContain("hut");

  const seated = await makeUser();
  await env.DB.prepare(
    "INSERT INTO participants (session_id, user_id, person_id, username, role, is_host, seat, paid_by, joined_at) VALUES (?, ?, ?, ?, 0, 0, ?, ?, 1)",
  )
    .bind(ids.session ?? 0, seated.id, seated.personId, seated.username, crypto.randomUUID(), seated.id)
    .run();
  const view = await callAs(seated, "GET", `/api/sessions/${ids.session}`);
  expect([view.status, saysOf(JSON.stringify(view.body))]).toEqual([200, ["session", "goal"]]);
  expect((await callAs(seated, "GET", `/api/group/${ids.hut}`)).status).toBe(404);
  expect((await callAs(seated, "GET", `/api/sessions/${ids.later}`)).status).toBe(404);
});
