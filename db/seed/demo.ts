// Demo data for a fresh local run, made by the same use cases that people use; safe to run twice.
import { eq } from "drizzle-orm";
import { schema } from "#db/connect.server";
import { dayAt } from "~/domain/days";
import { DAY, HOUR, type Instant, instant, MINUTE, seconds } from "~/domain/time";
import { login, register } from "~/use-cases/accounts.server";
import { createActivity, followActivity } from "~/use-cases/activities.server";
import type { App } from "~/use-cases/app.server";
import { importBook } from "~/use-cases/books.server";
import { createGoal } from "~/use-cases/goals.server";
import { createHut, joinHut } from "~/use-cases/huts.server";
import { findUserByToken } from "~/use-cases/logins.server";
import { storeQuickLog } from "~/use-cases/logs.server";
import { createNote } from "~/use-cases/notes.server";
import { completeSession, joinSession } from "~/use-cases/participation.server";
import { addFreeTokens, redeemTokens } from "~/use-cases/purchases.server";
import { createSession } from "~/use-cases/sessions.server";
import { DEMO_BOOK } from "./book";
import { ACTIVITIES, demoGoals, HUTS, partsOf } from "./demo-texts";

export type DemoAccount = { role: string; email: string; password: string };
export type Demo = { accounts: DemoAccount[]; tryThis: string[] };

const ACCOUNTS = [
  {
    role: "host",
    username: "morag",
    email: "host@bothy.example",
    password: "kettle on the stove",
    firstName: "Morag",
  },
  {
    role: "participant",
    username: "ewan",
    email: "participant@bothy.example",
    password: "boots by the door",
    firstName: "Ewan",
  },
  {
    role: "super admin",
    username: "warden",
    email: "admin@bothy.example",
    password: "keys to every hut",
    firstName: "Isla",
  },
] as const;
type Role = (typeof ACCOUNTS)[number]["role"];

/** Fills what is missing and says who there is. Refuses anywhere but on a local run. */
export async function fillDemoData(app: App): Promise<Demo> {
  if (!app.settings.isLocalRun) throw new Error("Demo data never goes into production.");
  const accounts = ACCOUNTS.map(({ role, email, password }) => ({ role, email, password }));
  const demo = { accounts, tryThis: TRY_THIS };
  const [tour] = await app.db
    .select({ id: schema.activities.id })
    .from(schema.activities)
    .where(eq(schema.activities.slug, "challenge-hut-tour"))
    .limit(1);
  if (tour) return demo;

  const people = await signUpAll(app);
  await giveTokens(people);
  const huts = await makeHuts(people);
  const slugs = await makeActivities(people, huts);
  await makeSessions(app, people, slugs);
  await makeGoals(people);
  await importBook(people["super admin"], DEMO_BOOK);
  return demo;
}

const TRY_THIS = [
  "Sign in as the host and start a session at /sessions/9; join it as the participant in another browser",
  "The welcome tour's activity is /activities/challenge-hut-tour, its session /sessions/10",
  "Buy tokens at /tokens with the practice card 4242 4242 4242 4242",
];

type People = Record<Role, App>;

/** Registers each, or signs in who is there already from a run that was cut short. */
async function signUpAll(app: App): Promise<People> {
  const people = {} as People;
  for (const account of ACCOUNTS) {
    const own: App = { ...app, user: null, cookies: {} };
    const { username, email, password, firstName } = account;
    const [known] = await app.db
      .select({ id: schema.users.id })
      .from(schema.users)
      .where(eq(schema.users.email, email))
      .limit(1);
    if (known) await login(own, { email, password });
    else await register(own, { username, email, password, firstName, lastName: "" });
    if (account.role === "super admin")
      await app.db.update(schema.users).set({ roleId: 10 }).where(eq(schema.users.email, email));
    const token = own.cookies.login?.token ?? "";
    people[account.role] = { ...own, user: await findUserByToken(app.db, token, app.now, app.defer) };
  }
  return people;
}

/** Enough for everything below, from a pool that the super admin filled. */
async function giveTokens(people: People): Promise<void> {
  await addFreeTokens(people["super admin"], { amount: 5000, key: "demo" });
  for (const person of Object.values(people)) await redeemTokens(person).catch(() => {});
}

async function makeHuts({ host, participant }: People): Promise<Map<string, number>> {
  const made = new Map<string, number>();
  for (const { key, title, content } of HUTS) {
    const hut = await createHut(host, { title, content });
    await joinHut(participant, { slug: hut.slug, leave: false });
    made.set(key, hut.id);
  }
  return made;
}

