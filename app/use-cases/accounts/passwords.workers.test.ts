// Forgotten, reset and changed passwords, with a real database and mailbox.

import { desc, eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import {
  appOf,
  db,
  errorCodeOf,
  makeUser,
  NOW,
  setUser,
  type TestUser,
  testApp,
  userNow,
} from "#tests/support/factories";
import { drain } from "#tests/support/notices";
import { post, visit } from "#tests/support/visit";
import { AppError, asAppError } from "~/domain/errors";
import { instant, MINUTE, SECOND } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { viewMailbox } from "~/use-cases/notices/mailbox.server";
import { login } from "./accounts.server";
import { endOneLogin, endOtherLogins, listLogins } from "./login-list.server";
import { passwords } from "./password-hashes.server";
import { changePassword, requestPasswordReset, resetPassword } from "./passwords.server";

const OLD = "an old lantern";
const NEW = "a lantern at dusk";
afterEach(() => vi.restoreAllMocks());

/** An App whose deferred work can be awaited. */
async function patient(made: App | Promise<App>): Promise<App & { settled(): Promise<unknown> }> {
  const app = await made;
  const work: Promise<unknown>[] = [];
  return Object.assign(app, {
    defer: (more: Promise<unknown>) => void work.push(more),
    settled: () => Promise.all(work),
  });
}
const mailsTo = (email: string) =>
  db
    .select()
    .from(schema.mailbox)
    .where(eq(schema.mailbox.recipient, email))
    .orderBy(desc(schema.mailbox.id));
const loginsOf = (user: TestUser) => db.select().from(schema.logins).where(eq(schema.logins.userId, user.id));
const hashOf = async (user: TestUser) => (await userNow(user.id))?.passwordHash ?? "";

async function withPassword(): Promise<TestUser> {
  const user = await makeUser();
  await setUser(user.id, { passwordHash: await passwords.hash(OLD) });
  return user;
}

/** Requests a link and reads it from the email. */
async function linkFor(user: TestUser, now = NOW): Promise<string> {
  const app = await patient(testApp({ now }));
  await requestPasswordReset(app, { email: user.email.toUpperCase() });
  await app.settled();
  const [mail] = await mailsTo(user.email);
  return /http:\/\/127\.0\.0\.1:8787\/reset-password\?token=([\w-]{43})\s/.exec(mail?.text ?? "")?.[1] ?? "";
}
const after = (ms: number) => instant(NOW + ms);

keepBystanders();

test("C-12 M-04 a reset request sends a link, with the same answer and the same work for every address", async () => {
  const user = await withPassword();
  const ask = (email: unknown) => callAs(null, "POST", "/get-password-reset", { email });
  const known = await ask(user.email);
  const unknown = await ask("nobody@example.com");
  expect([known.status, known.body]).toEqual([
    200,
    { message: "We have sent a password reset link to your email." },
  ]);
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()]);
  // Nothing is looked up before the answer; everything that differs happens afterwards.
  const app = await testApp();
  const deferred: unknown[] = [];
  app.defer = (work) => void deferred.push(work);
  const asked = vi.spyOn(app.db, "batch");
  const order: string[] = [];
  await requestPasswordReset(app, { email: user.email }).then(() => order.push("answered"));
  expect(deferred).toHaveLength(1);
  await Promise.all(deferred);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(await mailsTo("nobody@example.com")).toEqual([]);
  expect((await mailsTo(user.email))[0]?.subject).toBe("Choose a new password for Bothy");
});

test("V-02 a reset request needs an email address", async () => {
  for (const [email, sentence] of [
    ["", "Value is required"],
    [undefined, "Value is required"],
    ["x", "Value is not a valid email address"],
  ]) {
    const answer = await callAs(null, "POST", "/get-password-reset", { email });
    expect([answer.status, answer.body.fields]).toEqual([422, { email: [sentence] }]);
  }
});

test("C-13 M-05 the emailed link sets a new password and ends every login", async () => {
  const user = await withPassword();
  const token = await linkFor(user);
  const body = { email: user.email, password: NEW, password_confirmation: NEW, token };
  vi.setSystemTime(NOW);
  const answer = await callAs(null, "POST", "/post-reset-password", body);
  expect([answer.status, answer.body]).toEqual([200, { message: "Your password was reset successfully!" }]);
  expect((await callAs(user, "GET", "/get-user")).status).toBe(401);
  expect(await loginsOf(user)).toEqual([]);
  expect((await callAs(null, "POST", "/login", { email: user.email, password: OLD })).status).toBe(422);
  expect((await callAs(null, "POST", "/login", { email: user.email, password: NEW })).status).toBe(200);
});

