// Email confirmation, through the real forms and emails.

import { env } from "cloudflare:workers";
import { eq, inArray } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { PASSWORD, registered, someone } from "#tests/support/accounts";
import { callAs } from "#tests/support/ask";
import { db, makeUser, type TestUser, testApp } from "#tests/support/factories";
import { drain } from "#tests/support/notices";
// Ahead of the real clock, so that no counter's alarm fires during a test.
import { ROOM_NOW as NOW } from "#tests/support/rooms";
import { join } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { createApp } from "#workers/create-app";
import { DAY, HOUR, instant } from "~/domain/time";
import { hashToken } from "~/use-cases/tokens.server";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";
import {
  confirmAddress,
  restoreAddress,
  sendConfirmation,
  viewConfirmation,
  viewRestore,
} from "./confirmations.server";
import { passwords } from "./password-hashes.server";
import { updateProfile } from "./profile.server";

afterEach(() => vi.restoreAllMocks());

const mailsTo = async (email: string) => {
  const { mailbox } = schema;
  return db.select().from(mailbox).where(eq(mailbox.recipient, email)).orderBy(mailbox.id);
};
const pathIn = (text: string | undefined) => /https?:\/\/[^/\s]+(\/account\/\S+)/.exec(text ?? "")?.[1] ?? "";
const tokenIn = (text: string | undefined) => /token=([\w-]+)/.exec(text ?? "")?.[1] ?? "";
/** Waits for the newest email to this address. */
async function emailTo(email: string, count = 1) {
  await vi.waitFor(async () => {
    await drain(await testApp({ now: instant(Date.now()) }));
    expect(await mailsTo(email)).toHaveLength(count);
  });
  return (await mailsTo(email)).at(-1);
}
const userOf = async (email: string) =>
  (await db.select().from(schema.users).where(eq(schema.users.email, email)))[0];
const banner = async (user: TestUser | null, path = "/events") =>
  (await (await visit(user, path)).texts('section[aria-label="Email address"] p'))[0];
const move = (user: TestUser, email: string) =>
  callAs(user, "PATCH", "/account/user/profile", { userData: { email, current_password: PASSWORD } });

test("Q-01 registration signs in at once and sends the confirmation email", async () => {
  const { input, user } = await registered();
  expect((await callAs(user, "GET", "/get-user")).status).toBe(200);
  const message = await emailTo(input.email);
  expect(message?.subject).toBe(`Confirm your email address for ${env.APP_NAME}`);
  expect(message?.text).toContain("works once and for 48 hours");
  expect((await userOf(input.email))?.emailConfirmedAt).toBeNull();
});

test("Q-02 Q-03 the emailed link confirms once, in any browser and without JavaScript", async () => {
  const { input, user } = await registered();
  expect(await banner(user, "/my/goals")).toBe(
    `Please confirm your email address. We sent a link to ${input.email}.`,
  );
  const message = await emailTo(input.email);
  const path = pathIn(message?.text);
  const token = tokenIn(message?.text);
  // Opening the page confirms nothing, because mail scanners open links.
  expect((await visit(null, path)).status).toBe(200);
  expect((await userOf(input.email))?.emailConfirmedAt).toBeNull();
  const done = await post(null, path, { intent: "confirm", token });
  expect(done.status).toBe(200);
  expect((await done.texts("main [role=status]")).join()).toContain("Your email address is confirmed.");
  expect((await userOf(input.email))?.emailConfirmedAt).not.toBeNull();
  expect(await banner(user)).toBeUndefined();

  const again = await post(null, path, { intent: "confirm", token });
  expect(again.status).toBe(422);
  expect((await visit(null, path)).html).toContain("This link has expired. We can send you a new one.");
});

