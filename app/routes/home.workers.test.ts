// Home on installations that have nothing, only the library, templates, or sessions, as rendered by the server.
import { exports } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { ORIGIN } from "#tests/support/ask";
import { db, makeUser, type TestUser } from "#tests/support/factories";
import { makeActivity, makeSession, setSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";

const CREATE = { "Create an Activity": "/challenges/create" };
const USE_TEMPLATE = "We couldn't find any active sessions. Create a session using a template below!";
const NOTHING = "There are no sessions yet, and no templates to begin from.";
const NO_OTHERS = "There are no others at the moment.";

const homeOf = async (user: TestUser | null) => {
  const page = await visit(user, "/");
  const text = (await page.texts("main")).join();
  const templates = await page.texts('main [aria-label="Templates"] h3');
  return { page, says: [USE_TEMPLATE, NOTHING, NO_OTHERS].filter((one) => text.includes(one)), templates };
};

afterEach(async () => {
  await db.delete(schema.activities);
});

test("H-03 without sessions and templates home says so, and offers to create an activity, to a visitor too", async () => {
  for (const user of [null, await makeUser()]) {
    const { page, says, templates } = await homeOf(user);
    expect([says, templates]).toEqual([[NOTHING], []]);
    expect(await page.links()).toMatchObject(CREATE);
    expect((await visit(user, "/challenges/create")).status).toBeLessThan(400);
  }
});

test("M-37 without templates the list of sessions names none below", async () => {
  const saysOf = async (path: string) => (await (await visit(null, path)).texts("main")).join();
  for (const path of ["/events", "/events?q=zzz", "/?q=zzz"])
    expect(await saysOf(path), path).not.toContain("using a template below");
  expect(await saysOf("/events")).toContain(NOTHING);
  expect(await saysOf("/events?q=zzz")).toContain("No results. Try other words.");
});

test("H-03 without a session home shows templates, each with its address", async () => {
  const user = await makeUser();
  const { slug } = await makeActivity(user, { title: "Focus", isTemplate: true });
  for (const viewer of [null, user]) {
    const { page, says } = await homeOf(viewer);
    expect(says).toEqual([USE_TEMPLATE]);
    expect(await page.links()).toMatchObject({ Focus: `/challenges/create?template=${slug}` });
  }
});

test("H-03 with sessions home shows them, and its own session alone says that there are no others", async () => {
  const [host, other] = [await makeUser(), await makeUser()];
  const { id } = await makeSession(host, { title: "Evening" });
  expect(await homeOf(other)).toMatchObject({ says: [], templates: [] });
  expect(await homeOf(host)).toMatchObject({ says: [NO_OTHERS] });
  await setSession(id, { closedAt: 1 as never });
});

test("H-08 an installation with only the library has its templates, and no account of the demo", async () => {
  const worker = (exports as unknown as { default: { fetch(request: Request): Promise<Response> } }).default;
  const post = (path: string) =>
    worker.fetch(new Request(`${ORIGIN}${path}`, { method: "POST", headers: { Origin: ORIGIN } }));
  expect((await post("/local/library")).status).toBe(200);
  const { page, says } = await homeOf(null);
  expect(says).toEqual([USE_TEMPLATE]);
  const all = await visit(null, "/challenges/templates");
  const uses = async (of: typeof page) =>
    new Set((await of.all('main a[href*="template="]')).map(({ attributes }) => attributes.href)).size;
  expect(await uses(all)).toBeGreaterThanOrEqual(8);
  expect(await uses(page)).toBeGreaterThan(0);
  const persons = (await db.select().from(schema.persons)).map(({ username }) => username);
  expect(persons.filter((name) => /^(host|participant|super-admin)/.test(name))).toEqual([]);
});
