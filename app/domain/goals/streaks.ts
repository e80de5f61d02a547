// Streaks of recurring goals, with freezes. The tests cite these rules:
// 1. A streak counts days (daily, chosen weekdays) or weeks (n times a week).
// 2. The current day or week never breaks a streak, because it is not over.
// 3. A skipped day and a day off neither extend nor break a streak. In a week a skipped day lowers the target.
// 4. A missed day or week uses up a freeze if there is one; otherwise the streak ends.
// 5. A streak begins with one freeze; every 7 days (4 weeks) earn another, up to 2. Among the streaks that reach today the
//    longest counts, so that one more done day never shortens it.
// 6. A log belongs to the day in the person's time zone when it was made; clock and zone changes move no day. A day done
//    in tomorrow, before a flight to the west, counts, and the days from today on are not over.
import { type Day, daysFrom, plusDays, weekOf } from "~/domain/days";
import type { Goal, Recurrence } from "./goals";
import { type DayTotals, isAskedOn, isDoneOn, timesAsked } from "./recurrence";

export const FREEZES = { first: 1, most: 2, earnedEvery: { day: 7, week: 4 } } as const;

export type Streak = {
  unit: "day" | "week";
  current: number;
  best: number;
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

/** The streak of a recurring goal at `today`, from its days, in any order. */
export function streakOf(
  goal: Pick<Goal, "amount" | "distance" | "duration" | "actionDuration" | "completionsRequired"> & {
    recurrence: Recurrence;
  },
  days: readonly DayTotals[],
  today: Day,
): Streak {
  const { recurrence } = goal;
  const unit = recurrence.every === "week" ? "week" : "day";
  // Westwards across the date line the newest log lies in tomorrow.
  const last = days.some((day) => day.day === plusDays(today, 1) && isDoneOn(goal, day))
    ? plusDays(today, 1)
    : today;
  const byDay = new Map(days.filter(({ day }) => day <= last).map((day) => [day.day, day]));
  const first = [...byDay.keys()].reduce<Day | null>(
    (least, day) => (least === null || day < least ? day : least),
    null,
  );
  const streak: Streak = {
    unit,
    current: 0,
    best: 0,
    freezes: FREEZES.first,
    frozen: [],
    since: null,
    isDoneNow: false,
  };
  if (first === null) return streak;

  const dayOutcome = (day: Day): Outcome => {
    const totals = byDay.get(day);
    if (!isAskedOn(recurrence, day)) return "free";
    if (isDoneOn(goal, totals)) return "kept";
    return totals?.isSkipped ? "free" : "missed";
  };
  const weekOutcome = (monday: Day): Outcome => {
    if (recurrence.every !== "week") return "free";
    const week = daysFrom(monday, plusDays(monday, 6)).map((day) => byDay.get(day));
    const asked = timesAsked(recurrence, week.filter((day) => day?.isSkipped).length);
    if (asked === 0) return "free";
    return week.filter((day) => isDoneOn(goal, day)).length >= asked ? "kept" : "missed";
  };

  const periodOf = (day: Day): Day => (unit === "week" ? weekOf(day) : day);
  const now = periodOf(today);
  const step = unit === "week" ? 7 : 1;
  const spans: { at: Day; outcome: Outcome }[] = [];
  for (let at = periodOf(first); at <= periodOf(last); at = plusDays(at, step)) {
    const outcome = unit === "week" ? weekOutcome(at) : dayOutcome(at);
    // A period that is not over cannot be missed.
    spans.push({ at, outcome: outcome === "missed" && at >= now ? "free" : outcome });
  }
  let best = 0;
  for (let from = 0; from < spans.length; from++) {
    if (spans[from]?.outcome !== "kept") continue;
    const run = runFrom(spans, from, FREEZES.earnedEvery[unit]);
    best = Math.max(best, run.length);
    if (run.isBroken) continue;
    const { length: current, freezes, frozen } = run;
    const isDoneNow = spans.some(({ at, outcome }) => at === now && outcome === "kept");
    return { unit, current, best, freezes, frozen, since: spans[from]?.at ?? null, isDoneNow };
  }
  return { ...streak, best };
}

/** The streak that begins at `from`, as long as its freezes last. */
function runFrom(spans: readonly { at: Day; outcome: Outcome }[], from: number, earnedEvery: number) {
  let length = 0;
  let freezes: number = FREEZES.first;
  const frozen: Day[] = [];
  for (const { at, outcome } of spans.slice(from)) {
    if (outcome === "kept") {
      length += 1;
      if (length % earnedEvery === 0) freezes = Math.min(FREEZES.most, freezes + 1);
    } else if (outcome === "missed") {
      if (freezes === 0) return { length, freezes, frozen, isBroken: true };
      freezes -= 1;
      frozen.push(at);
    }
  }
  return { length, freezes, frozen, isBroken: false };
}
