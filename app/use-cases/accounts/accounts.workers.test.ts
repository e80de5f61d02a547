// Registration, signing in and out, through HTTP and a real database.
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { cookieOf, PASSWORD, registered, someone, tokenOf, withToken } from "#tests/support/accounts";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { db, makeUser, makeUsers, type NOW, setUser, testApp, userNow } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { asAppError } from "~/domain/errors";
import { hashToken } from "~/use-cases/tokens.server";
import { login } from "./accounts.server";
import { passwords } from "./password-hashes.server";

afterEach(() => vi.restoreAllMocks());

test("C-09 B-08 E-01 registration answers the signed-in user with ten welcome tokens", async () => {
  const { input, answer, user } = await registered();
  expect(answer.body.user).toEqual({
    id: expect.any(Number),
    first_name: "Ada",
    last_name: "Lovelace",
    email: input.email,
    username: input.username,
    role_id: 1,
    subscription_id: null,
    subscription: null,
    all_remaining_tokens: 10,
    owed_tokens: 0,
    is_new: 1,
    new_messages: { free_tokens: 1 },
    client_uuid: null,
    my_goals: [],
    person: { id: expect.any(Number), username: input.username },
  });
  const lots = await db
    .select()
    .from(schema.tokenLots)
    .where(eq(schema.tokenLots.userId, answer.body.user.id));
  expect(lots).toMatchObject([
    {
      kind: "welcome",
      granted: 1000,
      remaining: 1000,
      expiresAt: null,
      scope: "all",
      reference: `welcome:${answer.body.user.id}`,
    },
  ]);
  const again = await callAs(user, "GET", "/get-user");
  expect(again.status).toBe(200);
  expect(again.body).toEqual(answer.body.user);
});

test("A-12 registration creates one person with the same name", async () => {
  const { input, user, answer } = await registered();
  const persons = await callAs(user, "GET", "/me/persons");
  expect(persons.body.persons).toEqual([{ id: answer.body.user.person.id, username: input.username }]);
});

test("C-09 the documented name replaces a missing first name", async () => {
  const { answer } = await registered({ name: "Grace", first_name: undefined, last_name: undefined });
  expect(answer.body.user).toMatchObject({ first_name: "Grace", last_name: "" });
});

test("A-04 no form and no call creates a super admin", async () => {
  const { answer, user } = await registered({ role_id: 10 });
  expect(answer.body.user.role_id).toBe(1);
  const patched = await callAs(user, "PATCH", "/account/user/profile", {
    userData: { first_name: "Eve", role_id: 10 },
  });
  expect(patched.body.user.role_id).toBe(1);
});

test("V-02 V-03 V-04 V-05 V-06 V-07 an invalid registration reports its errors at their fields", async () => {
  const told = async (over: object) => {
    const { status, body } = await callAs(null, "POST", "/register", someone(over));
    expect([status, body.error_code]).toEqual([422, "INVALID"]);
    expect(body.message).toBe(body.error);
    expect(body.errors).toEqual(Object.values(body.fields).flat());
    return body.fields;
  };
  const required = ["Value is required"];
  expect(
    await told({
      email: "",
      username: "",
      password: "",
      password_confirmation: "",
      first_name: "",
      last_name: "",
    }),
  ).toEqual({ email: required, username: required, password: required, password_confirmation: required });
  expect(await told({ email: "ada@" })).toEqual({ email: ["Value is not a valid email address"] });
  expect(await told({ username: "a b" })).toEqual({
    username: ["Your username can only contain letters, numbers, underscores, and dashes."],
  });
  expect(await told({ username: "ab" })).toEqual({ username: ["Your username needs 3 to 30 characters."] });
  expect(await told({ username: "Sessions" })).toEqual({
    username: ["This username is taken. Please choose another."],
  });
  expect(await told({ password_confirmation: "other" })).toEqual({
    password_confirmation: ["Your password does not match."],
  });
  expect(await told({ password: "short", password_confirmation: "short" })).toEqual({
    password: ["Your password needs at least 8 characters."],
  });
  expect(await told({ password: "password1", password_confirmation: "password1" })).toEqual({
    password: ["This password is too easy to guess. Please choose another."],
  });
  expect(await told({ first_name: "x".repeat(61) })).toEqual({
    first_name: ["Please keep this to 60 characters."],
  });
  for (const nonsense of [undefined, null, [], "x", 7, { email: 1, username: {}, password: [] }]) {
    const { status, body } = await callAs(null, "POST", "/register", nonsense);
    expect([status, body.error_code], JSON.stringify(nonsense)).toEqual([422, "INVALID"]);
  }
});

