// The device cookie, through HTTP with rate limits on: its effect and its limits.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { findDevice } from "#db/queries/accounts/devices";
import { PASSWORD, registered } from "#tests/support/accounts";
import { type Answered, callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, errorCodeOf, makeUser, setUser } from "#tests/support/factories";
import { post } from "#tests/support/visit";
import { deviceCookie } from "#workers/cookies";
import { createApp } from "#workers/create-app";
import { asAppError } from "~/domain/errors";
import { DAY, instant } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";
import { login } from "./accounts.server";
import { passwords } from "./password-hashes.server";
import { resetPassword } from "./passwords.server";
import { requireCode } from "./second-step.server";

// Ahead of the real clock, so that no counter's alarm fires during a test.
const NOW = instant(Date.now() + DAY);
afterEach(() => vi.restoreAllMocks());

const lineOf = (headers: Headers) => headers.getSetCookie().find((line) => line.startsWith("device=")) ?? "";
const deviceOf = ({ headers }: Answered) => /^device=([^;]*)/.exec(lineOf(headers))?.[1] ?? "";

/** A request from `ip` with a device cookie, with production limits. */
const requestFrom = (device: string | undefined, ip: string) =>
  createApp(
    { ...env, RATE_LIMITS: "on" },
    {
      now: NOW,
      deviceToken: device,
      origin: { ip, userAgent: "", place: "" },
      defer: (work) => void work.catch(() => {}),
    },
  );

/** The answer of a sign-in from `ip`. */
async function signIn(email: string, device: string | undefined, ip: string, password = "x") {
  const { app } = await requestFrom(device, ip);
  const code = await errorCodeOf(login(app, { email, password }));
  return { code, device: app.cookies.device?.token ?? "" };
}

/** An account under attack from everywhere: every unknown browser is slowed down. */
async function underAttack() {
  const { input, answer, user } = await registered();
  const verify = vi.spyOn(passwords, "verify").mockResolvedValue({ isRight: false, isOutdated: false });
  for (let i = 0; i < 30; i++) await signIn(input.email, undefined, `20.0.${i}.1`);
  verify.mockRestore();
  expect((await signIn(input.email, undefined, "20.1.0.1", PASSWORD)).code).toBe("RATE_LIMITED");
  return { email: input.email, device: deviceOf(answer), user, id: answer.body.user.id as number };
}

const writesToEverybody = keepBystanders();

test("R-25 a browser that has signed in to the account before is not slowed down", async () => {
  const { email, device } = await underAttack();
  expect((await signIn(email, device, "20.1.0.2", PASSWORD)).code).toBe("ok");
});

test("R-25 Q-35 wrong codes of strangers do not slow down a browser that has signed in before", async () => {
  const { input, answer } = await registered();
  const owner = { id: answer.body.user.id, email: input.email };
  const attempt = async (ip: string, device?: string) => {
    const { app } = await requestFrom(device, ip);
    return requireCode(app, owner, "123456").catch((error) => asAppError(error).code);
  };
  for (let i = 0; i < 20; i++) expect(await attempt(`20.3.${i}.1`)).toBe("INVALID");
  expect(await attempt("20.3.99.1")).toBe("RATE_LIMITED");
  expect(await attempt("20.3.99.1", deviceOf(answer))).toBe("INVALID");
});

test("R-25 the device cookie is HttpOnly, SameSite=Strict and __Host- over https, and no login", async () => {
  const { answer, input } = await registered();
  expect(lineOf(answer.headers)).toMatch(/HttpOnly/);
  expect(lineOf(answer.headers)).toMatch(/SameSite=Strict/);
  expect(deviceCookie(true, { token: "t", expiresAt: NOW })).toMatch(/^__Host-device=t;.*Secure/);
  const device = deviceOf(answer);
  for (const name of ["login", "device"])
    expect((await callAs(null, "GET", "/get-user", undefined, { Cookie: `${name}=${device}` })).status).toBe(
      401,
    );
  const rows = await db.select().from(schema.devices).where(eq(schema.devices.tokenHash, device));
  expect(rows).toEqual([]);
  expect((await callAs(null, "POST", "/login", { email: input.email, password: "x" })).status).toBe(422);
});

test("R-25 a device is known until it expires", async () => {
  const { answer, input } = await registered();
  const hash = await hashToken(deviceOf(answer));
  const [row] = await db.select().from(schema.devices).where(eq(schema.devices.tokenHash, hash));
  const end = row?.expiresAt ?? NOW;
  const known = async (now: number) => (await findDevice(db, input.email, hash, instant(now))).length;
  expect([await known(end - 1), await known(end)]).toEqual([1, 0]);
});

