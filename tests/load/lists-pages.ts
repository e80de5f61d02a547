// The pages of lists for the benchmark: the real use cases over a counting database.
import { connect } from "#db/connect.server";
import { countingD1 } from "#tests/support/counting-d1";
import { ListQuery } from "~/domain/lists";
import { instant } from "~/domain/time";
import { listActivities, viewActivity } from "~/use-cases/activities-list.server";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { viewHome } from "~/use-cases/home.server";
import { listHuts, viewHut, viewHutActivities, viewHutSessions } from "~/use-cases/huts-list.server";
import { listSessions } from "~/use-cases/sessions/list.server";

type Asked = Record<string, unknown>;
const read = (asked: Asked) => ListQuery.parse(asked);
const within = (slug: string, asked: Asked) => ({ ...read(asked), slug });

const pages = {
  "/": (app: App, asked: Asked) => viewHome(app, read(asked)),
  "/events": (app: App, asked: Asked) => listSessions(app, read(asked)),
  "/activities": (app: App, asked: Asked) => listActivities(app, read(asked)),
  "/groups": (app: App, asked: Asked) => listHuts(app, read(asked)),
  "/group/hut-1": (app: App, asked: Asked) => viewHut(app, within("hut-1", asked)),
  "/group/hut-1/sessions": (app: App, asked: Asked) => viewHutSessions(app, within("hut-1", asked)),
  "/group/hut-1/activities": (app: App, asked: Asked) => viewHutActivities(app, within("hut-1", asked)),
  "/activities/activity-1": (app: App, asked: Asked) => viewActivity(app, within("activity-1", asked)),
};
export type PageName = keyof typeof pages;
export const pageNames = Object.keys(pages) as PageName[];

/** An answer and its cost. `userId` 0: a visitor. */
export async function ask(d1: D1Database, name: PageName, asked: Asked, userId: number, now: number) {
  const { d1: counted, counts } = countingD1(d1);
  const user = userId === 0 ? null : ({ id: userId, roleId: 1, username: `user-${userId}` } as CurrentUser);
  const app = {
    db: connect(counted),
    user,
    now: instant(now),
    settings: { perPage: 12, roomCapacity: 10_000 },
  } as App;
  const begun = performance.now();
  const answer = await pages[name](app, asked);
  const rows =
    ("activities" in answer ? answer.activities.length : 0) +
    ("sessions" in answer ? answer.sessions.length : 0) +
    ("huts" in answer ? answer.huts.length : 0);
  return { ...counts, ms: performance.now() - begun, rows, after: answer.after, corrected: answer.corrected };
}
