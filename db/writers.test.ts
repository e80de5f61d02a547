// A column of a session whose change has causes has one writer (F-21, R-55, R-65): no other file may write it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const sources = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`);

/** The files that call each statement. */
const CALLERS: Record<string, string[]> = {
  // Start, end, title and plan before the start; a cancellation; the plan of another roster; a run.
  changeVersion: ["app/use-cases/sessions/plan-writes.server.ts", "db/queries/sessions/writes.ts"],
  cancelSession: ["app/use-cases/sessions/run.server.ts"],
  storePlan: ["app/use-cases/sessions/roster-plan.server.ts"],
  mirrorRoom: ["app/use-cases/room/record.server.ts"],
  // The host.
  handOver: ["db/queries/endings.ts"],
  insertHost: ["app/use-cases/sessions/create.server.ts"],
};

test.each(Object.entries(CALLERS))("F-21 R-55 R-65 %s has its callers and no others", (name, callers) => {
  const call = new RegExp(`(?<!function )(?<!const )\\b${name}\\(`);
  const files = ["app/use-cases", "db/queries"].flatMap(sources);
  expect(files.filter((file) => call.test(readFileSync(join(ROOT, file), "utf8"))).sort()).toEqual(callers);
});

/** The files whose statements set each column of `sessions` by name. */
const WRITERS: Record<string, string[]> = {
  startedAt: ["db/queries/room/record.ts"],
  endedAt: ["db/queries/room/record.ts", "db/queries/sessions/writes.ts"],
  title: ["db/queries/room/record.ts"],
  joinCode: [],
  isPrivate: ["db/queries/huts/outsiders.ts"],
  hutId: ["db/queries/huts/exits.ts", "db/queries/huts/outsiders.ts"],
};

test.each(Object.entries(WRITERS))(
  "F-21 R-65 R-87 sessions.%s is set by its writers and no others",
  (column, writers) => {
    const set = new RegExp(
      `\\.update\\(sessions\\)\\s*\\.set\\((?:(?!\\.where\\()[\\s\\S])*?\\b${column}\\b`,
    );
    expect(
      sources("db/queries")
        .filter((file) => set.test(readFileSync(join(ROOT, file), "utf8")))
        .sort(),
    ).toEqual(writers);
  },
);
