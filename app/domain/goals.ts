// Goals: their shapes and what may be asked of them (rulings 8). Pure.
import type { Seconds } from "./time";

/** One line of a checklist. */
export type ChecklistItem = { uuid: string; title: string; link: string; isChecked: boolean };

/** A timer of a goal; with intervals they run in order, `sets` times, and `duration` is their sum times sets. */
export type GoalTimer = {
  uuid: string;
  title: string;
  duration: Seconds;
  isInterval: boolean;
  sets: number;
  timers: { title: string; duration: Seconds }[];
};

/** Logs at one tap (E-11). Amount and distance in thousandths. */
export type QuickLogButton = {
  uuid: string;
  title: string;
  content: string;
  action: string;
  amount: number | null;
  distance: number | null;
  duration: Seconds | null;
  status: 1 | 2 | 3;
  completionsRequired: number;
  order: number;
};

/** When a recurring goal begins anew, at midnight of the person's own zone. */
export type Recurrence =
  | { every: "day" }
  | { every: "weekdays"; weekdays: number[] }
  | { every: "week"; times: number };
