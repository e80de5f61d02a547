// Rendering stored texts again: each table, in runs that may be interrupted, and what people wrote stays.
import { env } from "cloudflare:workers";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { replaceRendered, TABLES_WITH_TEXTS } from "#db/queries/rendered-texts";
import { setMark } from "#db/queries/upkeep";
import { callAs } from "#tests/support/ask";
import { db, makeUser, testApp } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makeHut, makeSession } from "#tests/support/sessions";
import { MARKDOWN_VERSION } from "~/domain/rich-text";
import { renderTextsAgain } from "./render-again.server";

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const first = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .first<Record<string, unknown>>();

/** The sum of all runs until the last text; `limit` texts in each. */
async function renderAll(limit = 100) {
  const app = await testApp();
  const sum = { rendered: 0, failed: 0, runs: 0 };
  const isAtEnd = async () => {
    const { mark } = (await first("SELECT mark FROM cron_marks WHERE job = 'render-again'")) ?? {};
    return mark !== undefined && JSON.parse(String(mark)).at === TABLES_WITH_TEXTS.length;
  };
  do {
    const did = await renderTextsAgain(app, limit);
    sum.rendered += did.rendered;
    sum.failed += did.failed;
    sum.runs++;
    expect(sum.runs).toBeLessThan(200);
  } while (!(await isAtEnd()));
  return sum;
}
const markOf = (version: number) =>
  setMark(db, "render-again", JSON.stringify({ version, at: TABLES_WITH_TEXTS.length, after: [] }));

beforeEach(() => db.delete(schema.cronMarks));

test("R-60 a run renders no more texts than its limit, the next continues behind them, and a repeat writes nothing", async () => {
  const user = await makeUser();
  const huts = [];
  for (let n = 0; n < 5; n++) huts.push(await makeHut(user));
  const app = await testApp();
  while ((await renderTextsAgain(app)).failed === 0 && !(await isAt("huts"))) {}
  for (const { id } of huts)
    await run("UPDATE huts SET content = 'one<br>two', content_html = 'old', summary = '' WHERE id = ?", id);
  const counts = [];
  for (let n = 0; n < 3; n++) counts.push((await renderTextsAgain(app, 2)).rendered);
  expect(counts).toEqual([2, 2, 1]);
  for (const { id } of huts)
    expect(await first("SELECT content_html, summary FROM huts WHERE id = ?", id)).toEqual({
      content_html: "<p>one<br>two</p>",
      summary: "one two",
    });
  await db.delete(schema.cronMarks);
  expect(await renderAll(2)).toMatchObject({ rendered: 0, failed: 0 });
});
const isAt = async (table: string) => {
  const { mark } = (await first("SELECT mark FROM cron_marks WHERE job = 'render-again'")) ?? {};
  const text = TABLES_WITH_TEXTS[JSON.parse(String(mark)).at];
  return text !== undefined && getTableName(text) === table;
};

test("R-60 texts are rendered again for each version of the rules, and once for it", async () => {
  const user = await makeUser();
  const { id } = await makeHut(user);
  const age = () => run("UPDATE huts SET content = 'A *text*.', content_html = 'old' WHERE id = ?", id);
  const html = async () => (await first("SELECT content_html FROM huts WHERE id = ?", id))?.content_html;
  await age();
  await markOf(MARKDOWN_VERSION);
  expect(await renderTextsAgain(await testApp())).toEqual({ rendered: 0, failed: 0 });
  expect(await html()).toBe("old");
  await markOf(MARKDOWN_VERSION - 1);
  expect((await renderAll()).rendered).toBeGreaterThan(0);
  expect(await html()).toBe("<p>A <em>text</em>.</p>");
});

test("R-60 every table of rendered text is rendered again", () => {
  const rich = Object.values(schema).filter(
    (one) => is(one, SQLiteTable) && "contentHtml" in getTableColumns(one),
  ) as SQLiteTable[];
  expect(rich.map(getTableName).sort()).toEqual(TABLES_WITH_TEXTS.map(getTableName).sort());
});

test("R-60 a note, whose key is its user and its id, is rendered only for its owner", async () => {
  const [user, bystander] = [await makeUser(), await makeUser()];
  for (const of of [user, bystander])
    await callAs(of, "POST", "/api/notes", { title: "A note", content: "if a<b and c>d" });
  await run("UPDATE notes SET content_html = '<p>if ad</p>', summary = 'if ad' WHERE user_id = ?", user.id);
  expect(await renderAll(1)).toMatchObject({ rendered: 1 });
  for (const of of [user, bystander])
    expect(await first("SELECT title, content_html, summary FROM notes WHERE user_id = ?", of.id)).toEqual({
      title: "A note",
      content_html: "<p>if a&#x3C;b and c>d</p>",
      summary: "if a<b and c>d",
    });
});

test("R-60 C-65 the summary that people wrote of a session stays", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host, { content: "One. Two. Three." });
  await run("UPDATE sessions SET summary = 'What we agreed on', content_html = 'old' WHERE id = ?", id);
  await renderAll();
  expect(await first("SELECT summary, content_html FROM sessions WHERE id = ?", id)).toEqual({
    summary: "What we agreed on",
    content_html: "<p>One. Two. Three.</p>",
  });
});

test("R-60 a text that somebody has written meanwhile stays", async () => {
  const user = await makeUser();
  const hut = await makeHut(user);
  const read = { id: hut.id, content: "Old", contentHtml: "<p>Old</p>" };
  await run("UPDATE huts SET content = 'New', content_html = '<p>New</p>' WHERE id = ?", hut.id);
  await replaceRendered(db, schema.huts, read, { contentHtml: "<p>Old text</p>" });
  expect(await first("SELECT content_html FROM huts WHERE id = ?", hut.id)).toEqual({
    content_html: "<p>New</p>",
  });
});

test("R-60 R-80 a goal is searched by its new summary and its tags", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { title: "Walk", content: "To the *ridge*", searchText: "walk calm" });
  await db.insert(schema.goalTags).values({ userId: user.id, goalId: goal.id, tag: "calm" });
  const bystander = await makeGoal(user, { title: "Swim", searchText: "swim far" });
  await renderAll();
  const searched = (id: number) => first("SELECT search_text FROM goals WHERE id = ?", id);
  expect(await searched(goal.id)).toEqual({ search_text: "walk to the ridge calm" });
  expect(await searched(bystander.id)).toEqual({ search_text: "swim far" });
});
