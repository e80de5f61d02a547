// The export: complete, limited to the user's own data, in batches, and safe in a spreadsheet.
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs, type Json, ORIGIN } from "#tests/support/ask";
import { countingD1 } from "#tests/support/counting-d1";
import { appOf, db, makeUser, NOW, type TestUser, testApp } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makeItem } from "#tests/support/items";
import { join, makeActivity, makeHut, makeSession, setSession } from "#tests/support/sessions";
import { DAY, instant, seconds } from "~/domain/time";
import { loader } from "~/routes/accounts/export";
import { storeQuickLog } from "~/use-cases/goals/logs.server";
import { createNote } from "~/use-cases/goals/notes.server";
import { EXPORT_KINDS } from "~/wire/export";

const download = async (user: TestUser | null, file: string, app = user ? appOf(user) : testApp()) => {
  const request = new Request(`${ORIGIN}/account/export/${file}`);
  const args = { request, params: { file }, context: { app: await app, nonce: "" } } as never;
  return (await loader(args).catch((thrown: unknown) => thrown)) as Response;
};

/** The lines of a table, by the names in its first line. */
function linesOf(text: string): Record<string, string>[] {
  const [names = [], ...lines] = [
    ...text.replace("\uFEFF", "").matchAll(/((?:"(?:[^"]|"")*"|[^"\r])*)\r\n/g),
  ].map(([, line = ""]) =>
    [...`,${line}`.matchAll(/,("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell = ""]) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    ),
  );
  return lines.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""])));
}

test("X-17 Q-42 the file holds decisions about the user, passkeys by name and date, and since when two-step is on", async () => {
  const user = await makeUser();
  await db.batch([
    db.insert(schema.twoStep).values({ userId: user.id, secret: "sealed", createdAt: NOW, confirmedAt: NOW }),
    db.insert(schema.passkeys).values({
      id: `key-${user.id}`,
      userId: user.id,
      name: "Laptop",
      publicKey: "public",
      counter: 0,
      createdAt: NOW,
    }),
    db.insert(schema.decisions).values({
      tokenHash: `hash-${user.id}`,
      kind: "post",
      targetId: "7",
      userId: user.id,
      authorName: user.username,
      act: "remove",
      reason: "Insults",
      snapshot: "Rude words",
      path: "/group/hut/forum",
      decidedAt: NOW,
      appeal: "It was a joke",
      appealedAt: NOW,
    }),
  ]);
  const text = await (await download(user, "everything.json")).text();
  const all = JSON.parse(text);
  const at = new Date(NOW).toISOString();
  expect(all.account[0].two_step_since).toBe(at);
  expect(all.passkeys).toEqual([{ name: "Laptop", created_at: at, last_used_at: null }]);
  expect(all.decisions).toMatchObject([
    {
      kind: "post",
      id: "7",
      act: "remove",
      reason: "Insults",
      text: "Rude words",
      appeal: "It was a joke",
      is_granted: null,
    },
  ]);
  for (const secret of ["sealed", "public", `hash-${user.id}`]) expect(text).not.toContain(`"${secret}"`);
});

