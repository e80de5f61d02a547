// Checks docs/asvs.md and docs/security: each requirement has one answer, every citation exists, and limits match the
// code.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

type Row = { id: string; level: string; answer: string };
const rows: Row[] = [
  ...read("docs/asvs.md").matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| [^|]+ \| (.+) \|$/gm),
].map(([, id = "", level = "", answer = ""]) => ({ id, level, answer }));

test("every ASVS requirement of level 1 and 2 has one answer", () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(253);
  expect(rows).toHaveLength(253);
  expect(rows.filter(({ level }) => level === "1")).toHaveLength(70);
  for (const { id, answer } of rows)
    expect(answer, id).toMatch(/^(Shown by `|Documented in `|Does not apply: .|Not met: .)/);
});

test("every test that docs/asvs.md cites exists under its title", () => {
  const cited = rows
    .filter(({ answer }) => answer.startsWith("Shown by"))
    .flatMap(({ id, answer }) =>
      [...answer.matchAll(/`([^`]+)` "(.+?)"(?=; `|$)/g)].map(([, file = "", title = ""]) => ({
        id,
        file,
        title,
      })),
    );
  expect(cited.length).toBeGreaterThan(50);
  for (const { id, file, title } of cited) {
    expect(existsSync(join(root, file)), `${id}: ${file}`).toBe(true);
    expect(read(file).includes(title), `${id}: ${title}`).toBe(true);
  }
});

test("every document that docs/asvs.md cites exists", () => {
  const cited = rows.flatMap(({ answer }) => /^Documented in `([^`]+)`/.exec(answer)?.[1] ?? []);
  expect(cited.length).toBeGreaterThan(0);
  for (const file of cited) expect(existsSync(join(root, file)), file).toBe(true);
});

test("the counts that docs/asvs.md names are those of its rows", () => {
  const count = (kind: string) => rows.filter(({ answer }) => answer.startsWith(kind)).length;
  expect(read("docs/asvs.md")).toContain(
    `${count("Shown by")} are shown by a test, ${count("Documented")} are documented, ${count("Does not apply")} do not apply, and ${count("Not met")} are not met`,
  );
});

test("every row that is not met says why, or which rule brings it", () => {
  for (const { id, answer } of rows.filter(({ answer }) => answer.startsWith("Not met")))
    expect(answer.length, id).toBeGreaterThan(20);
});

test("the counters of the code are those of docs/security/limits.md", () => {
  const limits = read("docs/security/limits.md");
  const units = { MINUTE: 60, HOUR: 3600 };
  const secondsOf = (text: string) =>
    text.split("*").reduce((product, part) => {
      const word = part.trim() as keyof typeof units;
      return product * (units[word] ?? Number(word));
    }, 1);
  const spans = new Map([
    [60, "a minute"],
    [900, "15 minutes"],
    [3600, "an hour"],
    [86_400, "a day"],
  ]);
  const attempts = [
    ...read("app/use-cases/rate-limits.server.ts").matchAll(
      /^ {2}"?([\w-]+)"?: \{ attempts: (\d+), seconds: ([^,}]+)/gm,
    ),
  ];
  expect(attempts.length).toBeGreaterThan(14);
  for (const [, name = "", count = "", span = ""] of attempts)
    expect(limits, name).toMatch(
      new RegExp(`^\\| \`${name}\` \\|[^|]*\\| ${count} \\| ${spans.get(secondsOf(span.trim()))} \\|$`, "m"),
    );
  const uses = [
    ...read("app/use-cases/rate-limits.server.ts").matchAll(
      /^ {2}([a-z]+): (?:hourly(?:Flood)?\(|\{ limit: )(\d+)/gm,
    ),
  ];
  expect(uses.length).toBeGreaterThan(20);
  for (const [, name = "", count] of uses) {
    const shown = Number(count).toLocaleString("en");
    const said =
      name === "chat" ? `\`chat\` takes ${shown} a minute` : new RegExp(`\`${name}\`[^|]*\\| ${shown} \\|`);
    expect(limits, name).toMatch(said);
  }
});
