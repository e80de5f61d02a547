// Rate limits of accounts: exact, and before any hashing, with real Durable Objects.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { db, errorCodeOf, makeUser, type TestUser, testApp } from "#tests/support/factories";
// Ahead of the real clock, so that no counter's alarm fires during a test.
import { ROOM_NOW as NOW } from "#tests/support/rooms";
import { createApp } from "#workers/create-app";
import { asAppError } from "~/domain/errors";
import { instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { networkOf, widerNetworkOf } from "~/use-cases/network.server";
import { addPaymentMethod } from "~/use-cases/payments/subscriptions.server";
import { login, register } from "./accounts.server";
import { passwords } from "./password-hashes.server";
import { changePassword, requestPasswordReset, resetPassword } from "./passwords.server";
import { updateProfile } from "./profile.server";
import { requireCode } from "./second-step.server";
import { beginTwoStep, confirmTwoStep } from "./two-step.server";

afterEach(() => vi.restoreAllMocks());

async function appFrom(
  ip: string,
  { user, now = NOW }: { user?: TestUser; now?: typeof NOW } = {},
): Promise<App> {
  const { app } = await createApp(
    { ...env, RATE_LIMITS: "on" },
    {
      now,
      loginToken: user?.loginToken,
      origin: { ip, userAgent: "", place: "" },
      defer: (work) => void work.catch(() => {}),
    },
  );
  return app;
}
const quick = () => vi.spyOn(passwords, "verify").mockResolvedValue({ isRight: false, isOutdated: false });

test("Q-33 Q-35 turning on two-step sign-in takes ten wrong codes", async () => {
  const user = await makeUser();
  const { vault } = await testApp();
  const app = { ...(await appFrom("5.5.5.5", { user })), vault };
  await beginTwoStep(app);
  const confirm = () => confirmTwoStep(app, { code: "000000" }).catch(asAppError);
  for (let i = 0; i < 10; i++) expect(await confirm()).toMatchObject({ code: "INVALID" });
  expect(await confirm()).toMatchObject({ code: "RATE_LIMITED" });
});

test("R-25 after sixty cards in an hour the next one is RATE_LIMITED", async () => {
  const user = await makeUser();
  const app = await appFrom("6.6.6.6", { user });
  const add = () => errorCodeOf(addPaymentMethod(app, { method: "no such card" }));
  for (let i = 0; i < 60; i++) expect(await add()).not.toBe("RATE_LIMITED");
  expect(await add()).toBe("RATE_LIMITED");
});

test("Q-35 after ten wrong codes from one network, and twenty at an account, the second step is RATE_LIMITED", async () => {
  const owner = await makeUser();
  const attempt = async (ip: string, now = NOW) =>
    requireCode(await appFrom(ip, { now }), owner, "123456").catch(asAppError);
  for (let i = 0; i < 10; i++) expect(await attempt("1.1.1.1")).toMatchObject({ code: "INVALID" });
  expect(await attempt("1.1.1.1", instant(NOW + 5 * MINUTE))).toMatchObject({
    code: "RATE_LIMITED",
    retryAfter: 600,
  });
  for (let i = 0; i < 10; i++) expect(await attempt("2.2.2.2")).toMatchObject({ code: "INVALID" });
  // The account's own limit then lets a guess through every five minutes, so that its owner is never locked out.
  expect(await attempt("3.3.3.3")).toMatchObject({ code: "RATE_LIMITED" });
  const later = instant(NOW + 6 * MINUTE);
  expect(await attempt("3.3.3.3", later)).toMatchObject({ code: "INVALID" });
  expect(await attempt("4.4.4.4", later)).toMatchObject({ code: "RATE_LIMITED" });
});

test("after ten wrong attempts at an account from one network nothing is hashed for a quarter of an hour", async () => {
  const verify = quick();
  const user = await makeUser();
  const attempt = async (ip: string, now = NOW) =>
    login(await appFrom(ip, { now }), { email: user.email.toUpperCase(), password: "x" }).catch(asAppError);
  for (let i = 0; i < 10; i++) expect(await attempt("1.1.1.1")).toMatchObject({ code: "INVALID" });
  expect(verify).toHaveBeenCalledTimes(10);
  const refused = await attempt("1.1.1.1", instant(NOW + 5 * MINUTE));
  expect(refused).toMatchObject({
    code: "RATE_LIMITED",
    retryAfter: 600,
    message: "Too many attempts. Please wait 10 minutes and try again.",
  });
  expect(verify).toHaveBeenCalledTimes(10);
  // The owner still signs in from home, and the stranger may retry later.
  expect(await attempt("2.2.2.2")).toMatchObject({ code: "INVALID" });
  expect(await attempt("1.1.1.1", instant(NOW + 15 * MINUTE))).toMatchObject({ code: "INVALID" });
});

test("an unknown account is counted like a known account", async () => {
  quick();
  const attempt = async () =>
    errorCodeOf(login(await appFrom("1.1.1.2"), { email: "no@example.com", password: "x" }));
  for (let i = 0; i < 10; i++) expect(await attempt()).toBe("INVALID");
  expect(await attempt()).toBe("RATE_LIMITED");
});

test("one network is refused after fifty attempts at any accounts", async () => {
  const verify = quick();
  const attempt = async (i: number) =>
    errorCodeOf(login(await appFrom("3.3.3.3"), { email: `u${i}@example.com`, password: "x" }));
  for (let i = 0; i < 50; i++) expect(await attempt(i)).toBe("INVALID");
  expect(await attempt(51)).toBe("RATE_LIMITED");
  expect(verify).toHaveBeenCalledTimes(50);
});

test("R-25 an account under attack from one address admits its owner from elsewhere", async () => {
  const user = await makeUser();
  const verify = quick();
  const attempt = async (ip: string) =>
    errorCodeOf(login(await appFrom(ip), { email: user.email, password: "x" }));
  for (let i = 0; i < 130; i++) await attempt("9.9.9.9");
  expect(verify).toHaveBeenCalledTimes(10);
  verify.mockResolvedValue({ isRight: true, isOutdated: false });
  expect(await attempt("9.9.9.10")).toBe("ok");
});

test("R-25 an account under attack from many addresses is limited to an attempt in thirty seconds", async () => {
  const verify = quick();
  const attempt = (i: number, now = NOW) =>
    appFrom(`10.0.${i}.1`, { now }).then((app) =>
      login(app, { email: "spread@example.com", password: "x" }).catch(asAppError),
    );
  for (let i = 0; i < 30; i++) expect(await attempt(i)).toMatchObject({ code: "INVALID" });
  expect(await attempt(31, instant(NOW + 10_000))).toMatchObject({
    code: "RATE_LIMITED",
    retryAfter: 20,
    message: "Too many attempts. Please wait 20 seconds and try again.",
  });
  expect(await attempt(31, instant(NOW + 30_000))).toMatchObject({ code: "INVALID" });
  // The refused attempt counted nowhere: this network still has all ten.
  for (let gap = 2; gap <= 10; gap++)
    expect(await attempt(31, instant(NOW + gap * 30_000))).toMatchObject({ code: "INVALID" });
  expect(verify).toHaveBeenCalledTimes(40);
});

test("R-25 a refused attempt counts in no other counter", async () => {
  const user = await makeUser();
  const verify = quick();
  const attempt = async (ip: string, email = user.email) =>
    errorCodeOf(login(await appFrom(ip), { email, password: "x" }));
  // The network is full, so its further attempts at the account are refused without filling the account's counter.
  for (let i = 0; i < 50; i++) await attempt("11.11.11.11", `n${i}@example.com`);
  for (let i = 0; i < 40; i++) expect(await attempt("11.11.11.11")).toBe("RATE_LIMITED");
  verify.mockClear();
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 10; k++) expect(await attempt(`11.11.12.${i}`)).toBe("INVALID");
  expect(verify).toHaveBeenCalledTimes(30);
});

