// The rate limits of changes: each is counted before anything is rendered or written.
import { expect, test } from "vitest";
import { appOf, makeUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makeActivity, makeHut, makeSession } from "#tests/support/sessions";
import { AppError, asAppError } from "~/domain/errors";
import {
  deleteActivity,
  followActivity,
  unfollowActivity,
  updateActivity,
} from "~/use-cases/activities/activities.server";
import { skipDay } from "~/use-cases/goals/days.server";
import { completeGoal, createGoal, deleteGoal, reopenGoal, updateGoal } from "~/use-cases/goals/goals.server";
import {
  completeLog,
  deleteLog,
  pauseLog,
  resetLog,
  startLog,
  stopLog,
  updateLog,
} from "~/use-cases/goals/log-moves.server";
import { storeQuickLog } from "~/use-cases/goals/logs.server";
import { createNote, deleteNote, updateNote } from "~/use-cases/goals/notes.server";
import { attachActivity, createHut, joinHut, leaveHut, updateHut } from "~/use-cases/huts/huts.server";
import { setFavorite, updateParaphrase } from "~/use-cases/items/books.server";
import { createItem, deleteItem, updateItem } from "~/use-cases/items/items.server";
import { attachGoal, saveListProgress } from "~/use-cases/sessions/shared-goals.server";
import type { App } from "./app.server";
import { contributeContent, saveContent } from "./sessions/texts.server";
import { updateSession } from "./sessions/update.server";

/** An App whose counters are all full, and which fails if anything is rendered. */
const rendersTooSoon = async (): Promise<never> => {
  throw new Error("rendered before it was counted");
};
const refusing = (app: App, taken: { key: string; seconds: number }[]): App => ({
  ...app,
  attempts: {
    take: async (key, _, seconds) => {
      taken.push({ key, seconds });
      throw new AppError("RATE_LIMITED", undefined, { retryAfter: 60 });
    },
    giveBack: async () => {},
    clear: async () => {},
  },
  richText: { render: rendersTooSoon, renderPost: rendersTooSoon },
});

const user = await makeUser({ tokens: 10_000 });
const app = await appOf(user);
const hut = await makeHut(user, [user]);
const activity = await makeActivity(user);
const goal = await makeGoal(user);
const session = await makeSession(user);
const note = await createNote(app, { title: "Kept", content: "As it was." });
const item = await createItem(app, {
  title: "Shelf",
  content: "",
  parentId: null,
  hutId: null,
  isPublished: true,
  isBook: false,
  type: "item",
  url: "",
});
const { log } = await storeQuickLog(app, { goalId: goal.id, amount: 1000 });
const content = "# A change";

const CHANGES: Record<string, (app: App) => Promise<unknown>> = {
  "an activity, its text": (app) => updateActivity(app, { slug: activity.slug, content }),
  "an activity, deleted": (app) => deleteActivity(app, { slug: activity.slug }),
  "an activity, followed": (app) => followActivity(app, { slug: activity.slug }),
  "an activity, left": (app) => unfollowActivity(app, { slug: activity.slug }),
  "an activity, put into a hut": (app) => attachActivity(app, { hut: hut.slug, activity: activity.slug }),
  "a hut, created": (app) => createHut(app, { title: "Lookout", content }),
  "a hut, its text": (app) => updateHut(app, { slug: hut.slug, content }),
  "a hut, joined": (app) => joinHut(app, { slug: hut.slug }),
  "a hut, left": (app) => leaveHut(app, { slug: hut.slug }),
  "an item, its text": (app) => updateItem(app, { id: item.id, content }),
  "an item, deleted": (app) => deleteItem(app, { id: item.id }),
  "a favourite": (app) => setFavorite(app, { kind: "item", targetId: item.id, isFavorite: true }),
  "a paraphrase, its text": (app) => updateParaphrase(app, { id: 1, content }),
  "a note, its text": (app) => updateNote(app, { note: note.id, content }),
  "a note, deleted": (app) => deleteNote(app, { note: note.id }),
  "a goal, created": (app) => createGoal(app, { title: "Read", content }),
  "a goal, its text": (app) => updateGoal(app, { goal: goal.id, content }),
  "a goal, completed": (app) => completeGoal(app, { goal: goal.id }),
  "a goal, opened again": (app) => reopenGoal(app, { goal: goal.id }),
  "a goal, deleted": (app) => deleteGoal(app, { goal: goal.id }),
  "a goal, a skipped day": (app) => skipDay(app, { goal: goal.id, day: "2026-11-21", isSkipped: true }),
  "a goal, attached to a session": (app) => attachGoal(app, { session: session.id, goal: goal.id }),
  "a goal, its ticks": (app) => saveListProgress(app, { goalId: goal.id, items: [] }),
  "a log, its text": (app) => updateLog(app, { log: log.id, content }),
  "a log, completed": (app) => completeLog(app, { log: log.id, content }),
  "a log, started": (app) => startLog(app, { log: log.id }),
  "a log, paused": (app) => pauseLog(app, { log: log.id }),
  "a log, stopped": (app) => stopLog(app, { log: log.id }),
  "a log, reset": (app) => resetLog(app, { log: log.id }),
  "a log, deleted": (app) => deleteLog(app, { log: log.id }),
  "a session, its text": (app) => updateSession(app, { session: session.id, content }),
  "a session, its saved content": (app) => saveContent(app, { session: session.id, content }),
  "a session, a contribution": (app) =>
    contributeContent(app, { session: session.id, contribution: content }),
};

for (const [name, change] of Object.entries(CHANGES))
  test(`R-25 a change takes a rate limit before it is rendered or written: ${name}`, async () => {
    const taken: { key: string; seconds: number }[] = [];
    const refused = await change(refusing(app, taken)).then(
      () => "done",
      (error) => asAppError(error).code,
    );
    expect(refused).toBe("RATE_LIMITED");
    expect(taken).toEqual([{ key: expect.stringMatching(new RegExp(`:${user.id}$`)), seconds: 3600 }]);
  });