test("R-25 a stolen device cookie gives at most ten attempts in a quarter of an hour", async () => {
  const { email, device } = await underAttack();
  const verify = vi.spyOn(passwords, "verify").mockResolvedValue({ isRight: false, isOutdated: false });
  for (let i = 0; i < 10; i++) expect((await signIn(email, device, `20.2.${i}.1`)).code).toBe("INVALID");
  expect((await signIn(email, device, "20.2.99.1")).code).toBe("RATE_LIMITED");
  expect(verify).toHaveBeenCalledTimes(10);
});

test("R-25 a copied device cookie ends with the next sign-in of the original browser", async () => {
  const { email, device } = await underAttack();
  const renewed = await signIn(email, device, "20.3.0.1", PASSWORD);
  expect(renewed.device).not.toBe(device);
  expect((await signIn(email, device, "20.3.0.2", PASSWORD)).code).toBe("RATE_LIMITED");
  expect((await signIn(email, renewed.device, "20.3.0.3", PASSWORD)).code).toBe("ok");
});

test("R-25 a forged device cookie, or that of another account, has no effect", async () => {
  const { email } = await underAttack();
  const other = deviceOf((await registered()).answer);
  for (const device of [other, newToken(), "", "x".repeat(43), "' OR 1=1"])
    expect((await signIn(email, device, "20.4.0.1", PASSWORD)).code, device).toBe("RATE_LIMITED");
});

test("R-25 a browser that two people share is known to both accounts", async () => {
  const { email, device } = await underAttack();
  const { input } = await registered();
  const second = await signIn(input.email, device, "20.5.0.1", PASSWORD);
  expect((await signIn(email, second.device, "20.5.0.2", PASSWORD)).code).toBe("ok");
});

test("R-25 changing the password deletes every other device", async () => {
  const { email, device, user } = await underAttack();
  const changed = await post(user, "/account", {
    intent: "password",
    currentPassword: PASSWORD,
    password: "a lantern at dawn",
    passwordConfirmation: "a lantern at dawn",
  });
  expect(changed.status).toBe(200);
  expect((await signIn(email, device, "20.6.0.1", "a lantern at dawn")).code).toBe("RATE_LIMITED");
  const own = deviceOf({ headers: changed.headers } as Answered);
  expect((await signIn(email, own, "20.6.0.2", "a lantern at dawn")).code).toBe("ok");
});

test("R-25 a reset by email deletes every device except the one that opened the link", async () => {
  const { email, device, id } = await underAttack();
  const token = newToken();
  const life = { createdAt: NOW, expiresAt: 4e12 as typeof NOW };
  await db.insert(schema.passwordResets).values({ tokenHash: await hashToken(token), userId: id, ...life });
  const { app } = await createApp(env, { now: NOW, defer: (work) => void work.catch(() => {}) });
  const password = "a lantern at noon";
  await resetPassword(app, { email, password, token });
  expect((await signIn(email, device, "20.7.0.1", password)).code).toBe("RATE_LIMITED");
  expect((await signIn(email, app.cookies.device?.token, "20.7.0.2", password)).code).toBe("ok");
});

test("R-25 ending a login on the account page deletes its device", async () => {
  const first = await underAttack();
  await post(first.user, "/account/security", {
    intent: "end-login",
    login: await hashToken(first.user.loginToken),
  });
  expect((await signIn(first.email, first.device, "20.8.0.1", PASSWORD)).code).toBe("RATE_LIMITED");
  const second = await underAttack();
  await post(second.user, "/account/security", { intent: "end-other-logins" });
  expect((await signIn(second.email, second.device, "20.8.0.2", PASSWORD)).code).toBe("RATE_LIMITED");
});

test("R-25 a deleted account leaves no device, and an unused device is deleted after 180 days", async () => {
  writesToEverybody();
  const gone = await registered();
  const { id } = gone.answer.body.user;
  const devices = () => db.select().from(schema.devices).where(eq(schema.devices.userId, id));
  expect(await devices()).toHaveLength(1);
  await setUser(id, { deletionDueAt: NOW });
  await deleteDueAccounts(await appOf(await makeUser(), NOW), 50);
  expect(await devices()).toEqual([]);
  const kept = await registered();
  const later = instant(NOW + 181 * DAY);
  await deleteExpiredRows(await appOf(await makeUser(), later));
  const left = await db
    .select()
    .from(schema.devices)
    .where(eq(schema.devices.userId, kept.answer.body.user.id));
  expect(left).toEqual([]);
});
