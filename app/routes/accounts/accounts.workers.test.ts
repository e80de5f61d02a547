// The forms of account pages: their answers to plain submits (R-36; X-03 is the guard before them).
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { type Json, ORIGIN } from "#tests/support/ask";
import { appOf, db, makeUser, setUser, type TestUser, testApp, userNow } from "#tests/support/factories";
import { loader as mailbox } from "~/routes/notices/mailbox";
import { passwords } from "~/use-cases/accounts/password-hashes.server";
import { action as account, loader as accountLoader } from "./account";
import { action as auth, loader as authLoader } from "./auth";
import { action as forgot } from "./forgot-password";
import { action as logout } from "./logout";
import { action as reset } from "./reset-password";

const PASSWORD = "a lantern at dusk";
afterEach(() => vi.restoreAllMocks());

type Door = (args: never) => unknown;
type Answer = { status: number; body: Json; location: string | null; cookies: string[] };

async function at(door: Door, path: string, form?: Record<string, string>, user?: TestUser): Promise<Answer> {
  const app = user ? await appOf(user) : await testApp();
  const request = new Request(
    `${ORIGIN}${path}`,
    form ? { method: "POST", body: new URLSearchParams(form) } : {},
  );
  const params = /^\/auth\/(\w+)/.exec(path);
  const args = { request, params: { tab: params?.[1] }, context: { app, nonce: "" } } as never;
  const answer = await Promise.resolve()
    .then(() => door(args))
    .catch((thrown: unknown) => thrown);
  const login = app.cookies.login ? [`login=${app.cookies.login.token}`] : [];
  if (answer instanceof Response)
    return {
      status: answer.status,
      body: null,
      location: answer.headers.get("Location"),
      cookies: [...answer.headers.getSetCookie(), ...login],
    };
  const { data, init } = answer as { data: unknown; init?: { status?: number } | null };
  return { status: init?.status ?? 200, body: data ?? answer, location: null, cookies: login };
}

async function withPassword(): Promise<TestUser> {
  const user = await makeUser();
  const passwordHash = await passwords.hash(PASSWORD);
  await setUser(user.id, { passwordHash });
  return user;
}

test("R-36 the login form redirects to the requested local path, and nowhere else", async () => {
  const user = await withPassword();
  const form = { email: user.email, password: PASSWORD };
  const go = (next: string) => at(auth, "/auth/login", { ...form, next });
  expect(await go("/account?a=1")).toMatchObject({ status: 302, location: "/account?a=1" });
  expect((await go("/account")).cookies.join()).toMatch(/login=/);
  for (const evil of ["https://evil.example", "//evil.example", ""])
    expect((await go(evil)).location).toBe("/");
  const stays = await at(auth, "/auth/login", { ...form, next: "/account", stay: "1" });
  expect([stays.status, stays.body.ok]).toEqual([200, true]);
});

test("R-36 a signed-in viewer is redirected at once", async () => {
  const user = await makeUser();
  expect((await at(authLoader, "/auth/login?next=/my/goals", undefined, user)).location).toBe("/my/goals");
  expect((await at(authLoader, "/auth/login?next=/my/goals")).body).toEqual({
    tab: "login",
    next: "/my/goals",
  });
  expect((await at(accountLoader, "/account?x=1")).location).toBe("/?auth=login&next=%2Faccount%3Fx%3D1");
});

test("M-03 a wrong pair shows the sentence under the form and the typed email, without the password", async () => {
  const user = await withPassword();
  const answer = await at(auth, "/auth/login", {
    email: user.email,
    password: "not this one",
    next: "/account",
  });
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({
    ok: false,
    code: "INVALID",
    message: "These credentials do not match our records.",
    form: { initialValue: { email: user.email, next: "/account" } },
  });
  expect(JSON.stringify(answer.body)).not.toContain("not this one");
  expect(answer.cookies).toEqual([]);
});

test("M-01 V-08 the register form signs in with thanks, and unchecked terms are refused", async () => {
  const username = `page-${crypto.randomUUID().slice(0, 8)}`;
  const form = {
    username,
    email: `${username}@example.com`,
    password: PASSWORD,
    passwordConfirmation: PASSWORD,
    next: "/account",
  };
  const refused = await at(auth, "/auth/register", form);
  expect([refused.status, refused.body.form.error]).toEqual([422, { terms: ["Value is required."] }]);
  expect(refused.body.form.initialValue).toMatchObject({ username, email: form.email });
  expect(JSON.stringify(refused.body)).not.toContain(PASSWORD);
  const done = await at(auth, "/auth/register", { ...form, terms: "on" });
  expect([done.status, done.location]).toEqual([302, "/account"]);
  expect(done.cookies.join()).toContain(`toast=${encodeURIComponent("Thanks for registering!")}`);
  expect(done.cookies.join()).toMatch(/login=/);
});

