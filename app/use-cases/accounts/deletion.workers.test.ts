// Deleting an account: request, cancellation by signing in, the daily job, and what remains.

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { exportDays } from "#db/queries/accounts/exports";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, NOW, setUser, type TestUser, testApp, userNow } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { drain } from "#tests/support/notices";
import {
  balanceOf,
  join,
  makeActivity,
  makeHut,
  makePost,
  makeSession,
  seatsOf,
  sessionNow,
} from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { runCron } from "#workers/cron";
import { deletionDueAt } from "~/domain/accounts/deletion";
import { formatDay } from "~/domain/days";
import { asAppError } from "~/domain/errors";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { countOf } from "~/domain/goals/logs";
import { DAY, type Instant, instant } from "~/domain/time";
import { skipDay } from "~/use-cases/goals/days.server";
import { storeQuickLog } from "~/use-cases/goals/logs.server";
import { createNote } from "~/use-cases/goals/notes.server";
import { suspendUser } from "~/use-cases/safety/suspensions.server";
import { login } from "./accounts.server";
import { askForDeletion } from "./deletion.server";
import { passwords } from "./password-hashes.server";

const PASSWORD = "a lantern at dusk";
const DUE = deletionDueAt(NOW);
afterEach(() => vi.restoreAllMocks());

async function withPassword(): Promise<TestUser> {
  const user = await makeUser();
  const passwordHash = await passwords.hash(PASSWORD);
  await setUser(user.id, { passwordHash });
  return user;
}
const userRow = async (user: TestUser) => await userNow(user.id);
const emailsTo = async (user: TestUser) =>
  (await db.select().from(schema.mailbox).where(eq(schema.mailbox.recipient, user.email))).map(
    ({ subject }) => subject,
  );
const daily = async (now: Instant) =>
  (await runCron({ cron: "17 3 * * *", scheduledTime: now }, env, createExecutionContext())).find(
    ({ job }) => job === "delete-accounts",
  );

test("X-17 a deletion needs the password and ends every login, and signing in within the grace period cancels it", async () => {
  const user = await withPassword();
  const wrong = await askForDeletion(await appOf(user), { currentPassword: "guess" }).catch(asAppError);
  expect(wrong).toMatchObject({ code: "INVALID" });
  expect((await userRow(user))?.deletionDueAt).toBeNull();

  const app = await appOf(user);
  expect(await askForDeletion(app, { currentPassword: PASSWORD })).toEqual({ at: DUE });
  expect([app.user, app.cookies.login]).toEqual([null, null]);
  expect((await userRow(user))?.deletionDueAt).toBe(DUE);
  expect((await callAs(user, "GET", "/get-user")).status).toBe(401);
  await vi.waitFor(async () => {
    await drain(app);
    expect(await emailsTo(user)).toEqual(["Your Bothy account will be deleted"]);
  });

  expect(await daily(instant(DUE - 1))).toMatchObject({ did: { deleted: 0, failed: 0 } });
  const again = await testApp({ now: instant(DUE - 1) });
  expect(await login(again, { email: user.email, password: PASSWORD })).toMatchObject({
    account: { isKept: true },
  });
  expect((await userRow(user))?.deletionDueAt).toBeNull();
  expect(await daily(instant(DUE + 1))).toMatchObject({ did: { deleted: 0, failed: 0 } });
  expect(await login(again, { email: user.email, password: PASSWORD })).toMatchObject({
    account: { isKept: false },
  });
});

test("F-26 the emails on a deletion and a suspension name the day of the recipient's time zone", async () => {
  const user = await withPassword();
  await setUser(user.id, { timeZone: "America/Los_Angeles", locale: "en-US" });
  // The evening of the fourth in Los Angeles.
  const evening = instant(Date.parse("2030-03-05T01:00Z"));
  const app = await appOf(user, evening);
  await askForDeletion(app, { currentPassword: PASSWORD });
  await suspendUser(await appOf(await makeUser({ roleId: 10 }), evening), {
    username: user.username,
    days: 1,
    reason: "Spam",
  });
  await drain({ ...app, now: instant(evening + DAY) });
  const mails = await db
    .select({ text: schema.mailbox.text })
    .from(schema.mailbox)
    .where(eq(schema.mailbox.recipient, user.email));
  const due = formatDay(deletionDueAt(evening), "America/Los_Angeles");
  expect(due).not.toBe(formatDay(deletionDueAt(evening), "UTC"));
  expect(mails.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`That will happen on ${due}.`),
      expect.stringContaining("suspended until Tuesday, 3/5/2030. Reason: Spam."),
    ]),
  );
});

