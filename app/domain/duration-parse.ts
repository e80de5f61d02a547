// Durations as people write them. Pure. How they are read out is duration-text.ts.
import timestring from "timestring";
import { type Seconds, seconds } from "./time";

/** T-19. A month is 30 days. */
export const DURATION_PRESETS: readonly { title: string; seconds: Seconds }[] = [
  { title: "5 minutes", seconds: seconds(300) },
  { title: "30 minutes", seconds: seconds(1800) },
  { title: "1 hour", seconds: seconds(3600) },
  { title: "1 day", seconds: seconds(86_400) },
  { title: "1 week", seconds: seconds(604_800) },
  { title: "1 month", seconds: seconds(2_592_000) },
];

// the library counts 28 or 30.4 days a month; here it is 30.
const CALENDAR = { hoursPerDay: 24, daysPerWeek: 7, daysPerYear: 365.25, monthsPerYear: 365.25 / 30 };
const LONGEST = seconds(100 * 365.25 * 86_400);

// Every spelling → the library's.
const SPELLINGS: Record<string, readonly string[]> = {
  ms: ["ms", "msec", "msecs", "millis", "milli", "millisecond", "milliseconds"],
  s: ["s", "sec", "secs", "second", "seconds"],
  m: ["m", "min", "mins", "minute", "minutes"],
  h: ["h", "hr", "hrs", "hour", "hours"],
  d: ["d", "day", "days"],
  w: ["w", "wk", "wks", "week", "weeks"],
  month: ["mo", "mos", "mon", "mth", "mths", "month", "months"],
  y: ["y", "yr", "yrs", "year", "years"],
};
const UNITS = new Map(Object.entries(SPELLINGS).flatMap(([unit, all]) => all.map((word) => [word, unit])));
// What the number after a unit without its own means: 1h30 is thirty minutes.
const NEXT_UNIT: Record<string, string> = { d: "h", h: "m", m: "s" };

const UNREADABLE = 'Please write a duration such as "1h 30m" or "1:30:00".';

export type ParsedDuration =
  | { seconds: Seconds; empty?: never; error?: never }
  | { empty: true; seconds?: never; error?: never }
  | { error: string; seconds?: never; empty?: never };

/** T-17, R-19: text → whole seconds. Empty text clears; what cannot be read gives a sentence. */
export function parseDuration(text: string): ParsedDuration {
  const input = text.trim().toLowerCase();
  if (input === "") return { empty: true };
  if (input.length > 100) return { error: UNREADABLE };
  if (/^[-−–]/.test(input)) return { error: "A duration cannot be negative." };
  if (/^\d+(?:[.,]\d+)?$/.test(input))
    return { error: `Please add a unit, such as "${input}m" for minutes or "${input}h" for hours.` };
  const normal = normaliseDuration(input);
  if (normal === null) return { error: UNREADABLE };
  const total = Math.round(timestring(normal, "s", CALENDAR));
  if (!Number.isFinite(total) || total > LONGEST) return { error: "That is too long." };
  return { seconds: seconds(total) };
}

/** The text in the library's own words, or null where any of it would be guessed at. */
function normaliseDuration(input: string): string | null {
  const words: string[] = [];
  let rest = input;
  let lastUnit = "";
  while (rest !== "") {
    const clock = /^(\d+):(\d{1,2})(?::(\d{1,2}))?$/.exec(rest);
    if (clock) {
      const [, first = "0", second = "0", third] = clock;
      const [h, m, s] = third === undefined ? ["0", first, second] : [first, second, third];
      // 1:75 is a slip; 90:00 is ninety minutes.
      if (Number(s) > 59 || (third !== undefined && Number(m) > 59)) return null;
      words.push(`${h}h${m}m${s}s`);
      break;
    }
    const word = /^(\d+(?:\.\d+|,\d{1,2}(?!\d))?|\.\d+)\s*([a-z]*)/.exec(rest);
    const amount = word?.[1]?.replace(",", ".").replace(/^\./, "0.");
    if (!word || amount === undefined) return null;
    const unit: string | undefined = word[2] ? UNITS.get(word[2]) : NEXT_UNIT[lastUnit];
    if (!unit) return null;
    words.push(amount + unit);
    lastUnit = unit;
    rest = rest.slice(word[0].length).replace(/^(?:\s*,\s*|\s+and\s+|\s+)/, "");
    // Nothing may follow a number without a unit.
    if (!word[2] && rest !== "") return null;
  }
  return words.join("");
}