test("X-17 the JSON file contains every kind of the user's data, and no data of others", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const goal = await makeGoal(user, {
    title: "Paint the door",
    items: [{ uuid: "a", title: "Sand", link: "", isChecked: true }],
    quickLogButtons: [],
    recurrence: { every: "day" },
    remindAt: 7 * 60 + 30,
  });
  const app = await appOf(user);
  const { log } = await storeQuickLog(app, { goalId: goal.id, amount: 1500, title: "First coat" });
  await createNote(app, { title: "Colours", todo: "buy green", goalId: goal.id });
  const theirs = await makeGoal(other, { title: "Not yours" });
  await storeQuickLog(await appOf(other), { goalId: theirs.id });

  const answer = await download(user, "everything.json");
  expect(answer.headers.get("Content-Disposition")).toBe(
    `attachment; filename="bothy-${user.username}-2026-11-21.json"`,
  );
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  const text = await answer.text();
  const all = JSON.parse(text);
  expect(Object.keys(all)).toEqual([
    "app_name",
    "exported_at",
    ...EXPORT_KINDS.map((kind) => kind.replace("-", "_")),
  ]);
  expect(all.account).toMatchObject([{ username: user.username, email: user.email }]);
  expect(all.goals).toMatchObject([
    {
      title: "Paint the door",
      amount_elapsed: 1.5,
      items: [{ uuid: "a", title: "Sand", x: 1 }],
      recurrence: { every: "day" },
      remind_at: "07:30",
    },
  ]);
  expect(all.logs).toMatchObject([
    {
      uuid: log.uuid,
      goal: { title: "Paint the door" },
      goal_title: "Paint the door",
      amount: 1.5,
      title: "First coat",
      day: "2026-11-21",
    },
  ]);
  expect(all.days).toMatchObject([{ goal_id: goal.id, day: "2026-11-21", amount: 1.5, logs: 1 }]);
  expect(all.notes).toMatchObject([{ title: "Colours", todo: "buy green", goal_id: goal.id }]);
  expect(all.tokens).toMatchObject([{ kind: "welcome", granted: 10, remaining: 9.98 }]);
  expect(all.token_entries).toMatchObject([
    { reason: "log", tokens: -0.01 },
    { reason: "note", tokens: -0.01 },
  ]);
  expect(text).not.toContain("Not yours");
  expect(text).not.toContain("passwordHash");
});

test("X-17 G-27 each session has the attendance of the user, and the host's own texts", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const [attended, missed, ahead] = [
    await makeSession(user, { content: "Bring a pen", meeting_link: "https://meet.example/mine" }),
    await makeSession(user),
    await makeSession(user),
  ];
  const theirs = await makeSession(other, { content: "Not yours" });
  expect((await join(user, theirs.id)).status).toBe(200);
  const seen = { startedAt: NOW, seconds: seconds(60), hasCome: true } as const;
  await db.insert(schema.attendance).values([
    { ...seen, userId: user.id, sessionId: attended.id },
    { ...seen, userId: user.id, sessionId: missed.id, seconds: seconds(0), hasCome: false },
    { ...seen, userId: other.id, sessionId: ahead.id, seconds: seconds(90) },
  ]);
  const { sessions } = JSON.parse(await (await download(user, "everything.json")).text());
  expect(sessions).toMatchObject([
    { id: attended.id, attended: 60, has_come: 1 },
    { id: missed.id, attended: 0, has_come: 0 },
    { id: ahead.id, attended: null, has_come: null },
    { id: theirs.id, is_host: 0, content: null, prompt: null, meeting_link: null, donation_link: null },
  ]);
  expect(sessions[0]).toMatchObject({ content: "Bring a pen", meeting_link: "https://meet.example/mine" });
});

const exportOf = async (user: TestUser) => JSON.parse(await (await download(user, "everything.json")).text());

test("X-17 V-04 the account has its own name, and beside it the person who acts", async () => {
  const user = await makeUser();
  const second = `second-${user.id}`;
  expect((await callAs(user, "POST", "/me/persons", { username: second })).status).toBe(201);
  expect((await callAs(user, "POST", `/me/persons/${second}/switch-to`, {})).status).toBe(200);
  const { account } = await exportOf(user);
  expect(account).toMatchObject([
    { username: user.username, person: { username: second }, persons: [user.username, second] },
  ]);
});

test("X-17 V-04 A-11 goals and items are the same in the file, whichever person of the account acts", async () => {
  const user = await makeUser();
  const second = `second-${user.id}`;
  expect((await callAs(user, "POST", "/me/persons", { username: second })).status).toBe(201);
  const [person] = await db.select().from(schema.persons).where(eq(schema.persons.username, second));
  for (const personId of [user.personId, person?.id ?? 0]) {
    const parent = await makeItem(user, { personId, slug: `shelf-${personId}`, title: "Shelf", status: 0 });
    await makeItem(user, { personId, slug: `book-${personId}`, parentId: parent.id });
  }
  await makeGoal(user);
  const first = await exportOf(user);
  expect(first.goals).toMatchObject([{ username: user.username }]);
  const children = first.items.filter((item: { parent_id: number | null }) => item.parent_id !== null);
  expect(children.map(({ path, parent }: Json) => ({ path, parent }))).toEqual(
    [
      [user.personId, user.username],
      [person?.id, second],
    ].map(([id, name]) => ({
      path: `/shelf-${id}/book-${id}`,
      parent: { title: "Shelf", path: `/${name}/shelf-${id}` },
    })),
  );
  expect((await callAs(user, "POST", `/me/persons/${second}/switch-to`, {})).status).toBe(200);
  const { goals, items } = await exportOf(user);
  expect([goals, items]).toEqual([first.goals, first.items]);
});