test("V-04 X-09 email and username are unique regardless of case, and a refusal leaves nothing behind", async () => {
  const { input, user } = await registered();
  expect((await callAs(user, "POST", "/me/persons", { username: `${input.username}x` })).status).toBe(201);
  const countAll = async () =>
    await db
      .select({
        users: sql<number>`(SELECT count(*) FROM users)`,
        persons: sql<number>`(SELECT count(*) FROM persons)`,
        logins: sql<number>`(SELECT count(*) FROM logins)`,
        lots: sql<number>`(SELECT count(*) FROM token_lots)`,
      })
      .from(sql`(SELECT 1)`);
  const before = await countAll();
  const sameEmail = await callAs(null, "POST", "/register", someone({ email: input.email.toUpperCase() }));
  expect(sameEmail.status).toBe(422);
  expect(sameEmail.body.fields).toEqual({ email: ["There is already an account with this email address."] });
  for (const taken of [input.username.toUpperCase(), `${input.username}X`]) {
    const answer = await callAs(null, "POST", "/register", someone({ username: taken }));
    expect(answer.body.fields).toEqual({ username: ["This username is taken. Please choose another."] });
    expect(cookieOf(answer.headers)).toBe("");
  }
  expect(await countAll()).toEqual(before);
});

test("C-08 signing in answers the user and sets a login cookie that scripts cannot read", async () => {
  const { input } = await registered();
  const answer = await callAs(null, "POST", "/login", {
    email: ` ${input.email.toUpperCase()} `,
    password: PASSWORD,
  });
  expect(answer.status).toBe(200);
  expect(answer.body.user).toMatchObject({ username: input.username, all_remaining_tokens: 10 });
  const cookie = cookieOf(answer.headers);
  expect(cookie).toMatch(/^login=[\w-]{43};/);
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Lax/);
  expect(cookie).toMatch(/Path=\//);
  expect((await callAs(withToken(tokenOf(answer.headers)), "GET", "/get-user")).status).toBe(200);
  // The stored value is no valid cookie.
  const [stored] = await db
    .select()
    .from(schema.logins)
    .where(eq(schema.logins.tokenHash, await hashToken(tokenOf(answer.headers))));
  expect(stored?.tokenHash).not.toContain(tokenOf(answer.headers));
});

test("each sign-in creates a new login and ends this browser's previous login", async () => {
  const { input, user } = await registered();
  const second = await callAs(user, "POST", "/login", { email: input.email, password: PASSWORD });
  expect(tokenOf(second.headers)).not.toBe(user.loginToken);
  expect((await callAs(user, "GET", "/get-user")).status).toBe(401);
  expect((await callAs(withToken(tokenOf(second.headers)), "GET", "/get-user")).status).toBe(200);
});

test("V-01 login requires both fields", async () => {
  for (const body of [undefined, {}, { email: "", password: "" }, { email: null, password: 5 }]) {
    const answer = await callAs(null, "POST", "/login", body);
    expect(answer.status).toBe(422);
    expect(answer.body.fields).toEqual({ email: ["Value is required"], password: ["Value is required"] });
  }
});

test("C-08 M-03 a wrong pair is refused with the same sentence and the same work, known or not", async () => {
  const { input } = await registered();
  const verify = vi.spyOn(passwords, "verify");
  const known = await callAs(null, "POST", "/login", { email: input.email, password: "not this one" });
  expect(verify).toHaveBeenCalledTimes(1);
  const unknown = await callAs(null, "POST", "/login", { email: "nobody@example.com", password: PASSWORD });
  expect(verify).toHaveBeenCalledTimes(2);
  expect(known.status).toBe(422);
  expect(known.body).toEqual({
    message: "These credentials do not match our records.",
    error: "These credentials do not match our records.",
    error_code: "INVALID",
    errors: ["These credentials do not match our records."],
    fields: {},
  });
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  expect(cookieOf(unknown.headers) + cookieOf(known.headers)).toBe("");
});

