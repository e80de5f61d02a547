// The planner of a goal's reminder and of the list of goals that are still open, run every minute (N-23, N-24). They
// are derived, like reminders of sessions: a change of a goal or a setting writes no rows for them.
import { runBatch } from "#db/connect.server";
import * as timed from "#db/queries/goals/reminders";
import { eventIdAt } from "#db/queries/notices/events";
import * as upkeep from "#db/queries/upkeep";
import { isDue, isOpenOn } from "~/domain/goals/today";
import { windowSince } from "~/domain/notices/catch-up";
import type { NewEvent } from "~/domain/notices/cause";
import { subjectOf } from "~/domain/notices/events";
import { dayReached, endOfDay, minutesReached } from "~/domain/notices/quiet-hours";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import { wakeEvents } from "~/use-cases/notices/events.server";

const MARK = "goal-reminders";
const JOB = "plan-goal-reminders";
/** Goals or people that a statement reads. */
const ROWS_A_PAGE = 200;
/** "Still open today" names at most this many goals. */
const MAX_NAMED_GOALS = 10;

/** A window of instants, and the local minutes that some clock reaches in it. */
type Window = { after: Instant; until: Instant; minutes: readonly number[] };

export async function planGoalReminders(app: App): Promise<{ goals: number; lists: number; failed: number }> {
  const [[storedMark], [timers]] = await app.db.batch([
    upkeep.findMark(app.db, MARK),
    timed.findReminderUse(app.db),
  ]);
  const knownMark = storedMark?.mark ?? "";
  const after = windowSince(knownMark, app.now);
  if (after === app.now) return { goals: 0, lists: 0, failed: 0 };
  const hasAny = timers !== undefined && timers.goals + timers.lists > 0;
  const window = { after, until: app.now, minutes: hasAny ? minutesReached(after, app.now) : [] };
  const goals = timers?.goals ? await collectGoalReminders(app, window) : NOTHING_DUE;
  const lists = timers?.lists ? await collectOpenLists(app, window) : NOTHING_DUE;
  const causes = [...goals.due, ...lists.due];
  await runBatch(app.db, timed.recordReminders(app.db, causes, { job: MARK, read: knownMark }, app.now));
  wakeEvents(app, causes);
  return { goals: goals.due.length, lists: lists.due.length, failed: goals.failed + lists.failed };
}

type DueReminders<Kind extends "goal-reminder" | "still-open"> = { due: NewEvent<Kind>[]; failed: number };
const NOTHING_DUE = { due: [], failed: 0 };

/** Pages of rows at each minute of a window, all minutes in one batch. */
async function* readPages<Row extends { id: number }>(
  app: App,
  { minutes }: Window,
  list: (cursor: { minute: number; after: number; limit: number }) => PromiseLike<Row[]>,
): AsyncGenerator<{ minute: number; row: Row }[]> {
  let pending = minutes.map((minute) => ({ minute, after: 0, limit: ROWS_A_PAGE }));
  while (pending.length > 0) {
    const pages = (await runBatch(app.db, pending.map(list) as never)) as Row[][];
    yield pages.flatMap((rows, index) => rows.map((row) => ({ minute: pending[index]?.minute ?? 0, row })));
    pending = pending.flatMap((cursor, index) => {
      const last = pages[index]?.at(-1);
      return last && pages[index]?.length === ROWS_A_PAGE ? [{ ...cursor, after: last.id }] : [];
    });
  }
}

const idOf = (app: App, name: string): string => `${eventIdAt(app.now)}-${name}`;

async function collectGoalReminders(app: App, window: Window): Promise<DueReminders<"goal-reminder">> {
  const reminders: NewEvent<"goal-reminder">[] = [];
  let failures = 0;
  const pages = readPages(app, window, (cursor) => timed.listGoalsToRemind(app.db, cursor, app.now));
  for await (const page of pages) {
    const { failed } = await runEachRow(app, page, {
      job: JOB,
      nameOf: ({ row }) => `goal-${row.id}`,
      runRow({ minute, row }) {
        const day = dayReached(minute, row.timeZone, window.after, window.until);
        if (day === null || !isOpenOn(row.facts, day)) return;
        const { id, title, userId, timeZone } = row;
        reminders.push({
          id: idOf(app, `goal-${id}`),
          kind: "goal-reminder",
          subject: subjectOf("goal", id),
          actorId: null,
          body: { title, path: `/my/goals/${id}`, day, until: endOfDay(day, timeZone), to: [userId] },
          at: app.now,
        });
      },
    });
    failures += failed.length;
  }
  return { due: reminders, failed: failures };
}

async function collectOpenLists(app: App, window: Window): Promise<DueReminders<"still-open">> {
  const reminders: NewEvent<"still-open">[] = [];
  let failures = 0;
  const pages = readPages(app, window, (cursor) => timed.listPeopleToRemind(app.db, cursor));
  for await (const page of pages) {
    const daysOfPeople = await runEachRow(app, page, {
      job: JOB,
      nameOf: ({ row }) => `person-${row.id}`,
      runRow: ({ minute, row }) => dayReached(minute, row.timeZone, window.after, window.until),
    });
    failures += daysOfPeople.failed.length;
    const people = daysOfPeople.done.flatMap(({ row: { minute, row }, result: day }) =>
      day === null ? [] : [{ ...row, minute, day }],
    );
    if (people.length === 0) continue;
    const goals = await timed.listOpenRecurringGoals(
      app.db,
      [...new Set(people.map(({ id }) => id))],
      app.now,
    );
    const { failed } = await runEachRow(app, people, {
      job: JOB,
      nameOf: ({ id }) => `person-${id}`,
      runRow({ id, timeZone, minute, day }) {
        const titles = goals
          .filter(({ userId, facts }) => userId === id && isDue(facts, day))
          .slice(0, MAX_NAMED_GOALS)
          .map(({ title }) => title);
        if (titles.length === 0) return;
        const until = endOfDay(day, timeZone);
        reminders.push({
          id: idOf(app, `open-${id}-${minute}`),
          kind: "still-open",
          subject: `still-open:${minute}`,
          actorId: null,
          body: { titles, path: "/my/goals", chosen: minute + 1, until, to: [id] },
          at: app.now,
        });
      },
    });
    failures += failed.length;
  }
  return { due: reminders, failed: failures };
}
