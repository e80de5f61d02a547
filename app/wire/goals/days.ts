// The wire format of a goal's days.
import { milesOut } from "~/domain/distances";
import type { DayTotals } from "~/domain/goals/recurrence";
import { decimalOut, flagOut } from "~/wire/values";

export const dayOut = (day: DayTotals) => ({
  day: day.day,
  amount: decimalOut(day.amount),
  duration: day.duration,
  distance: milesOut(day.distance),
  logs: day.logs,
  is_skipped: flagOut(day.isSkipped),
});
