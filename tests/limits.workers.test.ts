// Rate limits of a deployed worker: always on, and each counts per the right key.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createAttempts } from "#workers/adapters/attempts";
import { createApp } from "#workers/create-app";
import { formatDay } from "~/domain/days";
import { asAppError } from "~/domain/errors";
import { DAY, HOUR, instant } from "~/domain/time";
import { updateProfile } from "~/use-cases/accounts/profile.server";
import { redeemTokens } from "~/use-cases/payments/purchases.server";
import { joinSession } from "~/use-cases/sessions/people.server";
import { createPost } from "~/use-cases/sessions/posts.server";
import { ask, callAs, ORIGIN } from "./support/ask";
import { errorCodeOf, makeUser, type TestUser } from "./support/factories";
import { makeHut, makeSession } from "./support/sessions";

// Ahead of the machine's clock, so that no counter's alarm rings during a test.
const NOW = instant(Date.now() + DAY);

async function limited(user: TestUser, ip = "1.2.3.4", now: number = NOW) {
  const asking = {
    now: instant(now),
    loginToken: user.loginToken,
    origin: { ip, userAgent: "", place: "" },
    defer: (work: Promise<unknown>) => void work.catch(() => {}),
  };
  return (await createApp({ ...env, RATE_LIMITS: "on" }, asking)).app;
}

test("R-25 a deployed worker ignores RATE_LIMITS=off", async () => {
  const twice = async (settings: Partial<typeof env>) => {
    const attempts = createAttempts({ ...env, ...settings }, NOW);
    const key = crypto.randomUUID();
    await attempts.take(key, 1, 60);
    return errorCodeOf(attempts.take(key, 1, 60));
  };
  expect(await twice({ LOCAL_RUN: "", RATE_LIMITS: "off" })).toBe("RATE_LIMITED");
  expect(await twice({ LOCAL_RUN: "no", RATE_LIMITS: "off" })).toBe("RATE_LIMITED");
  expect(await twice({ LOCAL_RUN: "yes", RATE_LIMITS: "off" })).toBe("ok");
});

/** Takes until the counter refuses; answers the number of attempts before that. */
async function takenBefore(settings: Partial<typeof env>, what: string): Promise<number> {
  const attempts = createAttempts({ ...env, ...settings, LOCAL_RUN: "" }, NOW);
  const key = `${what}:${crypto.randomUUID()}`;
  for (let taken = 0; taken < 60; taken++)
    if ((await errorCodeOf(attempts.take(key, 3, 3600))) === "RATE_LIMITED") return taken;
  return 60;
}

test("R-25 attempts of plain writes count in the hour once they come as a flood, all others at once", async () => {
  let asked = 0;
  const FLOODS = { limit: async () => ({ success: asked++ < 10 }) };
  expect(await takenBefore({ FLOODS }, "log")).toBe(10 + 3);
  expect(await takenBefore({ FLOODS }, "post")).toBe(3);
  expect(await takenBefore({ FLOODS }, "login")).toBe(3);
  // The platform's own binding begins another minute at most once here.
  expect([10 + 3, 20 + 3]).toContain(await takenBefore({}, "log"));
});

test("R-25 every attempt counts without the flood binding, and when it fails", async () => {
  const broken = {
    limit: async () => {
      throw new Error("The binding is down.");
    },
  };
  expect(await takenBefore({ FLOODS: broken }, "log")).toBe(3);
  expect(await takenBefore({ FLOODS: undefined } as unknown as Partial<typeof env>, "log")).toBe(3);
});

test("R-25 posts are limited", async () => {
  const user = await makeUser();
  const hut = await makeHut(user, [user]);
  const app = await limited(user);
  const say = () => errorCodeOf(createPost(app, { hut: hut.slug, content: "Hello" }));
  let said = 0;
  while (said < 1000 && (await say()) === "ok") said++;
  expect(said).toBeGreaterThan(10);
  expect(said).toBeLessThan(1000);
  expect(await say()).toBe("RATE_LIMITED");
});