test("X-17 R-56 a session that is closed to the user says nothing of how many came", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const [open, closed] = [await makeSession(other), await makeSession(other)];
  for (const { id } of [open, closed]) expect((await join(user, id)).status).toBe(200);
  const hut = await makeHut(other);
  await setSession(closed.id, { hutId: hut.id });
  const ban = { scope: "hut", targetId: hut.id, userId: user.id, kind: "ban", createdAt: NOW } as const;
  await db.insert(schema.sanctions).values(ban);
  const { sessions } = await exportOf(user);
  expect(sessions).toMatchObject([
    { id: open.id, participants_count: 2 },
    { id: closed.id, participants_count: null },
  ]);
});

test("X-17 the text of a hut is in its owner's file, and null in a member's", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const [own, theirs] = [await makeHut(user, [user]), await makeHut(other, [user])];
  for (const { id } of [own, theirs])
    await db.update(schema.huts).set({ content: "Welcome", summary: "Hi" }).where(eq(schema.huts.id, id));
  const { groups } = await exportOf(user);
  expect(groups).toMatchObject([
    { id: own.id, is_owner: 1, content: "Welcome", summary: "Hi" },
    { id: theirs.id, is_owner: 0, content: null, summary: "" },
  ]);
});

test("X-17 Q-42 the subscription that runs and those that have ended are in the file", async () => {
  const user = await makeUser();
  const stamps = { userId: user.id, startDate: NOW, createdAt: NOW, updatedAt: NOW };
  await db.insert(schema.subscriptions).values([
    {
      ...stamps,
      product: "goals_sub",
      providerId: `past-${user.id}`,
      stripeSubStatus: "canceled",
      endDate: NOW,
      periodEnd: NOW,
    },
    {
      ...stamps,
      product: "goals_sessions_sub",
      providerId: `now-${user.id}`,
      stripeSubStatus: "active",
      periodEnd: instant(NOW + 30 * DAY),
    },
  ]);
  const { subscriptions } = await exportOf(user);
  const at = new Date(NOW).toISOString();
  expect(subscriptions).toMatchObject([
    { product: { name: "goals_sub" }, start_date: at, end_date: at, period_end: at, is_subscribed: 0 },
    { product: { name: "goals_sessions_sub" }, start_date: at, end_date: null, is_subscribed: 1 },
  ]);
  expect(JSON.stringify(subscriptions)).not.toContain(`now-${user.id}`);
});

test("X-17 an item is exported whatever number its order is", async () => {
  const user = await makeUser();
  const orders = [-Number.MAX_VALUE, -1e16, 0, Number.MAX_VALUE];
  for (const order_ms of orders) {
    const { id } = await makeItem(user);
    expect((await callAs(user, "PATCH", `/items/${id}`, { order_ms })).status).toBe(200);
  }
  const { items } = await exportOf(user);
  expect(items.map((item: { order_ms: number }) => item.order_ms)).toEqual(orders);
});

/** Adds 700 copies of a row; `fresh` computes what has to differ. */
async function copyRow(table: string, id: number, fresh: Record<string, string>): Promise<void> {
  const { results } = await env.DB.prepare("SELECT name FROM pragma_table_info(?) WHERE name <> 'id'")
    .bind(table)
    .all<{ name: string }>();
  const names = results.map(({ name }) => name);
  await env.DB.prepare(`INSERT INTO ${table} (${names.map((name) => `"${name}"`)})
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
    SELECT ${names.map((name) => fresh[name] ?? `t."${name}"`)} FROM n, ${table} t WHERE t.id = ${id}`).run();
}

