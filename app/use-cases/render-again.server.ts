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

/** Continues behind the last row; a new version begins at the first. A repeat writes only what differs. */
export async function renderAgain(app: App, limit = 100): Promise<{ rendered: number; failed: number }> {
  const [storedMark] = await findMark(app.db, JOB);
  const last: Mark | null = storedMark ? JSON.parse(storedMark.mark) : null;
  const isSameVersion = last?.version === MARKDOWN_VERSION;
  const { at, after } = isSameVersion ? last : { at: 0, after: [] };
  const table = queries.TEXTS[at];
  if (!table) return { rendered: 0, failed: 0 };
  const rows: queries.Row[] = await queries.listTexts(app.db, table, after, limit);
  const { done, failed } = await runEachRow(app, rows, {
    job: JOB,
    nameOf: (row) => `${at}:${queries.keyIn(table, row).join(":")}`,
    async runRow(row) {
      const { contentHtml, summary } = await app.richText.render(String(row.content));
      const isSame = !queries.hasRenderedSummary(table) || summary === row.summary;
      if (isSame && contentHtml === row.contentHtml) return false;
      const searched = isSame || !queries.isSearched(table) ? {} : await searchedBy(app, row, summary);
      const rendered = { contentHtml, ...(isSame ? {} : { summary }), ...searched };
      await queries.replaceRendered(app.db, table, row, rendered);
      return true;
    },
  });
  const end = rows.length < limit ? undefined : rows.at(-1);
  const next = end ? { at, after: queries.keyIn(table, end) } : { at: at + 1, after: [] };
  await setMark(app.db, JOB, JSON.stringify({ version: MARKDOWN_VERSION, ...next } satisfies Mark));
  return { rendered: done.filter(({ did }) => did).length, failed: failed.length };
}

async function searchedBy(app: App, goal: queries.Row, summary: string): Promise<{ searchText: string }> {
  const tags = await queries.listTags(app.db, Number(goal.id));
  const { title, unit } = goal as { title: string; unit: string };
  return {
    searchText: searchTextOf(
      { title, unit, summary },
      tags.map(({ tag }) => tag),
    ),
  };
}
