// Reads docs/mutants.md: the mutants that no test can distinguish from the code, each with its reason.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const CODE = /^`+ ?(.*?) ?`+$/;
const cellsOf = (line) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|").replace(CODE, "$1"));

/** Whether a mutant is listed, by its file and by its line with the change in it. */
export function equivalentsOf(root) {
  const listed = new Set(
    readFileSync(join(root, "docs/mutants.md"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map(cellsOf)
      .map(([path, change]) => `${path} ${change}`),
  );
  return ({ path, label }) => listed.has(`${path} ${label}`);
}
