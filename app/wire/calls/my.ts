// The data of the My pages (C-29 to C-31); signed in only.

import { z } from "zod";
import { milesOut } from "~/domain/distances";
import type { LogShown } from "~/domain/goals/logs";
import type { NoteShown } from "~/domain/goals/notes";
import type { DayTotals } from "~/domain/goals/recurrence";
import type { Streak } from "~/domain/goals/streaks";
import type { Today, TodayGoal } from "~/domain/goals/today";
import { oneLine } from "~/domain/text-fields";
import { fields, listCall, pageCall } from "../call";
import { dayOut } from "../goals/days";
import { goalOut, type OwnGoal, ownGoalOut } from "../goals/goals";
import { logOut } from "../goals/logs";
import { noteOut } from "../goals/notes";
import { myHutOut, mySessionOut } from "../my";
import { decimalOut, flagOut, id, page, paging, search, until } from "../values";

type ListResult<T> = { rows: T[]; page: number; perPage: number };
type WithParent = { goal: OwnGoal | null };

const who = "signed-in";
const pagingOf = (list: ListResult<unknown>) => ({ page: list.page, per_page: list.perPage });
const parentFields = ({ goal }: WithParent) => (goal ? { goal: ownGoalOut(goal) } : {});

const pageQuery = { page };

/** C-31: `?with-parent=1` includes the goal. */
const goalListInput = fields({
  params: { goal: id },
  query: { ...paging, "with-parent": oneLine().optional() },
}).transform(({ goal, page, after, "with-parent": withParent }) => ({
  goal,
  page,
  after,
  isParentWanted: withParent === "1" || withParent === "true",
}));

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

/** A goal of Today. */
const todayOut = (goal: TodayGoal) => ({
  id: goal.id,
  uuid: goal.uuid,
  title: goal.title,
  place: goal.place,
  is_due: flagOut(goal.place === "due"),
  amount_elapsed: decimalOut(goal.totals.amountElapsed),
  duration_elapsed: goal.totals.durationElapsed,
  distance_elapsed: milesOut(goal.totals.distanceElapsed),
  streak: goal.streak && {
    unit: goal.streak.unit,
    current: goal.streak.current,
    is_least: flagOut(goal.streak.isLowerBound),
  },
  week: goal.week,
  days_left: goal.daysLeft,
});

export const myCalls = {
  listMyGoals: listCall("GET /api/my/goals", "List your goals", {
    scope: "read",
    rows: "rows",
    input: fields({
      query: {
        ...pageQuery,
        q: search,
        tag: search,
        status: z.enum(["open", "completed"]).optional().catch(undefined),
      },
    }),
    who,
    answer: (
      list: ListResult<OwnGoal> & {
        tags: { tag: string; goals: number }[];
        openLogs: LogShown[];
        goalsOfToday: Today | null;
      },
    ) => ({
      goals: list.rows.map(ownGoalOut),
      tags: list.tags,
      logs: list.openLogs.map(logOut),
      today: list.goalsOfToday?.goals.map(todayOut) ?? [],
      ...pagingOf(list),
    }),
  }),
  viewGoal: pageCall("GET /api/my/goals/{goal}", "Read one of your goals", {
    scope: "read",
    input: fields({ params: { goal: id } }),
    who,
    answer: (goal: OwnGoal & { logs: LogShown[]; days: DayTotals[]; streak: Streak | null }) => ({
      goal: goalOut(goal.goal, {
        isOwner: true,
        username: goal.username,
        activeLogId: goal.activeLogId,
        tags: goal.tags,
        logs: goal.logs,
      }),
      logs: goal.logs.map(logOut),
      days: goal.days.map(dayOut),
      streak: streakOut(goal.streak),
    }),
  }),
  listMyLogs: listCall("GET /api/my/logs", "List your logs", {
    scope: "read",
    rows: "rows",
    input: fields({ query: { ...paging, q: search, until } }),
    who,
    answer: (list: ListResult<LogShown>) => ({ logs: list.rows.map(logOut), ...pagingOf(list) }),
  }),
  viewGoalLogs: listCall("GET /api/my/goals/{goal}/logs", "List the logs of a goal", {
    scope: "read",
    isForGoalKeys: true,
    rows: "rows",
    input: goalListInput,
    who,
    answer: (list: ListResult<LogShown> & WithParent) => ({
      ...parentFields(list),
      logs: list.rows.map(logOut),
      ...pagingOf(list),
    }),
  }),
  listMyNotes: listCall("GET /api/my/notes", "List your notes", {
    scope: "read",
    rows: "rows",
    input: fields({ query: { ...paging, q: search } }),
    who,
    answer: (list: ListResult<NoteShown>) => ({ notes: list.rows.map(noteOut), ...pagingOf(list) }),
  }),
  viewGoalNotes: listCall("GET /api/my/goals/{goal}/notes", "List the notes of a goal", {
    scope: "read",
    rows: "rows",
    input: goalListInput,
    who,
    answer: (list: ListResult<NoteShown> & WithParent) => ({
      ...parentFields(list),
      notes: list.rows.map(noteOut),
      ...pagingOf(list),
    }),
  }),
  listMySessions: listCall("GET /api/my/sessions", "List your sessions", {
    scope: "read",
    rows: "rows",
    input: fields({ query: pageQuery }),
    who,
    answer: (
      list: ListResult<Parameters<typeof mySessionOut>[0]> & { now: Parameters<typeof mySessionOut>[1] },
    ) => ({
      sessions: list.rows.map((session) => mySessionOut(session, list.now)),
      ...pagingOf(list),
    }),
  }),
  listMyHuts: listCall("GET /api/my/groups", "List your huts", {
    scope: "read",
    rows: "rows",
    input: fields({ query: pageQuery }),
    who,
    answer: (list: ListResult<Parameters<typeof myHutOut>[0]>) => ({
      groups: list.rows.map(myHutOut),
      ...pagingOf(list),
    }),
  }),
};
