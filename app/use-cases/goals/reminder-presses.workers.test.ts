// The buttons of a goal's reminder: what its push carries, and what a press stores (W-01, W-02).
import { createECDH } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { decrypt } from "http_ece";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { listPushBox } from "#db/queries/notices/push";
import { callAs, ORIGIN } from "#tests/support/ask";
import { appOf, db, makeUser, setUser, type TestUser } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { drain, emptySpine, spineApp } from "#tests/support/notices";
import { balanceOf } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { dayAt, plusDays } from "~/domain/days";
import { GOAL_STATUS, ONE_MORE } from "~/domain/goals/goals";
import {
  GOAL_IS_COMPLETED,
  type Press,
  REMINDER_IS_OVER,
  type ReminderToken,
} from "~/domain/goals/reminder-buttons";
import { ANY_READER } from "~/domain/numbers";
import { DAY, HOUR, type Instant, instant, MINUTE } from "~/domain/time";
import { deleteGoal } from "./goals.server";
import { deleteLog } from "./log-moves.server";
import { pressReminder, readPushButtons } from "./reminder-presses.server";
import { planGoalReminders } from "./reminders.server";

const NOON = instant(Date.now());
const TODAY = dayAt(NOON, "UTC");
const TEN = { ...ONE_MORE, uuid: "ten", title: "Ten pages", amount: 10_000 };
const DAILY = { every: "day" } as const;

type Payload = {
  body: string;
  url: string;
  press?: { token: string; by: string; about: string; actions: { action: string; title: string }[] };
};

/** A goal with a reminder at noon, and the push that its browser decrypts. */
async function reminded(over: Partial<typeof schema.goals.$inferInsert> = {}) {
  const user = await makeUser();
  await setUser(user.id, { timeZone: "UTC" });
  const browser = createECDH("prime256v1");
  const p256dh = browser.generateKeys("base64url");
  const auth = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url");
  const endpoint = `${ORIGIN}/local/push/${crypto.randomUUID()}`;
  await callAs(user, "POST", "/account/push", { endpoint, keys: { p256dh, auth } });
  await makeGoal(user, { title: "Another goal", remindAt: null });
  const goal = await makeGoal(user, {
    title: "Read the map",
    unit: "pages",
    amount: 300_000,
    remindAt: Math.floor((NOON % DAY) / MINUTE),
    quickLogButtons: [TEN],
    ...over,
  });
  await emptySpine();
  const { app } = await spineApp(NOON);
  app.push = (await appOf(user)).push;
  await planGoalReminders({ ...app, now: instant(NOON - MINUTE) });
  await planGoalReminders(app);
  await drain(app);
  const box = (await listPushBox(db)).filter((push) => push.endpoint === endpoint);
  const texts = box.map(({ body }) =>
    decrypt(Buffer.from(body, "base64"), { version: "aes128gcm", privateKey: browser, authSecret: auth }),
  );
  expect(texts).toHaveLength(1);
  const text = String(texts[0]);
  const push = JSON.parse(text) as Payload;
  const token = push.press?.token ?? "";
  const press = async (at = NOON, name: Press = "0", by: TestUser = user, pressedAt?: Instant) =>
    pressReminder(await appOf(by, at), { token, press: name, pressedAt });
  return { user, goal, text, push, token, press };
}
const pressed = (by: TestUser | null, token: string) =>
  callAs(by, "POST", "/api/my/reminders/press", { token, press: "0" });
const logsOf = (user: TestUser) => db.select().from(schema.logs).where(eq(schema.logs.userId, user.id));
test("W-01 the push of a reminder has its goal's buttons with one token, and no title of another goal", async () => {
  const { user, goal, text, push } = await reminded({ recurrence: DAILY });
  expect(push).toMatchObject({
    body: "It is time for Read the map.",
    url: `${ORIGIN}/my/goals/${goal.id}/log`,
  });
  expect(push.press?.actions).toEqual([
    { action: "0", title: "Ten pages" },
    { action: "skip", title: "Skip today" },
  ]);
  expect([push.press?.by, push.press?.about]).toEqual([user.username, "Read the map"]);
  expect(text.match(/"token":/g)).toHaveLength(1);
  const [body = ""] = (push.press?.token ?? "").split(".");
  const words = text + Buffer.from(body, "base64url").toString();
  expect(words).not.toContain("Another goal");
});

test("W-01 a goal shows its first two buttons that count at once, and one without any has none", async () => {
  const timer = { ...TEN, uuid: "timer", title: "A quarter", status: 1 as const };
  const buttons = [timer, TEN, { ...TEN, uuid: "one", title: "One" }, { ...TEN, uuid: "two", title: "Two" }];
  const { push } = await reminded({ recurrence: DAILY, quickLogButtons: buttons });
  expect(push.press?.actions.map(({ title }) => title)).toEqual(["Ten pages", "One"]);
  const bare = await reminded({ amount: null, quickLogButtons: [] });
  expect([bare.push.press, bare.push.url]).toEqual([undefined, `${ORIGIN}/my/goals/${bare.goal.id}`]);
});

