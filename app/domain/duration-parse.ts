// Parses durations as people write them; duration-text.ts formats them. Pure.
import { type Seconds, seconds } from "./time";

/** A duration that fields propose (T-19). A month is 30 days. */
export type DurationPreset = { title: string; seconds: Seconds };
export const DURATION_PRESETS: readonly DurationPreset[] = [
  { title: "5 minutes", seconds: seconds(300) },
  { title: "30 minutes", seconds: seconds(1800) },
  { title: "1 hour", seconds: seconds(3600) },
  { title: "1 day", seconds: seconds(86_400) },
  { title: "1 week", seconds: seconds(604_800) },
  { title: "1 month", seconds: seconds(2_592_000) },
];

/** Usual lengths of a session's timer; the longer presets of every duration follow behind "Longer". */
export const TIMER_PRESETS: readonly DurationPreset[] = [
  ...[5, 10, 15, 20, 25, 30, 45].map((minutes) => ({
    title: `${minutes} minutes`,
    seconds: seconds(minutes * 60),
  })),
  { title: "1 hour", seconds: seconds(3600) },
];

const MAX_SECONDS = seconds(100 * 365.25 * 86_400);

// The spellings of each unit, and its length in seconds.
const SPELLINGS: readonly [spellings: string, span: number][] = [
  ["ms msec msecs millis milli millisecond milliseconds", 0.001],
  ["s sec secs second seconds", 1],
  ["m min mins minute minutes", 60],
  ["h hr hrs hour hours", 3600],
  ["d day days", 86_400],
  ["w wk wks week weeks", 7 * 86_400],
  ["mo mos mon mth mths month months", 30 * 86_400],
  ["y yr yrs year years", 365.25 * 86_400],
];
const UNITS = new Map(
  SPELLINGS.flatMap(([spellings, span]) => spellings.split(" ").map((word) => [word, span])),
);
// The unit of a number without a unit depends on the unit before it: 1h30 is 1 hour 30 minutes.
const NEXT_UNIT = new Map([
  [86_400, 3600],
  [3600, 60],
  [60, 1],
]);

const UNREADABLE = 'Please write a duration such as "1h 30m" or "1:30:00".';

export type ParsedDuration =
  | { seconds: Seconds; empty?: never; error?: never }
  | { empty: true; seconds?: never; error?: never }
  | { error: string; seconds?: never; empty?: never };

/** Text → whole seconds (T-17, R-19). Empty text clears the value; unreadable text returns a sentence. */
export function parseDuration(text: string): ParsedDuration {
  const input = text.trim().toLowerCase();
  if (input === "") return { empty: true };
  if (input.length > 100) return { error: UNREADABLE };
  if (/^[-−–]/.test(input)) return { error: "A duration cannot be negative." };
  if (/^\d+(?:[.,]\d+)?$/.test(input))
    return { error: `Please add a unit, such as "${input}m" for minutes or "${input}h" for hours.` };
  const sum = sumOfUnits(input);
  if (sum === null) return { error: UNREADABLE };
  const total = Math.round(sum);
  if (!Number.isFinite(total) || total > MAX_SECONDS) return { error: "That is too long." };
  return { seconds: seconds(total) };
}

/** The seconds of the text, or null if any part is ambiguous. */
function sumOfUnits(input: string): number | null {
  let sum = 0;
  let remaining = input;
  let lastUnit = 0;
  while (remaining !== "") {
    const clock = /^(\d+):(\d{1,2})(?::(\d{1,2}))?$/.exec(remaining);
    if (clock) {
      const [, first = "0", second = "0", third] = clock;
      const [h = 0, m = 0, s = 0] = (third === undefined ? ["0", first, second] : [first, second, third]).map(
        Number,
      );
      // 1:75 is a typing error; 90:00 is ninety minutes.
      if (s > 59 || (third !== undefined && m > 59)) return null;
      return sum + h * 3600 + m * 60 + s;
    }
    const word = /^(\d+(?:\.\d+|,\d{1,2}(?!\d))?|\.\d+)\s*([a-z]*)/.exec(remaining);
    const amount = word?.[1]?.replace(",", ".");
    if (!word || amount === undefined) return null;
    const unit = word[2] ? UNITS.get(word[2]) : NEXT_UNIT.get(lastUnit);
    if (!unit) return null;
    sum += Number(amount) * unit;
    lastUnit = unit;
    remaining = remaining.slice(word[0].length).replace(/^(?:\s*,\s*|\s+and\s+|\s+)/, "");
    // A number without a unit must come last.
    if (!word[2] && remaining !== "") return null;
  }
  return sum;
}
