// Reads docs/mutants.md: the mutants that no test can distinguish from the code, each with its reason.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const CODE = /^`+ ?(.*?) ?`+$/;
const cellsOf = (line) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|").replace(CODE, "$1"));

/** The rows of the table: a path, and its line with the change in it. */
const rowsOf = (root) =>
  readFileSync(join(root, "docs/mutants.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map(cellsOf)
    .map(([path, change]) => ({ path, change }));

/** Whether a mutant is listed, by its file and by its line with the change in it. */
export function equivalentsOf(root) {
  const listed = new Set(rowsOf(root).map(({ path, change }) => `${path} ${change}`));
  return ({ path, label }) => listed.has(`${path} ${label}`);
}

const ARROW = " → ";
/** The lines that a change may have been made in: a bracket of the code may stand before or behind that of the change. */
function linesBefore(change) {
  const arrow = change.indexOf(ARROW);
  const [head, tail] = [change.slice(0, arrow), change.slice(arrow + ARROW.length)];
  const indexesOf = (text, sign) => [...text].flatMap((one, index) => (one === sign ? [index] : []));
  return indexesOf(head, "[").flatMap((from) =>
    indexesOf(tail, "]").map((to) => head.slice(0, from) + head.slice(from + 1) + tail.slice(to + 1)),
  );
}

/** The rows whose line is no longer in their file. */
export const staleRows = (root) =>
  rowsOf(root).filter(({ path, change }) => {
    const file = join(root, path);
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    const code = new Set(lines.map((line) => line.trim()));
    return !linesBefore(change).some((line) => code.has(line.trim()));
  });
