// Every list of the calls by `limit` and its cursor, beside the documented pages of the same list (R-96, C-05).
import { beforeAll, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { instant, MINUTE } from "~/domain/time";
import openApi from "~/wire/openapi.json";
import { callAs, dataOf } from "./support/ask";
import { type CallName, everyCall } from "./support/every-call";
import { db, makeUser, makeUsers, NOW, type TestUser } from "./support/factories";
import { makeGoal } from "./support/goals";
import { makeItem } from "./support/items";
import { join, makeActivity, makeHut, makePost, makeSession, sayIn, setSession } from "./support/sessions";

/** More rows than a page of 12 has. */
const ROWS = 14;
const numbers = Array.from({ length: ROWS }, (_, n) => n);
const each = async <T>(make: (n: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  for (const n of numbers) made.push(await make(n));
  return made;
};

let user: TestUser;
/** The values of the placeholders of a path. */
const things: Record<string, string | number> = {};
beforeAll(async () => {
  user = await makeUser({ tokens: 100_000 });
  const others = await makeUsers(ROWS);
  const at = (n: number) => ({ createdAt: instant(NOW + n), updatedAt: instant(NOW + n) });
  const [hut] = await each(() => makeHut(user, [user]));
  const activities = await each(() => makeActivity(user, { hutId: hut?.id ?? 0 }));
  await each(() => makeActivity(user, { isTemplate: true }));
  const sessions = await each((n) =>
    makeSession(user, {
      hut_id: hut?.id,
      is_manually_started: 0,
      started_at: new Date(Date.now() + 60 * MINUTE + n).toISOString(),
    }),
  );
  for (const { id } of sessions) await setSession(id, { activityId: activities[0]?.id ?? 0 });
  const { id: event } = await makeSession(user, { hut_id: hut?.id });
  await callAs(user, "POST", `/challenge-events/${event}/start`, {});
  for (const other of others) await join(other, event);
  const goals = await each(() => makeGoal(user, { tags: [] } as object));
  const [goal] = goals;
  let nextId = 0;
  const log = (n: number, more: object) => ({
    id: 1_000_000 + nextId++,
    uuid: crypto.randomUUID(),
    userId: user.id,
    username: user.username,
    title: `${n}`,
    status: 2,
    day: "2026-11-21",
    ...at(n),
    ...more,
  });
  await each((n) =>
    db.insert(schema.logs).values([log(n, { goalId: goal?.id }), log(n, { sessionId: event })] as never),
  );
  // A running goal is first in its list.
  await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goals[3]?.id, start: 1 });
  await each((n) =>
    db
      .insert(schema.notes)
      .values({ id: 1_000_000 + n, userId: user.id, goalId: goal?.id, title: `${n}`, ...at(n) } as never),
  );
  await each((n) =>
    db.insert(schema.notices).values({
      userId: user.id,
      id: `e${`${n}`.padStart(20, "0")}`,
      kind: "invitation-used",
      subject: `hut:${hut?.id}`,
      body: { name: user.username, title: "Hut", path: "/group/hut" },
      others: [],
      at: NOW,
    }),
  );
  const parent = await makeItem(user);
  await each((n) => makeItem(user, { parentId: parent.id, orderMs: instant(NOW + n) }));
  await each((n) => makeItem(user, { hutId: hut?.id ?? 0, orderMs: instant(NOW + n) }));
  await each((n) => makeItem(user, { isBook: true, orderMs: instant(NOW + n), ...at(n) }));
  await each(() => makePost(user, { sessionId: event }));
  await each(async (n) => expect((await sayIn(user, event, `Line ${n}`)).status).toBe(201));
  Object.assign(things, {
    hut: hut?.slug,
    group: hut?.slug,
    challenge: activities[0]?.slug,
    event,
    goal: goal?.id,
    person: user.username,
    parentItem: user.username,
    childItem: parent.slug,
  });
}, 120_000);

