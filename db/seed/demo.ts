// Demo data for a new local run, made by the product's own use cases. Idempotent, also after an interrupted run
//
import { and, eq, isNull } from "drizzle-orm";
import { schema } from "#db/connect.server";
import { DEMO_ACCOUNTS, type DemoRole } from "~/domain/accounts/demo";
import { dayAt } from "~/domain/days";
import { isAppError } from "~/domain/errors";
import { USER_ROLE } from "~/domain/roles";
import { slugify } from "~/domain/slugs";
import { DAY, HOUR, type Instant, instant, MINUTE, seconds } from "~/domain/time";
import { login, register } from "~/use-cases/accounts/accounts.server";
import { findUserByToken } from "~/use-cases/accounts/logins.server";
import { createActivity, followActivity } from "~/use-cases/activities/activities.server";
import type { App } from "~/use-cases/app.server";
import { createGoal } from "~/use-cases/goals/goals.server";
import { storeQuickLog } from "~/use-cases/goals/logs.server";
import { createNote } from "~/use-cases/goals/notes.server";
import { createHut, joinHut } from "~/use-cases/huts/huts.server";
import { importBook } from "~/use-cases/items/books.server";
import { installLibrary } from "~/use-cases/library.server";
import { addFreeTokens, redeemTokens } from "~/use-cases/payments/purchases.server";
import { createMessage } from "~/use-cases/room/chat.server";
import { createSession } from "~/use-cases/sessions/create.server";
import { completeSession, joinSession } from "~/use-cases/sessions/people.server";
import { startSession } from "~/use-cases/sessions/run.server";
import { DEMO_BOOK } from "./book";
import { DEMO_ACTIVITIES, DEMO_HUTS, demoGoals, partsOf } from "./demo-texts";

type DemoAccount = { role: string; email: string; password: string };
export type Demo = { accounts: DemoAccount[]; tryThis: string[] };

/** Creates the missing records and returns the accounts. Throws unless the run is local. */
export async function fillDemoData(app: App): Promise<Demo> {
  if (!app.settings.isLocalRun) throw new Error("Demo data never goes into production.");
  const accounts = DEMO_ACCOUNTS.map(({ role, email, password }) => ({ role, email, password }));
  const demo = { accounts, tryThis: TRY_THIS };
  // The last row of the demo: if it exists, the rest does.
  if ((await findNote(app, LAST_NOTE.title)).length > 0) return demo;

  const people = await signUpAll(app);
  await giveTokens(people);
  const huts = await makeHuts(people);
  const slugs = await makeActivities(people, huts);
  await makeSessions(people, slugs);
  await findOrMake(findBySlug(app, schema.items, slugify(DEMO_BOOK.title)), () =>
    importBook(people["super admin"], DEMO_BOOK),
  );
  await makeGoals(people);
  await makeNotes(people);
  return demo;
}

async function findOrMake<F, M>(query: PromiseLike<F[]>, make: () => Promise<M>): Promise<F | M> {
  const [known] = await query;
  return known ?? (await make());
}

type TableWithSlugs = typeof schema.huts | typeof schema.activities | typeof schema.items;
const findBySlug = (app: App, table: TableWithSlugs, slug: string) =>
  app.db.select({ id: table.id, slug: table.slug }).from(table).where(eq(table.slug, slug)).limit(1);
const findNote = (app: App, title: string) =>
  app.db.select({ id: schema.notes.id }).from(schema.notes).where(eq(schema.notes.title, title)).limit(1);
const userIdOf = (person: App) => person.user?.id ?? 0;

/** Finds the host's session with this title, or makes it. */
async function findOrMakeSession(
  host: App,
  title: string,
  plan: Omit<Parameters<typeof createSession>[1], "title">,
): Promise<number> {
  const { sessions } = schema;
  const query = host.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.ownerId, userIdOf(host)), eq(sessions.title, title)))
    .limit(1);
  const { id } = await findOrMake(query, async () => (await createSession(host, { title, ...plan })).session);
  return id;
}

const TRY_THIS = [
  "Sign in as the host and start a session at /sessions/9; join it as the participant in another browser",
  "Begin a session from one of the templates at /challenges/templates",
  "Buy tokens at /tokens with the practice card 4242 4242 4242 4242",
];

type People = Record<DemoRole, App>;

/** Registers each account, or signs in to it when an interrupted run has made it. */
async function signUpAll(app: App): Promise<People> {
  const people = {} as People;
  for (const account of DEMO_ACCOUNTS) {
    const visitor: App = { ...app, user: null, cookies: {}, mail: { send: async () => {} } };
    const { username, email, password, firstName } = account;
    const [known] = await app.db
      .select({ id: schema.users.id })
      .from(schema.users)
      .where(eq(schema.users.email, email))
      .limit(1);
    if (known) await login(visitor, { email, password });
    else await register(visitor, { username, email, password, firstName, lastName: "" });
    // The demo addresses have no mailbox to confirm from.
    await app.db
      .update(schema.users)
      .set({ emailConfirmedAt: app.now })
      .where(and(eq(schema.users.email, email), isNull(schema.users.emailConfirmedAt)));
    if (account.role === "super admin")
      await app.db
        .update(schema.users)
        .set({ roleId: USER_ROLE.superAdmin })
        .where(eq(schema.users.email, email));
    const token = visitor.cookies.login?.token ?? "";
    people[account.role] = { ...visitor, user: await findUserByToken(app.db, token, app.now, app.defer) };
  }
  return people;
}

/** Gives each account enough tokens for the demo, from the shared pool, which the super admin fills. */
async function giveTokens(people: People): Promise<void> {
  await addFreeTokens(people["super admin"], { amount: 5000, key: "demo" });
  for (const person of Object.values(people)) await redeemTokens(person).catch(() => {});
}