test("C-13 M-05 P-08 the page of the link sets the password once by a plain form", async () => {
  const user = await withPassword();
  const token = await linkFor(user, instant(Date.now()));
  const path = `/reset-password?token=${token}`;
  const form = { token, email: user.email, password: NEW };
  const wrong = await post(null, path, { ...form, passwordConfirmation: "the other way" });
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining("does not match")]);
  const reset = () => post(null, path, { ...form, passwordConfirmation: NEW });
  const done = await reset();
  const page = done.location === null ? done : await visit(null, done.location);
  expect(page.html + done.headers.getSetCookie().join()).toMatch(
    /Your password was reset successfully|Your%20password%20was%20reset/,
  );
  expect((await callAs(null, "POST", "/login", { email: user.email, password: NEW })).status).toBe(200);
  const again = await reset();
  expect([again.status, again.html]).toEqual([
    422,
    expect.stringContaining("This reset link does not work any more."),
  ]);
});

test("X-10 a reset link works once, and using it ends the others", async () => {
  const user = await withPassword();
  const first = await linkFor(user);
  const second = await linkFor(user);
  expect(second).not.toBe(first);
  const use = async (token: string, password: string) =>
    resetPassword(await testApp(), { email: user.email, password, token }).then(() => "ok", asAppError);
  expect(await use(second, NEW)).toBe("ok");
  const set = await hashOf(user);
  for (const token of [second, first]) {
    const refused = await use(token, "another password");
    expect(refused).toMatchObject({
      code: "INVALID",
      fields: { token: ["This reset link does not work any more. Please ask for a new one."] },
    });
  }
  expect(await hashOf(user)).toBe(set);
});

test("X-10 of two simultaneous uses of a link one sets a password", async () => {
  const user = await withPassword();
  const token = await linkFor(user);
  const use = async (password: string) =>
    errorCodeOf(resetPassword(await testApp(), { email: user.email, password, token }));
  expect((await Promise.all([use("first lantern"), use("second lantern")])).sort()).toEqual([
    "INVALID",
    "ok",
  ]);
});

test("X-10 a reset link works for 60 minutes", async () => {
  const user = await withPassword();
  const token = await linkFor(user);
  const use = async (ms: number) =>
    errorCodeOf(
      resetPassword(await testApp({ now: after(ms) }), { email: user.email, password: NEW, token }),
    );
  expect(await use(60 * MINUTE)).toBe("INVALID");
  expect(await use(60 * MINUTE - SECOND)).toBe("ok");
});

test("a reset link works only together with its account's email", async () => {
  const user = await withPassword();
  const other = await withPassword();
  const token = await linkFor(user);
  const before = [await hashOf(user), await hashOf(other)];
  const refused = await resetPassword(await testApp(), { email: other.email, password: NEW, token }).catch(
    asAppError,
  );
  expect(refused).toMatchObject({ code: "INVALID" });
  expect([await hashOf(user), await hashOf(other)]).toEqual(before);
  expect(await loginsOf(other)).toHaveLength(1);
});

test("C-13 V-05 V-06 an invalid reset reports its errors at their fields", async () => {
  const told = async (over: object) =>
    (
      await callAs(null, "POST", "/post-reset-password", {
        email: "ada@example.com",
        password: NEW,
        password_confirmation: NEW,
        token: "x",
        ...over,
      })
    ).body.fields;
  expect(await told({ email: "x" })).toEqual({ email: ["Value is not a valid email address"] });
  expect(await told({ password: "short", password_confirmation: "short" })).toEqual({
    password: ["Your password needs at least 8 characters."],
  });
  expect(await told({ password_confirmation: "other one" })).toEqual({
    password_confirmation: ["Your password does not match."],
  });
  expect(await told({ token: "" })).toEqual({
    token: ["This reset link is incomplete. Please open the link in the email again."],
  });
  expect(await told({})).toEqual({
    token: ["This reset link does not work any more. Please ask for a new one."],
  });
});

