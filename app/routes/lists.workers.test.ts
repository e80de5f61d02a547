// The pages of lists, as rendered by the server: home, sessions, activities, huts, templates; the URL contains every
// setting.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import { makeSession } from "#tests/support/sessions";
import { type Visited, visit } from "#tests/support/visit";
import { tours } from "~/components/tour/steps";
import { DIFFICULTIES } from "~/domain/list-terms";
import { ListQuery } from "~/domain/lists";

let me: TestUser;
let host: TestUser;
const made = { hut: { id: 0, slug: "" }, ferry: "", kayak: "" };

const titlesIn = async ({ texts }: Visited, label: string) => {
  const [h2, h3] = [`main [aria-label="${label}"] > li h2`, `main [aria-label="${label}"] > li h3`];
  return [...(await texts(h2)), ...(await texts(h3))];
};
const titles = async (user: TestUser | null, path: string, label: string) =>
  titlesIn(await visit(user, path), label);

beforeAll(async () => {
  [me, host] = [await makeUser(), await makeUser({ roleId: 10 })];
  const make = async (challenge: object) =>
    (await callAs(host, "POST", "/challenges", { challenge })).body.challenge.slug as string;
  made.hut = (await callAs(host, "POST", "/groups/store", { hut: { title: "Water people" } })).body.hut;
  made.ferry = await make({ title: "Ferry", category: "move", difficulty: 3, hut_id: made.hut.id });
  made.kayak = await make({ title: "Kayak", category: "read", difficulty: 6 });
  await make({ title: "Raft", is_preset: 1, content: "Tie it well" });
  await make({ title: "Canoe", is_preset: 1, category: "read", difficulty: 6 });
  await makeSession(host, { challenge_slug: made.ferry, title: "Ferry at noon" });
  await makeSession(host, { challenge_slug: made.kayak, title: "Kayak at night" });
  await callAs(me, "POST", `/challenges/${made.kayak}/join`, {});
  await callAs(me, "POST", `/groups/${made.hut.slug}/join`, {});
});

test("P-01 home lists sessions and activities, by every part of its query", async () => {
  const home = async (query: string, user: TestUser | null = null) => {
    const page = await visit(user, `/${query}`);
    const group = 'main [aria-label="Running and upcoming sessions"]';
    const sessions = await page.texts(`${group} .card-link, ${group} .row-title`);
    return [sessions, await titlesIn(page, "Activities")];
  };
  expect(await home("")).toEqual([
    ["Kayak at night", "Ferry at noon"],
    ["Kayak", "Ferry"],
  ]);
  expect(await home("?page=0")).toEqual(await home("?page=x"));
  expect(await home("?page=2")).toEqual([["Kayak at night", "Ferry at noon"], []]);
  expect(await home("?category=move")).toEqual([["Ferry at noon"], ["Ferry"]]);
  expect(await home("?difficulty=6")).toEqual([["Kayak at night"], ["Kayak"]]);
  for (const q of ["ferr", "ferri"]) expect(await home(`?q=${q}`)).toEqual([["Ferry at noon"], ["Ferry"]]);
  expect((await home("?templates=1"))[1]).toEqual(["Canoe", "Raft"]);
  expect((await home("?templates=1&category=read&difficulty=6&q=can"))[1]).toEqual(["Canoe"]);
  expect(await home("?joined=1", me)).toEqual([[], ["Kayak"]]);
  expect(await home("?joined=0", me)).toEqual(await home("", me));
});

test("Y-01 a page of results says what was sought, and greets nobody", async () => {
  for (const user of [me, null]) {
    const page = await visit(user, "/?q=ferry");
    expect(await page.texts("h1")).toEqual(["Sessions and activities with “ferry”"]);
    expect(page.html).not.toContain("Good to see you");
    expect(await page.all("main a[href='/?tour=welcome']")).toEqual([]);
  }
  expect(await (await visit(me, "/")).texts("h1")).toEqual([`Good to see you, ${me.username}`]);
});

test("P-02 /events lists sessions with the query of home", async () => {
  const list = (query = "", user: TestUser | null = null) => titles(user, `/events${query}`, "Sessions");
  const page = await visit(null, "/events");
  expect(await page.texts("h1")).toEqual(["Sessions"]);
  expect(await list()).toEqual(["Kayak at night", "Ferry at noon"]);
  expect(await list("?category=read")).toEqual(["Kayak at night"]);
  expect(await list("?difficulty=3&q=ferry")).toEqual(["Ferry at noon"]);
  expect(await list("?templates=1")).toEqual([]);
  expect(await list("?joined=1", host)).toEqual(["Kayak at night", "Ferry at noon"]);
  expect(await list("?page=-1")).toHaveLength(2);
});