test("W-01 only the owner of a goal gets its buttons", async () => {
  const { user, goal } = await reminded();
  const other = await makeUser();
  const reader = { ...ANY_READER, timeZone: "UTC" };
  const buttonsFor = async ({ id, username }: TestUser) =>
    readPushButtons(
      await appOf(user, NOON),
      { key: "a-delivery", userId: id, username, goal: goal.id, day: TODAY },
      reader,
    );
  expect((await buttonsFor(user))?.by).toBe(user.username);
  expect(await buttonsFor(other)).toBeNull();
});

test("N-39 W-01 a push with the longest labels stays within its bytes", async () => {
  const long = { ...TEN, title: "🏔".repeat(90) };
  const { text } = await reminded({ title: "🏔".repeat(90), quickLogButtons: [long, { ...long, uuid: "b" }] });
  expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(3000);
});

test("W-02 a button that is pressed three times logs once, on the day of the reminder", async () => {
  const { user, goal, press } = await reminded();
  const answers = await Promise.all([press(), press(), press()]);
  answers.push(await press(instant(NOON + HOUR)));
  const [log, ...more] = await logsOf(user);
  expect(more).toEqual([]);
  expect(log).toMatchObject({
    goalId: goal.id,
    day: TODAY,
    amount: 10_000,
    qlButtonUuid: "ten",
    title: "Ten pages",
  });
  expect(new Set(answers.map(({ log }) => log?.id))).toEqual(new Set([log?.id]));
  expect(answers[0]?.text).toBe("+10 pages, 10 of 300");
});

test("W-01 the answer about a goal that recurs has the total of the reminder's day, as of its repeat", async () => {
  const { user, goal, press } = await reminded({ recurrence: DAILY });
  const log = async (amount: number, day: string) =>
    callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, amount, day });
  for (const [amount, day] of [
    [7, plusDays(TODAY, -1)],
    [12, TODAY],
  ] as const)
    expect((await log(amount, day)).status).toBe(201);
  const first = await press();
  expect(first.text).toBe("+10 pages, 22 of 300");
  expect(await press(instant(NOON + 20 * HOUR))).toEqual(first);
});

test("W-02 after midnight a press counts for the reminder's day, until the next day ends", async () => {
  const { user, press } = await reminded();
  const end = Date.parse(`${plusDays(TODAY, 2)}T00:00:00Z`);
  await expect(press(instant(end))).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("over"),
  });
  expect(await logsOf(user)).toEqual([]);
  await press(instant(end - 1));
  expect(await logsOf(user)).toMatchObject([{ day: TODAY }]);
});

test("W-02 a press that an earlier service worker held as a log, and one with a network log once", async () => {
  const { user, goal, token, press } = await reminded();
  const { uuid } = JSON.parse(
    Buffer.from(token.split(".")[0] ?? "", "base64url").toString(),
  ) as ReminderToken;
  const held = { uuid, goal_id: goal.id, day: TODAY, ql_button_uuid: "ten", amount: 10 };
  const sent = await callAs(user, "POST", "/api/logs/store-quick-log", held);
  expect([sent.status, (await press()).log?.id]).toEqual([201, sent.body.log.id]);
  expect(await logsOf(user)).toHaveLength(1);
});

test("W-02 a press that waited for the network counts as of its instant, with the measures of the reminder", async () => {
  const run = { ...TEN, distance: 5_000_000 };
  const { user, goal, press } = await reminded({ quickLogButtons: [run] });
  await db
    .update(schema.goals)
    .set({ quickLogButtons: [{ ...run, amount: 20_000, distance: null }] })
    .where(eq(schema.goals.id, goal.id));
  const inTime = instant(Date.parse(`${plusDays(TODAY, 2)}T00:00:00Z`) - 1);
  const late = (days: number, pressedAt: number) =>
    press(instant(inTime + days * DAY), "0", user, instant(pressedAt));
  for (const [days, pressedAt] of [
    [5, inTime + 1],
    [31, inTime],
  ] as const)
    await expect(late(days, pressedAt)).rejects.toMatchObject({
      code: "CONFLICT",
      message: REMINDER_IS_OVER,
    });
  expect(await logsOf(user)).toEqual([]);
  const { log } = await late(5, inTime);
  expect(await logsOf(user)).toMatchObject([
    { id: log?.id, day: TODAY, amount: 10_000, distance: 5_000_000 },
  ]);
  expect(await late(6, inTime)).toMatchObject({ log });
});

test("W-02 a press that waited while the goal was completed elsewhere is refused as one with a network", async () => {
  const { user, goal, token } = await reminded();
  await db.update(schema.goals).set({ status: GOAL_STATUS.completed }).where(eq(schema.goals.id, goal.id));
  const held = { token, press: "0", pressed_at: NOON };
  const { status, body } = await callAs(user, "POST", "/api/my/reminders/press", held);
  expect([status, body.error_code, body.message]).toEqual([409, "CONFLICT", GOAL_IS_COMPLETED]);
  expect(await logsOf(user)).toEqual([]);
});