/** The field of the answer with the rows, and that of a row's identity. */
const FIELDS: Record<string, [rows: string, id: string]> = {
  viewHome: ["challenges", "id"],
  listActivities: ["challenges", "id"],
  listTemplates: ["challenges", "id"],
  viewActivity: ["sessions", "id"],
  listHuts: ["groups", "id"],
  viewHut: ["challenges", "id"],
  viewHutSessions: ["sessions", "id"],
  viewHutActivities: ["challenges", "id"],
  listBooks: ["books", "id"],
  viewMe: ["items", "id"],
  viewMeInHut: ["items", "id"],
  viewPerson: ["items", "id"],
  viewItem: ["items", "id"],
  listMyNotices: ["notices", "id"],
  listMyGoals: ["goals", "id"],
  listMyLogs: ["logs", "id"],
  viewGoalLogs: ["logs", "id"],
  listMyNotes: ["notes", "id"],
  viewGoalNotes: ["notes", "id"],
  listMySessions: ["sessions", "id"],
  listMyHuts: ["groups", "id"],
  listSessions: ["sessions", "id"],
  viewMemberGoals: ["member_goals", "username"],
  viewSessionLogs: ["logs", "id"],
  viewSessionForum: ["posts", "id"],
  viewSessionChat: ["messages", "seq"],
};
const LISTS = Object.entries(everyCall)
  .filter(([, call]) => call.rows !== undefined)
  .map(([name]) => name as CallName);
const addressOf = (name: CallName, query: Record<string, string | number | null>) => {
  const path = everyCall[name].path.replace(/\{(\w+)\}/g, (_, of: string) => String(things[of]));
  const sent = Object.entries(query).flatMap(([key, value]) => (value === null ? [] : [[key, `${value}`]]));
  return `${path}?${new URLSearchParams(sent as [string, string][])}`;
};
const read = async (name: CallName, query: Record<string, string | number | null>) => {
  const [rows = "", id = ""] = FIELDS[name] ?? [];
  const data = await dataOf(user, addressOf(name, query));
  return { ids: data[rows].map((row: Record<string, unknown>) => row[id]) as unknown[], data };
};

async function byLimit(name: CallName, limit: number) {
  const ids: unknown[] = [];
  let after: string | null = null;
  do {
    const answer: Awaited<ReturnType<typeof read>> = await read(name, { limit, after });
    expect(answer.ids.length, name).toBeLessThanOrEqual(limit);
    expect(answer.data.next === null || typeof answer.data.next === "string", name).toBe(true);
    ids.push(...answer.ids);
    after = answer.data.next;
  } while (after !== null && ids.length < 100);
  return ids;
}

/** The documented pages: by number, or by the cursor of a list without numbers. */
async function byPage(name: CallName) {
  const ids: unknown[] = [];
  let query: Record<string, string | number | null> = { page: 1 };
  for (let page = 1; page < 10; page++) {
    const { ids: shown, data } = await read(name, query);
    expect(data, name).not.toHaveProperty("next");
    ids.push(...shown.slice(0, data.per_page ?? shown.length));
    if (data.per_page === undefined && data.after === null) break;
    if (shown.length === 0 || name === "viewSessionChat") break;
    query = data.per_page === undefined ? { after: data.after } : { page: page + 1 };
  }
  return ids;
}

/** Calls with a field `page` or a cursor that are no list: the posts of a series are below its dates. */
const OTHERS = ["viewSeriesPlace"];

test("R-96 every call that answers by pages takes a limit, and the table above has each", () => {
  expect(LISTS.toSorted()).toEqual(Object.keys(FIELDS).toSorted());
  type Parameters = { parameters?: { name: string }[]; operationId: string };
  const paged = Object.values(openApi.paths)
    .flatMap((methods) => Object.values(methods as unknown as Record<string, Parameters>))
    .filter(({ parameters = [] }) =>
      parameters.some(({ name }) => name === "page" || name === "after" || name === "before"),
    )
    .map(({ operationId }) => operationId);
  expect([...LISTS, ...OTHERS].toSorted()).toEqual(paged.toSorted());
});

test.each(LISTS)(
  "R-96 C-05 %s answers the same rows once each by limit and by page",
  async (name) => {
    const pages = await byPage(name);
    expect(new Set(pages).size).toBe(pages.length);
    expect(pages.length).toBeGreaterThanOrEqual(ROWS);
    const sorted = (ids: unknown[]) => ids.map(String).toSorted();
    for (const limit of [1, 5, 100])
      expect(sorted(await byLimit(name, limit)), `${limit}`).toEqual(sorted(pages));
  },
  60_000,
);

test("R-96 C-05 a limit outside 1 to 100 is refused with its name, and without one a page has a row more", async () => {
  for (const name of LISTS) {
    for (const limit of ["0", "101", "x", ""]) {
      const { status, body } = await callAs(user, "GET", addressOf(name, { limit }));
      const fields = { limit: ["Please give a limit from 1 to 100."] };
      expect([name, limit, status, body.fields]).toEqual([name, limit, 422, fields]);
    }
  }
  const { ids, data } = await read("listMyLogs", {});
  expect([ids.length, data.per_page]).toEqual([13, 12]);
});
