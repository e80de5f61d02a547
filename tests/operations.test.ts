// Checks that docs/operations.md has a row for every event that the code logs, and for no other.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { logLine, RELEASE } from "~/domain/log-line";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The code that runs on a server. */
const files = ["app/domain", "app/http", "app/use-cases", "app/entry.server.tsx", "db", "workers"]
  .flatMap((path) =>
    path.includes(".")
      ? [path]
      : readdirSync(join(root, path), { recursive: true, encoding: "utf8" }).map((name) => join(path, name)),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|^workers\/local/.test(path));

/** The event name in a log call: a field or type `event`, a key of `MoneyLines`, or an argument of `logged`. */
const EVENT =
  /\bevent: ((?:"[a-z-]+"(?: \| )?)+)|^type MoneyLines = \{\n([\s\S]*?)^\};|\blogged\(("[a-z-]+")\)/gm;
const eventsIn = (text: string) =>
  [...text.matchAll(EVENT)].flatMap((match) =>
    [...(match.slice(1).find(Boolean) ?? "").matchAll(/"([a-z-]+)"/g)].map(([, event = ""]) => event),
  );
const LOGS = /\bconsole\.\w+\(/;
const isLogging = (text: string) =>
  LOGS.test(text) || /\blog(Security|Money|RoomError|RoomFailure)\b/.test(text);

const logged = new Set(files.map(read).filter(isLogging).flatMap(eventsIn));
const rows = [...read("docs/operations.md").matchAll(/^\| `([a-z-]+)` \| [^|]+ \| [^|]+ \|$/gm)].map(
  ([, event = ""]) => event,
);

describe("docs/operations.md", () => {
  test("has one row for every logged event", () => {
    expect(logged.size).toBeGreaterThan(40);
    expect([...logged].filter((event) => !rows.includes(event))).toEqual([]);
    expect(rows.filter((event, at) => rows.indexOf(event) !== at)).toEqual([]);
  });

  test("has no row for an event that nothing logs", () => {
    expect(rows.filter((event) => !logged.has(event))).toEqual([]);
  });
});

test("docs/operations.md names every cron job beside its expression", () => {
  const source = read("workers/cron.ts");
  const constants = new Map(
    [...source.matchAll(/^const (\w+) = "([^"]+)";$/gm)].map(([, name, at]) => [name, at]),
  );
  const jobs = [...source.matchAll(/^ {2}(?:"([^"]+)"|\[(\w+)\]): \[([\s\S]*?)\],$/gm)].map(
    ([, cron, name = "", body = ""]) =>
      `| \`${cron ?? constants.get(name)}\` | ${[...body.matchAll(/name: "([\w-]+)"/g)].map(([, job]) => `\`${job}\``).join(", ")} |`,
  );
  expect(jobs).toHaveLength(3);
  const rows = read("docs/operations.md").split("\n");
  expect(jobs.filter((job) => !rows.includes(job))).toEqual([]);
});

test("docs/deploying.md names every event of the payment provider that the webhook handles", () => {
  const [, types = ""] =
    /EVENT_TYPES: string\[\] = \[([^\]]+)/.exec(read("workers/adapters/stripe-payments.ts")) ?? [];
  const taken = [...types.matchAll(/"([a-z_.]+)"/g)].map(([, type = ""]) => type);
  expect(taken.length).toBeGreaterThan(5);
  expect(taken.filter((type) => !read("docs/deploying.md").includes(`\`${type}\``))).toEqual([]);
});

test("every log line of the server has a typed event", () => {
  const untyped = files.filter((path) => LOGS.test(read(path)) && eventsIn(read(path)).length === 0);
  expect(untyped).toEqual([]);
});

test("every log line of the server carries the release that wrote it", () => {
  const bare = files.filter((path) => /\bconsole\.\w+\(\s*(?!\s|logLine\()/.test(read(path)));
  expect(bare).toEqual([]);
  expect(JSON.parse(logLine({ event: "a-b", n: 1 }))).toEqual({ event: "a-b", n: 1, release: RELEASE });
});

test("the pattern finds every form of an event", () => {
  expect(eventsIn('log({ event: "a-b", n })')).toEqual(["a-b"]);
  expect(eventsIn('type E = { event: "a" | "b"; x: 1 }')).toEqual(["a", "b"]);
  expect(eventsIn('type MoneyLines = {\n  "money-gone": { cents: number };\n};')).toEqual(["money-gone"]);
  expect(eventsIn('.catch(logged("mail-failed"))')).toEqual(["mail-failed"]);
});