test("M-02 a refused registration shows the server's sentence at its field and under the form", async () => {
  const user = await makeUser();
  const answer = await at(auth, "/auth/register", {
    username: user.username,
    email: `x-${user.email}`,
    password: PASSWORD,
    passwordConfirmation: PASSWORD,
    terms: "on",
  });
  const sentence = "This username is taken. Please choose another.";
  expect(answer.body).toMatchObject({ message: sentence, sentences: [sentence] });
  expect(answer.body.form.error).toEqual({ username: [sentence] });
  expect(JSON.stringify(answer.body)).not.toContain(PASSWORD);
});

test("M-04 the forgot form gives everybody the same answer, and the reset form refuses an invalid link", async () => {
  const user = await makeUser();
  const known = await at(forgot, "/forgot-password", { email: user.email });
  const unknown = await at(forgot, "/forgot-password", { email: "nobody@example.com" });
  expect(known).toEqual(unknown);
  expect(known.body).toMatchObject({ ok: true, toast: "We have sent a password reset link to your email." });
  const dead = await at(reset, "/reset-password", {
    email: user.email,
    password: PASSWORD,
    passwordConfirmation: PASSWORD,
    token: "dead",
  });
  expect([dead.status, Object.keys(dead.body.form.error)]).toEqual([422, ["token"]]);
  expect(JSON.stringify(dead.body)).not.toContain(PASSWORD);
});

test("M-07 U-12 the profile form saves everything but the username", async () => {
  const user = await makeUser();
  const save = (form: Record<string, string>) =>
    at(account, "/account", { intent: "profile", ...form }, user);
  const saved = await save({ email: user.email, firstName: "Ada", lastName: "", username: "someone-else" });
  expect(saved.body).toMatchObject({ ok: true, toast: "Successfully updated profile." });
  const read = async () => await userNow(user.id);
  expect(await read()).toMatchObject({ firstName: "Ada", lastName: "", username: user.username });
  await save({ email: user.email, firstName: "", lastName: "King" });
  expect(await read()).toMatchObject({ firstName: "", lastName: "King" });
  const refused = await save({ email: "x", firstName: "Eve", lastName: "" });
  expect(refused.body.form).toMatchObject({
    error: { email: ["Value is not a valid email address"] },
    initialValue: { email: "x", firstName: "Eve" },
  });
});

test("the forms of the account page require a login", async () => {
  const forms: Record<string, string>[] = [
    { intent: "profile", email: "a@example.com" },
    { intent: "password", currentPassword: "x", password: PASSWORD, passwordConfirmation: PASSWORD },
    { intent: "add-person", username: "some-name" },
    { intent: "switch-person", person: "some-name" },
  ];
  for (const form of forms) {
    const answer = await at(account, "/account", form);
    expect([answer.status, answer.body.code], form.intent).toEqual([401, "UNAUTHENTICATED"]);
  }
  expect((await at(account, "/account", { intent: "nonsense" })).status).toBe(404);
});

test("the only tabs are Login and Register", async () => {
  expect((await at(authLoader, "/auth/nonsense")).status).toBe(404);
  expect((await at(auth, "/auth/nonsense", { email: "a@example.com" })).status).toBe(404);
});

test("signing out by a form ends the login and redirects home", async () => {
  const user = await makeUser();
  expect(await at(logout, "/auth/logout", {}, user)).toMatchObject({ status: 302, location: "/" });
  expect(await db.select().from(schema.logins).where(eq(schema.logins.userId, user.id))).toEqual([]);
});

test("P-45 the mailbox page is 404 on a deployed Bothy", async () => {
  const app = await testApp();
  const context = { app: { ...app, settings: { ...app.settings, isLocalRun: false } }, nonce: "" };
  const thrown = await mailbox({
    request: new Request(`${ORIGIN}/local/mailbox`),
    params: {},
    context,
  } as never).catch((answer: unknown) => answer);
  expect((thrown as { init: { status: number } }).init.status).toBe(404);
});