test("P-03 /activities lists activities with the query of home", async () => {
  const list = (query = "", user: TestUser | null = null) =>
    titles(user, `/activities${query}`, "Activities");
  expect(await (await visit(null, "/activities")).texts("h1")).toEqual(["Activities"]);
  expect(await list()).toEqual(["Kayak", "Ferry"]);
  expect(await list("?category=move")).toEqual(["Ferry"]);
  expect(await list("?difficulty=6&q=kay")).toEqual(["Kayak"]);
  expect(await list("?templates=1")).toEqual(["Canoe", "Raft"]);
  expect(await list("?joined=1", me)).toEqual(["Kayak"]);
});

test("P-37 /groups lists all huts or the viewer's own, and links to the form for a new hut", async () => {
  await callAs(host, "POST", "/groups/store", { hut: { title: "Dry people" } });
  const page = await visit(me, "/groups");
  expect(await page.texts("h1")).toEqual(["Huts"]);
  expect(await page.texts('[aria-label="Huts"] > li h2')).toEqual(["Dry people", "Water people"]);
  expect((await page.links())["Create a Hut"]).toBe("/groups/create");
  const own = await visit(me, "/groups?joined=1");
  expect(await own.texts('[aria-label="Huts"] > li h2')).toEqual(["Water people"]);
});

test("P-38 /huts is linked beside the lists, and shows the list of huts under its canonical URL", async () => {
  for (const path of ["/", "/events", "/activities"])
    expect(Object.values(await (await visit(null, path)).links("aside"))).toContain("/huts");
  const [huts, groups] = [await visit(null, "/huts"), await visit(null, "/groups")];
  expect(huts.status).toBe(200);
  expect(await huts.texts('[aria-label="Huts"] > li h2')).toEqual(
    await groups.texts('[aria-label="Huts"] > li h2'),
  );
  expect((await huts.all('link[rel="canonical"]'))[0]?.attributes.href).toMatch(/\/groups$/);
  const stop = tours.welcome.steps.find(({ path }) => path === "/huts");
  expect(await huts.all(`[data-tour="${stop?.anchor}"]`)).toHaveLength(1);
});

test("U-30 the title of a list is a menu with My, All and the huts", async () => {
  for (const [path, what] of [
    ["/", "Activities"],
    ["/events", "Sessions"],
    ["/activities", "Activities"],
  ] as const) {
    const page = await visit(me, `${path}?difficulty=6&page=2`);
    expect(await page.texts("main details summary")).toContain(`All ${what}`);
    const links = await page.links("main details");
    expect(links).toMatchObject({
      [`All ${what}`]: `${path}?difficulty=6`,
      [`My ${what}`]: `${path}?difficulty=6&joined=1`,
      "All Groups": "/groups",
      "My Groups": "/groups?joined=1",
    });
    expect(await (await visit(me, `${path}?joined=1`)).texts("main details summary")).toContain(`My ${what}`);
  }
});

test("A-01 R-36 My asks a visitor to sign in and redirects back: pages, and calls with 401", async () => {
  const activity = `/activities/${made.ferry}`;
  const hut = `/group/${made.hut.slug}`;
  for (const path of [
    "/",
    "/events",
    "/activities",
    "/groups",
    activity,
    hut,
    `${hut}/sessions`,
    `${hut}/activities`,
  ]) {
    const asked = `${path}?joined=1`;
    const { status, location } = await visit(null, asked);
    expect([status, location], path).toEqual([302, `/?auth=login&next=${encodeURIComponent(asked)}`]);
    expect((await visit(me, asked)).status, path).toBe(200);
    const call =
      path === "/" ? "/api/home" : `/api${path.replace(/^\/group\/(.*)\/activities/, "/hut/$1/activities")}`;
    expect((await callAs(null, "GET", `${call}?joined=1`)).body.error_code, call).toBe("UNAUTHENTICATED");
  }
  const { links } = await visit(null, "/events?q=fer");
  expect(await links("main details")).toMatchObject({
    "My Sessions": `/events?auth=login&next=${encodeURIComponent("/events?q=fer&joined=1")}`,
    "My Groups": `/events?auth=login&next=${encodeURIComponent("/groups?joined=1")}`,
  });
});

test("U-33 beside a list: a session, an activity, the huts", async () => {
  for (const path of ["/", "/events", "/activities"])
    expect(await (await visit(null, path)).links("main")).toMatchObject({
      "Create a Session": "/challenges/events/create",
      "Create an Activity": "/challenges/create",
      "My huts": "/groups?joined=1",
      "Find a hut": "/huts",
    });
});