test("X-17 after the grace period personal content is deleted, and shared content stays without the name", async () => {
  const [user, friend] = [await withPassword(), await makeUser()];
  const goal = await makeGoal(user, { title: "Secret plan" });
  const app = await appOf(user);
  await storeQuickLog(app, { goalId: goal.id, content: "secret" });
  await createNote(app, { title: "secret", goalId: goal.id });
  const hut = await makeHut(friend, [user]);
  await db.update(schema.huts).set({ userCount: 1 }).where(eq(schema.huts.id, hut.id));
  await makePost(user, { hutId: hut.id }, "Hello", { title: "Hello" });
  await callAs(user, "POST", "/me/persons", { username: `${user.username.slice(0, 20)}-two` });
  await callAs(user, "POST", "/items", { itemData: { title: "Mine", status: 1 } });
  const said = { name: user.username, by: user.id, path: "/" };
  const [kind, subject] = ["reply", "post:1"] as const;
  const byOthers = { ...said, name: friend.username };
  await db.insert(schema.notices).values([
    { userId: friend.id, id: "e1", kind, subject, body: said, others: [], at: NOW },
    {
      userId: friend.id,
      id: "e2",
      kind,
      subject,
      body: byOthers,
      others: ["cas", user.username].map((name) => ({ name, by: null, path: "/" })),
      at: NOW,
    },
  ]);
  const later = instant(DUE + DAY);
  const mail = { userId: friend.id, subject, channel: "mail", state: "waiting", at: NOW } as const;
  const lines = [said, byOthers].map((body) => ({ kind, subject, actorId: user.id, body }));
  await db.insert(schema.deliveries).values([
    { ...mail, key: `${friend.id}:reply`, kind, body: said, dueAt: later },
    { ...mail, key: `${friend.id}:digest`, kind: "digest", body: { lines }, dueAt: later },
  ]);
  await db.insert(schema.uploads).values({
    key: `gone-${user.id}`,
    userId: user.id,
    type: "image/png",
    bytes: 3,
    width: 1,
    height: 1,
    createdAt: NOW,
  });
  await env.UPLOADS.put(`gone-${user.id}`, "png");
  const alone = await makeSession(user);
  const shared = await makeSession(user);
  await join(friend, shared.id);
  const sessionLog = await callAs(user, "POST", `/challenge-events/${shared.id}/logs`, {
    title: "secret",
    amount: 2,
  });
  expect(sessionLog.status, JSON.stringify(sessionLog.body)).toBe(201);
  const theirs = await makeGoal(friend);
  await db.update(schema.goals).set({ sessionId: shared.id }).where(eq(schema.goals.id, theirs.id));
  await storeQuickLog(app, { goalId: theirs.id, amount: 3000 });
  const days = await exportDays(db, user.id, { goalId: 0, day: "" }, 500);
  expect(days.map(({ goalId, amount }) => [goalId, amount])).toEqual([
    [goal.id, 1000],
    [theirs.id, 3000],
  ]);
  expect(await exportDays(db, user.id, days[0] ?? { goalId: 0, day: "" }, 500)).toEqual([days[1]]);

  const activity = await makeActivity(friend, { followersCount: 2 });
  const owned = await makeActivity(user);
  const planned = await makeGoal(user, { activityId: owned.id });
  await skipDay(app, { goal: planned.id, day: "2026-11-21", isSkipped: true });
  const mailed = { subject: "A code", html: "", text: "", sentAt: NOW };
  for (const { id, email } of [user, friend]) {
    await db.insert(schema.followers).values({ activityId: activity.id, userId: id, followedAt: NOW });
    await db.insert(schema.recoveryCodes).values({ userId: id, codeHash: "hash" });
    await db.insert(schema.mailbox).values({ ...mailed, recipient: email });
  }

  await askForDeletion(await appOf(user), { currentPassword: PASSWORD });
  expect(await daily(DUE)).toMatchObject({ did: { deleted: 1, failed: 0 } });

  const name = `deleted.${user.id}`;
  expect(await userRow(user)).toMatchObject({
    username: name,
    email: `${name}@deleted.invalid`,
    firstName: "",
    passwordHash: "deleted",
    deletionDueAt: null,
  });
  for (const table of [
    schema.notes,
    schema.goalDays,
    schema.tokenLots,
    schema.tokenEntries,
    schema.uploads,
    schema.logins,
    schema.hutMembers,
  ])
    expect(await db.select().from(table).where(eq(table.userId, user.id))).toEqual([]);
  for (const table of [schema.followers, schema.recoveryCodes])
    expect((await db.select().from(table)).map(({ userId }) => userId)).toEqual([friend.id]);
  const followed = await db.select().from(schema.activities).where(eq(schema.activities.id, activity.id));
  expect(followed[0]?.followersCount).toBe(1);
  expect(await emailsTo(friend)).toContain("A code");
  expect(await db.select().from(schema.goals).where(eq(schema.goals.id, goal.id))).toEqual([]);
  expect(await db.select().from(schema.logs).where(eq(schema.logs.userId, user.id))).toMatchObject([
    { username: name, title: "", amount: 2000, sessionId: shared.id },
    { username: name, title: "", amount: 3000, sessionId: shared.id },
  ]);
  expect(await db.select().from(schema.persons).where(eq(schema.persons.userId, user.id))).toMatchObject([
    { username: name },
  ]);
  expect(await db.select().from(schema.items).where(eq(schema.items.personId, user.personId))).toEqual([]);
  expect(await db.select().from(schema.posts).where(eq(schema.posts.userId, user.id))).toMatchObject([
    { title: "Hello", username: name },
  ]);
  expect((await db.select().from(schema.huts).where(eq(schema.huts.id, hut.id)))[0]?.userCount).toBe(0);
  const told = await db.select().from(schema.notices).where(eq(schema.notices.userId, friend.id));
  expect(told.filter(({ kind }) => kind === "reply").map(({ body, others }) => [body, others])).toEqual([
    [{ ...said, name }, []],
    [byOthers, ["cas", name].map((one) => ({ name: one, by: null, path: "/" }))],
  ]);
  const sent = await db.select().from(schema.deliveries).where(eq(schema.deliveries.userId, friend.id));
  expect(JSON.stringify(sent)).not.toContain(`"${user.username}"`);
  expect(sent.find(({ kind }) => kind === "digest")?.body).toEqual({
    lines: [{ ...lines[0], body: { ...said, name } }, lines[1]],
  });
  expect(await env.UPLOADS.get(`gone-${user.id}`)).toBeNull();
  // One session had no other participant; the other passes to the friend, who paid for a seat and keeps it.
  expect((await sessionNow(alone.id))?.endedAt).not.toBeNull();
  expect(await seatsOf(shared.id)).toMatchObject([{ userId: friend.id, isHost: true }]);
  expect(await balanceOf(friend)).toBe(900);
  expect(await emailsTo(user)).toEqual(["Your Bothy account was deleted"]);
  const signIn = await login(await testApp({ now: DUE }), { email: user.email, password: PASSWORD }).catch(
    asAppError,
  );
  expect(signIn).toMatchObject({ code: "INVALID" });
  // Name and address are available again, and a second run finds nothing.
  await makeUser({ username: user.username });
  expect(await daily(instant(DUE + 1))).toMatchObject({ did: { deleted: 0, failed: 0 } });
});