test("Q-02 the database stores only the SHA-256 of a link", async () => {
  const { input } = await registered();
  const token = tokenIn((await emailTo(input.email))?.text);
  const rows = await db
    .select()
    .from(schema.confirmations)
    .where(eq(schema.confirmations.email, input.email));
  expect(rows).toMatchObject([{ tokenHash: await hashToken(token), kind: "confirm", usedAt: null }]);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test("Q-02 a link works for 48 hours, and an expired one offers its account a new link", async () => {
  const { input } = await registered();
  const token = tokenIn((await emailTo(input.email))?.text);
  const [row] = await db
    .select()
    .from(schema.confirmations)
    .where(eq(schema.confirmations.email, input.email));
  const madeAt = row?.createdAt ?? NOW;
  const late = await testApp({ now: instant(madeAt + 48 * HOUR) });
  await expect(confirmAddress(late, { token })).rejects.toMatchObject({ code: "INVALID" });
  expect(await viewConfirmation(late, { token })).toEqual({
    token,
    email: null,
    isConfirmed: false,
    canSendAgain: true,
  });
  const sent = await post(null, `/account/confirm-email?token=${token}`, { intent: "send", token });
  expect((await sent.texts("main [role=status]")).join()).toContain(`We sent a link to ${input.email}.`);
  const inTime = await testApp({ now: instant(madeAt + 48 * HOUR - 1) });
  await confirmAddress(inTime, { token: tokenIn((await emailTo(input.email, 2))?.text) });
  expect((await userOf(input.email))?.emailConfirmedAt).not.toBeNull();
});

test("Q-03 visitors and confirmed accounts see no banner", async () => {
  expect(await banner(null)).toBeUndefined();
  expect(await banner(await makeUser())).toBeUndefined();
  expect(await banner(await makeUser({ isConfirmed: false }))).toContain("Please confirm");
});

test("Q-03 the sixth email of an hour answers RATE_LIMITED, even to a new address, and an hour later it is sent", async () => {
  const user = await makeUser({ isConfirmed: false });
  vi.spyOn(passwords, "verify").mockResolvedValue({ isRight: true, isOutdated: false });
  const app = async (now = NOW) => {
    const made = await createApp(
      { ...env, RATE_LIMITS: "on" },
      { now, loginToken: user.loginToken, defer: (work) => void work.catch(() => {}) },
    );
    return made.app;
  };
  for (let sent = 0; sent < 5; sent++)
    expect(await sendConfirmation(await app(), { token: "" })).toEqual({ email: user.email });
  await emailTo(user.email, 5);
  const refusal = { code: "RATE_LIMITED", retryAfter: 3600 };
  await expect(sendConfirmation(await app(), { token: "" })).rejects.toMatchObject(refusal);
  const elsewhere = { email: someone().email, currentPassword: PASSWORD };
  await expect(updateProfile(await app(), elsewhere)).rejects.toMatchObject(refusal);
  expect(await mailsTo(elsewhere.email)).toEqual([]);
  await sendConfirmation(await app(instant(NOW + HOUR)), { token: "" });
  await emailTo(user.email, 6);
});

test("Q-03 a confirmed account and a visitor without a link get no email", async () => {
  const user = await makeUser();
  expect((await post(user, "/account/confirm-email", { intent: "send", token: "" })).status).toBe(409);
  expect((await post(null, "/account/confirm-email", { intent: "send", token: "" })).status).toBe(401);
  expect(await mailsTo(user.email)).toEqual([]);
});

test("Q-04 R-39 an unconfirmed account creates goals, hosts, joins and writes like any other", async () => {
  const { user } = await registered();
  const host = await registered();
  const goal = await callAs(user, "POST", "/api/goals/store", { challenge: { tasks: [{ title: "Read" }] } });
  const made = await callAs(host.user, "POST", "/challenge-events", {
    challenge: { title: "Now", is_manually_started: 1, duration: 3600 },
  });
  const { id, slug } = made.body.challenge_event;
  const joined = await join(user, id);
  const posted = await callAs(user, "POST", `/challenges/${slug}/posts`, { item: { content: "Hello" } });
  const hut = await callAs(user, "POST", "/groups/store", { hut: { title: "A hut" } });
  expect([goal, made, joined, posted, hut].map(({ status }) => status)).toEqual([201, 201, 200, 201, 201]);
});

test("Q-06 a changed address is unconfirmed until its own link is opened", async () => {
  const { input, user } = await registered();
  const first = tokenIn((await emailTo(input.email))?.text);
  await confirmAddress(await testApp({ now: instant(Date.now()) }), { token: first });
  const { email } = someone();
  expect((await move(user, email)).status).toBe(200);
  expect(await banner(user)).toContain(`We sent a link to ${email}.`);
  const second = tokenIn((await emailTo(email))?.text);
  await confirmAddress(await testApp({ now: instant(Date.now()) }), { token: second });
  expect(await banner(user)).toBeUndefined();
});

test("Q-06 a link to the former address confirms nothing", async () => {
  const { input, user } = await registered();
  const token = tokenIn((await emailTo(input.email))?.text);
  const { email } = someone();
  await move(user, email);
  const app = await testApp({ now: instant(Date.now()) });
  await expect(confirmAddress(app, { token })).rejects.toMatchObject({ code: "INVALID" });
  expect((await userOf(email))?.emailConfirmedAt).toBeNull();
});

test("Q-06 This wasn't me restores the address, confirmed, and ends all logins", async () => {
  const { input, user } = await registered();
  const { email } = someone();
  await move(user, email);
  const message = await emailTo(input.email, 2);
  expect(message?.text).toContain("This wasn't me");
  const path = pathIn(message?.text);
  expect((await visit(null, path)).html).toContain(email);
  const [own, other] = [(await userOf(email))?.id ?? 0, (await makeUser()).id];
  for (const id of [own, other])
    await db.insert(schema.passkeys).values({
      id: `passkey-${id}`,
      userId: id,
      name: "A key",
      publicKey: "",
      counter: 0,
      createdAt: instant(Date.now()),
    });
  const done = await post(null, path, { intent: "restore", token: tokenIn(message?.text) });
  const left = await db
    .select()
    .from(schema.passkeys)
    .where(inArray(schema.passkeys.userId, [own, other]));
  expect(left.map(({ userId }) => userId)).toEqual([other]);
  expect((await done.texts("main [role=status]")).join()).toContain(
    `The address of your account is ${input.email}, and every login was ended.`,
  );
  expect((await callAs(user, "GET", "/get-user")).status).toBe(401);
  expect((await userOf(input.email))?.emailConfirmedAt).not.toBeNull();
  expect((await emailTo(email, 2))?.text).toContain("got its former email address back");
  const again = await post(null, path, { intent: "restore", token: tokenIn(message?.text) });
  expect(again.status).toBe(422);
});

test("Q-06 the link to the old address works for 7 days, and no other account can take that address meanwhile", async () => {
  const { input, user } = await registered();
  const { email } = someone();
  await move(user, email);
  const token = tokenIn((await emailTo(input.email, 2))?.text);
  const taken = await callAs(null, "POST", "/register", someone({ email: input.email.toUpperCase() }));
  expect(taken.body.fields).toEqual({ email: ["There is already an account with this email address."] });
  const other = await registered();
  expect((await move(other.user, input.email)).body.fields).toHaveProperty("email");
  const row = (
    await db.select().from(schema.confirmations).where(eq(schema.confirmations.kind, "restore"))
  ).find((link) => link.email === input.email);
  const end = (row?.createdAt ?? NOW) + 7 * DAY;
  expect((await viewRestore(await testApp({ now: instant(end) }), { token })).addresses).toBeNull();
  await expect(restoreAddress(await testApp({ now: instant(end) }), { token })).rejects.toMatchObject({
    code: "INVALID",
  });
  await restoreAddress(await testApp({ now: instant(end - 1) }), { token });
  expect(await userOf(input.email)).toBeDefined();
});

test("Q-06 a thief who changes the address twice cannot end the owner's link, and loses all their links, but nobody else's", async () => {
  const [{ input, user }, bystander] = [await registered(), await registered()];
  const [second, third] = [someone().email, someone().email];
  await move(user, second);
  const owners = tokenIn((await emailTo(input.email, 2))?.text);
  await move(user, third);
  const thiefs = tokenIn((await emailTo(second, 2))?.text);
  const resetOf = async (email: string) => {
    await callAs(null, "POST", "/get-password-reset", { email });
    return tokenIn((await emailTo(email, 2))?.text);
  };
  const [reset, theirs] = [await resetOf(third), await resetOf(bystander.input.email)];
  const app = await testApp({ now: instant(Date.now()) });
  await restoreAddress(app, { token: thiefs });
  await restoreAddress(app, { token: owners });
  expect(await userOf(input.email)).toBeDefined();
  await expect(restoreAddress(app, { token: thiefs })).rejects.toMatchObject({ code: "INVALID" });
  const password = { password: "another lantern", password_confirmation: "another lantern" };
  const use = (email: string, token: string) =>
    callAs(null, "POST", "/post-reset-password", { email, token, ...password });
  expect((await use(input.email, reset)).body.error_code).toBe("INVALID");
  expect((await use(bystander.input.email, theirs)).status).toBe(200);
});

test("Q-02 the nightly job deletes links that expired a month ago", async () => {
  const { input } = await registered();
  await emailTo(input.email);
  const left = async () =>
    (await db.select().from(schema.confirmations).where(eq(schema.confirmations.email, input.email))).length;
  await deleteExpiredRows(await testApp({ now: instant(Date.now() + 31 * DAY) }));
  expect(await left()).toBe(1);
  await deleteExpiredRows(await testApp({ now: instant(Date.now() + 33 * DAY) }));
  expect(await left()).toBe(0);
});