test("a right password clears the wrong attempts before it", async () => {
  const user = await makeUser();
  const verify = vi.spyOn(passwords, "verify");
  const attempt = async (isRight: boolean) => {
    verify.mockResolvedValue({ isRight, isOutdated: false });
    const app = await appFrom("4.4.4.4");
    const work: Promise<unknown>[] = [];
    app.defer = (more) => void work.push(more);
    const code = await errorCodeOf(login(app, { email: user.email, password: "x" }));
    await Promise.all(work);
    return code;
  };
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 9; i++) expect(await attempt(false)).toBe("INVALID");
    expect(await attempt(true)).toBe("ok");
  }
});

test("registration is limited to twenty an hour from one network, before any hashing", async () => {
  const hash = vi.spyOn(passwords, "hash").mockResolvedValue("none");
  const attempt = async (i: number) =>
    errorCodeOf(
      register(await appFrom("5.5.5.5"), {
        email: `r${i}@example.com`,
        username: `limited-${i}`,
        password: "x",
        firstName: "",
        lastName: "",
      }),
    );
  for (let i = 0; i < 20; i++) expect(await attempt(i)).toBe("ok");
  expect(await attempt(21)).toBe("RATE_LIMITED");
  expect(hash).toHaveBeenCalledTimes(20);
});