test("U-36 a card has its link, category, number of active sessions and hut", async () => {
  const page = await visit(null, "/activities?q=ferry");
  expect(await page.texts('[aria-label="Activities"] > li span')).toEqual([
    "Move",
    "1 active session",
    "h/water-people",
  ]);
  expect(await page.links('[aria-label="Activities"]')).toMatchObject({
    Ferry: `/activities/${made.ferry}`,
    "h/water-people": "/group/water-people",
  });
});

test("U-31 U-32 the filter and the search are one form of the address, without JavaScript too", async () => {
  const page = await visit(null, "/events?difficulty=6&q=kay");
  const [search] = await page.all('main form [type="search"]');
  expect(search?.attributes).toMatchObject({ name: "q", value: "kay" });
  const chosen = (await page.all('main [name="difficulty"]')).filter(
    ({ attributes }) => "checked" in attributes,
  );
  expect(chosen.map(({ attributes }) => attributes.value)).toEqual(["6"]);
  const forms = (await page.all("main form")).map(({ attributes }) => attributes.method ?? "get");
  expect(forms).toContain("get");
  expect((await page.links()).Clear).toBe("/events");
  expect((await visit(null, "/activities?q=qqqqqq")).html).toContain("No results. Try other words.");
});

test("U-27 U-28 a list corrects a typing mistake, and has arrows to its second page and back", async () => {
  const word = "quernstone";
  for (let i = 1; i <= 14; i++)
    await callAs(host, "POST", "/challenges", { challenge: { title: `${word} number ${i}` } });
  // Without its first letter, and with two letters swapped.
  for (const typed of [word.slice(1), `uq${word.slice(2)}`])
    expect((await visit(null, `/activities?q=${typed}`)).html).toMatch(
      new RegExp(`Showing results for <strong>${word}</strong>`),
    );
  const arrow = async (page: Visited, name: string) =>
    (await page.all(`nav[aria-label="Pages"] [aria-label="${name}"]`))[0]?.attributes;
  const first = await visit(null, `/activities?q=${word}`);
  expect(await titlesIn(first, "Activities")).toHaveLength(12);
  const next = await arrow(first, "Next page");
  expect(next?.href).toMatch(/page=2/);
  const second = await visit(null, new URL(next?.href ?? "", `http://x/activities?q=${word}`).href.slice(8));
  expect(await titlesIn(second, "Activities")).toEqual([`${word} number 2`, `${word} number 1`]);
  expect(await arrow(second, "Next page")).toMatchObject({ "aria-disabled": "true" });
  expect((await arrow(second, "Previous page"))?.href).toBeDefined();
  // A page beyond the last says so and links back.
  const beyond = await visit(null, `/activities?q=${word}&page=400`);
  expect(beyond.html).toContain("No results. Try other words.");
  expect((await arrow(beyond, "Previous page"))?.href).toBeDefined();
});

test("M-36 M-37 an empty list of sessions shows a message and templates", async () => {
  const nobody = await makeUser();
  expect((await visit(nobody, "/events?joined=1")).html).toContain(
    "You don&#x27;t have any active sessions. Look for some active sessions to join.",
  );
  for (const path of ["/events?q=qqqqqq", "/?q=qqqqqq"]) {
    const page = await visit(null, path);
    expect(page.html, path).toContain(
      "We couldn&#x27;t find any active sessions. Create a session using a template below!",
    );
    expect(await page.links('[aria-label="Templates"]'), path).toMatchObject({
      Raft: "/challenges/create?template=raft",
    });
    // A fact that is no element of its own loses its first letters to the separator's clip.
    const facts = await page.texts('[aria-label="Templates"] .facts');
    expect(await page.texts('[aria-label="Templates"] .facts > span'), path).toEqual(facts);
  }
});

test("M-36 a search in the viewer's own lists without a match does not say that they have none", async () => {
  const none = "No results. Try other words.";
  const own = [
    ["/events", host, "You don't have any active sessions.", none],
    ["/", host, "You don't have any active sessions.", none],
    ["/activities", me, "You do not follow any activities yet.", none],
    [
      "/",
      me,
      "You do not follow any activities yet.",
      "No results. Try other words, or start something new.",
    ],
  ] as const;
  for (const [path, viewer, sentence, noResults] of own)
    for (const filter of ["q=qqqqqq", "category=nothing", "difficulty=99"]) {
      const text = (await (await visit(viewer, `${path}?joined=1&${filter}`)).texts("main")).join();
      expect(text, `${path} ${filter}`).toContain(noResults);
      expect(text, `${path} ${filter}`).not.toContain(sentence);
    }
  const nobody = await makeUser();
  for (const [path, , sentence] of own)
    expect((await (await visit(nobody, `${path}?joined=1`)).texts("main")).join()).toContain(sentence);
});

