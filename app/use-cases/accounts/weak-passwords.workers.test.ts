// Weak passwords, at every form that sets one, and reserved product names.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { PASSWORD, registered, someone } from "#tests/support/accounts";
import { callAs } from "#tests/support/ask";
import { db, makeUser, NOW, setUser } from "#tests/support/factories";
import { post } from "#tests/support/visit";
import { createApp } from "#workers/create-app";
import { DAY, HOUR, instant } from "~/domain/time";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { login } from "./accounts.server";
import { findUserByToken } from "./logins.server";
import { isCommonPassword } from "./weak-passwords.server";

const TOO_EASY = "This password is too easy to guess. Please choose another.";

const refusal = async (over: Record<string, string>) => {
  const password = over.password ?? PASSWORD;
  const { body } = await callAs(
    null,
    "POST",
    "/register",
    someone({ ...over, password_confirmation: password }),
  );
  return body.fields?.password;
};

test("V-06 common passwords are refused at registration", async () => {
  for (const password of [
    "password",
    "PassWord1",
    "qwertyuiop",
    "12345678",
    "iloveyou1",
    "sunshine1",
    "football1",
    "trustno1",
    "starwars",
    "letmein123",
    "Welcome2026!",
    "0987654321",
    "1q2w3e4r5t",
    "dragonball",
  ])
    expect(await refusal({ password }), password).toEqual([TOO_EASY]);
});

test("V-06 the list contains over 10,000 common passwords, sorted, and no uncommon one", async () => {
  const { BYTES_OF_HASH, HASHES } = await import("./common-passwords.server");
  const bytes = Buffer.from(HASHES, "base64");
  expect(bytes.length / BYTES_OF_HASH).toBeGreaterThan(10_000);
  for (let at = BYTES_OF_HASH; at < bytes.length; at += BYTES_OF_HASH)
    expect(
      Buffer.compare(bytes.subarray(at - BYTES_OF_HASH, at), bytes.subarray(at, at + BYTES_OF_HASH)),
    ).toBe(-1);
  for (const fine of [PASSWORD, "a1b2c3d4-7q", "blue kettle on the hob"])
    expect(await isCommonPassword(fine)).toBe(false);
  expect(await isCommonPassword("password")).toBe(true);
});

test("V-06 a password that contains the app's name, the username or the address is refused", async () => {
  expect(await refusal({ password: "my-BOTHY-is-warm" })).toEqual([
    "Your password contains the name Bothy. Please choose one without it.",
  ]);
  const username = `ruth-${crypto.randomUUID().slice(0, 6)}`;
  expect(await refusal({ username, password: `x${username.toUpperCase()}y1` })).toEqual([
    "Your password contains your username. Please choose one without it.",
  ]);
  expect(await refusal({ email: "quentin.low@example.com", password: "3 Quentin.Low 3" })).toEqual([
    "Your password contains a part of your email address. Please choose one without it.",
  ]);
  // Names of three characters occur by accident.
  expect(await refusal({ email: `${crypto.randomUUID().slice(0, 3)}@example.com` })).toBeUndefined();
});

test("V-06 a changed and a reset password follow the same rules", async () => {
  const { user, input, answer } = await registered();
  const change = (password: string) =>
    post(user, "/account", {
      intent: "password",
      currentPassword: PASSWORD,
      password,
      passwordConfirmation: password,
    });
  expect((await change("sunshine1")).html).toContain(TOO_EASY);
  expect((await change(`${input.username}-1`)).html).toContain("Your password contains your username.");
  const token = newToken();
  const { id } = answer.body.user;
  const life = { createdAt: NOW, expiresAt: 4e12 as typeof NOW };
  await db.insert(schema.passwordResets).values({ tokenHash: await hashToken(token), userId: id, ...life });
  const reset = async (password: string, over: object = {}) =>
    (
      await callAs(null, "POST", "/post-reset-password", {
        email: input.email,
        token,
        password,
        password_confirmation: password,
        ...over,
      })
    ).body.fields;
  expect(await reset("sunshine1")).toEqual({ password: [TOO_EASY] });
  const named = `the ${input.username}`;
  expect(await reset(named)).toEqual({
    password: ["Your password contains your username. Please choose one without it."],
  });
  // Without a valid link the name of an account stays secret.
  expect(await reset("another-lantern", { token: newToken() })).toHaveProperty("token");
});

test("X-09 product names are refused at registration and for a person", async () => {
  const user = await makeUser();
  for (const username of ["bothy", "Support", "moderator", "root", "system", "host"]) {
    const told = await callAs(null, "POST", "/register", someone({ username }));
    expect(told.body.fields, username).toEqual({
      username: ["This username is taken. Please choose another."],
    });
    expect((await callAs(user, "POST", "/me/persons", { username })).status, username).toBe(422);
  }
});

test("X-09 an account that has a reserved name keeps it", async () => {
  const { user, input, answer } = await registered();
  const { id } = answer.body.user;
  const free = "moderator";
  await setUser(id, { username: free });
  await db.update(schema.persons).set({ username: free }).where(eq(schema.persons.userId, id));
  const again = await callAs(null, "POST", "/login", { email: input.email, password: PASSWORD });
  expect(again.body.user.username).toBe(free);
  const saved = await callAs(user, "PATCH", "/account/user/profile", { userData: { first_name: "Grace" } });
  expect(saved.body.user).toMatchObject({ username: free, first_name: "Grace" });
});

test("X-10 a login ends after 90 days at the latest, even if active", async () => {
  const { answer, user } = await registered();
  const tokenHash = await hashToken(user.loginToken);
  const [login] = await db.select().from(schema.logins).where(eq(schema.logins.tokenHash, tokenHash));
  const begun = login?.createdAt ?? NOW;
  const isSignedIn = async (after: number) => {
    const work: Promise<unknown>[] = [];
    const found = await findUserByToken(
      db,
      user.loginToken,
      instant(begun + after),
      (more) => void work.push(more),
    );
    await Promise.all(work);
    return found?.id === answer.body.user.id;
  };
  for (let day = 1; day < 90; day++) expect(await isSignedIn(day * DAY), `day ${day}`).toBe(true);
  expect(await isSignedIn(90 * DAY - HOUR)).toBe(true);
  expect(await isSignedIn(90 * DAY)).toBe(false);
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("login=")) ?? "";
  const expires = Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? "");
  expect(expires - begun).toBeLessThanOrEqual(90 * DAY);
});

test("ASVS 7.3.1 a login that is unused for 30 days ends", async () => {
  const { answer, user } = await registered();
  const [login] = await db
    .select()
    .from(schema.logins)
    .where(eq(schema.logins.tokenHash, await hashToken(user.loginToken)));
  const begun = login?.createdAt ?? NOW;
  const foundAfter = (after: number) =>
    findUserByToken(db, user.loginToken, instant(begun + after), () => {});
  // The order matters: finding a login extends it.
  expect(await foundAfter(30 * DAY)).toBeNull();
  expect((await foundAfter(30 * DAY - 1))?.id).toBe(answer.body.user.id);
});

test("ASVS 6.2.10 a password stays valid for years, and no sign-in demands another", async () => {
  const { input, answer } = await registered();
  const inTenYears = instant(Date.now() + 3650 * DAY);
  const { app } = await createApp(env, { now: inTenYears, defer: () => {} });
  const { account } = await login(app, { email: input.email, password: PASSWORD });
  expect([account?.id, account?.newMessages]).toEqual([
    answer.body.user.id,
    Object.keys(answer.body.user.new_messages),
  ]);
});
