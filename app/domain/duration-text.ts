// Formats durations; duration-parse.ts parses them. Pure.
import { DAY, HOUR, type Millis, SECOND } from "./time";

const splitUnits = (total: number) => ({
  days: Math.floor(total / 86_400),
  hours: Math.floor(total / 3600) % 24,
  minutes: Math.floor(total / 60) % 60,
  seconds: total % 60,
});

/** Seconds as days, hours, minutes, seconds: "1d 2h 30m", "0s". `parseDuration` is the inverse. */
export function formatDuration(span: number): string {
  const total = Math.max(0, Math.round(span));
  const { days, hours, minutes, seconds } = splitUnits(total);
  const parts = [
    days && `${days}d`,
    hours && `${hours}h`,
    minutes && `${minutes}m`,
    seconds && `${seconds}s`,
  ];
  return parts.filter(Boolean).join(" ") || "0s";
}

/** Seconds in whole words, for titles and screen readers: "1 hour 30 minutes". */
export function describeDuration(span: number): string {
  const parts = Object.entries(splitUnits(Math.max(0, Math.round(span))))
    .filter(([, n]) => n > 0)
    .map(([unit, n]) => `${n} ${n === 1 ? unit.slice(0, -1) : unit}`);
  return parts.join(" ") || "0 seconds";
}

/** Seconds of work in whole words, which a sum counts in hours: "139 hours", "1 hour 30 minutes", "14 seconds". */
export function describeWork(span: number): string {
  const total = Math.max(0, Math.floor(span));
  const { minutes, seconds } = splitUnits(total);
  const parts = [
    countWithUnit(Math.floor(total / 3600), "hour"),
    countWithUnit(minutes, "minute"),
    countWithUnit(total < 3600 ? seconds : 0, "second"),
  ];
  return parts.filter(Boolean).join(" ") || "0 minutes";
}

/** "139 of 200 hours" in the target's unit, or "1 hour 5 minutes of 2 hours" for other work. Both parameters are in seconds. */
export function describeWorkOf(workDone: number, target: number): string {
  const [unit, size] =
    target % 3600 === 0
      ? (["hour", 3600] as const)
      : target % 60 === 0
        ? (["minute", 60] as const)
        : (["second", 1] as const);
  const unitsDone = Math.floor(workDone) / size;
  return Number.isInteger(unitsDone)
    ? `${unitsDone} of ${countWithUnit(target / size, unit)}`
    : `${describeWork(workDone)} of ${countWithUnit(target / size, unit)}`;
}

const countWithUnit = (count: number, unit: string): string =>
  count === 0 ? "" : `${count} ${unit}${count === 1 ? "" : "s"}`;

/**
 * T-18: milliseconds as a clock. Over 1 day "1d 02:03:04", from 1 hour "1:02:03", otherwise "02:03". Times that count
 * up are rounded down ("floor"), times that count down are rounded up ("ceil").
 */
export function formatClock(span: Millis | number, rounding: "floor" | "ceil" = "floor"): string {
  const total = Math.max(0, Math[rounding](span / SECOND));
  const twoDigits = (n: number) => String(n).padStart(2, "0");
  const { days, hours, minutes, seconds } = splitUnits(total);
  const tail = `${twoDigits(minutes)}:${twoDigits(seconds)}`;
  if (total * SECOND > DAY) return `${days}d ${twoDigits(hours)}:${tail}`;
  return total * SECOND >= HOUR ? `${days * 24 + hours}:${tail}` : tail;
}