test("W-02 a token that was used and taken back logs nothing more", async () => {
  const { user, token, press } = await reminded();
  const before = await balanceOf(user);
  const { log } = await press();
  await deleteLog(await appOf(user, NOON), { log: log?.id ?? 0 });
  const again = await pressed(user, token);
  expect([again.status, again.body.message]).toEqual([409, "This has been done already."]);
  expect([await logsOf(user), await balanceOf(user)]).toEqual([[], before]);
});

test("W-02 a press logs the amount of its push, even after the button has changed", async () => {
  const { user, goal, press } = await reminded();
  const changed = [{ ...TEN, amount: 50_000 }];
  await db.update(schema.goals).set({ quickLogButtons: changed }).where(eq(schema.goals.id, goal.id));
  await press();
  expect(await logsOf(user)).toMatchObject([{ amount: 10_000 }]);
});

test("W-02 a forged token logs nothing, nor does a button that the push does not have", async () => {
  const { user, token, press } = await reminded();
  const [body = "", signature = ""] = token.split(".");
  const more = JSON.parse(Buffer.from(body, "base64url").toString()) as ReminderToken;
  const forged = Buffer.from(JSON.stringify({ ...more, until: more.until + DAY })).toString("base64url");
  const app = await appOf(user, NOON);
  for (const bad of [`${forged}.${signature}`, body, `${body}.`, "", "."])
    await expect(pressReminder(app, { token: bad, press: "0" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const name of ["1", "skip", "unskip"] as const)
    await expect(press(NOON, name)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await logsOf(user)).toEqual([]);
});

test("W-02 R-58 signed out, and under another account, a press stores nothing and says so", async () => {
  const { user, goal, token, press } = await reminded();
  const other = await makeUser();
  const out = await pressed(null, token);
  expect([out.status, out.body.error_code, out.body.message]).toEqual([
    401,
    "UNAUTHENTICATED",
    "Please sign in to use that feature.",
  ]);
  await expect(press(NOON, "0", other)).rejects.toMatchObject({
    code: "CONFLICT",
    message: `You are signed in as ${other.username} now.`,
  });
  const root = await makeUser({ roleId: 10 });
  await post(root, `/admin/users/${user.username}`, { intent: "suspend", days: "7", reason: "Spam" });
  const suspended = await pressed(user, token);
  expect([suspended.status, suspended.body.error_code]).toEqual([401, "UNAUTHENTICATED"]);
  expect([await logsOf(user), await logsOf(other), (await goalNow(goal.id)).logsCount]).toEqual([[], [], 0]);
});

test.each([
  [
    "a goal that is gone",
    "NOT_FOUND",
    async (user: TestUser, goal: number) => deleteGoal(await appOf(user, NOON), { goal }),
  ],
  [
    "a completed goal",
    "CONFLICT",
    async (_: TestUser, goal: number) =>
      db.update(schema.goals).set({ status: GOAL_STATUS.completed }).where(eq(schema.goals.id, goal)),
  ],
  [
    "an account without tokens",
    "INSUFFICIENT_TOKENS",
    async (user: TestUser) =>
      db.update(schema.tokenLots).set({ remaining: 0 }).where(eq(schema.tokenLots.userId, user.id)),
  ],
] as const)("W-02 a press stores nothing for %s and says so", async (_, code, change) => {
  const { user, goal, token } = await reminded();
  await change(user, goal.id);
  const { body } = await pressed(user, token);
  expect([body.error_code, body.message]).toEqual([code, expect.stringMatching(/\w/)]);
  expect(await logsOf(user)).toEqual([]);
});

test("W-02 the repeat of the press that completed a goal answers its log", async () => {
  const { goal, press } = await reminded();
  const first = await press();
  await db.update(schema.goals).set({ status: GOAL_STATUS.completed }).where(eq(schema.goals.id, goal.id));
  expect(await press()).toEqual(first);
});

test("W-01 Skip today skips the day of the reminder, as often as it is pressed, and Undo takes it back", async () => {
  const { user, goal, press } = await reminded({ recurrence: DAILY });
  const isSkipped = async () =>
    (
      await db
        .select({ day: schema.goalDays.day, isSkipped: schema.goalDays.isSkipped })
        .from(schema.goalDays)
        .where(and(eq(schema.goalDays.goalId, goal.id), eq(schema.goalDays.userId, user.id)))
    ).map(({ day, isSkipped }) => [day, isSkipped]);
  const late = instant(NOON + 20 * HOUR);
  expect(await press(late, "skip")).toEqual({ text: "Skipped. Your streak stays.", log: null });
  await press(late, "skip");
  expect(await isSkipped()).toEqual([[TODAY, true]]);
  await press(late, "unskip");
  expect(await isSkipped()).toEqual([[TODAY, false]]);
});