test("X-17 goals, activities, sessions and series by the hundred are exported once each, in batches", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const slug = { slug: "t.slug || '-' || i" };
  for (const one of [other, user])
    await copyRow("goals", (await makeGoal(one)).id, { uuid: "lower(hex(randomblob(16)))" });
  await copyRow("activities", (await makeActivity(user)).id, slug);
  const session = await makeSession(user);
  await copyRow("sessions", session.id, slug);
  await db.run(sql`INSERT INTO attendance (user_id, session_id, started_at, seconds, has_come)
    SELECT ${user.id}, id, ${NOW}, 60, 1 FROM sessions WHERE owner_id = ${user.id}`);
  const rule = { title: "Pages", rule: "FREQ=DAILY", timeZone: "UTC", localStart: "2026-11-24T09:00" };
  const [series] = await db
    .insert(schema.series)
    .values({
      ...rule,
      ownerId: user.id,
      template: {} as never,
      laidUntil: NOW,
      createdAt: NOW,
      updatedAt: NOW,
    })
    .returning();
  await copyRow("series", series?.id ?? 0, slug);
  const lastGoal = await makeGoal(user);
  await db.run(
    sql`UPDATE goals SET activity_id = (SELECT max(id) FROM activities) WHERE id = ${lastGoal.id}`,
  );

  const file = await exportOf(user);
  for (const [kind, table, owner] of [
    ["goals", "goals", "activity_id IS NULL AND user_id"],
    ["activities", "activities", "owner_id"],
    ["sessions", "sessions", "owner_id"],
    ["series", "series", "owner_id"],
  ]) {
    const rows = await db.all<{ id: number }>(
      sql.raw(`SELECT id FROM ${table} WHERE ${owner} = ${user.id} ORDER BY id`),
    );
    expect(rows, kind).toHaveLength(701);
    expect(file[kind ?? ""].map(({ id }: { id: number }) => id)).toEqual(rows.map(({ id }) => id));
  }
  expect(file.activities.at(-1).tasks).toMatchObject([{ title: lastGoal.title }]);
  expect(file.activities[0].tasks).toEqual([]);

  for (const kind of ["goals", "activities", "sessions", "series"]) {
    const { d1, counts } = countingD1(env.DB);
    const app = { ...(await appOf(user)), db: connect(d1) };
    await (await download(user, `${kind}.csv`, Promise.resolve(app))).text();
    expect([kind, counts.trips]).toEqual([kind, 2]);
  }
});

test("X-17 activities, series, turns and follows are the user's own, oldest first", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const ids: number[] = [];
  for (const owner of [other, user, user]) {
    const stamps = { createdAt: NOW, updatedAt: NOW };
    const rule = { title: "Pages", rule: "FREQ=DAILY", timeZone: "UTC", localStart: "2026-11-24T09:00" };
    const [row] = await db
      .insert(schema.series)
      .values({ ...rule, ...stamps, ownerId: owner.id, template: {} as never, laidUntil: NOW })
      .returning();
    ids.push(row?.id ?? 0);
  }
  const activities = [await makeActivity(other), await makeActivity(other), await makeActivity(other)];
  const mine = [await makeActivity(user), await makeActivity(user)];
  const [first = 0, second = 0, third = 0] = ids;
  const [all, own, theirs] = activities.map(({ id }) => id) as [number, number, number];
  await db.insert(schema.rotaHosts).values([
    { seriesId: third, userId: user.id, place: 0, acceptedAt: NOW },
    { seriesId: first, userId: user.id, place: 1 },
    { seriesId: second, userId: other.id, place: 0 },
  ]);
  await db.insert(schema.followers).values([
    { activityId: own, userId: user.id, followedAt: NOW },
    { activityId: all, userId: user.id, followedAt: NOW },
    { activityId: all, userId: other.id, followedAt: NOW },
    { activityId: theirs, userId: other.id, followedAt: NOW },
  ]);
  const file = JSON.parse(await (await download(user, "everything.json")).text());
  expect(file.activities.map(({ id }: { id: number }) => id)).toEqual(mine.map(({ id }) => id));
  expect(file.series.map(({ id }: { id: number }) => id)).toEqual([second, third]);
  expect(file.turns).toMatchObject([
    { series_id: first, accepted_at: null },
    { series_id: third, accepted_at: new Date(NOW).toISOString() },
  ]);
  expect(file.follows.map((follow: { challenge_id: number }) => follow.challenge_id)).toEqual([all, own]);
});

