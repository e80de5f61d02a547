// The lines of a note that can be ticked: those of Todo and Done, and the boxes `- [ ]` of its plan. Pure.
import type { Note } from "./notes";

type Texts = Pick<Note, "content" | "todo" | "done">;
/** Where a ticked line is: in Todo, in Done (ticking takes it back), or in the plan's Markdown. */
export const LINE_PLACES = ["todo", "done", "plan"] as const;
export type LinePlace = (typeof LINE_PLACES)[number];

const MARK = /^\s*(?:[-*+]\s+)?\[[ xX]\]\s+/;

/** Texts that are older than R-59 may have carriage returns. */
const splitLines = (text: string): string[] => text.split(/\r?\n/);
export const linesOf = (text: string): string[] => splitLines(text).filter((line) => line.trim() !== "");
/** The words of a line, without a typed box. */
export const lineWords = (line: string): string => line.replace(MARK, "").trim();

const setMark = (line: string, sign: " " | "x"): string => line.replace(/\[[ xX]\]/, `[${sign}]`);
const appendLine = (text: string, line: string): string => [text.trimEnd(), line].filter(Boolean).join("\n");
const withoutLine = (text: string, line: string): string | null => {
  const lines = splitLines(text);
  const index = lines.indexOf(line);
  return index === -1 ? null : lines.toSpliced(index, 1).join("\n");
};
/** Changes the sign in a typed box; a line without a box is trimmed. */
const turnMark = (line: string, sign: " " | "x"): string =>
  MARK.test(line) ? setMark(line, sign) : line.trim();

type PlanLine = { index: number; indent: number; isDone: boolean; words: string };
const PLAN_LINE = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+(\S.*)$/;
const FENCE = /^\s*(`{3,}|~{3,})/;

/** The boxes of a plan, in the order of its page; code has none. */
export function planLines(content: string): PlanLine[] {
  let fence = "";
  return splitLines(content).flatMap((line, index) => {
    const [, sign = ""] = FENCE.exec(line) ?? [];
    if (sign && (fence === "" || sign.startsWith(fence))) {
      fence = fence === "" ? sign : "";
      return [];
    }
    const [, indent = "", box = "", words = ""] = (fence === "" && PLAN_LINE.exec(line)) || [];
    return words === "" ? [] : [{ index, indent: indent.length, isDone: box !== " ", words: words.trim() }];
  });
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The plan without a line; the lines under it move to its level. */
function planWithout(content: string, { index, indent }: PlanLine): string {
  const lines = splitLines(content);
  const after = lines.slice(index + 1);
  const end = after.findIndex((line) => line.trim() !== "" && indentOf(line) <= indent);
  const under = end === -1 ? after : after.slice(0, end);
  const leastIndent = Math.min(...under.filter((line) => line.trim() !== "").map(indentOf));
  const outdented = under.map((line) => (line.trim() === "" ? line : line.slice(leastIndent - indent)));
  return [...lines.slice(0, index), ...outdented, ...after.slice(under.length)].join("\n");
}

/**
 * The texts of a note after a tick; null if the line no longer exists. `line` is a whole line of Todo or Done, or
 * the words of an open box of the plan.
 */
export function tickLine(note: Texts, place: LinePlace, line: string): Texts | null {
  const { content, todo, done } = note;
  if (place === "plan") {
    const box = planLines(content).find(({ isDone, words }) => !isDone && words === line);
    return box ? { content: planWithout(content, box), todo, done: appendLine(done, line) } : null;
  }
  const remaining = withoutLine(note[place], line);
  if (remaining === null) return null;
  return place === "todo"
    ? { content, todo: remaining, done: appendLine(done, turnMark(line, "x")) }
    : { content, todo: appendLine(todo, turnMark(line, " ")), done: remaining };
}

/** True if the line has been ticked already, so that a repeated tick changes nothing. */
export const isTicked = ({ todo, done }: Texts, place: LinePlace, line: string): boolean =>
  place === "done"
    ? linesOf(todo).includes(turnMark(line, " "))
    : linesOf(done).includes(place === "plan" ? line : turnMark(line, "x"));
