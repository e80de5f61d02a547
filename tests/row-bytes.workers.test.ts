// The bound on the bytes of a row, at every address. Deployed D1 limits rows to 2,000,000 bytes; a local D1 does not.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { beforeAll, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { brokenConstraint } from "~/domain/errors";
import { ROW_BYTES } from "~/domain/row-size";
import { PLAN_BYTES } from "~/domain/schedule/size";
import { HOUR, instant } from "~/domain/time";
import { callAs } from "./support/ask";
import { NOON } from "./support/clock";
import { appOf, makeUser, type TestUser } from "./support/factories";
import { fullPlan, turnsBeside } from "./support/full-plan";
import { actorOf, makeSession as makeRoom, seatCrowd, stubOf } from "./support/rooms";
import { makeActivity, makeHut, makeSession, sessionNow, stageSession } from "./support/sessions";
import { post } from "./support/visit";

/** Three bytes per letter, and as many again as HTML. */
const WIDE = "\u6c34".repeat(199_000);
const TOO_LONG = ["That is too long. Please shorten it."];
const TOO_MANY = ["That is too many timers for one session."];

let user: TestUser;
beforeAll(async () => {
  user = await makeUser({ tokens: 1_000_000 });
});
const said = ({ status, body }: Awaited<ReturnType<typeof callAs>>) => [status, body.error_code, body.fields];
const refusal = (field: string, sentences: string[]) => [422, "INVALID", { [field]: sentences }];

test("D-01 R-35 a session's text beyond the bytes of a row is refused at its field when created, changed and saved", async () => {
  const challenge = { title: "Wide", duration: 3600, is_manually_started: 1, content: WIDE };
  expect(said(await callAs(user, "POST", "/challenge-events", { challenge }))).toEqual(
    refusal("content", TOO_LONG),
  );
  const { id, slug } = await makeSession(user);
  const patch = { challenge: { content: WIDE } };
  expect(said(await callAs(user, "PATCH", `/challenge-events/${id}/patch`, patch))).toEqual(
    refusal("content", TOO_LONG),
  );
  const save = { content: WIDE };
  expect(said(await callAs(user, "PUT", `/challenges/${slug}/save-content`, save))).toEqual(
    refusal("content", TOO_LONG),
  );
  await callAs(user, "POST", `/challenge-events/${id}/start`, {});
  expect(said(await callAs(user, "PUT", `/challenges/${slug}/save-content`, save))).toEqual(
    refusal("content", TOO_LONG),
  );
  expect((await sessionNow(id))?.content).toBe("");
});

test("D-01 R-35 a form with a text beyond the bytes of a row comes back with the sentence", async () => {
  const page = await post(user, "/challenges/events/create", {
    title: "Wide",
    startMode: "manual",
    duration: "1h",
    difficulty: "4",
    content: WIDE,
  });
  expect(page.status).toBe(422);
  expect(page.html).toContain(TOO_LONG[0]);
});

test("D-01 R-35 an activity's text and a goal's buttons beyond the bytes of a row are refused at their fields", async () => {
  const challenge = { title: "Wide", content: WIDE };
  expect(said(await callAs(user, "POST", "/challenges", { challenge }))).toEqual(
    refusal("content", TOO_LONG),
  );
  const { slug } = await makeActivity(user);
  expect(said(await callAs(user, "PATCH", `/challenges/${slug}`, { challenge }))).toEqual(
    refusal("content", TOO_LONG),
  );
  const quick_log_buttons = Array.from({ length: 10 }, (_, i) => ({
    title: String(i),
    content: `${"x".repeat(98_000)}${"\u00e9".repeat(2000)}`,
  }));
  expect(said(await callAs(user, "POST", "/api/goals/store", { title: "Wide", quick_log_buttons }))).toEqual(
    refusal("quick_log_buttons", TOO_LONG),
  );
});

