// A thief who was in an account: every way that the owner has to end the thief's ways in (Q-06, X-10, F-03).
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { PASSWORD, registered, someone } from "#tests/support/accounts";
import { callAs } from "#tests/support/ask";
import { db, type TestUser, testApp } from "#tests/support/factories";
import { drain } from "#tests/support/notices";
import { withTwoStep } from "#tests/support/two-step";
import { visit } from "#tests/support/visit";
import { DAY, instant, MINUTE } from "~/domain/time";
import { createCalendarAddress, renewCalendarAddress } from "~/use-cases/sessions/calendar.server";
import { restoreAddress, viewRestore } from "./confirmations.server";
import { endOtherLogins } from "./login-list.server";
import { changePassword, resetPassword, viewReset } from "./passwords.server";
import { createRecoveryCodes } from "./two-step.server";

const NEW = "another lantern";

const appOf = (user: TestUser, at = Date.now()) => testApp({ loginToken: user.loginToken, now: instant(at) });
const idOf = async (user: TestUser) => (await appOf(user)).user?.id ?? 0;
const mailsTo = (email: string) =>
  db.select().from(schema.mailbox).where(eq(schema.mailbox.recipient, email)).orderBy(schema.mailbox.id);
/** Waits for the newest email to this address whose subject matches. */
async function emailTo(email: string, subject: RegExp) {
  return vi.waitFor(async () => {
    await drain(await testApp({ now: instant(Date.now()) }));
    const found = (await mailsTo(email)).findLast((message) => subject.test(message.subject));
    if (!found) throw new Error(`no email ${subject} to ${email}`);
    return found;
  });
}
const tokenIn = (text: string) => /token=([\w-]+)/.exec(text)?.[1] ?? "";
const addPasskey = (userId: number, name: string, at: number) =>
  db.insert(schema.passkeys).values({
    id: `${name}-${userId}`,
    userId,
    name,
    publicKey: "",
    counter: 0,
    createdAt: instant(at),
  });
const passkeysOf = async (userId: number) =>
  (await db.select().from(schema.passkeys).where(eq(schema.passkeys.userId, userId)))
    .map(({ name }) => name)
    .sort();
const codesOf = (userId: number) =>
  db.select().from(schema.recoveryCodes).where(eq(schema.recoveryCodes.userId, userId));
const twoStepOf = (userId: number) =>
  db.select().from(schema.twoStep).where(eq(schema.twoStep.userId, userId));
const move = (user: TestUser, email: string) =>
  callAs(user, "PATCH", "/account/user/profile", { userData: { email, current_password: PASSWORD } });
const hasFeed = async (userId: number) =>
  (await db.select().from(schema.calendarFeeds).where(eq(schema.calendarFeeds.userId, userId))).length === 1;

test("Q-06 This wasn't me removes the passkeys, the second step and the calendar address of the seven days before the change", async () => {
  const { input, user } = await withTwoStep();
  const userId = await idOf(user);
  const now = Date.now();
  await addPasskey(userId, "owner's", now - 7 * DAY - MINUTE);
  await addPasskey(userId, "thief's", now - 7 * DAY + MINUTE);
  await createCalendarAddress(await appOf(user));
  await move(user, someone().email);
  const message = await emailTo(input.email, /address was changed/);
  await restoreAddress(await testApp({ now: instant(Date.now()) }), { token: tokenIn(message.text) });
  expect(await passkeysOf(userId)).toEqual(["owner's"]);
  expect([await twoStepOf(userId), await codesOf(userId), await hasFeed(userId)]).toEqual([[], [], false]);
});

test("Q-06 an older second step stays, and its recovery codes only if they are older too", async () => {
  for (const areNew of [true, false]) {
    const { input, user } = await withTwoStep(Date.now() - 8 * DAY);
    const userId = await idOf(user);
    if (areNew) await createRecoveryCodes(await appOf(user));
    await move(user, someone().email);
    const message = await emailTo(input.email, /address was changed/);
    await restoreAddress(await testApp({ now: instant(Date.now()) }), { token: tokenIn(message.text) });
    expect([(await twoStepOf(userId)).length, (await codesOf(userId)).length]).toEqual([1, areNew ? 0 : 10]);
  }
});