async function makeHuts({ host, participant }: People): Promise<Map<string, number>> {
  const hutIds = new Map<string, number>();
  for (const { key, title, content } of DEMO_HUTS) {
    const hut = await findOrMake(findBySlug(host, schema.huts, slugify(title)), () =>
      createHut(host, { title, content }),
    );
    await joinHut(participant, { slug: hut.slug });
    hutIds.set(key, hut.id);
  }
  return hutIds;
}

async function makeActivities(
  { host, participant }: People,
  huts: Map<string, number>,
): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  for (const { key, hut, parts, ...texts } of DEMO_ACTIVITIES) {
    const minutes = parts.reduce((sum, [, minutes]) => sum + minutes, 0);
    const activity = await findOrMake(findBySlug(host, schema.activities, slugify(texts.title)), () =>
      createActivity(host, {
        participantLimit: null,
        isManuallyStarted: false,
        isTemplate: false,
        ...texts,
        hutId: huts.get(hut) ?? null,
        schedule: partsOf(parts),
        duration: seconds(Math.max(300, minutes * 60)),
      }),
    );
    slugs.set(key, activity.slug);
    await followActivity(participant, { slug: activity.slug });
  }
  return slugs;
}

/**
 * Makes sessions of each kind: upcoming, free, with a join code, manual, running, ended. The tenth is the tour's
 * (H-02).
 */
async function makeSessions({ host, participant }: People, slugs: Map<string, string>): Promise<void> {
  const startIn = (ms: number): Instant => instant(Math.ceil((host.now + ms) / MINUTE) * MINUTE);
  const make = async (activity: string, title: string, plan: Parameters<typeof findOrMakeSession>[2]) => {
    const session = await findOrMakeSession(host, title, {
      activitySlug: slugs.get(activity) ?? null,
      ...plan,
    });
    if (!plan.joinCode) await unlessDone(joinSession(participant, { session }));
    return session;
  };
  await make("run", "Saturday intervals", { startedAt: startIn(2 * HOUR) });
  await make("read", "Reading hour by the stove", { startedAt: startIn(26 * HOUR), isFree: true });
  await make("write", "Morning pages together", { startedAt: startIn(3 * DAY) });
  await make("focus", "Deep work, four rounds", { startedAt: startIn(40 * MINUTE), participantLimit: 12 });
  await make("tidy", "Twenty-minute tidy-up", { startedAt: startIn(DAY), participantLimit: 4 });
  await make("sit", "Sitting in silence", { startedAt: startIn(5 * DAY), joinCode: "silence" });
  await make("run", "Long intervals, slow legs", { startedAt: startIn(9 * DAY) });
  await make("read", "An old book, one chapter", { startedAt: startIn(6 * HOUR), duration: seconds(7200) });
  await make("focus", "Whenever we are all here", { isManuallyStarted: true });
  await installLibrary(host);
  // An ended session: started by its host, completed by both.
  const ended = await make("tidy", "An earlier tidy-up", { isManuallyStarted: true });
  await unlessDone(startSession(host, { session: ended }));
  await unlessDone(completeSession(participant, { session: ended }));
  await unlessDone(completeSession(host, { session: ended }));
  // A running session.
  const running = { isManuallyStarted: true, duration: seconds(12 * 3600) };
  const session = await make("focus", "Open all day: quiet work", running);
  await unlessDone(startSession(host, { session }));
  // A seed that stopped here half a day ago finds the session ended.
  const say = (by: App, content: string, nonce: string) =>
    unlessDone(createMessage(by, { session, content, nonce }));
  await say(host, "The kettle is on. Come and go as you like.", "demo-1");
  await say(participant, "Two rounds for me.", "demo-2");
}

/** Ignores the error of work that an earlier run has done. */
const unlessDone = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => {
    if (!isAppError(error) || error.code !== "CONFLICT") throw error;
  });

/** Logs are made in a fixed order, so a second run continues after those that exist. */
async function makeGoals(people: People): Promise<void> {
  const { goals } = schema;
  const missingLogs: { by: App; goalId: number; amount: number; daysAgo: number }[] = [];
  for (const { ownerRole, draft, pastLogs } of demoGoals()) {
    const by = people[ownerRole];
    const query = by.db
      .select({ id: goals.id })
      .from(goals)
      .where(and(eq(goals.userId, userIdOf(by)), eq(goals.title, draft.title ?? "")))
      .limit(1);
    const { id } = await findOrMake(query, async () => (await createGoal(by, draft)).goal);
    const storedCount = await by.db.$count(schema.logs, eq(schema.logs.goalId, id));
    missingLogs.push(...pastLogs.slice(storedCount).map((log) => ({ by, goalId: id, ...log })));
  }
  // In the order of days, as people log.
  for (const { by, goalId, amount, daysAgo } of missingLogs.sort((a, b) => b.daysAgo - a.daysAgo)) {
    const day = dayAt(instant(by.now - daysAgo * DAY), "UTC");
    await storeQuickLog(by, { goalId, amount, day });
  }
}

const LAST_NOTE = { title: "Saturday", content: "Bring the long rope and **tea**.", todo: "", done: "" };
const FIRST_NOTE = {
  title: "This week",
  content: "Three runs, two chapters.",
  todo: "New laces",
  done: "Signed up for Saturday",
};
async function makeNotes({ participant, host }: People): Promise<void> {
  await findOrMake(findNote(participant, FIRST_NOTE.title), () => createNote(participant, FIRST_NOTE));
  await createNote(host, LAST_NOTE);
}
