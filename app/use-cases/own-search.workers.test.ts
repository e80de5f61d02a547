// The search of a user's goals, notes and logs, by every door that has one.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { connect } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { countingD1 } from "#tests/support/counting-d1";
import { appOf, makeUser, NOW, type TestUser } from "#tests/support/factories";
import { makeSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { indexedWords } from "~/domain/search-words";
import { storeQuickLog } from "./goals/logs.server";
import { viewMyGoals, viewMyLogs, viewMyNotes } from "./my.server";
import { search } from "./palette.server";

const PAIRS: [text: string, q: string][] = [
  ["Don’t stop", "don't"],
  ["Don’t stop", "dont"],
  ["Crème brûlée", "creme"],
  ["Creme fraiche", "CRÈME"],
  ["Co‑op – walk", "co-op"],
  ["Straße", "strasse"],
  ["Łódź", "lodz"],
  ["Smørrebrød", "smorrebrod"],
  ["كِتَاب", "كتاب"],
  ["שָׁלוֹם", "שלום"],
  ["İstanbul", "istanbul"],
  ["हिन्दी", "हिन्दी"],
  ["ไทยน้ำ", "น้ำ"],
  ["日本語の読書会", "読書"],
  // Signs that enclose others are no part of a word in the index.
  ["1\ufe0f\u20e32\ufe0f\u20e3 keys", "1\ufe0f\u20e32"],
  ["a\u20ddzz circled", "zz"],
];

let goal = 0;
const made = async (user: TestUser, path: string, body: object) => {
  const answer = await callAs(user, "POST", path, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};
const makeGoalOf = async (user: TestUser, title: string) =>
  (await made(user, "/api/goals/store", { title })).goal.id as number;
const makeNoteOf = async (user: TestUser, title: string, over: object = {}) =>
  (await made(user, "/api/notes", { title, ...over })).id as number;
const makeLogOf = async (user: TestUser, title: string, over: object = {}) =>
  (await made(user, "/api/logs/store-quick-log", { goal_id: goal, title, ...over })).log.id as number;

type Row = { kind: string; title: string };
const titles = (rows: Row[]) => rows.map(({ title }) => title);
const fromPalette = async (user: TestUser | null, kind: string, q: string) =>
  titles(
    (await dataOf(user, `/api/search?q=${encodeURIComponent(q)}`)).results.filter(
      (one: Row) => one.kind === kind,
    ),
  );

/** Every search of a user's things: what it searches, and the titles that it answers. */
const SEARCHES: Record<
  string,
  { make: typeof makeGoalOf; find: (user: TestUser, q: string) => Promise<string[]> }
> = {
  "My Goals": {
    make: makeGoalOf,
    find: async (user, q) => titles((await dataOf(user, `/api/my/goals?q=${encodeURIComponent(q)}`)).goals),
  },
  "My Notes": {
    make: makeNoteOf,
    find: async (user, q) => titles((await dataOf(user, `/api/my/notes?q=${encodeURIComponent(q)}`)).notes),
  },
  "My Logs": {
    make: makeLogOf,
    find: async (user, q) => titles((await dataOf(user, `/api/my/logs?q=${encodeURIComponent(q)}`)).logs),
  },
  "the palette, goals": { make: makeGoalOf, find: (user, q) => fromPalette(user, "goal", q) },
  "the palette, notes": { make: makeNoteOf, find: (user, q) => fromPalette(user, "note", q) },
  "the palette, logs": { make: makeLogOf, find: (user, q) => fromPalette(user, "log", q) },
};
const KINDS = ["goal", "note", "log"] as const;

let me: TestUser;
let other: TestUser;
beforeAll(async () => {
  [me, other] = [await makeUser({ tokens: 100_000 }), await makeUser({ tokens: 100_000 })];
  goal = await makeGoalOf(other, "Bystander");
  await makeLogOf(other, "Bystander");
  goal = await makeGoalOf(me, "Something");
  for (const title of new Set(PAIRS.map(([text]) => text)))
    for (const make of [makeGoalOf, makeNoteOf, makeLogOf]) await make(me, title);
});

describe.each(Object.entries(SEARCHES))("%s", (_, { find }) => {
  test.each(PAIRS)("R-80 finds %j by %j", async (text, q) => {
    expect(await find(me, q)).toContain(text);
    expect(await find(other, q)).toEqual([]);
  });
  test("R-80 finds nothing by punctuation", async () => {
    expect(await find(me, "!!")).toEqual([]);
  });
});

test("R-80 a word of the plan, what is to do and what is done finds a note, and the text of a log finds the log", async () => {
  const user = await makeUser({ tokens: 100_000 });
  await makeNoteOf(user, "Plan", { content: "about **otters**", todo: "feed herons", done: "met newts" });
  for (const q of ["otters", "herons", "newts"])
    expect(await SEARCHES["My Notes"]?.find(user, q)).toEqual(["Plan"]);
  goal = await makeGoalOf(user, "Walk");
  await makeLogOf(user, "", { content: "saw a **kingfisher**" });
  expect(await SEARCHES["My Logs"]?.find(user, "kingf")).toHaveLength(1);
  expect(await fromPalette(user, "log", "kingf")).toEqual(["saw a kingfisher"]);
});

test("R-80 an edit moves a thing to its new words, and a deletion takes it out of the index", async () => {
  const user = await makeUser({ tokens: 100_000 });
  const rows = async () => {
    const of = (kind: string, key: string) =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${kind}_words WHERE ${kind}_words MATCH ?`)
        .bind(`"\ue000${user.id}\ue000${key}" *`)
        .first<number>("n");
    return Promise.all(KINDS.map((kind) => of(kind, "w")));
  };
  goal = await makeGoalOf(user, "Wander");
  const note = await makeNoteOf(user, "Wander");
  const log = await makeLogOf(user, "Wander");
  await makeNoteOf(user, "Wonder", { goal_id: goal });
  expect(await rows()).toEqual([1, 2, 1]);
  await callAs(user, "PATCH", `/api/notes/${note}`, { title: "Sleep" });
  await callAs(user, "PATCH", `/api/challenge-logs/${log}/update`, { title: "Sleep" });
  await callAs(user, "PATCH", `/api/goals/update/${goal}`, { title: "Sleep" });
  for (const { find } of Object.values(SEARCHES)) {
    expect(await find(user, "wander")).toEqual([]);
    expect(await find(user, "sleep")).toEqual(["Sleep"]);
  }
  await callAs(user, "POST", `/api/goals/${goal}/complete`);
  for (const name of ["My Goals", "the palette, goals"])
    expect(await SEARCHES[name]?.find(user, "sleep")).toEqual(["Sleep"]);
  expect(await rows()).toEqual([0, 1, 0]);
  await makeLogOf(user, "Wail");
  const app = await appOf(user);
  const { deleteGoal } = await import("./goals/goals.server");
  await deleteGoal(app, { goal });
  expect(await rows()).toEqual([0, 0, 0]);
  const { deleteNote } = await import("./goals/notes.server");
  await deleteNote(app, { note });
  expect(await SEARCHES["My Notes"]?.find(user, "sleep")).toEqual([]);
});

test("R-80 a log that gets words later, and loses them, is found only while it has them", async () => {
  const user = await makeUser({ tokens: 100_000 });
  goal = await makeGoalOf(user, "Swim");
  const { log } = await made(user, "/api/logs/store-quick-log", { goal_id: goal });
  const find = (q: string) => SEARCHES["My Logs"]?.find(user, q);
  expect(await find("cold")).toEqual([]);
  await callAs(user, "PATCH", `/api/challenge-logs/${log.id}/update`, { title: "Cold lake" });
  expect(await find("cold")).toEqual(["Cold lake"]);
  await callAs(user, "PATCH", `/api/challenge-logs/${log.id}/update`, { title: "" });
  expect(await find("cold")).toEqual([]);
});

test("R-80 the erasure of an account leaves no word of it in the index", async () => {
  const user = await makeUser({ tokens: 100_000 });
  goal = await makeGoalOf(user, "Zebra");
  await makeNoteOf(user, "Zebra");
  await makeLogOf(user, "Zebra");
  const count = (of: string) =>
    env.DB.prepare(`SELECT count(*) AS n FROM ${of}_words WHERE ${of}_words MATCH ?`)
      .bind(`"\ue000${user.id}\ue000zebra"`)
      .first<number>("n");
  expect(await Promise.all(KINDS.map(count))).toEqual([1, 1, 1]);
  const { eraseAccount } = await import("#db/queries/accounts/deletion");
  const { id } = await makeSession(user);
  await env.DB.prepare("UPDATE logs SET session_id = ? WHERE user_id = ?").bind(id, user.id).run();
  await (await appOf(user)).db.batch(eraseAccount(connect(env.DB), user.id, NOW as never) as never);
  expect(await Promise.all(KINDS.map(count))).toEqual([0, 0, 0]);
});

test("C2 a quick log writes as many rows as without the index, and one with a text two more at most", async () => {
  const user = await makeUser({ tokens: 100_000 });
  goal = await makeGoalOf(user, "Count");
  let rows = 0;
  const count = ({ meta }: { meta?: { rows_written?: number } }) => (rows += meta?.rows_written ?? 0);
  const d1 = wrappedD1(env.DB, {
    one: async (_, __, ask) => ask(),
    batch: async (_, ask) => {
      const results = await ask();
      for (const one of results) count(one);
      return results;
    },
  });
  const app = { ...(await appOf(user)), db: connect(d1) };
  const written = async (over: object) => {
    rows = 0;
    await storeQuickLog(app, { goalId: goal, ...over });
    return rows;
  };
  // The first log of a day writes the day, too.
  await written({});
  const [bare, text, title] = [
    await written({}),
    await written({ content: "saw a kingfisher" }),
    await written({ title: "Heron" }),
  ];
  const { results: triggers } = await env.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'logs' AND sql LIKE '%log_words%'",
  ).all<{ name: string; sql: string }>();
  expect(triggers.length).toBeGreaterThan(0);
  for (const { name } of triggers) await env.DB.prepare(`DROP TRIGGER ${name}`).run();
  const without = await written({});
  for (const { sql } of triggers) await env.DB.prepare(sql).run();
  expect([bare - without, bare > 0]).toEqual([0, true]);
  for (const one of [text, title]) {
    expect(one - bare).toBeGreaterThan(0);
    expect(one - bare).toBeLessThanOrEqual(2);
  }
});

test("C2 a write of a text costs at most two rows more, a log without a text none", async () => {
  const user = await makeUser({ tokens: 100_000 });
  goal = await makeGoalOf(user, "Count");
  const written = async (run: string, ...values: unknown[]) =>
    (
      await env.DB.prepare(run)
        .bind(...values)
        .run()
    ).meta.rows_written;
  const noteOf = (id: number, text: string) =>
    written(
      "INSERT INTO notes (id, user_id, title, search_text, created_at, updated_at) VALUES (?, ?, 'n', ?, 1, 1)",
      id,
      user.id,
      text,
    );
  const logOf = (id: number, text: string) =>
    written(
      "INSERT INTO logs (id, uuid, user_id, username, status, day, search_text, created_at, updated_at) VALUES (?, ?, ?, 'u', 2, '2026-11-21', ?, 1, 1)",
      id,
      `count-${id}`,
      user.id,
      text,
    );
  const [bareNote, note, bareLog, log] = [
    await noteOf(1, ""),
    await noteOf(2, "some words"),
    await logOf(1, ""),
    await logOf(2, "some words"),
  ];
  expect(note - bareNote).toBeLessThanOrEqual(2);
  expect(log - bareLog).toBeLessThanOrEqual(2);
  const update = (text: string) =>
    written("UPDATE notes SET search_text = ? WHERE user_id = ? AND id = 2", text, user.id);
  const same = await update("some words");
  expect((await update("other words")) - same).toBeLessThanOrEqual(2);
  const erased = (id: number) => written("DELETE FROM notes WHERE user_id = ? AND id = ?", user.id, id);
  const [gone, bareGone] = [await erased(2), await erased(1)];
  expect(gone - bareGone).toBeLessThanOrEqual(2);
});

test("R-80 no list of words and no near word comes from private texts", async () => {
  const { results } = await env.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE sql LIKE '%fts5vocab%'",
  ).all<{ name: string; sql: string }>();
  expect(results.length).toBeGreaterThan(0);
  for (const { sql } of results) expect(sql).not.toMatch(/goal|note|log_/);
  const user = await makeUser({ tokens: 100_000 });
  await makeNoteOf(user, "Xylophonist");
  for (const one of [user, other])
    expect((await dataOf(one, "/api/activities?q=xylophonits")).corrected ?? null).toBeNull();
});

describe("D1 R-96", () => {
  const MANY = 300;
  let user: TestUser;
  beforeAll(async () => {
    user = await makeUser({ tokens: 100_000 });
    const numbers = `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${MANY})`;
    const words = `'${indexedWords("Heron")}' || iif(n = 1, ' oldest', '')`;
    const run = (statement: string) => env.DB.prepare(`${numbers} ${statement}`).run();
    // Another person's rows have the same ids.
    for (const { id } of [user, other]) {
      await run(
        `INSERT INTO goals (uuid, user_id, title, status, search_text, created_at, updated_at) SELECT 'g-${id}-' || n, ${id}, 'Heron ' || n, 1 + n % 2, ${words}, 1, 1 FROM c`,
      );
      await run(
        `INSERT INTO notes (id, user_id, title, search_text, created_at, updated_at) SELECT 1000000 + n * 1000, ${id}, 'Heron ' || n, ${words}, 1, 1 FROM c`,
      );
      await run(
        `INSERT INTO logs (id, uuid, user_id, username, title, status, day, search_text, created_at, updated_at) SELECT 1000000 + n * 1000, 'l-${id}-' || n, ${id}, 'u', 'Heron ' || n, 2, '2026-11-21', ${words}, 1, 1 FROM c`,
      );
    }
  });

  const VIEWS = { goals: viewMyGoals, notes: viewMyNotes, logs: viewMyLogs };
  test.each(Object.entries(VIEWS))(
    "a search of %s reads at most ten rows for each shown and 80, on the first page and the next",
    async (name, view) => {
      const app = await appOf(user);
      let [page, after, last]: [number, string | undefined, number] = [
        1,
        undefined,
        Number.POSITIVE_INFINITY,
      ];
      for (const q of ["heron", "heron", "heron"]) {
        const { d1, counts } = countingD1(env.DB);
        const list: { rows: unknown[]; perPage: number } = await view(
          { ...app, db: connect(d1) },
          { page, after, q },
        );
        expect(counts.trips).toBe(1);
        const rows = Math.min(list.rows.length, list.perPage);
        expect(rows).toBe(list.perPage);
        // A goal costs a token: pages of goals are found by their number.
        expect(counts.rowsRead).toBeLessThanOrEqual(10 * rows * (name === "goals" ? page : 1) + 80);
        if ("after" in list) {
          after = (list as { after: string | null }).after ?? undefined;
          const ids = (list.rows as { id: number }[]).slice(0, rows).map(({ id }) => id);
          expect(ids).toEqual(ids.toSorted((a, b) => b - a));
          expect(ids[0]).toBeLessThan(last);
          last = ids.at(-1) ?? 0;
        }
        page++;
      }
      const { d1, counts } = countingD1(env.DB);
      const oldest = await view({ ...app, db: connect(d1) }, { page: 1, q: "oldest" });
      expect(oldest.rows).toHaveLength(1);
      expect(counts.rowsRead).toBeLessThanOrEqual(90);
    },
  );

  test("the palette finds the oldest goal, note and log of three hundred", async () => {
    const app = await appOf(user);
    const { d1, counts } = countingD1(env.DB);
    const { results } = await search({ ...app, db: connect(d1) }, { q: "oldest" });
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["goal", "log", "note"]);
    expect(counts.rowsRead).toBeLessThanOrEqual(110);
    for (const { path, kind } of results.filter((one) => one.kind !== "goal")) {
      const { html } = await visit(user, path);
      expect(html, kind).toContain("Heron 1<");
      expect(html, kind).not.toContain("Heron 2<");
    }
  });

  test("R-96 a search by limit goes from cursor to cursor, each row once", async () => {
    const seen: number[] = [];
    for (let after: string | null = ""; after !== null; ) {
      const list = (await dataOf(
        user,
        `/api/my/notes?q=heron&limit=100${after ? `&after=${after}` : ""}`,
      )) as { notes: { id: number }[]; next: string | null };
      seen.push(...list.notes.map(({ id }) => id));
      after = list.next;
    }
    expect(new Set(seen).size).toBe(MANY);
    expect(seen).toHaveLength(MANY);
  });
});

test("R-80 My Logs shows the logs until a day in the reader's time zone, without JavaScript", async () => {
  const user = await makeUser({ tokens: 100_000 });
  const at = (iso: string) => Date.parse(iso) * 1000;
  for (const [title, iso] of [
    ["Late on the twentieth", "2026-11-20T22:59:00Z"],
    ["Early on the twentyfirst", "2026-11-20T23:01:00Z"],
  ] as const)
    await env.DB.prepare(
      "INSERT INTO logs (id, uuid, user_id, username, title, status, day, search_text, created_at, updated_at) VALUES (?, ?, ?, 'u', ?, 2, '2026-11-20', ?, 1, 1)",
    )
      .bind(at(iso), title, user.id, title, indexedWords(title))
      .run();
  const app = { ...(await appOf(user)), timeZone: "Europe/Vienna" };
  const shown = async (query: object) => titles((await viewMyLogs(app, { page: 1, ...query })).rows as never);
  expect(await shown({ until: "2026-11-20" })).toEqual(["Late on the twentieth"]);
  expect(await shown({ until: "2026-11-21" })).toHaveLength(2);
  expect(await shown({ until: "2026-11-20", q: "the" })).toEqual(["Late on the twentieth"]);
  const { html } = await visit(user, "/my/logs?q=early&until=2026-11-21");
  expect(html).toContain("Early on the twentyfirst");
  expect(html).not.toContain("Late on the twentieth");
  expect(html).toMatch(/<form[^>]*role="search"/);
  expect((await visit(user, "/my/logs?q=nothing&until=nonsense")).html).toContain("No logs found.");
});
