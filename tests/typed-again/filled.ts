// The filled things whose forms the tests of typed text open.
import { importBook } from "~/use-cases/items/books.server";
import { callAs } from "../support/ask";
import { appOf, makeUser, type TestUser } from "../support/factories";
import { makeSession } from "../support/sessions";

export type Typed = Record<string, string>;
export const TEXT = `Said <b>boldly</b> & "so"\nand on a second line`;
const filledGoal = {
  title: "Read a book",
  content: "Slowly.",
  link: "https://example.com/book",
  action: "Read",
  amount: 10,
  unit: "pages",
  action_duration: 600,
  distance: 2,
  completions_required: 4,
  items: [{ title: "Open it", link: "https://example.com/open" }, { title: "Close it" }],
  quick_log_buttons: [{ title: "A page", amount: 1, duration: 60, distance: 1, completions_required: 2 }],
  recurrence: { every: "weekdays", weekdays: [1, 3] },
  remind_at: "07:30",
  tags: ["calm"],
  timers: [
    { title: "Read", duration: 600, sets: 2 },
    { title: "Rounds", sets: 3, is_interval: 1, timers: [{ title: "Work", duration: 60 }] },
  ],
};
export const made = async (asked: ReturnType<typeof callAs>) => {
  const { status, body } = await asked;
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
};
export const goalOf = async (user: TestUser): Promise<number> =>
  (await made(callAs(user, "POST", "/api/goals/store", filledGoal))).goal.id;
export const logOf = async (user: TestUser) => {
  const goal = await goalOf(user);
  const filled = { goal_id: goal, title: "A page", content: "Slowly.", amount: 2, duration: 60, distance: 1 };
  const { log } = await made(callAs(user, "POST", "/api/logs/store-quick-log", filled));
  return { goal, log: log.id as number };
};

export async function snippetOf(): Promise<string> {
  const app = await appOf(await makeUser());
  const book = await importBook(app, { title: "Of Huts", text: "Words that stay. ".repeat(20) });
  const { body } = await callAs(null, "GET", "/api/snippets/random");
  return `/books/${body.serverData.snippet.book.slug ?? book.slug}/snippets/${body.serverData.snippet.id}`;
}

export const activity = {
  title: "A walk & a talk",
  content: TEXT,
  difficulty: "6",
  duration: "1h 5m",
  participantLimit: "many",
  isManuallyStarted: "on",
  isTemplate: "on",
  "rows[0].title": "Up <the> hill",
  "rows[0].duration": "20m",
  "goals[0].title": "Steps & more",
  "goals[0].amount": "3",
  "goals[0].items[0].title": "Boots",
  "goals[0].every": "week",
  "goals[0].times": "5",
  "goals[0].tags": "calm, late",
};
export const filledActivity = {
  content: "Slowly.",
  contentHtml: "<p>Slowly.</p>",
  participantLimit: 9,
  isTemplate: true,
};
export const filledSession = {
  content: "Slowly.",
  prompt: "Where?",
  participant_limit: 9,
  join_code: "two stones",
  donation_link: "https://example.com/give",
  is_free: 1,
  needs_host: 1,
};
export const hutOf = async (user: TestUser) => {
  const hut = { title: "Hut", content: "Slowly." };
  return (await made(callAs(user, "POST", "/groups/store", { hut }))).hut;
};
export const session = {
  title: "Tonight's walk",
  content: TEXT,
  prompt: "What did you see?",
  difficulty: "3",
  duration: "1h 10m",
  participantLimit: "many",
};
export const goal = {
  title: "Read <more>",
  content: TEXT,
  action: "Read",
  amount: "-5",
  unit: "pages & more",
  actionDuration: "20m",
  distance: "3",
  completionsRequired: "2",
  "items[0].title": "First <this>",
  "items[1].link": "https://example.com/next",
  "quickLogButtons[0].title": "One & a half",
  "quickLogButtons[0].duration": "5m",
  every: "week",
  times: "5",
  tags: "calm, late",
  link: "https://example.com/more",
  "timers[0].title": "Round",
  "timers[0].sets": "3",
  "timers[0].timers[0].title": "Work",
  "timers[0].timers[0].duration": "2m",
};

/** A session with a goal, filled in. */
export const withGoal = async (user: TestUser) => {
  const { id, slug } = await makeSession(user, { content: "Slowly.", prompt: "Where?" });
  const task = { type: "task", uuid: `task-${id}`, ...filledGoal };
  await made(callAs(user, "POST", `/challenges/${slug}/parts`, task));
  return { id, task: `task-${id}` };
};
