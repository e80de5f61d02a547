// A span of time in words. Pure.
import { absoluteText, type DateLook, type View } from "./time-text";

/** The day, and the hours: "Today" and "9:16–9:24 PM". The hours name the day of an end on another day. */
export function spanWords(from: number, to: number, view: Omit<View, "look">): [day: string, hours: string] {
  const text = (at: number, look: DateLook) => absoluteText(at, { ...view, look });
  const start = text(from, "time");
  const day = text(from, "short").replace(start, "").replace(/,? *$/, "");
  if (text(from, "date") !== text(to, "date")) return [day, `${start} – ${text(to, "short")}`];
  const end = text(to, "time");
  if (start === end) return [day, end];
  // "AM" or "PM" is written once if both times share it.
  return [day, `${start.replace(/ \D+$/, (period) => (end.endsWith(period) ? "" : period))}–${end}`];
}
