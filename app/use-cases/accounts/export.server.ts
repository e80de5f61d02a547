// Exports the user's data as a file (JSON) or tables (CSV). It streams batch by batch, so that memory holds one batch,
// however long the history is.
import { AppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import type { App } from "~/use-cases/app.server";
import { exportRows } from "~/use-cases/export-rows.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { CSV_START, csvLine, EXPORT_KINDS, type ExportRecord, kindOfFile } from "~/wire/export";
import { instantOut } from "~/wire/values";

export type ExportFile = { name: string; type: string; chunks: AsyncGenerator<string> };

/** With `goal`, only its logs. NOT_FOUND for an unknown file, and for a goal with any other list. */
export async function exportFile(
  app: App,
  input: { file: string; goal?: number | undefined },
): Promise<ExportFile> {
  const user = requireUser(app.user);
  const { goal } = input;
  const kind = kindOfFile(input.file);
  if (kind === null || (goal !== undefined && kind !== "logs")) throw new AppError("NOT_FOUND");
  await countUse(app, "export", user.id);
  const stem = `${app.settings.appName.toLowerCase()}-${user.username}`;
  const day = new Date(app.now).toISOString().slice(0, 10);
  if (kind === "everything")
    return { name: `${stem}-${day}.json`, type: "application/json", chunks: asJson(app) };
  const rows = exportRows(app, kind);
  return {
    name: `${[stem, kind, goal, day].filter(Boolean).join("-")}.csv`,
    type: "text/csv",
    chunks: asCsv(goal === undefined ? rows : onlyOfGoal(rows, goal)),
  };
}

async function* onlyOfGoal(batches: AsyncGenerator<ExportRecord[]>, goal: number) {
  for await (const batch of batches) yield batch.filter((record) => record.goal_id === goal);
}

async function* asJson(app: App): AsyncGenerator<string> {
  yield `{"app_name":${JSON.stringify(app.settings.appName)},"exported_at":${JSON.stringify(instantOut(app.now))}`;
  for (const kind of EXPORT_KINDS) {
    yield `,\n"${kind.replace("-", "_")}":[`;
    let isFirst = true;
    for await (const batch of exportRows(app, kind)) {
      const text = batch.map((record) => JSON.stringify(record)).join(",\n");
      if (text) yield `${isFirst ? "\n" : ",\n"}${text}`;
      isFirst &&= text === "";
    }
    yield "]";
  }
  yield "}\n";
}

async function* asCsv(batches: AsyncGenerator<ExportRecord[]>): AsyncGenerator<string> {
  let columns: string[] | null = null;
  yield CSV_START;
  for await (const batch of batches) {
    const [first] = batch;
    if (!first) continue;
    const names: string[] = columns ?? Object.keys(first);
    if (!columns) yield csvLine(names);
    columns = names;
    yield batch.map((record) => csvLine(names.map((name) => record[name]))).join("");
  }
}
