// docs/asvs.md answers each requirement once, and everything that it cites exists.
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
