// Limits on the structure of a Markdown text. Parsing time grows faster than the text, so text beyond the limits is not
// parsed; the editor warns the author. Pure.

/** Limits of one text; `block` limits apply between two blank lines. */
export const STRUCTURE = {
  /** All lines, blank lines and code included. */
  lines: 4000,
  /** Lines outside fenced code that are not blank. A line counts once for each quote or list that it may be in. */
  filledLines: 800,
  blockLines: 200,
  /** Inline punctuation that opens, closes or separates something, and the cells of tables. */
  marks: 4000,
  blockMarks: 600,
  /** Nested quotes and lists, on one line or by indentation in columns. */
  depth: 8,
  indent: 40,
  /** The widest indentation of one list in another. */
  listColumns: 4,
  characters: 100_000,
} as const;

/** Characters of URLs and titles that references expand to; a definition may be used many times. */
export const MAX_REFERENCED_CHARS = 100_000;

const MARKS = /[*_~[\]`<&\\@|]|:\/\/|www\./g;
/** The additional cost of some marks: a footnote gets a link back, an image an element, an address a link. */
const COSTS = { "[^": 8, "![": 4, "@": 2 } as const;
/** The line under the head of a table. Each row below has as many cells, however short it is. */
const DELIMITERS = /^[|:\- \t]*-[|:\- \t]*$/;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const CONTAINERS = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+[ \t]*/;
const CONTAINER = />|[-*+]|\d{1,9}[.)]/g;

/** The offset of the first line beyond a limit, or the text's length. Linear in the text. */
export function structureEnd(text: string): number {
  let fence: string | null = null;
  let [lines, filledLines, marks, blockLines, blockMarks, columns] = [0, 0, 0, 0, 0, 0];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const next = newline === -1 ? text.length : newline + 1;
    if (next > STRUCTURE.characters || ++lines > STRUCTURE.lines) return start;
    const line = text.slice(start, next).trimEnd();
    const fenceMarker = FENCE.exec(line)?.[1];
    if (fence !== null) {
      const isClosed = fenceMarker?.startsWith(fence) && line.trim() === fenceMarker;
      if (isClosed) fence = null;
    } else if (line === "") {
      [blockLines, blockMarks, columns] = [0, 0, 0];
    } else {
      const containers = CONTAINERS.exec(line)?.[0];
      const depth = containers?.match(CONTAINER)?.length ?? 0;
      const inset = columnsOf(containers ?? /^[ \t]*/.exec(line)?.[0] ?? "");
      // Indentation outside a quote or list nests nothing; it only costs time.
      if (depth > STRUCTURE.depth || inset > (depth > 0 ? 1 : 5) * STRUCTURE.indent) return start;
      const inner = line.slice(containers?.length ?? 0);
      if (inner.includes("|") && DELIMITERS.test(inner)) columns = Math.max(columns, inner.split("|").length);
      const lineMarks = Math.max(marksIn(line), columns);
      marks += lineMarks;
      blockMarks += lineMarks;
      filledLines += Math.max(1, depth, Math.floor(inset / STRUCTURE.listColumns));
      if (filledLines > STRUCTURE.filledLines || ++blockLines > STRUCTURE.blockLines) return start;
      if (marks > STRUCTURE.marks || blockMarks > STRUCTURE.blockMarks) return start;
      if (fenceMarker) {
        fence = fenceMarker;
        [blockLines, blockMarks, columns] = [0, 0, 0];
      }
    }
    start = next;
  }
  return text.length;
}

const marksIn = (line: string): number =>
  Object.entries(COSTS).reduce(
    (sum, [mark, cost]) => sum + cost * (line.split(mark).length - 1),
    line.match(MARKS)?.length ?? 0,
  );

const columnsOf = (inset: string): number => inset.replaceAll("\t", "    ").length;

/** The line, from 1, from which a text is shown unformatted; null if all of it is formatted. */
export function plainFromLine(text: string): number | null {
  const end = structureEnd(text);
  return text.slice(end).trim() === "" ? null : text.slice(0, end).split("\n").length;
}