test("R-54 X-17 the open logs of a deleted account count after it what they counted, as the session's totals do", async () => {
  const [host, user, other] = [await makeUser(), await makeUser(), await makeUser()];
  const { id, path } = await makeSession(host, { tasks: [{ title: "Read", unit: "pages", amount: 20 }] });
  for (const person of [user, other]) await join(person, id);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  const [goal] = await db.select().from(schema.goals).where(eq(schema.goals.sessionId, id));
  for (const person of [user, other])
    for (const intent of ["log.quick", "log.begin"]) {
      const logged = await post(person, `${path}/goals`, { intent, goal: String(goal?.id), button: "" });
      expect(logged.status).toBe(302);
    }
  const countsOf = async (userId: number) => {
    const logs = await db.select().from(schema.logs).where(eq(schema.logs.userId, userId));
    const totals = await db
      .select()
      .from(schema.sessionTotals)
      .where(eq(schema.sessionTotals.userId, userId));
    return {
      statuses: logs.map(({ status }) => status),
      counted: logs.reduce((sum, log) => sum + countOf(log as never).amount, 0),
      total: totals.reduce((sum, { amount }) => sum + amount, 0),
    };
  };
  const counted = { counted: 1000, total: 1000 };
  expect(await countsOf(user.id)).toEqual({ ...counted, statuses: [LOG_STATUS.done, LOG_STATUS.active] });
  await setUser(user.id, { deletionDueAt: DUE });
  expect(await daily(DUE)).toMatchObject({ did: { deleted: 1, failed: 0 } });
  expect(await countsOf(user.id)).toEqual({ ...counted, statuses: [LOG_STATUS.done, LOG_STATUS.stopped] });
  expect(await countsOf(other.id)).toEqual({ ...counted, statuses: [LOG_STATUS.done, LOG_STATUS.active] });
});

test("X-17 a job that dies midway continues the next day, and a failing account does not block others", async () => {
  const [first, second] = [await withPassword(), await withPassword()];
  for (const user of [first, second]) await askForDeletion(await appOf(user), { currentPassword: PASSWORD });
  await db.insert(schema.uploads).values({
    key: `stuck-${first.id}`,
    userId: first.id,
    type: "image/png",
    bytes: 3,
    width: 1,
    height: 1,
    createdAt: NOW,
  });
  const broken = vi.spyOn(console, "error").mockImplementation(() => {});
  const { deleteDueAccounts } = await import("~/use-cases/delete-accounts.server");
  const app = await testApp({ now: DUE });
  const failing = { ...app, uploads: { ...app.uploads, delete: () => Promise.reject(new Error("no R2")) } };
  expect(await deleteDueAccounts(failing)).toEqual({ deleted: 1, failed: 1 });
  expect(broken).toHaveBeenCalledOnce();
  expect((await userRow(second))?.username).toBe(`deleted.${second.id}`);
  // A claimed account refuses every sign-in.
  expect(await login(app, { email: first.email, password: PASSWORD }).catch(asAppError)).toMatchObject({
    code: "INVALID",
  });
  expect(await deleteDueAccounts(app)).toEqual({ deleted: 1, failed: 0 });
  expect((await userRow(first))?.username).toBe(`deleted.${first.id}`);
});
