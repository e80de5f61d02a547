// Amounts, distances and durations of goals and logs in words. Pure; inputs are thousandths, millimetres and
// milliseconds.
import { thousandthsOf } from "~/domain/distances";
import { describeWork, formatDuration } from "~/domain/duration-text";
import { numberField, numberText, type Reader } from "~/domain/numbers";
import { SECOND } from "~/domain/time";
import type { Goal, QuickLogButton, Totals } from "./goals";
import type { Measure } from "./heat-map";
import { isToDo, LOG_STATUS } from "./log-state";
import type { Log } from "./logs";

/** Thousandths as a number with its digits in groups: "2.5", "12,300", "−1". */
export function decimalText(thousandths: number, { locale }: Reader): string {
  const text = numberText(Math.abs(thousandths) / 1000, locale);
  return thousandths < 0 ? `−${text}` : text;
}

/** The value of an input: "2.5", "-1", "" for null. */
export const decimalField = (thousandths: number | null, { locale }: Reader): string =>
  thousandths === null ? "" : numberField(thousandths / 1000, locale);

/** Puts a plus before a text that begins with a figure. */
export const withPlus = (figures: string): string => figures.replace(/^\u2068?(?=\p{Nd})/u, "$&+");

export const amountText = (thousandths: number, unit: string, reader: Reader): string =>
  `${decimalText(thousandths, reader)} ${Math.abs(thousandths) === 1000 ? singular(unit || "times") : unit || "times"}`;

/** Words whose plural changes more than its end. */
const IRREGULAR: Record<string, string> = {
  loaves: "loaf",
  leaves: "leaf",
  halves: "half",
  shelves: "shelf",
};

/** The singular of a plural unit: "pages" → "page". Other units stay unchanged. */
function singular(unit: string): string {
  const irregular = IRREGULAR[unit.toLowerCase()];
  if (irregular) return irregular;
  if (/(ss|x|ch|sh)es$/i.test(unit)) return unit.slice(0, -2);
  return /[^sui]s$/i.test(unit) && !/ies$/i.test(unit) ? unit.slice(0, -1) : unit;
}

/** Millimetres in the reader's unit, without it: "8", "4.971" (H-07). */
export const distanceNumber = (millimetres: number, reader: Reader): string =>
  decimalText(thousandthsOf(millimetres, reader.unit), reader);

/** "8 km", "1 mile". */
export function distanceText(millimetres: number, reader: Reader): string {
  const isOne = Math.abs(thousandthsOf(millimetres, "mi")) === 1000;
  const unit = reader.unit === "km" ? "km" : isOne ? "mile" : "miles";
  return `${distanceNumber(millimetres, reader)} ${unit}`;
}

/** The value of a distance's input. */
export const distanceField = (millimetres: number | null, reader: Reader): string =>
  decimalField(millimetres === null ? null : thousandthsOf(millimetres, reader.unit), reader);

/** The label of a distance's input. */
export const distanceLabel = ({ unit }: Reader): string => `Distance (${unit === "km" ? "km" : "miles"})`;

/** A measured duration in milliseconds, rounded down to the second. */
export const spanText = (ms: number): string => formatDuration(Math.floor(ms / SECOND));

/** Time in all, in milliseconds: "139 hours". */
export const workText = (ms: number): string => describeWork(ms / SECOND);

/** A goal's targets: "300 pages", "1 hour · 5 miles"; empty without a measurable target. */
export function goalMeasures(
  goal: Pick<Goal, "amount" | "distance" | "duration" | "actionDuration" | "unit">,
  reader: Reader,
): string {
  const span = goal.actionDuration ?? goal.duration;
  return [
    goal.amount !== null && goal.amount > 0 ? amountText(goal.amount, goal.unit, reader) : "",
    span ? describeWork(span) : "",
    goal.distance !== null && goal.distance > 0 ? distanceText(goal.distance, reader) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** "Read 300 pages", "Read once"; the default action is left out where it says nothing more. */
export function deedText(action: string, measures: string): string {
  const isOnce = measures === "1 time";
  if (action === "Do" && (isOnce || measures === "")) return "";
  return [action, isOnce && action ? "once" : measures].filter(Boolean).join(" ");
}

/** A log's measures: "10 pages · 25m". `elapsed` in milliseconds, measured now. */
export function logMeasures(
  log: Pick<Log, "amount" | "distance" | "duration" | "isTimed">,
  unit: string,
  elapsed: number,
  reader: Reader,
): string {
  return [
    log.amount !== null && log.amount !== 0 ? amountText(log.amount, unit, reader) : "",
    log.distance !== null && log.distance !== 0 ? distanceText(log.distance, reader) : "",
    log.isTimed ? spanText(elapsed) : log.duration ? formatDuration(log.duration) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** "Started · +10 pages when done": a timer was started, whose amount and distance count once it is done. */
export function startedText(log: Pick<Log, "amount" | "distance">, unit: string, reader: Reader): string {
  const pending = logMeasures({ ...log, duration: null, isTimed: false }, unit, 0, reader);
  return pending ? `Started · ${withPlus(pending)} when done` : "Started";
}

/** The state of a log in words (S-10). */
export function statusText(log: Pick<Log, "status" | "pausedAt">): string {
  if (isToDo(log)) return "To do";
  if (log.status === LOG_STATUS.active) return "Running";
  if (log.status === LOG_STATUS.done) return "Done";
  return log.status === LOG_STATUS.paused ? "Paused" : "Stopped";
}

/** A value of the heat map in words. */
export function measureText(value: number, measure: Measure, unit: string, reader: Reader): string {
  if (measure === "amount") return amountText(value, unit, reader);
  if (measure === "distance") return distanceText(value, reader);
  if (measure === "duration") return spanText(value);
  return `${numberText(value, reader.locale)} ${value === 1 ? "log" : "logs"}`;
}

/** Totals in words: "12 glasses · 3 hours"; empty for none. */
export const totalsText = (totals: Totals, unit: string, reader: Reader): string =>
  [
    totals.amountElapsed !== 0 ? amountText(totals.amountElapsed, unit, reader) : "",
    totals.durationElapsed !== 0 ? workText(totals.durationElapsed) : "",
    totals.distanceElapsed !== 0 ? distanceText(totals.distanceElapsed, reader) : "",
  ]
    .filter(Boolean)
    .join(" · ");

/** The label of a button: its title, else its measures. */
export function buttonLabel(button: QuickLogButton, unit: string, reader: Reader): string {
  if (button.title) return button.title;
  const measures = [
    button.amount !== null ? amountText(button.amount, unit, reader) : "",
    button.duration ? formatDuration(button.duration) : "",
    button.distance !== null ? distanceText(button.distance, reader) : "",
  ].filter(Boolean);
  return deedText(button.action, measures.join(" · ") || amountText(1000, unit, reader));
}
