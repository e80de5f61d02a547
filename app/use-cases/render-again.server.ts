// Renders stored texts again after a change of the rules of Markdown, some in each run.
import * as queries from "#db/queries/rendered-texts";
import { findMark, setMark } from "#db/queries/upkeep";
import { MARKDOWN_VERSION } from "~/domain/rich-text";
import { searchTextOf } from "~/use-cases/goals/goals.server";
import type { App } from "./app.server";
import { runEachRow } from "./each-row.server";

const JOB = "render-again";

/** A table by its place in the list, and the key of its last row that was rendered by the rules of `version`. */
type Mark = { version: number; at: number; after: unknown[] };

/**
 * Continues after the last rendered row; a new version begins at the first row. A repeat writes only texts that differ.
 */
export async function renderTextsAgain(app: App, limit = 100): Promise<{ rendered: number; failed: number }> {
  const [storedMark] = await findMark(app.db, JOB);
  const mark: Mark | null = storedMark ? JSON.parse(storedMark.mark) : null;
  const isSameVersion = mark?.version === MARKDOWN_VERSION;
  const { at: tableIndex, after } = isSameVersion ? mark : { at: 0, after: [] };
  const table = queries.TABLES_WITH_TEXTS[tableIndex];
  if (!table) return { rendered: 0, failed: 0 };
  const rows: queries.Row[] = await queries.listTexts(app.db, table, after, limit);
  const { done, failed } = await runEachRow(app, rows, {
    job: JOB,
    nameOf: (row) => `${tableIndex}:${queries.keyValuesOf(table, row).join(":")}`,
    async runRow(row) {
      const { contentHtml, summary } = await app.richText.render(String(row.content));
      const isSame = !queries.hasRenderedSummary(table) || summary === row.summary;
      if (isSame && contentHtml === row.contentHtml) return false;
      const searchText =
        isSame || !queries.isSearchedBySummary(table) ? {} : await newSearchText(app, row, summary);
      const rendered = { contentHtml, ...(isSame ? {} : { summary }), ...searchText };
      await queries.replaceRendered(app.db, table, row, rendered);
      return true;
    },
  });
  const lastRow = rows.length < limit ? undefined : rows.at(-1);
  const next = lastRow
    ? { at: tableIndex, after: queries.keyValuesOf(table, lastRow) }
    : { at: tableIndex + 1, after: [] };
  await setMark(app.db, JOB, JSON.stringify({ version: MARKDOWN_VERSION, ...next } satisfies Mark));
  return { rendered: done.filter(({ result }) => result).length, failed: failed.length };
}

async function newSearchText(app: App, goal: queries.Row, summary: string): Promise<{ searchText: string }> {
  const tags = await queries.listTags(app.db, Number(goal.id));
  const { title, unit } = goal as { title: string; unit: string };
  return {
    searchText: searchTextOf(
      { title, unit, summary },
      tags.map(({ tag }) => tag),
    ),
  };
}