test("P-24 /challenges/templates: each has a Use link that creates an activity from it", async () => {
  const page = await visit(null, "/challenges/templates");
  expect(await page.texts("h1")).toEqual(["Templates"]);
  expect(await page.texts('[aria-label="Activities"] > li h2')).toEqual(["Canoe", "Raft"]);
  const uses = (await page.all('[aria-label="Activities"] a')).filter(({ text }) => text === "Use");
  expect(uses.map(({ attributes }) => attributes.href)).toEqual([
    "/challenges/create?template=canoe",
    "/challenges/create?template=raft",
  ]);
});

test("K-05 lists filter by difficulty, and by the categories that the server knows, in order of their titles", async () => {
  expect(DIFFICULTIES).toEqual([
    { title: "Easy", value: 3 },
    { title: "Normal", value: 4 },
    { title: "Difficult", value: 6 },
  ]);
  const { terms, difficulties } = await dataOf(null, "/api/activities");
  expect(difficulties).toEqual(DIFFICULTIES);
  const kept = await env.DB.prepare("SELECT slug, title FROM categories ORDER BY title").all();
  expect(terms).toEqual(kept.results);
  const choices = await (await visit(null, "/activities")).all('input[name="difficulty"]');
  expect(choices.map(({ attributes }) => attributes.value)).toEqual(["", "3", "4", "6"]);
  expect(ListQuery.parse({ difficulty: "many" }).difficulty).toBe(null);
});

test("Y-03 home names each day once, and offers a newcomer the running session to sit in as its one glow", async () => {
  const glow = async (user: TestUser | null) => (await visit(user, "/")).texts("main .bg-ember");
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const begin = (title: string, over: object) =>
    makeSession(host, { title, is_manually_started: 0, ...over });
  await begin("Later today", { started_at: at(72) });
  await begin("And then", { started_at: at(72.25) });
  const running = await begin("Already on", { started_at: at(1) });
  await env.DB.prepare("UPDATE sessions SET started_at = ?, ended_at = ? WHERE id = ?")
    .bind(Date.now() - 60_000, Date.now() + 3_600_000, running.id)
    .run();
  const page = await visit(null, "/");
  const days = await page.texts('main [aria-label="Running and upcoming sessions"] h3');
  expect(new Set(days).size).toBe(days.length);
  expect(days.at(-1)).toBe("When the host is ready");
  expect(await glow(null)).toEqual(["Sit in: Already on"]);
  // With a goal of their own somebody is no newcomer, and the tour has no card.
  const user = await makeUser();
  expect(await glow(user)).toEqual(["Sit in: Already on"]);
  await callAs(user, "POST", "/api/goals/store", { challenge: { tasks: [{ title: "Read a page" }] } });
  const own = await visit(user, "/");
  expect(await own.texts("main .bg-ember")).toEqual(["Create a Session"]);
  expect(await own.links("aside")).toMatchObject({ "Find a session to join": "/events" });
  expect(await own.texts('main [aria-label="Long goals"] a')).toEqual(["Read a page"]);
});

test("R-97 Y-03 U-58 a newcomer reads of the mail above all, and then one message at a time", async () => {
  const user = await makeUser({ isConfirmed: false });
  const messages = async (path: string) => {
    const { html } = await visit(user, path);
    return ["You have 10 free tokens to begin with", "Please confirm your email address", "New here?"].filter(
      (text) => html.includes(text),
    );
  };
  expect(await messages("/")).toEqual([
    "You have 10 free tokens to begin with",
    "Please confirm your email address",
  ]);
  const { html } = await visit(user, "/");
  expect(html.indexOf("Please confirm")).toBeLessThan(html.indexOf("You have 10 free tokens"));
  await callAs(user, "POST", "/api/users/read-new-message", { message_key: "free_tokens" });
  expect(await messages("/")).toEqual(["Please confirm your email address"]);
  await env.DB.prepare("UPDATE users SET email_confirmed_at = 1 WHERE id = ?").bind(user.id).run();
  expect(await messages("/")).toEqual(["New here?"]);
});

test("U-58 nobody with other tokens than the free ones reads of 10", async () => {
  for (const tokens of [49_600, 900]) {
    const user = await makeUser({ tokens });
    expect((await visit(user, "/")).html).not.toContain("10 free tokens");
  }
});