test("Q-06 the email about a change of the sign-in has a link that ends all logins and removes the change", async () => {
  const { input, user } = await withTwoStep();
  const userId = await idOf(user);
  const message = await emailTo(input.email, /^How you sign in/);
  expect(message.text).toContain("This wasn't me");
  const token = tokenIn(message.text);
  const { addresses } = await viewRestore(await testApp({ now: instant(Date.now()) }), { token });
  expect(addresses).toEqual({ email: input.email, oldEmail: input.email });
  const page = await visit(null, `/account/restore-email?token=${token}`);
  expect(page.html).toContain("If you did not change how you sign in");
  await restoreAddress(await testApp({ now: instant(Date.now()) }), { token });
  expect(await twoStepOf(userId)).toEqual([]);
  expect((await callAs(user, "GET", "/get-user")).status).toBe(401);
});

test("Q-06 an email about a change before the restoring carries no live link after it", async () => {
  const { input, user } = await registered();
  const thiefs = someone().email;
  await move(user, thiefs);
  const owners = tokenIn((await emailTo(input.email, /address was changed/)).text);
  // The thief's change is made now, and its email leaves after the owner's link was used.
  await createCalendarAddress({ ...(await appOf(user)), defer: () => {} });
  await restoreAddress(await testApp({ now: instant(Date.now() + MINUTE) }), { token: owners });
  const late = tokenIn((await emailTo(thiefs, /calendar address/)).text);
  const app = await testApp({ now: instant(Date.now() + MINUTE) });
  expect((await viewRestore(app, { token: late })).addresses).toBeNull();
});

test("F-01 F-03 a calendar address is announced by mail, and it ends with the other logins, a new password and a reset", async () => {
  const ways: Record<string, (user: TestUser, email: string) => Promise<unknown>> = {
    "other logins": async (user) => endOtherLogins(await appOf(user)),
    "new password": async (user) =>
      changePassword(await appOf(user), { currentPassword: PASSWORD, password: NEW }),
    reset: async (_, email) => {
      await callAs(null, "POST", "/get-password-reset", { email });
      const token = tokenIn((await emailTo(email, /^Choose a new password/)).text);
      await resetPassword(await testApp({ now: instant(Date.now()) }), { email, password: NEW, token });
    },
  };
  for (const [name, end] of Object.entries(ways)) {
    const { input, user } = await registered();
    const userId = await idOf(user);
    await createCalendarAddress(await appOf(user));
    await renewCalendarAddress(await appOf(user));
    const message = await emailTo(input.email, /calendar address was changed/);
    expect(message.text).toContain("This wasn't me");
    expect(await hasFeed(userId), name).toBe(true);
    await end(user, input.email);
    expect(await hasFeed(userId), name).toBe(false);
  }
});

test("X-10 the page of a reset link lists the passkeys, and the reset removes the chosen ones", async () => {
  const { input, user } = await registered();
  const other = await registered();
  const [userId, otherId] = [await idOf(user), await idOf(other.user)];
  await addPasskey(userId, "mine", Date.now());
  await addPasskey(userId, "foreign", Date.now());
  await addPasskey(otherId, "theirs", Date.now());
  await callAs(null, "POST", "/get-password-reset", { email: input.email });
  const token = tokenIn((await emailTo(input.email, /^Choose a new password/)).text);
  const page = await visit(null, `/reset-password?token=${token}`);
  expect([page.html.includes("mine"), page.html.includes("theirs")]).toEqual([true, false]);
  expect((await viewReset(await testApp(), { token: "guessed" })).passkeys).toEqual([]);
  const answer = await callAs(null, "POST", "/post-reset-password", {
    email: input.email,
    password: NEW,
    password_confirmation: NEW,
    token,
    passkeys: [`foreign-${userId}`, `theirs-${otherId}`],
  });
  expect([answer.status, await passkeysOf(userId), await passkeysOf(otherId)]).toEqual([
    200,
    ["mine"],
    ["theirs"],
  ]);
});
