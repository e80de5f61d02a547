// Bringing stored data up to date: titles on one line, texts rendered again, totals recounted.
import { env } from "cloudflare:workers";
import { eq, getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { renewRow, TEXTS } from "#db/queries/renewal";
import { callAs } from "#tests/support/ask";
import { db, makeUser, testApp } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makeHut, makeSession } from "#tests/support/sessions";
import { type Progress, RENEWAL_STEPS, renewData } from "./renewal.server";

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const first = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .first<Record<string, unknown>>();

class Stopped extends Error {}

/** Runs until the end or until `stops` stretches are saved; answers what was saved last and the lines that were said. */
async function renew(from: Progress | null, stops = Number.POSITIVE_INFINITY) {
  const app = await testApp();
  let saved = from;
  let stretches = 0;
  const said: string[] = [];
  try {
    await renewData(app, from, (progress, done) => {
      saved = JSON.parse(JSON.stringify(progress));
      if (done) said.push(done);
      if (++stretches === stops) throw new Stopped();
    });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { saved, said, isStopped: true };
  }
  return { saved, said, isStopped: false };
}

const TITLE = "Two\r\nlines\u2028here \u0007";

/** Rows as an older version stored them. */
async function storeOld() {
  const user = await makeUser();
  const hut = await makeHut(user);
  const session = await makeSession(user);
  const { body: goal } = await callAs(user, "POST", "/api/goals/store", { title: "A goal" });
  await callAs(user, "POST", "/api/notes", {
    title: "A note",
    content: "if a<b and c>d",
  });
  await run(
    "UPDATE huts SET title = ?, content = ?, content_html = '' WHERE id = ?",
    TITLE,
    "one<br>two",
    hut.id,
  );
  await run(
    "UPDATE sessions SET title = ?, join_code = ?, schedule = json_set(schedule, '$.groups[0].parts[0].title', ?) WHERE id = ?",
    TITLE,
    " la\nmp ",
    TITLE,
    session.id,
  );
  await run("UPDATE goals SET title = ?, unit = ? WHERE id = ?", "\u200b\u3164", "pa\u0000ges", goal.goal.id);
  await run(
    "UPDATE notes SET title = ?, content_html = '<p>if ad</p>', summary = 'if ad' WHERE user_id = ?",
    TITLE,
    user.id,
  );
  return { user, hut, session, goal: goal.goal };
}

test("R-59 R-60 a renewal that is interrupted after each stretch ends as one that is not, and a repeat writes nothing", async () => {
  const { user, hut, session, goal } = await storeOld();
  let progress: Progress | null = null;
  for (let runs = 0; ; runs++) {
    const { saved, isStopped } = await renew(progress, 1);
    progress = saved;
    if (!isStopped) break;
    expect(runs).toBeLessThan(500);
  }
  expect(await first("SELECT title, content_html, summary FROM huts WHERE id = ?", hut.id)).toEqual({
    title: "Two lines here",
    content_html: "<p>one<br>two</p>",
    summary: "one two",
  });
  expect(await first("SELECT title, join_code FROM sessions WHERE id = ?", session.id)).toEqual({
    title: "Two lines here",
    join_code: "la mp",
  });
  expect(await first("SELECT title, unit FROM goals WHERE id = ?", goal.id)).toEqual({
    title: "Untitled",
    unit: "pa ges",
  });
  expect(await first("SELECT title, content_html, summary FROM notes WHERE user_id = ?", user.id)).toEqual({
    title: "Two lines here",
    content_html: "<p>if a&#x3C;b and c>d</p>",
    summary: "if a<b and c>d",
  });
  const { said } = await renew(null);
  expect(said.slice(0, 2)).toEqual(RENEWAL_STEPS.slice(0, 2).map(({ name }) => `${name}: 0`));
  expect(said).toHaveLength(RENEWAL_STEPS.length);
});