async function makeActivities(
  { host, participant }: People,
  huts: Map<string, number>,
): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  for (const { key, hut, parts, ...about } of ACTIVITIES) {
    const activity = await createActivity(host, {
      participantLimit: null,
      isManuallyStarted: false,
      isTemplate: false,
      ...about,
      hutId: huts.get(hut) ?? null,
      schedule: partsOf(parts),
      duration: seconds(
        Math.max(
          300,
          parts.reduce((sum, [, minutes]) => sum + minutes * 60, 0),
        ),
      ),
    });
    made.set(key, activity.slug);
    if (!activity.isTemplate) await followActivity(participant, { slug: activity.slug });
  }
  return made;
}

/** Upcoming, running, by hand, with a code, free, and ended; the tenth is the tour's. */
async function makeSessions(
  app: App,
  { host, participant }: People,
  slugs: Map<string, string>,
): Promise<void> {
  const later = (ms: number): Instant => instant(app.now + ms);
  const plan: [string, string, Partial<Parameters<typeof createSession>[1]>][] = [
    ["run", "Saturday intervals", { startedAt: later(2 * HOUR) }],
    ["read", "Reading hour by the stove", { startedAt: later(26 * HOUR), isFree: true }],
    ["write", "Morning pages together", { startedAt: later(3 * DAY) }],
    ["focus", "Deep work, four rounds", { startedAt: later(40 * MINUTE), participantLimit: 12 }],
    ["tidy", "Twenty-minute tidy-up", { startedAt: later(DAY), participantLimit: 4 }],
    ["sit", "Sitting in silence", { startedAt: later(5 * DAY), joinCode: "quiet" }],
    ["run", "Long intervals, slow legs", { startedAt: later(9 * DAY) }],
    ["read", "An old book, one chapter", { startedAt: later(6 * HOUR), duration: seconds(7200) }],
    ["focus", "Whenever we are all here", { isManuallyStarted: true }],
    ["tour", "A first session", { isManuallyStarted: true }],
  ];
  const ids: number[] = [];
  for (const [activity, title, about] of plan) {
    const { session } = await createSession(host, {
      title,
      activitySlug: slugs.get(activity) ?? null,
      ...about,
    });
    ids.push(session.id);
    if (title !== "Sitting in silence") await joinSession(participant, { session: session.id });
  }
  // One that ran and is over: begun by its host, done by both.
  const { session } = await createSession(host, {
    title: "Yesterday's tidy-up",
    activitySlug: slugs.get("tidy") ?? null,
    isManuallyStarted: true,
  });
  await joinSession(participant, { session: session.id });
  const by = (person: App) => ({
    userId: person.user?.id ?? 0,
    username: person.user?.username ?? "",
    isSuperAdmin: false,
  });
  await app.rooms.of(session.id).change({ type: "start", by: by(host) });
  await completeSession(participant, { session: session.id });
  await completeSession(host, { session: session.id });
  // And one that runs now.
  const { session: running } = await createSession(host, {
    title: "Open all day: quiet work",
    activitySlug: slugs.get("focus") ?? null,
    isManuallyStarted: true,
    duration: seconds(12 * 3600),
  });
  await joinSession(participant, { session: running.id });
  await app.rooms.of(running.id).change({ type: "start", by: by(host) });
  await app.rooms.of(running.id).change({
    type: "say",
    by: by(host),
    content: "The kettle is on. Come and go as you like.",
    nonce: "demo-1",
  });
  await app.rooms
    .of(running.id)
    .change({ type: "say", by: by(participant), content: "Two rounds for me.", nonce: "demo-2" });
}

async function makeGoals(people: People): Promise<void> {
  const { participant, host } = people;
  for (const { of, draft, logged } of demoGoals()) {
    const { goal } = await createGoal(people[of], draft);
    for (const { amount, daysAgo } of logged) {
      const day = dayAt(instant(host.now - daysAgo * DAY), "UTC");
      await storeQuickLog(people[of], { goalId: goal.id, amount, day });
    }
  }
  await createNote(participant, {
    title: "This week",
    content: "Three runs, two chapters.",
    todo: "New laces",
    done: "Signed up for Saturday",
  });
  await createNote(host, {
    title: "Saturday",
    content: "Bring the long rope and **tea**.",
    todo: "",
    done: "",
  });
}
