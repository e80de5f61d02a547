// Brings stored data up to the rules of today, step by step and in stretches that may be interrupted and repeated.
import { runBatch } from "#db/connect.server";
import * as renewal from "#db/queries/renewal";
import { foldLine } from "~/domain/text-lines";
import { searchTextOf } from "~/use-cases/goals/goals.server";
import { recountGoals } from "~/use-cases/goals/recount.server";
import type { App } from "./app.server";

type Renewing = Pick<App, "db" | "richText">;
/** How far a step is: a table by its place in the list, and the key of the last row. Null: at the beginning. */
type Mark = { at: number; after: unknown[] } | null;
type Stretch = { next: Mark; rows: number };
type Step = { name: string; run: (app: Renewing, mark: Mark) => Promise<Stretch> };
/** `rows` counts what was written. */
export type Progress = { step: number; mark: Mark; rows: number };

const LINES_AT_ONCE = 200;
const TEXTS_AT_ONCE = 20;
const UNTITLED = "Untitled";

/** The parts of stored JSON that are one line. */
const LINE_NAMES = new Set([
  "title",
  "action",
  "unit",
  "link",
  "joinCode",
  "donationLink",
  "meetingLink",
  "sharedTags",
]);
const foldWithin = (value: unknown, name = ""): unknown => {
  if (typeof value === "string") return LINE_NAMES.has(name) ? foldLine(value) : value;
  if (Array.isArray(value)) return value.map((one) => foldWithin(one, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, foldWithin(inner, key)]));
};

/** Runs `renew` over the next rows of the table at `mark`, and writes what it changes. */
async function stretchOf(
  { db }: Renewing,
  mark: Mark,
  list: readonly { table: (typeof renewal.TEXTS)[number]; names: readonly string[] }[],
  limit: number,
  renew: (row: renewal.Row, at: number) => renewal.Row | Promise<renewal.Row>,
  begin?: (rows: readonly renewal.Row[]) => Promise<void>,
): Promise<Stretch> {
  const at = mark?.at ?? 0;
  const place = list[at];
  if (!place) return { next: null, rows: 0 };
  const { table, names } = place;
  const after = mark && mark.after.length > 0 ? mark.after : null;
  const rows = (await renewal.listRows(db, table, names, after, limit)) as renewal.Row[];
  await begin?.(rows);
  const statements = [];
  for (const row of rows) {
    const renewed = Object.entries(await renew(row, at));
    const changed = renewed.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(row[name]));
    if (changed.length > 0) statements.push(...renewal.renewRow(db, table, row, Object.fromEntries(changed)));
  }
  if (statements.length > 0) await runBatch(db, statements);
  const last = rows.length < limit ? undefined : rows.at(-1);
  const next = last
    ? { at, after: renewal.keyOf(table).map((name) => last[name]) }
    : at + 1 < list.length
      ? { at: at + 1, after: [] }
      : null;
  return { next, rows: statements.length };
}

const foldTitles: Step["run"] = (app, mark) => {
  const list = renewal.LINES.map(({ table, lines, json = [] }) => ({ table, names: [...lines, ...json] }));
  return stretchOf(app, mark, list, LINES_AT_ONCE, (row, at) => {
    const { lines = [], needed = [], json = [] } = renewal.LINES[at] ?? {};
    return {
      ...Object.fromEntries(
        lines.map((name) => [name, foldLine(String(row[name])) || (needed.includes(name) ? UNTITLED : "")]),
      ),
      ...Object.fromEntries(json.map((name) => [name, foldWithin(row[name], name)])),
    };
  });
};

/** People write the summary of a session (C-65); every other one is the renderer's. */
const hasSummary = (table: (typeof renewal.TEXTS)[number]): boolean =>
  "summary" in table && table !== renewal.WITH_OWN_SUMMARY;

const renderTexts: Step["run"] = (app, mark) => {
  const list = renewal.TEXTS.map((table) => ({
    table,
    names: ["content", "contentHtml", ...(hasSummary(table) ? ["summary"] : [])],
  }));
  return stretchOf(app, mark, list, TEXTS_AT_ONCE, async (row) => {
    const { contentHtml, summary } = await app.richText.render(String(row.content));
    return { contentHtml, ...("summary" in row ? { summary } : {}) };
  });
};

/** After their titles, tags and texts, because all of them are searched. */
const searchGoals: Step["run"] = async (app, mark) => {
  const names = ["title", "unit", "summary", "searchText"];
  let tags = new Map<number, string[]>();
  return stretchOf(
    app,
    mark,
    [{ table: renewal.GOALS, names }],
    LINES_AT_ONCE,
    (row) => ({ searchText: searchTextOf(row as SearchedGoal, tags.get(Number(row.id)) ?? []) }),
    async (rows) => {
      tags = await tagsOf(app, rows);
    },
  );
};
const searchOwn: Step["run"] = (app, mark) => {
  const list = renewal.OWN.map(({ table, texts }) => ({ table, names: [...texts, "searchText"] }));
  return stretchOf(app, mark, list, LINES_AT_ONCE, (row) => ({ searchText: renewal.searchTextOf(row) }));
};
type SearchedGoal = { title: string; unit: string; summary: string };
async function tagsOf({ db }: Renewing, rows: readonly renewal.Row[]): Promise<Map<number, string[]>> {
  const tags = new Map<number, string[]>();
  for (const { goalId, tag } of await renewal.listTags(
    db,
    rows.map(({ id }) => Number(id)),
  ))
    tags.set(goalId, [...(tags.get(goalId) ?? []), tag]);
  return tags;
}

const recountTotals: Step["run"] = async (app, mark) => {
  const { after, users } = await recountGoals(app as App, { after: Number(mark?.after[0] ?? 0) });
  return { next: after === null ? null : { at: 0, after: [after] }, rows: users };
};

export const RENEWAL_STEPS: readonly Step[] = [
  { name: "Titles on one line", run: foldTitles },
  { name: "Texts rendered again", run: renderTexts },
  { name: "Goals searched by the new words", run: searchGoals },
  { name: "Notes and logs searched by the new words", run: searchOwn },
  { name: "People whose totals were recounted", run: recountTotals },
];

/**
 * Runs all steps from `progress` on, and calls `save` after each stretch. A run that was interrupted continues from what
 * was saved last; a repeated one writes only what still differs.
 */
export async function renewData(
  app: Renewing,
  progress: Progress | null,
  save: (progress: Progress | null, step: string) => void | Promise<void>,
): Promise<void> {
  let { step, mark, rows } = progress ?? { step: 0, mark: null, rows: 0 };
  for (let current = RENEWAL_STEPS[step]; current; current = RENEWAL_STEPS[step]) {
    const stretch = await current.run(app, mark);
    rows += stretch.rows;
    mark = stretch.next;
    const isDone = mark === null;
    await save(
      { step: isDone ? step + 1 : step, mark, rows: isDone ? 0 : rows },
      isDone ? `${current.name}: ${rows}` : "",
    );
    if (isDone) [step, rows] = [step + 1, 0];
  }
}