test("E-07 R-35 a plan is measured with its repeats expanded, at every address", async () => {
  const timers = Array.from({ length: 100 }, (_, i) => ({
    uuid: `i${i}`,
    title: "x".repeat(40),
    duration: 1,
  }));
  const parts = [{ uuid: "g", sets: 490, parts: [{ uuid: "p", title: "A", is_interval: 1, timers }] }];
  const challenge = { title: "Plan", is_manually_started: 1, parts };
  expect(said(await callAs(user, "POST", "/challenge-events", { challenge }))).toEqual(
    refusal("parts", TOO_MANY),
  );
  expect(said(await callAs(user, "POST", "/challenges", { challenge: { title: "Plan", parts } }))).toEqual(
    refusal("parts", TOO_MANY),
  );
  const { slug } = await makeActivity(user);
  expect(said(await callAs(user, "PATCH", `/challenges/${slug}`, { challenge: { parts } }))).toEqual(
    refusal("parts", TOO_MANY),
  );
  const { id } = await makeSession(user);
  const whole = [`/challenge-events/${id}/patch`, `/challenge-events/${id}/parts`] as const;
  const send = async () => [
    said(await callAs(user, "PATCH", whole[0], { challenge: { parts } })),
    said(await callAs(user, "POST", whole[1], { challenge: { parts } })),
  ];
  expect(await send()).toEqual([refusal("parts", TOO_MANY), refusal("parts", TOO_MANY)]);
  await callAs(user, "POST", `/challenge-events/${id}/start`, {});
  expect(await send()).toEqual([refusal("parts", TOO_MANY), refusal("parts", TOO_MANY)]);
});

test("C-69 R-35 contributions fill a session's text up to the bytes of a row, in the room and in D1", async () => {
  const { host, session } = await stageSession({ content: "" });
  await callAs(host, "POST", `/challenge-events/${session.id}/start`, {});
  await callAs(host, "POST", `/challenge-events/${session.id}/parts/a/start`, {});
  const contribution = "&".repeat(20_000);
  let last: Awaited<ReturnType<typeof callAs>> | null = null;
  for (let i = 0; i < 10 && last?.status !== 422; i++)
    last = await callAs(host, "PUT", `/challenges/${session.slug}/contribute-content`, { contribution });
  expect(last && said(last)).toEqual(refusal("contribution", TOO_LONG));
  const longest = await runInDurableObject(
    stubOf(session.id),
    (_, { storage }) =>
      storage.sql.exec<{ bytes: number }>("SELECT max(octet_length(body)) AS bytes FROM room").one().bytes,
  );
  expect(longest).toBeGreaterThan(900_000);
  // JSON escapes a few letters with a backslash.
  expect(longest).toBeLessThan(ROW_BYTES * 1.1);
});

test("R-35 T-15 with 10,000 people, the largest plan and parallel turns no row exceeds its bytes, during the run and after", async () => {
  const { id } = await makeRoom([user], {
    now: NOON,
    startedAt: instant(NOON + HOUR),
    schedule: fullPlan([turnsBeside()]),
  });
  await seatCrowd(id, 9999);
  await env.DB.prepare("UPDATE sessions SET content = ?, content_html = ? WHERE id = ?")
    .bind("x".repeat(199_000), "y".repeat(800_000), id)
    .run();
  const room = (await appOf(user)).rooms.of(id);
  const by = actorOf(user);
  await room.change({ type: "start", by });
  const control = (partId: string, action: "start" | "finish") =>
    room.change({ type: "control-part", by, partId, action });
  const bytes = async () => {
    const kept = await runInDurableObject(stubOf(id), (_, { storage }) =>
      storage.sql
        .exec<{ key: string; bytes: number }>("SELECT key, octet_length(body) AS bytes FROM room")
        .toArray(),
    );
    const record = await env.DB.prepare(
      "SELECT octet_length(schedule) AS plan, octet_length(content) + octet_length(content_html) + octet_length(prompt) AS texts FROM sessions WHERE id = ?",
    )
      .bind(id)
      .first<{ plan: number; texts: number }>();
    const { run = 0, texts: roomTexts = 0 } = Object.fromEntries(kept.map((row) => [row.key, row.bytes]));
    return { run, roomTexts, plan: record?.plan ?? 0, texts: record?.texts ?? 0 };
  };
  await control("a", "start");
  const full = await bytes();
  await expect(control("b", "start")).rejects.toThrow("Too many people take turns");
  for (const partId of ["a", "b", "c", "d", "e"]) {
    if (partId !== "a") await control(partId, "start");
    await control(partId, "finish");
  }
  const after = await bytes();
  expect(full.run).toBeGreaterThan(PLAN_BYTES + 300_000);
  for (const row of [...Object.values(full), ...Object.values(after)])
    expect(row).toBeLessThanOrEqual(ROW_BYTES);
  // D1 stores both in one row, which may have 2,000,000 bytes.
  expect(full.plan + full.texts).toBeLessThan(1_980_000);
  expect(after.run).toBeLessThan(PLAN_BYTES + 50_000);
});

