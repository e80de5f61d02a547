// Guessing: every counter that guards a secret refuses the right one too, once wrong ones have filled it.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { db, errorCodeOf, makeUser, makeUsers, type TestUser, testApp } from "#tests/support/factories";
// Ahead of the machine's clock, so that no counter's alarm rings during a test.
import { ROOM_NOW as NOW } from "#tests/support/rooms";
import { makeHut, makeSession } from "#tests/support/sessions";
import { createApp } from "#workers/create-app";
import { DAY, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { acceptInvitation, viewInvitation } from "~/use-cases/huts/entry.server";
import { LIMITS } from "~/use-cases/rate-limits.server";
import { createCalendarAddress, readFeed } from "~/use-cases/sessions/calendar.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { joinSession, leaveSession } from "../sessions/people.server";
import { login } from "./accounts.server";
import { confirmAddress } from "./confirmations.server";
import { requirePassword } from "./current-password.server";
import { passwords } from "./password-hashes.server";
import { resetPassword } from "./passwords.server";
import { hashRecoveryCode, requireCode } from "./second-step.server";

const RIGHT = "a lantern at dusk";
const CODE = "open sesame";
const RECOVERY = "abcdefghjkmnpqrs";
/** More attempts than any counter admits. */
const MOST = 250;

let networks = 0;
/** A network that no other request has. */
const newIp = () => `10.${networks >> 8}.${networks++ & 255}.1`;

type Browser = { user?: TestUser; device?: string };
async function appFrom(ip: string, { user, device }: Browser = {}): Promise<App> {
  const asking = {
    now: NOW,
    loginToken: user?.loginToken,
    deviceToken: device,
    origin: { ip, userAgent: "", place: "" },
    defer: (work: Promise<unknown>) => void work.catch(() => {}),
  };
  const { app } = await createApp({ ...env, RATE_LIMITS: "on" }, asking);
  return { ...app, vault: (await testApp()).vault };
}

/** The token of a browser in which this user has signed in before. */
async function knownBrowser({ id }: TestUser): Promise<string> {
  const token = newToken();
  const expiresAt = instant(NOW + DAY);
  const row = { tokenHash: await hashToken(token), userId: id, loginHash: "none", expiresAt };
  await db.insert(schema.devices).values(row);
  return token;
}
async function withRecoveryCode(): Promise<TestUser> {
  const user = await makeUser();
  await db
    .insert(schema.recoveryCodes)
    .values({ userId: user.id, codeHash: await hashRecoveryCode(RECOVERY) });
  return user;
}
const linkOf = async (user: TestUser) => {
  const token = newToken();
  const row = { tokenHash: await hashToken(token), userId: user.id, createdAt: NOW };
  return { token, row: { ...row, expiresAt: instant(NOW + DAY) } };
};

type What = keyof typeof LIMITS;
/** The counters of secrets that somebody could guess. */
type Guard = { [W in What]: (typeof LIMITS)[W] extends { guards: true } ? W : never }[What];
const GUARDS = (Object.keys(LIMITS) as What[]).filter((what) => "guards" in LIMITS[what]);

type Case = {
  /** The n-th wrong guess. */
  wrong(n: number): Promise<unknown>;
  /** With the secret itself, as the last wrong guess was sent. */
  right(): Promise<unknown>;
};
const signIn = async (ip: string, email: string, password: string, device?: string) =>
  login(await appFrom(ip, device === undefined ? {} : { device }), { email, password });
const join = async (session: number, user: TestUser, ip: string, joinCode: string) =>
  joinSession(await appFrom(ip, { user }), { session, joinCode });

const CASES: Record<Guard, () => Promise<Case>> = {
  login: async () => {
    const [{ email }, ip] = [await makeUser(), newIp()];
    return { wrong: () => signIn(ip, email, "x"), right: () => signIn(ip, email, RIGHT) };
  },
  "login-network": async () => {
    const [{ email }, ip] = [await makeUser(), newIp()];
    return { wrong: (n) => signIn(ip, `n${n}@example.com`, "x"), right: () => signIn(ip, email, RIGHT) };
  },
  "login-network-wider": async () => {
    const [{ email }, site] = [await makeUser(), `2001:db8:${crypto.randomUUID().slice(0, 4)}`];
    const from = (n: number) => `${site}:${(0x100 + (n % 256)).toString(16)}::1`;
    return {
      wrong: (n) => signIn(from(n), `wide${n}@example.com`, "x"),
      right: () => signIn(from(255), email, RIGHT),
    };
  },
  "login-account": async () => {
    const { email } = await makeUser();
    return { wrong: () => signIn(newIp(), email, "x"), right: () => signIn(newIp(), email, RIGHT) };
  },
  "login-device": async () => {
    const user = await makeUser();
    const device = await knownBrowser(user);
    const from = (password: string) => signIn(newIp(), user.email, password, device);
    return { wrong: () => from("x"), right: () => from(RIGHT) };
  },
  "second-step": async () => {
    const [owner, ip] = [await withRecoveryCode(), newIp()];
    const from = async (code: string) => requireCode(await appFrom(ip), owner, code);
    return { wrong: () => from("000000"), right: () => from(RECOVERY) };
  },
  "second-step-account": async () => {
    const owner = await withRecoveryCode();
    const from = async (code: string) => requireCode(await appFrom(newIp()), owner, code);
    return { wrong: () => from("000000"), right: () => from(RECOVERY) };
  },
  "second-step-device": async () => {
    const owner = await withRecoveryCode();
    const device = await knownBrowser(owner);
    const from = async (code: string) => requireCode(await appFrom(newIp(), { device }), owner, code);
    return { wrong: () => from("zzzzzzzzzzzzzzzz"), right: () => from(RECOVERY) };
  },
  "change-password": async () => {
    const user = await makeUser();
    const from = async (typed: string) => {
      const app = await appFrom(newIp(), { user });
      if (!app.user) throw new Error("nobody is signed in");
      return requirePassword(app, app.user, typed);
    };
    return { wrong: () => from("x"), right: () => from(RIGHT) };
  },
  confirm: async () => {
    const [user, ip] = [await makeUser({ isConfirmed: false }), newIp()];
    const { token, row } = await linkOf(user);
    await db.insert(schema.confirmations).values({ ...row, kind: "confirm", email: user.email });
    const from = async (typed: string) => confirmAddress(await appFrom(ip), { token: typed });
    return { wrong: (n) => from(`wrong-${n}`), right: () => from(token) };
  },
  reset: async () => {
    const [user, ip] = [await makeUser(), newIp()];
    const { token, row } = await linkOf(user);
    await db.insert(schema.passwordResets).values(row);
    const { email } = user;
    const from = async (typed: string) =>
      resetPassword(await appFrom(ip), { email, password: "the kettle sings at noon", token: typed });
    return { wrong: (n) => from(`wrong-${n}`), right: () => from(token) };
  },
  "calendar-network": async () => {
    const [user, ip] = [await makeUser(), newIp()];
    const { address } = await createCalendarAddress(await appFrom(ip, { user }));
    const from = async (secret: string) => {
      const feed = await readFeed(await appFrom(ip), { secret, hasCopy: true });
      if (feed === null) throw new Error("no such feed");
    };
    const right = /calendar\/(.*)\.ics/.exec(address)?.[1] ?? "";
    return { wrong: (n) => from(`wrong-${n}`), right: () => from(right) };
  },
  entry: async () => {
    const [owner, user] = [await makeUser(), await makeUser()];
    const { id } = await makeHut(owner, [owner]);
    const code = newToken();
    const change = { isPrivate: true, inviteHash: await hashToken(code) };
    await db.update(schema.huts).set(change).where(eq(schema.huts.id, id));
    const from = async (typed: string) => acceptInvitation(await appFrom(newIp(), { user }), { code: typed });
    return { wrong: (n) => from(`wrong-${n}`), right: () => from(code) };
  },
  invitation: async () => {
    const [owner, ip] = [await makeUser(), newIp()];
    const { id } = await makeHut(owner, [owner]);
    const code = newToken();
    const change = { isPrivate: true, inviteHash: await hashToken(code) };
    await db.update(schema.huts).set(change).where(eq(schema.huts.id, id));
    const from = async (typed: string) => viewInvitation(await appFrom(ip), { code: typed });
    return { wrong: (n) => from(`wrong-${n}`), right: () => from(code) };
  },
  "join-code": async () => {
    const { id } = await makeSession(await makeUser(), { join_code: CODE });
    const [user, ip] = [await makeUser(), newIp()];
    return { wrong: (n) => join(id, user, ip, `wrong-${n}`), right: () => join(id, user, ip, CODE) };
  },
  "join-code-late": async () => {
    const { id } = await makeSession(await makeUser(), { join_code: CODE });
    const user = await makeUser();
    const others = await makeUsers(10);
    return {
      wrong: (n) => join(id, others[Math.floor(n / 10)] ?? user, "10.99.0.1", `wrong-${n}`),
      right: () => join(id, user, "10.99.0.1", CODE),
    };
  },
};

beforeEach(() => {
  vi.spyOn(passwords, "verify").mockImplementation(async (typed) => ({
    isRight: typed === RIGHT,
    isOutdated: false,
  }));
  vi.spyOn(passwords, "hash").mockResolvedValue("none");
});
afterEach(() => vi.restoreAllMocks());

test("R-25 every counter that guards a secret is tried here", () => {
  expect(Object.keys(CASES).sort()).toEqual([...GUARDS].sort());
});

describe.each(Object.entries(CASES))("%s", (_, stage) => {
  test("R-25 refuses the right secret after wrong ones have filled it, and takes it before", async () => {
    expect(await errorCodeOf((await stage()).right())).toBe("ok");
    const { wrong, right } = await stage();
    let tried = 0;
    for (let code = ""; code !== "RATE_LIMITED" && tried < MOST; tried++) {
      code = await errorCodeOf(wrong(tried));
      expect(code).not.toBe("ok");
    }
    expect(tried).toBeLessThan(MOST);
    expect(await errorCodeOf(right())).toBe("RATE_LIMITED");
  });
});

test("R-25 a stranger's guesses at a join code lock out nobody, and a right code counts nowhere", async () => {
  const { id } = await makeSession(await makeUser(), { join_code: CODE });
  const [guest, ip] = [await makeUser({ tokens: 100_000 }), newIp()];
  for (let again = 0; again < 12; again++) {
    expect(await errorCodeOf(join(id, guest, ip, CODE))).toBe("ok");
    await leaveSession(await appFrom(ip, { user: guest }), { session: id });
  }
  const strangers = await makeUsers(10);
  for (const stranger of strangers)
    for (let n = 0; n < 10; n++)
      expect(await errorCodeOf(join(id, stranger, ip, `wrong-${n}`))).toBe("WRONG_CODE");
  // From now on each account has three guesses.
  const [late, typing] = [await makeUser(), await makeUser()];
  for (let n = 0; n < 3; n++) expect(await errorCodeOf(join(id, late, ip, `wrong-${n}`))).toBe("WRONG_CODE");
  expect(await errorCodeOf(join(id, late, ip, CODE))).toBe("RATE_LIMITED");
  for (let n = 0; n < 2; n++)
    expect(await errorCodeOf(join(id, typing, ip, `wrong-${n}`))).toBe("WRONG_CODE");
  expect(await errorCodeOf(join(id, typing, ip, CODE))).toBe("ok");
});

test("R-25 a person in a session, or without a code, gives up no guess", async () => {
  const { id } = await makeSession(await makeUser(), { join_code: CODE });
  const [user, ip] = [await makeUser(), newIp()];
  for (let n = 0; n < 12; n++) expect(await errorCodeOf(join(id, user, ip, " "))).toBe("WRONG_CODE");
  expect(await errorCodeOf(join(id, user, ip, CODE))).toBe("ok");
});
