// Test files that read a visitor's page, or attack, have what a deployment has and a run of tests lacks.
import { expect, test } from "vitest";
import { CACHE_HEADER } from "#workers/edge-cache";
import { asDeployed } from "./support/as-deployed";
import { ask, callAs } from "./support/ask";
import { visit } from "./support/visit";

asDeployed();

const sources = import.meta.glob<string>("./*.workers.test.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});
/** These send hostile input. */
const ATTACKS = ["./hostile-input.workers.test.ts", "./injection.workers.test.ts"];

test.each(["first", "second"])("E1 a visitor's page comes only from a copy of the %s test", async () => {
  const states = [await visit(null, "/pricing"), await visit(null, "/pricing")].map(({ headers }) =>
    headers.get(CACHE_HEADER),
  );
  expect(states).toEqual(["miss", "hit; age=0"]);
});

test("R-25 a visitor who goes on asking meets a limit", async () => {
  const body = { email: "nobody@example.com", password: "not the password" };
  const answers: number[] = [];
  for (let i = 0; i < 40 && !answers.includes(429); i++)
    answers.push((await callAs(null, "POST", "/login", body)).status);
  expect(answers.at(-1)).toBe(429);
  expect((await ask("/about")).status).toBe(200);
});

test("E1 R-25 every file that reads a visitor's page, and every attack, is as deployed", () => {
  const needing = Object.entries(sources).filter(
    ([path, source]) => source.includes("visit(null") || ATTACKS.includes(path),
  );
  expect(needing.length).toBeGreaterThan(5);
  expect(needing.filter(([, source]) => !/^asDeployed\(/m.test(source)).map(([path]) => path)).toEqual([]);
});