test("D-01 R-35 control characters and lone surrogates, six bytes each in a room's row, are removed from texts", async () => {
  const { host, event, challenge, view } = await stageSession({
    content: `a\u0000\u0001b\ud800c\td\n${"\u0001".repeat(150_000)}`,
  });
  await event(host, "/start");
  await event(host, "/parts/a/start");
  const contribution = `e\u0007\udfff\u{1f6d6}`;
  expect((await challenge(host, "PUT", "/contribute-content", { contribution })).body).toMatchObject({
    content: "e\u{1f6d6}",
  });
  expect((await view(host)).session.content).toBe("abc\td\n\n\ne\u{1f6d6}");
  const empty = await challenge(host, "PUT", "/contribute-content", { contribution: "\u0007" });
  expect(said(empty)).toEqual(refusal("contribution", ["Please write your contribution."]));
});

const TABLES = [
  "activities",
  "goals",
  "huts",
  "items",
  "logs",
  "notes",
  "paraphrases",
  "posts",
  "sessions",
  "snippets",
];
test("R-35 the database refuses a row beyond the bytes in every table of texts, on insert and update", async () => {
  const hut = await makeHut(user);
  const change = (bytes: number) =>
    env.DB.prepare("UPDATE huts SET content = ? WHERE id = ?").bind("x".repeat(bytes), hut.id).run();
  await change(ROW_BYTES);
  await expect(change(ROW_BYTES + 1)).rejects.toThrow("row_fits_content");
  await expect(
    env.DB.prepare(
      "INSERT INTO huts (slug, title, content, owner_id, created_at, updated_at) VALUES ('wide', 'Wide', ?, ?, 1, 1)",
    )
      .bind("x".repeat(ROW_BYTES + 1), user.id)
      .run(),
  ).rejects.toThrow("row_fits_content");
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%\"row_fits_content\" CHECK%' ORDER BY name",
  ).all();
  expect(results).toEqual(TABLES.map((name) => ({ name })));
});

test("R-35 the database names the column with more than half of the bytes", async () => {
  const refused = (set: string, ...bytes: number[]) =>
    env.DB.prepare(`UPDATE notes SET ${set} WHERE user_id = ?`)
      .bind(...bytes.map((count) => "x".repeat(count)), user.id)
      .run()
      .then(() => "nothing", brokenConstraint);
  await callAs(user, "POST", "/api/notes", { title: "Full" });
  expect(await refused("content = ?, todo = ?", 500_000, 500_000)).toBe("nothing");
  expect(await refused("content = ?, todo = ?", 400_000, 600_001)).toBe("row_fits_todo");
  expect(await refused("content = ?, todo = ?, done = ?", 0, 400_000, 600_001)).toBe("row_fits_done");
  expect(await refused("content = ?, todo = ?, done = ?", 400_000, 300_001, 300_000)).toBe(
    "row_fits_content",
  );
});

test("R-35 each table with a rich text or a plan has the check", () => {
  const named = Object.values(schema)
    .filter((value) => is(value, SQLiteTable))
    .filter((table) => "content" in getTableColumns(table) || "schedule" in getTableColumns(table))
    .map(getTableName)
    // The room bounds a session's text together with its contributions.
    .filter((name) => name !== "contributions");
  expect(named.sort()).toEqual(TABLES);
});