test("R-25 a person changes the profile 60 times an hour, and another person as often", async () => {
  const [user, other] = [await limited(await makeUser()), await limited(await makeUser())];
  const save = (app: typeof user) => errorCodeOf(updateProfile(app, { firstName: "Ada" }));
  for (let n = 0; n < 60; n++) expect(await save(user)).toBe("ok");
  expect(await save(user)).toBe("RATE_LIMITED");
  expect(await save(other)).toBe("ok");
});

test("R-25 wrong join codes are limited", async () => {
  const session = await makeSession(await makeUser(), { join_code: "open-sesame" });
  const guest = await makeUser();
  const app = await limited(guest);
  const guess = (joinCode: string) => errorCodeOf(joinSession(app, { session: session.id, joinCode }));
  let tried = 0;
  while (tried < 200 && (await guess(`guess-${tried}`)) === "WRONG_CODE") tried++;
  // Far below the limit of joins, so that the limit of codes is the one that refuses.
  expect(tried).toBe(10);
  expect(await guess("one more")).toBe("RATE_LIMITED");
  // Another person has a separate count.
  const other = await limited(await makeUser());
  expect(await errorCodeOf(joinSession(other, { session: session.id, joinCode: "guess" }))).toBe(
    "WRONG_CODE",
  );
});

test("M-14 R-25 one network redeems from the pool ten times a day, and the refusal names the next chance", async () => {
  const admin = await makeUser({ roleId: 10 });
  expect((await callAs(admin, "POST", "/tokens/tokens/add-free", { amount: 20_000 })).status).toBe(200);
  const redeem = async (ip: string) => redeemTokens(await limited(await makeUser(), ip));
  // An IPv6 household has a /64.
  for (let i = 0; i < 10; i++) expect(await redeem(`2001:db8:1:2:${i}::1`)).toEqual({ granted: 50_000 });
  const refused = await redeem("2001:db8:1:2:ffff::1").catch(asAppError);
  const tomorrow = formatDay(instant(NOW + DAY), "UTC");
  expect(refused).toMatchObject({ code: "RATE_LIMITED", retryAfter: 24 * 3600 });
  expect((refused as Error).message).toBe(
    `Your network has redeemed free tokens ten times today. Your next chance is on ${tomorrow}.`,
  );
  expect(await redeem("2001:db8:1:3::1")).toEqual({ granted: 50_000 });
});

test("R-25 a refused redemption does not count for the network", async () => {
  const admin = await makeUser({ roleId: 10 });
  await callAs(admin, "POST", "/tokens/tokens/add-free", { amount: 2000 });
  const user = await makeUser();
  const again = async () => errorCodeOf(redeemTokens(await limited(user, "203.0.113.9")));
  expect(await again()).toBe("ok");
  for (let i = 0; i < 12; i++) expect(await again()).toBe("CONFLICT");
  expect(await errorCodeOf(redeemTokens(await limited(await makeUser(), "203.0.113.9")))).toBe("ok");
});

test("R-25 a user asks for the pool's tokens 20 times an hour", async () => {
  const user = await makeUser();
  const redeemAt = async (now: number) => errorCodeOf(redeemTokens(await limited(user, "203.0.113.10", now)));
  for (let i = 0; i < 20; i++) expect(await redeemAt(NOW)).not.toBe("RATE_LIMITED");
  expect(await redeemAt(NOW + HOUR - 1)).toBe("RATE_LIMITED");
  expect(await redeemAt(NOW + HOUR)).not.toBe("RATE_LIMITED");
});

test("X-03 a same-site request without Origin is refused", async () => {
  const user = await makeUser();
  const send = (site: string | null) =>
    ask("/auth/logout", {
      method: "POST",
      redirect: "manual",
      headers: {
        Cookie: `login=${user.loginToken}`,
        Accept: "text/html",
        Host: new URL(ORIGIN).host,
        ...(site === null ? {} : { "Sec-Fetch-Site": site }),
      },
    });
  for (const site of ["same-site", "cross-site", null])
    expect((await send(site)).status, String(site)).toBe(419);
  expect((await callAs(user, "GET", "/get-user")).status).toBe(200);
  expect((await send("same-origin")).status).toBeLessThan(400);
});
