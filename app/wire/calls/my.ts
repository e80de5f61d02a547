// The data of the My pages (C-29 to C-31); signed in only.

import { z } from "zod";
import { milesOut } from "~/domain/distances";
import type { Goal } from "~/domain/goals/goals";
import type { LogShown } from "~/domain/goals/logs";
import type { NoteShown } from "~/domain/goals/notes";
import type { DayTotals } from "~/domain/goals/recurrence";
import type { Streak } from "~/domain/goals/streaks";
import { oneLine } from "~/domain/text-fields";
import { fields, pageCall } from "../call";
import { goalOut } from "../goals/goals";
import { logOut } from "../goals/logs";
import { noteOut } from "../goals/notes";
import { myHutOut, mySessionOut } from "../my";
import { cursors, decimalOut, flagOut, id, page, search, until } from "../values";
import { ownGoalOut } from "./goals";

type Listed<T> = { rows: T[]; page: number; perPage: number; after?: string | null; next?: string | null };
type OwnGoal = { goal: Goal; tags: string[]; activeLogId: number | null; username: string };
type Parent = { goal: OwnGoal | null };

const who = "signed-in";
const place = (list: Listed<unknown>) => ({ page: list.page, per_page: list.perPage });
/** With the cursor where `limit` asks for one. */
const placeAmong = ({ next, ...list }: Listed<unknown>) => ({
  ...place(list),
  ...(next === undefined ? {} : { next }),
});
const parent = ({ goal }: Parent) => (goal ? { goal: ownGoalOut(goal) } : {});

const query = { page };

/** C-31: `?with-parent=1` includes the goal. */
const ofGoal = fields({
  params: { goal: id },
  query: { page, ...cursors, "with-parent": oneLine().optional() },
}).transform(({ goal, page, limit, after, "with-parent": wish }) => ({
  goal,
  page,
  limit,
  after,
  isParentWanted: wish === "1" || wish === "true",
}));

const dayOut = (day: DayTotals) => ({
  day: day.day,
  amount: decimalOut(day.amount),
  duration: day.duration,
  distance: milesOut(day.distance),
  logs: day.logs,
  is_skipped: flagOut(day.isSkipped),
});
const streakOut = (streak: Streak | null) =>
  streak && {
    unit: streak.unit,
    current: streak.current,
    best: streak.best,
    best_unit: streak.bestUnit,
    freezes: streak.freezes,
    frozen: streak.frozen,
    since: streak.since,
    is_done_now: flagOut(streak.isDoneNow),
  };

export const myCalls = {
  listMyGoals: pageCall("GET /api/my/goals", "List your goals", {
    scope: "read",
    input: fields({
      query: {
        ...query,
        q: search,
        tag: search,
        status: z.enum(["open", "completed"]).optional().catch(undefined),
      },
    }),
    who,
    answer: (list: Listed<OwnGoal> & { tags: { tag: string; goals: number }[]; openLogs: LogShown[] }) => ({
      goals: list.rows.map(ownGoalOut),
      tags: list.tags,
      logs: list.openLogs.map(logOut),
      ...place(list),
    }),
  }),
  viewGoal: pageCall("GET /api/my/goals/{goal}", "Read one of your goals", {
    scope: "read",
    input: fields({ params: { goal: id } }),
    who,
    answer: (seen: OwnGoal & { logs: LogShown[]; days: DayTotals[]; streak: Streak | null }) => ({
      goal: goalOut(seen.goal, {
        isOwner: true,
        username: seen.username,
        activeLogId: seen.activeLogId,
        tags: seen.tags,
        logs: seen.logs,
      }),
      logs: seen.logs.map(logOut),
      days: seen.days.map(dayOut),
      streak: streakOut(seen.streak),
    }),
  }),
  listMyLogs: pageCall("GET /api/my/logs", "List your logs", {
    scope: "read",
    input: fields({ query: { page, ...cursors, q: search, until } }),
    who,
    answer: (list: Listed<LogShown>) => ({ logs: list.rows.map(logOut), ...placeAmong(list) }),
  }),
  viewGoalLogs: pageCall("GET /api/my/goals/{goal}/logs", "List the logs of a goal", {
    scope: "read",
    input: ofGoal,
    who,
    answer: (list: Listed<LogShown> & Parent) => ({
      ...parent(list),
      logs: list.rows.map(logOut),
      ...placeAmong(list),
    }),
  }),
  listMyNotes: pageCall("GET /api/my/notes", "List your notes", {
    scope: "read",
    input: fields({ query: { page, ...cursors, q: search } }),
    who,
    answer: (list: Listed<NoteShown>) => ({ notes: list.rows.map(noteOut), ...placeAmong(list) }),
  }),
  viewGoalNotes: pageCall("GET /api/my/goals/{goal}/notes", "List the notes of a goal", {
    scope: "read",
    input: ofGoal,
    who,
    answer: (list: Listed<NoteShown> & Parent) => ({
      ...parent(list),
      notes: list.rows.map(noteOut),
      ...placeAmong(list),
    }),
  }),
  listMySessions: pageCall("GET /api/my/sessions", "List your sessions", {
    scope: "read",
    input: fields({ query }),
    who,
    answer: (
      list: Listed<Parameters<typeof mySessionOut>[0]> & { now: Parameters<typeof mySessionOut>[1] },
    ) => ({
      sessions: list.rows.map((session) => mySessionOut(session, list.now)),
      ...place(list),
    }),
  }),
  listMyHuts: pageCall("GET /api/my/groups", "List your huts", {
    scope: "read",
    input: fields({ query }),
    who,
    answer: (list: Listed<Parameters<typeof myHutOut>[0]>) => ({
      groups: list.rows.map(myHutOut),
      ...place(list),
    }),
  }),
};