test("X-03 signing in requires the XSRF token, in either header, and our own Origin", async () => {
  const { input } = await registered();
  const body = JSON.stringify({ email: input.email, password: PASSWORD });
  const send = (headers: Record<string, string>) =>
    ask("/login", { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body });
  const token = "test-xsrf-token-0123456789";
  const Cookie = `XSRF-TOKEN=${token}`;
  const Origin = ORIGIN;
  const refused = [
    {},
    { Origin },
    { Origin, Cookie },
    { Origin, "X-XSRF-TOKEN": token },
    { Origin, Cookie, "X-XSRF-TOKEN": "test-xsrf-token-9876543210" },
    { Origin: "https://evil.example", Cookie, "X-XSRF-TOKEN": token },
    { Origin: "null", Cookie, "X-XSRF-TOKEN": token },
  ];
  for (const headers of refused) {
    const response = await send(headers as Record<string, string>);
    expect([response.status, ((await response.json()) as { error_code: string }).error_code]).toEqual([
      419,
      "CSRF_MISMATCH",
    ]);
  }
  expect((await send({ Origin, Cookie, "X-XSRF-TOKEN": token })).status).toBe(200);
  expect((await send({ Origin, Cookie, "X-CSRF-TOKEN": token })).status).toBe(200);
});

test("C-10 signing out ends the login and clears its cookie, and is allowed to visitors", async () => {
  const { user } = await registered();
  const answer = await callAs(user, "POST", "/logout");
  expect([answer.status, answer.body]).toEqual([204, null]);
  expect(cookieOf(answer.headers)).toMatch(/^login=;.*Max-Age=0/);
  expect((await callAs(user, "GET", "/get-user")).status).toBe(401);
  expect((await callAs(null, "POST", "/logout")).status).toBe(204);
});

test("C-11 get-user answers 401 to visitors and to ended logins", async () => {
  const visitor = await callAs(null, "GET", "/get-user");
  expect([visitor.status, visitor.body.error_code]).toEqual([401, "UNAUTHENTICATED"]);
  expect((await callAs(withToken("nonsense"), "GET", "/get-user")).status).toBe(401);
  const user = await makeUser();
  await db
    .update(schema.logins)
    .set({ expiresAt: 1 as typeof NOW })
    .where(eq(schema.logins.tokenHash, await hashToken(user.loginToken)));
  expect((await callAs(user, "GET", "/get-user")).status).toBe(401);
});

test("C-11 E-01 get-user names the open goals of the user, and none of another person", async () => {
  const [user, other] = await makeUsers(2);
  const [own] = [await makeGoal(user), await makeGoal(other)];
  const { body } = await callAs(user, "GET", "/get-user");
  expect(body.my_goals.map(({ uuid }: { uuid: string }) => uuid)).toEqual([own.uuid]);
});

test("a password hashed at an older cost is rehashed at the next login", async () => {
  const user = await makeUser();
  // "old secret" with ln=12, r=8, p=1
  const { scryptSync } = await import("node:crypto");
  const salt = Buffer.from("sixteen bytes ok");
  const key = scryptSync("old secret", salt, 32, { N: 2 ** 12, r: 8, p: 1 });
  const plain = (bytes: Buffer) => bytes.toString("base64").replace(/=/g, "");
  const phc = `$scrypt$ln=12,r=8,p=1$${plain(salt)}$${plain(key)}`;
  await setUser(user.id, { passwordHash: phc });
  const stored = async () => (await userNow(user.id))?.passwordHash ?? "";
  const wrong = await login(await testApp(), { email: user.email, password: "wrong" }).catch(asAppError);
  expect(wrong).toMatchObject({ code: "INVALID" });
  expect(await stored()).toBe(phc);
  await login(await testApp(), { email: user.email, password: "old secret" });
  expect(await stored()).toContain(`ln=${passwords.cost.ln},`);
  await login(await testApp(), { email: user.email, password: "old secret" });
});

test("the lookup by email uses its index", async () => {
  const plan = await env.DB.prepare(
    "EXPLAIN QUERY PLAN SELECT id FROM users WHERE lower(users.email) = lower(?)",
  )
    .bind("a@b.org")
    .all<{ detail: string }>();
  expect(plan.results.map((row) => row.detail).join()).toMatch(/users_email_unique/);
});
