// Runs before each test file of a mutation run: switches the turn's mutant on, and reports the results.
import { afterAll, afterEach, beforeEach, inject, type RunnerTask, type RunnerTestFile } from "vitest";
import { shared } from "./switch";

/** A test file with a mutant switched on; without a mutant it shows that the file passes. */
export type Turn = {
  test: string;
  mutant: number | null;
  /**
   * The tests to run: all, those that reach the mutant, or a subset that shows whether tests depend on each other.
   */
  only: null | string[] | "even" | "late";
  /** The number of tests in the file. */
  tests?: number;
  isNotingReach: boolean;
};

declare module "vitest" {
  interface ProvidedContext {
    mutantRun: { turns: Turn[]; first: number; count: number };
  }
}

const { turns, first, count } = inject("mutantRun");
shared.turn += 1;
const turn = turns[shared.turn];
const at = first + shared.turn;
if (!turn) throw new Error("The run has fewer turns than there are files.");

/** The runner parses these lines from the run's output. */
const report = (line: Record<string, unknown>) => console.log(`@mutants ${JSON.stringify({ at, ...line })}`);

if (turn.mutant !== null && shared.killed.has(turn.mutant)) {
  shared.active = -1;
  report({ result: "skipped" });
  throw new Error("An earlier turn has killed this mutant.");
}
shared.active = turn.mutant ?? -1;
shared.loops = 0;

const nothing = () => (turn.isNotingReach ? new Uint8Array((count >> 3) + 1) : null);
const textOf = (bits: Uint8Array | null) =>
  bits === null ? "" : btoa(Array.from(bits, (byte) => String.fromCharCode(byte)).join(""));
const outside = nothing();
shared.reached = outside;

// Tests may mock the clock.
const now = performance.now.bind(performance);
const begun = now();
const nameOf = (task: RunnerTask): string =>
  task.suite && task.suite !== task.file ? `${nameOf(task.suite)} > ${task.name}` : task.name;
let hasFailed = false;
let seen = 0;
let startedAt = 0;

const isChosen = (name: string): boolean => {
  if (turn.only === null) return true;
  if (turn.only === "late") return seen * 2 > (turn.tests ?? 0);
  if (turn.only === "even") return seen % 2 === 0;
  return turn.only.includes(name);
};

beforeEach(({ task, skip }) => {
  seen += 1;
  if (hasFailed || !isChosen(nameOf(task))) skip();
  shared.loops = 0;
  shared.reached = nothing();
  startedAt = now();
});

afterEach(({ task }) => {
  if (task.result?.state === "fail") hasFailed = true;
  if (turn.isNotingReach)
    report({ name: nameOf(task), ms: Math.round(now() - startedAt), reached: textOf(shared.reached) });
  shared.reached = outside;
});

const failureOf = (task: RunnerTask): string | null => {
  if (task.result?.errors?.length) return `${nameOf(task)}: ${task.result.errors[0]?.message ?? ""}`;
  if (task.result?.state === "fail" && task.type === "test") return nameOf(task);
  if (task.type !== "suite") return null;
  for (const one of task.tasks) {
    const failure = failureOf(one);
    if (failure !== null) return failure;
  }
  return null;
};

// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures here
afterAll(({}, suite) => {
  const failure = failureOf(suite as RunnerTestFile);
  shared.active = -1;
  shared.reached = null;
  if (failure !== null && turn.mutant !== null) shared.killed.add(turn.mutant);
  report({
    result: failure === null ? "passed" : "failed",
    failure: failure?.slice(0, 300),
    ms: Math.round(now() - begun),
    ...(turn.isNotingReach && { outside: textOf(outside) }),
  });
});
