// A span of time in words. Pure, as time-text.ts.
import { dayAt } from "~/domain/days";
import { instant } from "~/domain/time";
import { absoluteText, clockOf, type View } from "./time-text";

/** "Today 9:16–9:24 PM"; an end on another day has its own name. */
export function spanText(from: number, to: number, view: Omit<View, "look">): string {
  const { locale, timeZone } = view;
  const whole = absoluteText(from, { ...view, look: "short" });
  if (dayAt(instant(from), timeZone) !== dayAt(instant(to), timeZone))
    return `${whole} – ${absoluteText(to, { ...view, look: "short" })}`;
  const hours = new Intl.DateTimeFormat(locale, { timeZone, ...clockOf(locale) });
  const range = hours.formatRange(from, to).replace(/[\u202f\u00a0]/g, " ");
  return whole.replace(
    absoluteText(from, { ...view, look: "time" }),
    range.replace(/\s*[–-]\s*|\u2009/g, "–"),
  );
}
