// A schedule as a plain list of rows, for forms without JavaScript: title and duration of each part, and some new rows.
// Other fields (intervals, starts, links) stay unchanged.
import { parseDuration } from "~/domain/duration-parse";
import { scheduleSentence } from "./sentences";
import { NEW_PART_SECONDS, newPart, newPartGroup, type PartGroup, type Schedule } from "./shape";

/** A row as the user entered it. The row of an existing part carries the part's id; an empty row removes the part. */
export type PlainRow = { id?: string | undefined; title: string; duration: string; isAutoStart: boolean };
export type RowProblem = { row: number; sentence: string };

const isEmpty = (row: PlainRow): boolean => row.title.trim() === "" && row.duration.trim() === "";

/** The schedule with the rows applied, and the problem of each wrong row (from 0). `makeId` creates ids of new parts. */
export function scheduleFromRows(
  base: Schedule,
  rows: readonly PlainRow[],
  makeId: () => string,
): { schedule: Schedule; problems: RowProblem[] } {
  const problems: RowProblem[] = [];
  const durations = rows.map((row, index) => {
    if (isEmpty(row)) return NEW_PART_SECONDS;
    const span = parseDuration(row.duration);
    if (span.error !== undefined) problems.push({ row: index, sentence: span.error });
    if (span.seconds === 0)
      problems.push({ row: index, sentence: scheduleSentence({ code: "no-duration" }) });
    return span.seconds ?? NEW_PART_SECONDS;
  });
  const indexById = new Map(rows.flatMap((row, index) => (row.id ? [[row.id, index] as const] : [])));
  const groups = base.groups
    .map((group) => ({
      ...group,
      parts: group.parts.flatMap((part) => {
        const index = indexById.get(part.id);
        const row = index === undefined ? undefined : rows[index];
        if (!row || index === undefined) return [part];
        if (isEmpty(row)) return [];
        const duration = part.intervals.length > 0 ? part.duration : (durations[index] ?? part.duration);
        return [{ ...part, title: row.title.trim(), duration }];
      }),
    }))
    .filter((group) => group.type !== "event" || group.parts.length > 0);

  const newGroups: PartGroup[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.id || isEmpty(row)) continue;
    const part = newPart(makeId(), {
      title: row.title.trim(),
      duration: durations[index] ?? NEW_PART_SECONDS,
    });
    const last = newGroups.at(-1);
    if (last && last.isAutoStart === row.isAutoStart) last.parts.push(part);
    else newGroups.push(newPartGroup(makeId(), { isAutoStart: row.isAutoStart, parts: [part] }));
  }
  return { schedule: { groups: [...groups, ...newGroups] }, problems };
}