test("R-54 a renewal recounts the totals of everybody", async () => {
  const user = await makeUser();
  const { body } = await callAs(user, "POST", "/api/goals/store", { title: "Pages", amount: 10 });
  await run("UPDATE goals SET amount_elapsed = 99000 WHERE id = ?", body.goal.id);
  await renew(null);
  expect(await first("SELECT amount_elapsed FROM goals WHERE id = ?", body.goal.id)).toEqual({
    amount_elapsed: 0,
  });
});

test("R-59 a title that somebody has written meanwhile stays", async () => {
  const user = await makeUser();
  const hut = await makeHut(user);
  await run("UPDATE huts SET title = 'New' WHERE id = ?", hut.id);
  await db.batch(renewRow(db, schema.huts, { id: hut.id, title: "Old\n" }, { title: "Old" }) as never);
  expect(await first("SELECT title FROM huts WHERE id = ?", hut.id)).toEqual({ title: "New" });
});

test("R-60 every table of rendered text is rendered again", () => {
  const rich = Object.values(schema).filter(
    (one) => is(one, SQLiteTable) && "contentHtml" in getTableColumns(one),
  ) as SQLiteTable[];
  expect(rich.map(getTableName).sort()).toEqual(TEXTS.map(getTableName).sort());
});

test("R-60 C-65 a renewal keeps the summary that people wrote of a session", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host, { content: "One. Two. Three." });
  await run("UPDATE sessions SET summary = 'What we agreed on', content_html = 'old' WHERE id = ?", id);
  await renew(null);
  expect(await first("SELECT summary, content_html FROM sessions WHERE id = ?", id)).toEqual({
    summary: "What we agreed on",
    content_html: "<p>One. Two. Three.</p>",
  });
});

test("R-59 a renewal folds tags, once for each goal, and search and counts follow", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const [goal, second] = [
    await makeGoal(user, { title: "Walk", sharedTags: ["two\nlines"] }),
    await makeGoal(user, { title: "Read" }),
  ];
  const bystander = await makeGoal(other, { title: "Swim", searchText: "swim calm" });
  await db.insert(schema.goalTags).values([
    { userId: user.id, goalId: goal.id, tag: "two\nlines" },
    { userId: user.id, goalId: goal.id, tag: "two lines" },
    { userId: user.id, goalId: second.id, tag: "two\nlines" },
    { userId: user.id, goalId: second.id, tag: "\u200b" },
    { userId: other.id, goalId: bystander.id, tag: "calm" },
  ]);
  await renew(null);
  const tags = await db.select().from(schema.goalTags).orderBy(schema.goalTags.goalId);
  const ours = tags.filter(({ goalId }) => [goal.id, second.id, bystander.id].includes(goalId));
  expect(ours.map(({ goalId, tag }) => [goalId, tag])).toEqual([
    [goal.id, "two lines"],
    [second.id, "two lines"],
    [bystander.id, "calm"],
  ]);
  const rows = await db.select().from(schema.goals).where(eq(schema.goals.userId, user.id));
  expect(rows.map(({ sharedTags, searchText }) => [sharedTags, searchText])).toEqual([
    [["two lines"], "walk two lines"],
    [[], "read two lines"],
  ]);
  const counts = await db.select().from(schema.tagCounts).where(eq(schema.tagCounts.userId, user.id));
  expect(counts.map(({ tag, goals }) => [tag, goals])).toEqual([["two lines", 2]]);
  expect(await first("SELECT search_text FROM goals WHERE id = ?", bystander.id)).toEqual({
    search_text: "swim calm",
  });
});

test("R-59 H-05 a title that a renewal folds is found by its new words", async () => {
  const user = await makeUser();
  const hut = await makeHut(user);
  await run("UPDATE huts SET title = ?, title_pairs = 'ol ld' WHERE id = ?", "山の\n小屋", hut.id);
  await renew(null);
  const { title_pairs } = (await first("SELECT title_pairs FROM huts WHERE id = ?", hut.id)) as {
    title_pairs: string;
  };
  expect(title_pairs).toContain("小屋");
  expect(title_pairs).not.toContain("ol ld");
});
