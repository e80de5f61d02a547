// Streaks of recurring goals, with freezes. The tests cite these rules:
// 1. A streak counts days (daily, chosen weekdays) or weeks (n times a week).
// 2. The current day or week never breaks a streak, because it is not over.
// 3. A skipped day and a day off neither extend nor break a streak. In a week a skipped day lowers the target.
// 4. A missed day or week uses up a freeze if there is one; otherwise the streak ends.
// 5. A streak begins with one freeze; every 7 days (4 weeks) earn another, up to 2. Among the streaks that reach today the
//    longest counts, so that one more done day never shortens it.
// 6. A log belongs to the day in the person's time zone when it was made; clock and zone changes move no day. A day done
//    in tomorrow, before a flight to the west, counts, and the days from today on are not over.
// 7. A day keeps the measure that held on it. Seven days in a row count as a week, so that a change between the two
//    ends no streak; a week in which days became weeks cannot be missed.
import { type Day, daysFrom, plusDays, weekOf } from "~/domain/days";
import type { Recurrence } from "./goals";
import { type DayTotals, isDoneOn, isDueOn, requiredTimesOf } from "./recurrence";
import { type GoalMeasure, type GoalTarget, goalOn } from "./target-changes";

export const FREEZES = { first: 1, most: 2, earnedEvery: { day: 7, week: 4 } } as const;

type Unit = "day" | "week";
export type Streak = {
  unit: Unit;
  current: number;
  best: number;
  /** The best streak may be older than the goal's repetition. */
  bestUnit: Unit;
  /** Freezes left. */
  freezes: number;
  /** Days (or Mondays) of the current streak that a freeze saved. */
  frozen: Day[];
  /** The start of the current streak; null without one. */
  since: Day | null;
  /** The current day or week is done. */
  isDoneNow: boolean;
};

type Outcome = "kept" | "missed" | "free";
type Span = { start: Day; unit: Unit; outcome: Outcome };

const unitOf = (recurrence: Recurrence | null): Unit => (recurrence?.every === "week" ? "week" : "day");
const DAYS_IN = { day: 1, week: 7 } as const;
/** Days in a row as days or weeks; less than a week is one. */
const lengthInUnit = (days: number, unit: Unit): number =>
  unit === "day" || days === 0 ? days : Math.max(1, Math.floor(days / 7));

/** The streak of a recurring goal at `today`, from its days, in any order. */
export function streakOf(
  goal: GoalTarget & { recurrence: Recurrence },
  days: readonly DayTotals[],
  today: Day,
  measures: readonly GoalMeasure[] = [],
): Streak {
  const unit = unitOf(goal.recurrence);
  const goalOnDay = (day: Day) => goalOn<GoalTarget & { recurrence: Recurrence | null }>(goal, measures, day);
  // Westwards across the date line the newest log lies in tomorrow.
  const tomorrow = plusDays(today, 1);
  const last = days.some((day) => day.day === tomorrow && isDoneOn(goalOnDay(tomorrow), day))
    ? tomorrow
    : today;
  const byDay = new Map(days.filter(({ day }) => day <= last).map((day) => [day.day, day]));
  const first = [...byDay.keys()].reduce<Day | null>(
    (least, day) => (least === null || day < least ? day : least),
    null,
  );
  const noStreak = { unit, current: 0, bestUnit: unit, freezes: FREEZES.first, frozen: [], since: null };
  if (first === null) return { ...noStreak, best: 0, isDoneNow: false };

  const isDone = (day: Day) => isDoneOn(goalOnDay(day), byDay.get(day));
  const dayOutcome = (day: Day): Outcome => {
    const { recurrence } = goalOnDay(day);
    if (recurrence === null || !isDueOn(recurrence, day)) return "free";
    if (isDone(day)) return "kept";
    return byDay.get(day)?.isSkipped ? "free" : "missed";
  };
  /** `end`: the last day of the week on which the goal counted weeks. */
  const weekOutcome = (monday: Day, end: Day): Outcome => {
    const { recurrence } = goalOnDay(end);
    if (recurrence?.every !== "week") return "free";
    const week = daysFrom(monday, plusDays(monday, 6));
    const requiredTimes = requiredTimesOf(recurrence, week.filter((day) => byDay.get(day)?.isSkipped).length);
    if (requiredTimes === 0) return "free";
    if (week.filter(isDone).length >= requiredTimes) return "kept";
    return week.every((day) => unitOf(goalOnDay(day).recurrence) === "week") ? "missed" : "free";
  };

  const spans: Span[] = [];
  const isOver = ({ start, unit }: Span) => plusDays(start, DAYS_IN[unit]) <= today;
  for (let day = first; day <= last; ) {
    const unit = unitOf(goalOnDay(day).recurrence);
    let end = day;
    const start = unit === "week" ? weekOf(day) : day;
    if (unit === "week")
      while (end < plusDays(start, 6) && unitOf(goalOnDay(plusDays(end, 1)).recurrence) === "week")
        end = plusDays(end, 1);
    const span = { start, unit, outcome: unit === "week" ? weekOutcome(start, end) : dayOutcome(day) };
    // A period that is not over cannot be missed.
    spans.push(span.outcome === "missed" && !isOver(span) ? { ...span, outcome: "free" } : span);
    day = plusDays(end, 1);
  }

  let best = { days: 0, unit };
  const bestSoFar = () => ({ best: lengthInUnit(best.days, best.unit), bestUnit: best.unit });
  const currentPeriod = unit === "week" ? weekOf(today) : today;
  for (let from = 0; from < spans.length; from++) {
    if (spans[from]?.outcome !== "kept") continue;
    const currentRun = runFrom(spans, from);
    if (currentRun.days > best.days) best = { days: currentRun.days, unit: currentRun.unit };
    if (currentRun.isBroken) continue;
    const isDoneNow = spans.some(({ start, outcome }) => start === currentPeriod && outcome === "kept");
    const { freezes, frozen } = currentRun;
    const since = spans[from]?.start ?? null;
    return {
      unit,
      current: lengthInUnit(currentRun.days, unit),
      ...bestSoFar(),
      freezes,
      frozen,
      since,
      isDoneNow,
    };
  }
  return { ...noStreak, ...bestSoFar(), isDoneNow: false };
}

/** The streak that begins at `from`, as long as its freezes last. */
function runFrom(spans: readonly Span[], from: number) {
  let days = 0;
  let unit: Unit = "day";
  const doneSpans = { day: 0, week: 0 };
  let freezes: number = FREEZES.first;
  const frozen: Day[] = [];
  for (const span of spans.slice(from)) {
    if (span.outcome === "kept") {
      unit = span.unit;
      days += DAYS_IN[unit];
      doneSpans[unit] += 1;
      if (doneSpans[unit] % FREEZES.earnedEvery[unit] === 0) freezes = Math.min(FREEZES.most, freezes + 1);
    } else if (span.outcome === "missed") {
      if (freezes === 0) return { days, unit, freezes, frozen, isBroken: true };
      freezes -= 1;
      frozen.push(span.start);
    }
  }
  return { days, unit, freezes, frozen, isBroken: false };
}