test("R-25 reset emails: five an hour from one network to one address, twenty from one network", async () => {
  const attempt = async (email: string, ip: string) =>
    errorCodeOf(requestPasswordReset(await appFrom(ip), { email }));
  for (let i = 0; i < 5; i++) expect(await attempt("many@example.com", "6.6.6.6")).toBe("ok");
  expect(await attempt("MANY@example.com", "6.6.6.6")).toBe("RATE_LIMITED");
  for (let i = 0; i < 20; i++) expect(await attempt(`m${i}@example.com`, "7.7.7.7")).toBe("ok");
  expect(await attempt("m21@example.com", "7.7.7.7")).toBe("RATE_LIMITED");
});

test("R-25 strangers cannot use up the reset emails of an account", async () => {
  const user = await makeUser();
  const mails = async () =>
    (await db.select().from(schema.mailbox).where(eq(schema.mailbox.recipient, user.email))).length;
  const ask = async (ip: string, now = NOW) => {
    const app = await appFrom(ip, { now });
    const work: Promise<unknown>[] = [];
    app.defer = (more) => void work.push(more);
    const code = await errorCodeOf(requestPasswordReset(app, { email: user.email }));
    await Promise.all(work);
    return code;
  };
  for (let i = 0; i < 30; i++) await ask("12.12.12.1");
  expect(await mails()).toBe(5);
  expect(await ask("12.12.12.2")).toBe("ok");
  expect(await mails()).toBe(6);
  // From many networks: nobody is refused, and at most one email is sent in five minutes.
  for (let i = 10; i < 40; i++) expect(await ask(`12.12.12.${i}`)).toBe("ok");
  expect(await mails()).toBe(10);
  expect(await ask("12.12.12.50", instant(NOW + 5 * MINUTE))).toBe("ok");
  expect(await mails()).toBe(11);
});

test("resetting and changing a password are limited before any hashing", async () => {
  const hash = vi.spyOn(passwords, "hash").mockResolvedValue("none");
  const reset = async () =>
    errorCodeOf(
      resetPassword(await appFrom("8.8.8.8"), { email: "a@example.com", password: "x", token: "y" }),
    );
  for (let i = 0; i < 20; i++) expect(await reset()).toBe("INVALID");
  expect(await reset()).toBe("RATE_LIMITED");
  expect(hash).toHaveBeenCalledTimes(20);
  const verify = quick();
  const user = await makeUser();
  const change = async () =>
    errorCodeOf(changePassword(await appFrom("8.8.8.8", { user }), { currentPassword: "x", password: "y" }));
  for (let i = 0; i < 10; i++) expect(await change()).toBe("INVALID");
  expect(await change()).toBe("RATE_LIMITED");
  expect(verify).toHaveBeenCalledTimes(10);
});

test("R-25 the 61st change of a profile within an hour is refused", async () => {
  const user = await makeUser();
  const change = async () =>
    errorCodeOf(updateProfile(await appFrom("8.8.4.4", { user }), { firstName: "Grace" }));
  for (let i = 0; i < 60; i++) expect(await change()).toBe("ok");
  expect(await change()).toBe("RATE_LIMITED");
});

test("a network is an IPv4 address or the /64 of an IPv6 household", async () => {
  const app = await appFrom("local");
  const network = (ip: string) => networkOf({ ...app, origin: { ...app.origin, ip } });
  expect(network("203.0.113.7")).toBe("203.0.113.7");
  expect(network("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2");
  expect(network("2001:db8::1")).toBe("2001:db8:0:0");
  expect(network("::1")).toBe("0:0:0:0");
});

test("R-25 the /56 of an IPv6 customer has four times the attempts of its /64", async () => {
  const verify = quick();
  const others = async (ip: string, i: number) =>
    errorCodeOf(login(await appFrom(ip), { email: `v6-${i}@example.com`, password: "x" }));
  for (let i = 0; i < 210; i++) await others(`2001:db8:7:${(0x200 + (i % 256)).toString(16)}::1`, i);
  expect(verify).toHaveBeenCalledTimes(200);
  expect(await others("2001:db8:7:300::1", 999)).toBe("INVALID");
});

test("R-25 the wider network of an IPv6 address is its /56, and IPv4 has none", async () => {
  const app = await appFrom("local");
  const wider = (ip: string) => widerNetworkOf({ ...app, origin: { ...app.origin, ip } });
  expect(wider("203.0.113.7")).toBe(null);
  expect(wider("2001:db8:1:1234::5")).toBe("2001:db8:1:12/56");
  expect(wider("2001:db8:1:12ff::5")).toBe(wider("2001:db8:1:1200::9"));
  expect(wider("2001:db8:1:1300::5")).not.toBe(wider("2001:db8:1:12ff::5"));
});
