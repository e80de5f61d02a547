// The pages of lists for the benchmark: the real use cases over a counting database.
import { connect } from "#db/connect.server";
import { type Counts, countingD1 } from "#tests/support/counting-d1";
import { ListQuery } from "~/domain/lists";
import { instant } from "~/domain/time";
import { listActivities, viewActivity } from "~/use-cases/activities/list.server";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { viewHome } from "~/use-cases/home.server";
import { listHuts, viewHut, viewHutActivities, viewHutSessions } from "~/use-cases/huts/list.server";
import { type GoalListQuery, viewMyGoals } from "~/use-cases/my.server";
import { listSessions } from "~/use-cases/sessions/list.server";

type ListParams = Record<string, unknown>;
const read = (params: ListParams) => ListQuery.parse(params);
const within = (slug: string, params: ListParams) => ({ ...read(params), slug });

const pages = {
  "/": (app: App, params: ListParams) => viewHome(app, read(params)),
  "/events": (app: App, params: ListParams) => listSessions(app, read(params)),
  "/activities": (app: App, params: ListParams) => listActivities(app, read(params)),
  "/groups": (app: App, params: ListParams) => listHuts(app, read(params)),
  "/group/hut-1": (app: App, params: ListParams) => viewHut(app, within("hut-1", params)),
  "/group/hut-1/sessions": (app: App, params: ListParams) => viewHutSessions(app, within("hut-1", params)),
  "/group/hut-1/activities": (app: App, params: ListParams) =>
    viewHutActivities(app, within("hut-1", params)),
  "/activities/activity-1": (app: App, params: ListParams) => viewActivity(app, within("activity-1", params)),
};
export type PageName = keyof typeof pages;
export const pageNames = Object.keys(pages) as PageName[];

/** The list of the user's own goals. */
export const askGoals = (d1: D1Database, query: GoalListQuery, now: number) =>
  counted(d1, 2, now, async (app) => {
    const { rows, page, perPage } = await viewMyGoals(app, query);
    return { rows: Math.min(rows.length, perPage), page };
  });

/** An answer and its cost. `userId` 0: a visitor. */
async function counted<A>(
  d1: D1Database,
  userId: number,
  now: number,
  work: (app: App) => Promise<A>,
): Promise<A & Counts & { ms: number }> {
  const { d1: counting, counts } = countingD1(d1);
  const user = userId === 0 ? null : ({ id: userId, roleId: 1, username: `user-${userId}` } as CurrentUser);
  const app = {
    db: connect(counting),
    user,
    now: instant(now),
    timeZone: "UTC",
    settings: { perPage: 12, roomCapacity: 10_000 },
    shownRecords: [] as App["shownRecords"],
  } as App;
  const begun = performance.now();
  const answer = await work(app);
  return { ...answer, ...counts, ms: performance.now() - begun };
}

export const ask = (d1: D1Database, name: PageName, params: ListParams, userId: number, now: number) =>
  counted(d1, userId, now, async (app) => {
    const answer = await pages[name](app, params);
    const rows =
      ("activities" in answer ? answer.activities.length : 0) +
      ("sessions" in answer ? answer.sessions.length : 0) +
      ("huts" in answer ? answer.huts.length : 0);
    return { rows, after: answer.after, corrected: answer.corrected };
  });
