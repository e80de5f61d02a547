// The data of every page and its JSON twin on the wire contain usernames, and no ids of people.
import { expect, test } from "vitest";
import { api } from "#workers/api";
import { ask, callAs } from "./support/ask";
import { makeUser, type TestUser } from "./support/factories";
import { makeGoal } from "./support/goals";
import { filled, pageRoutes } from "./support/route-table";
import { makeActivity, makeHut, makeSession } from "./support/sessions";
import { post } from "./support/visit";

/** Ids that no other number of an answer has, so that they are found under any name. */
const [OWNER, STRANGER] = [734_000_017, 734_000_029];
const IDS = /\b(userId|ownerId|user_id|owner_id)\b/;
/** The id of another person, under any name. A page holds the viewer's own id once, as the mark of its owner. */
const OTHERS = (who: { id: number } | null) => new RegExp(`\\b(${who?.id === OWNER ? STRANGER : OWNER})\\b`);

test("Q-45 page data and JSON twins contain no id of a person, for a stranger, a visitor and the owner", async () => {
  const owner = await makeUser({ id: OWNER, tokens: 1_000_000 });
  const stranger = await makeUser({ id: STRANGER });
  const hut = await makeHut(owner);
  const activity = await makeActivity(owner);
  const session = await makeSession(owner, { tasks: [{ title: "Read" }] });
  const goal = await makeGoal(owner);
  const sent = await Promise.all([
    callAs(owner, "POST", "/api/logs/store-quick-log", { goal_id: goal.id }),
    callAs(owner, "POST", "/api/notes", { title: "A plan", goal_id: goal.id }),
    callAs(owner, "POST", `/challenges/${session.slug}/posts`, { item: { title: "Hello", content: "Hi" } }),
    callAs(owner, "PATCH", `/challenges/${activity.slug}`, { challenge: { tasks: [{ title: "Read" }] } }),
  ]);
  expect(sent.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  const params: Record<string, string> = {
    slug: activity.slug,
    hut: hut.slug,
    group: hut.slug,
    session: String(session.id),
    event: String(session.id),
    challenge: activity.slug,
    goal: String(goal.id),
    person: owner.username,
    tab: "login",
  };
  const found: string[] = [];
  let answered = 0;
  const look = (path: string, who: TestUser | null, status: number, text: string) => {
    if (status === 200) answered++;
    const [id] = IDS.exec(text) ?? OTHERS(who).exec(text) ?? [];
    if (id) found.push(`${path} as ${who?.username ?? "a visitor"}: ${id}`);
  };
  const pages = pageRoutes().filter(({ module }) => "default" in module);
  const calls = api.filter(({ call }) => call.method === "GET");
  for (const who of [null, stranger, owner]) {
    for (const { path } of pages) {
      const page = filled(path, params);
      const address = page === "/" ? "/_root.data" : `${page}.data`;
      const answer = await ask(address, { headers: who ? { Cookie: `login=${who.loginToken}` } : {} });
      look(address, who, answer.status, await answer.text());
    }
    for (const { call } of calls) {
      const path = call.path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? "1");
      const { status, body } = await callAs(who, "GET", path);
      look(path, who, status, JSON.stringify(body));
    }
  }
  expect(found).toEqual([]);
  expect(answered).toBeGreaterThan(100);
}, 120_000);

test("Q-45 answers of actions contain no id of a person", async () => {
  const owner = await makeUser();
  const page = await post(owner, "/my/goals", {
    intent: "goal.create",
    stay: "1",
    title: "Read",
  });
  expect([page.status, page.html.match(IDS)?.[0]]).toEqual([200, undefined]);
});