test("X-10 changing the password ends every other login and renews the current login", async () => {
  const user = await withPassword();
  await login(await testApp(), { email: user.email, password: OLD });
  const app = await patient(appOf(user, instant(Date.now())));
  await changePassword(app, { currentPassword: OLD, password: NEW });
  await app.settled();
  expect(await loginsOf(user)).toHaveLength(1);
  expect((await callAs(user, "GET", "/get-user")).status).toBe(401);
  const loginToken = app.cookies.login?.token ?? "";
  expect((await callAs({ ...user, loginToken }, "GET", "/get-user")).status).toBe(200);
  await vi.waitFor(async () => {
    await drain(app);
    expect((await mailsTo(user.email))[0]?.subject).toBe("Your Bothy password was changed");
  });
  await login(await testApp(), { email: user.email, password: NEW });
});

test("X-10 changing the password ends the user's reset links, and those of nobody else", async () => {
  const [user, other] = [await withPassword(), await withPassword()];
  const [own, theirs] = [await linkFor(user), await linkFor(other)];
  await changePassword(await appOf(user), { currentPassword: OLD, password: NEW });
  const use = async ({ email }: TestUser, token: string) =>
    errorCodeOf(resetPassword(await testApp(), { email, password: "another lantern", token }));
  expect([await use(user, own), await use(other, theirs)]).toEqual(["INVALID", "ok"]);
});

test("changing the password requires the current password", async () => {
  const user = await withPassword();
  const set = await hashOf(user);
  const refused = await changePassword(await appOf(user), { currentPassword: NEW, password: NEW }).catch(
    asAppError,
  );
  expect(refused).toMatchObject({
    code: "INVALID",
    fields: { currentPassword: ["This is not your current password."] },
  });
  expect(await hashOf(user)).toBe(set);
  expect(await loginsOf(user)).toHaveLength(1);
  const visitor = await changePassword(await testApp(), { currentPassword: OLD, password: NEW }).catch(
    asAppError,
  );
  expect(visitor).toMatchObject({ code: "UNAUTHENTICATED" });
});

test("the security page lists the user's logins, the current login first, and ends one or all others", async () => {
  const user = await withPassword();
  const stranger = await makeUser();
  const elsewhere = async (userAgent: string) => {
    const app = await testApp({ now: after(MINUTE) });
    app.origin = { ip: "9.9.9.9", userAgent, place: "Oban, GB" };
    await login(app, { email: user.email, password: OLD });
  };
  await elsewhere("Phone");
  await elsewhere("Tablet");
  const listed = await listLogins(await appOf(user));
  expect(listed.map((seen) => [seen.isThisOne, seen.userAgent, seen.place])).toEqual([
    [true, "", ""],
    [false, expect.stringMatching(/Phone|Tablet/), "Oban, GB"],
    [false, expect.stringMatching(/Phone|Tablet/), "Oban, GB"],
  ]);
  const phone = listed.find((seen) => seen.userAgent === "Phone")?.id ?? "";
  // A user cannot end another user's login.
  await endOneLogin(await appOf(stranger), { login: phone });
  expect(await loginsOf(user)).toHaveLength(3);
  await endOneLogin(await appOf(user), { login: phone });
  expect((await listLogins(await appOf(user))).map((seen) => seen.userAgent)).toEqual(["", "Tablet"]);
  await endOtherLogins(await appOf(user));
  expect((await listLogins(await appOf(user))).map((seen) => seen.isThisOne)).toEqual([true]);
  expect(await loginsOf(stranger)).toHaveLength(1);
  const own = await appOf(user);
  await endOneLogin(own, { login: own.user?.loginHash ?? "" });
  expect(own.cookies.login).toBeNull();
});

test("P-45 X-11 emails of a local run arrive in a mailbox that exists only there", async () => {
  const user = await withPassword();
  await linkFor(user);
  const app = await testApp();
  expect((await viewMailbox(app)).mails[0]).toMatchObject({ recipient: user.email });
  const deployed = { ...app, settings: { ...app.settings, isLocalRun: false } };
  expect(await viewMailbox(deployed).catch((e) => (e instanceof AppError ? e.code : e))).toBe("NOT_FOUND");
});