test("X-17 every day of a goal is exported once, where a batch ends between two days", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  await db.run(sql`INSERT INTO goal_days (goal_id, user_id, day, amount, duration, distance_mm, logs, is_skipped, is_shared)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
    SELECT ${goal.id}, ${user.id}, date('2025-01-01', i || ' days'), i * 1000, 0, 0, 1, 0, 0 FROM n`);
  const lines = linesOf(await (await download(user, "days.csv")).text());
  expect(lines.map(({ amount }) => Number(amount))).toEqual(
    Array.from({ length: 700 }, (_, index) => index + 1),
  );
  const { days } = JSON.parse(await (await download(user, "everything.json")).text());
  expect(days).toHaveLength(700);
});

test("X-17 a table has a line for each record, quotes where necessary, and runs no formula", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { title: 'Say "hello", twice' });
  const app = await appOf(user);
  await storeQuickLog(app, { goalId: goal.id, amount: 2000, title: "=HYPERLINK(1)", content: "two\nlines" });
  const answer = await download(user, "logs.csv");
  expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  const text = await answer.text();
  expect(text).toMatch(/^\uFEFF?id,uuid,/);
  expect(text).toContain(',"Say ""hello"", twice",');
  expect(text).toContain(",'=HYPERLINK(1),");
  expect(text).toContain('"two\nlines"');
  expect(text.endsWith("\r\n")).toBe(true);
  expect(linesOf(text)).toMatchObject([
    {
      goal_title: 'Say "hello", twice',
      goal: expect.stringContaining('"title":"Say \\"hello\\", twice"'),
      amount: "2",
      title: "'=HYPERLINK(1)",
      content: "two\nlines",
      day: "2026-11-21",
    },
  ]);
});

test("X-17 a visitor is redirected to sign in, and an unknown file is not found", async () => {
  const visitor = await download(null, "everything.json");
  expect([visitor.status, visitor.headers.get("Location")]).toEqual([
    302,
    "/?auth=login&next=%2Faccount%2Fexport%2Feverything.json",
  ]);
  expect((await download(await makeUser(), "passwords.csv")).status).toBe(404);
});

test("X-17 three thousand logs are exported in batches, each once, reading each row once", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  await db.run(sql`INSERT INTO logs (id, uuid, goal_id, user_id, username, status, amount, day, created_at, updated_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    SELECT i, lower(hex(randomblob(16))), ${goal.id}, ${user.id}, ${user.username}, 2, i * 1000, '2026-11-21', ${NOW}, ${NOW} FROM n`);
  const { d1, counts } = countingD1(env.DB);
  const app = { ...(await appOf(user)), db: connect(d1) };
  const text = await (await download(user, "logs.csv", Promise.resolve(app))).text();
  const amounts = linesOf(text).map(({ amount }) => Number(amount));
  expect(amounts).toEqual(Array.from({ length: 3000 }, (_, index) => index + 1));
  // Each log and its goal.
  expect(counts.rowsRead).toBeLessThanOrEqual(2 * 3000 + 20);
  expect(counts.trips).toBe(7);
});

test("X-17 a goal's export has only its logs", async () => {
  const user = await makeUser();
  const app = await appOf(user);
  const [read, run] = [await makeGoal(user, { title: "Read" }), await makeGoal(user, { title: "Run" })];
  for (const goal of [read, run]) await storeQuickLog(app, { goalId: goal.id, amount: 1000, status: 2 });
  const get = async (file: string, goal: number) => {
    const request = new Request(`${ORIGIN}/account/export/${file}?goal=${goal}`);
    const args = { request, params: { file }, context: { app, nonce: "" } } as never;
    return (await loader(args).catch((thrown: unknown) => thrown)) as Response;
  };
  const answer = await get("logs.csv", read.id);
  expect(answer.headers.get("Content-Disposition")).toContain(`logs-${read.id}-`);
  expect(linesOf(await answer.text())).toMatchObject([{ goal_id: String(read.id), goal_title: "Read" }]);
  expect((await get("notes.csv", read.id)).status).toBe(404);
});
