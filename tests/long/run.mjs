// npm run test:long [-- name …]: runs the proofs that take too long for `npm test`, in sequence.
import { run } from "../../workers/local/processes.mjs";
import "../support/memory.mjs";

const VITEST = ["run", "-c", "tests/vitest.config.ts", "--project"];
const workers =
  (path, env = { LONG_RUN: "1" }, project = "workers") =>
  () =>
    run("vitest", [...VITEST, project, path], { env });

/** The proofs by name, shortest first; a step rejects when its proof fails. */
const STEPS = {
  // series-dates.py wrote the hashes.
  dates: workers("app/use-cases/series-dates", undefined, "unit"),
  recaps: async () => {
    await workers("app/domain/room/room.model", undefined, "unit")();
    await workers("app/use-cases/sessions/recap")();
  },
  presence: workers("app/domain/room/presence", undefined, "unit"),
  replays: workers("app/use-cases/accounts/two-step"),
  spends: workers("tests/again/again"),
  writes: workers("workers/round-trips"),
  bans: workers("app/use-cases/sessions/sanctions"),
  waiting: workers("app/use-cases/sessions/waiting"),
  // Ten thousand opened invitations.
  guests: workers("app/use-cases/sessions/guests.workers"),
  absences: workers("app/use-cases/sessions/absent-host"),
  // Statements and models of the ledger and of a goal's totals.
  sums: async () => {
    await workers("db/queries/payments/ledger.model", undefined, "unit")();
    await workers("db/queries/goals/totals", undefined, "unit")();
  },
  readers: workers("workers/adapters/calendar", undefined, "unit"),
  texts: async () => {
    await workers("workers/adapters/markdown", undefined, "unit")();
    // Every unit to every reader, and in code of every language.
    await workers("tests/texts-work", undefined, "unit")();
    await workers("app/components/editor/markdown", undefined, "unit")();
  },
  store: workers("workers/room/store"),
  copies: workers("tests/load/edge"),
  quiet: workers("app/domain/notices/quiet-hours", undefined, "unit"),
  reminders: async () => {
    await workers("app/use-cases/notices/reminders")();
    await workers("app/use-cases/notices/deliveries")();
  },
  addresses: workers("workers/serve-calendar"),
  versions: workers("app/use-cases/sessions/calendar"),
  // Every cell of the role matrix.
  roles: workers("tests/roles", { ROLE_MATRIX: "all" }),
  // Every hostile value to every call.
  hostile: workers("tests/hostile-input"),
  // Every malformed body, to every form.
  malformed: workers("app/http/read-form"),
  // Every hostile search, to every list.
  injection: workers("tests/injection"),
  // A series under drawn acts and nights.
  series: workers("app/use-cases/series/series.model"),
  // Logs, lines and titles that a session forgets.
  forgets: workers("app/use-cases/sessions/forgets.model"),
  // PROPERTY_SEED repeats an earlier run.
  fuzz: workers("tests/fuzz", { LONG_RUN: "1", FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? "15000" }),
  // Every page of every role with axe, in both themes at every width.
  pages: () => run("npm", ["run", "test:e2e", "--", "accessibility"], { env: { PAGES: "all" } }),
  // All journeys with the limits and the edge cache of a deployment.
  deployed: () => run("npm", ["run", "test:e2e"], { env: { AS_DEPLOYED: "1" } }),
  history: () => run("node", ["tests/long/history.mjs"]),
  rehearsal: () => run("node", ["tests/long/rehearsal.mjs"]),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in STEPS));
if (unknown.length > 0) {
  console.error(`No step ${unknown.join(", ")}. There are: ${Object.keys(STEPS).join(", ")}.`);
  process.exit(1);
}
const failed = [];
for (const [name, step] of Object.entries(STEPS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n${name}`);
  await step().catch(() => failed.push(name));
}
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}`);
  process.exit(1);
}
