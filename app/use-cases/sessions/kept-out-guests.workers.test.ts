// Guests who are kept out, and browsers that lose the cookie by which they are: by signing out or in, registering, or the
// guest's erasure (H-21 to H-24).
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { UNTIL_CLOSED } from "#db/queries/safety/guest-bans";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, setUser, type TestUser, testApp } from "#tests/support/factories";
import { openHouse, seated } from "#tests/support/guests";
import { useRoomClock } from "#tests/support/rooms";
import { iso, makeSeries, openOf, restSeries } from "#tests/support/series";
import { makeSession, seatsOf, sessionNow, setSession } from "#tests/support/sessions";
import { alertsIn, post } from "#tests/support/visit";
import { KEPT_OUT } from "~/domain/safety/sanctions";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import { logout } from "~/use-cases/accounts/accounts.server";
import { completeLogin } from "~/use-cases/accounts/complete-login.server";
import { passwords } from "~/use-cases/accounts/password-hashes.server";
import type { App } from "~/use-cases/app.server";
import { eraseGuests } from "~/use-cases/erase-guests.server";

useRoomClock();
beforeEach(restSeries);
keepBystanders(restSeries);

const now = () => instant(Date.now());
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;
const named = ({ username }: { username: string }) => encodeURIComponent(username);
const keepOut = (host: TestUser, id: number, guest: { username: string }) =>
  callAs(host, "DELETE", event(id, `participants/${named(guest)}`), { keep_out: 1 });

const PASSWORD = "a long walk to the hut";

/** A browser without scripts, which keeps the cookies of its answers and moves from network to network. */
function openBrowser(network: string) {
  const cookies = new Map<string, string>();
  let ip = network;
  const send = async (path: string, form: Record<string, string>) => {
    const answer = await ask(path, {
      method: "POST",
      redirect: "manual",
      headers: {
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        Origin: ORIGIN,
        Accept: "text/html",
        "CF-Connecting-IP": ip,
      },
      body: new URLSearchParams(form),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /Max-Age=0/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: answer.status, html: await answer.text() };
  };
  return {
    cookies,
    send,
    moveTo(other: string) {
      ip = other;
    },
    signOut: () => send("/auth/logout", {}),
    /** The status of "Sit in", and whether the page shows why not. */
    async sitIn(path: string, name = "Ada"): Promise<[status: number, isKeptOut: boolean]> {
      const { status, html } = await send(path, { intent: "sit-in", name });
      return [status, (await alertsIn(html)).includes(KEPT_OUT)];
    },
    user: async () => (await testApp({ loginToken: cookies.get("login") ?? "", now: now() })).user,
  };
}
type Browser = ReturnType<typeof openBrowser>;

const SITS = [302, false];
const REFUSED = [403, true];

/** Two dates of a series that take guests. */
async function twoDates() {
  const host = await makeUser({ tokens: 5000 });
  const [one, two] = await openOf(await makeSeries(host));
  if (!one || !two) throw new Error("no dates");
  for (const { id } of [one, two]) await setSession(id, { guestLimit: 5 });
  return { host, one: one.id, two: two.id, paths: [`/sessions/${one.id}`, `/sessions/${two.id}`] as const };
}

/** The browser's user, who has just sat in. */
async function guestIn(browser: Browser): Promise<App["user"] & object> {
  const user = await browser.user();
  if (!user) throw new Error("no guest");
  return user;
}

/** Erases this guest as a day after the session. */
async function erase(userId: number): Promise<void> {
  await setUser(userId, { endsAt: now() });
  await eraseGuests(await testApp({ now: now() }));
}

const LEAVES: Record<string, (browser: Browser, userId: number) => Promise<unknown>> = {
  "signs out": ({ signOut }) => signOut(),
  "signs out, and is erased": async ({ signOut }, userId) => {
    await signOut();
    await erase(userId);
  },
  "is erased, and signs out": async ({ signOut }, userId) => {
    await erase(userId);
    await signOut();
  },
  "signs in to an account and out": async ({ send, signOut }) => {
    const account = await makeUser();
    await setUser(account.id, { passwordHash: await passwords.hash(PASSWORD) });
    const form = { intent: "login", email: account.email, password: PASSWORD };
    expect((await send("/auth/login", form)).status).toBe(302);
    await signOut();
  },
  "is erased, and signs in to an account and out, twice": async (browser, userId) => {
    await erase(userId);
    for (const _ of [1, 2]) await LEAVES["signs in to an account and out"]?.(browser, userId);
  },
  "is erased, sits in with another host and signs out": async ({ sitIn, signOut }, userId) => {
    await erase(userId);
    expect(await sitIn((await openHouse()).path)).toEqual(SITS);
    await signOut();
  },
  "registers and signs out": async ({ send, signOut }, userId) => {
    const form = {
      intent: "register",
      email: `kept-out-${userId}@example.com`,
      username: `kept-out-${userId}`,
      password: PASSWORD,
      passwordConfirmation: PASSWORD,
      terms: "on",
    };
    expect((await send("/auth/register", form)).status).toBe(302);
    await signOut();
  },
};

test.each(Object.entries(LEAVES))(
  "H-24 Q-15 a guest who is kept out and %s sits in from no network and on no other date for 30 days, and others do",
  async (_how, leaves) => {
    const { host, one, paths } = await twoDates();
    const apart = await openHouse();
    const [rude, free] = [openBrowser("192.0.2.7"), openBrowser("192.0.2.8")];
    expect([await rude.sitIn(paths[0]), await free.sitIn(paths[0], "Bo")]).toEqual([SITS, SITS]);
    const [guest, other] = [await guestIn(rude), await guestIn(free)];
    expect((await keepOut(host, one, guest)).status).toBe(204);
    const ends = async () => {
      const bans = await db.select().from(schema.guestBans).where(eq(schema.guestBans.sessionId, one));
      return [...new Set(bans.map(({ until }) => until))].sort((a, b) => a - b);
    };
    const until = await ends();
    // Of the browser, and of the network.
    expect(until).toEqual([now() + 30 * DAY, UNTIL_CLOSED]);
    vi.setSystemTime(Date.now() + HOUR);
    await leaves(rude, guest.id);
    await leaves(free, other.id);
    rude.moveTo("198.51.100.9");
    for (const path of paths) expect([path, await rude.sitIn(path)]).toEqual([path, REFUSED]);
    expect(await ends()).toEqual(until);
    for (const path of paths) {
      expect([path, await free.sitIn(path, "Cleo")]).toEqual([path, SITS]);
      await free.signOut();
    }
    // The sessions of another host take both.
    expect(await rude.sitIn(apart.path)).toEqual(SITS);
    await rude.signOut();
    expect(await rude.sitIn(paths[1])).toEqual(REFUSED);
    await db.update(schema.guestBans).set({ until: now() }).where(eq(schema.guestBans.sessionId, one));
    expect(await rude.sitIn(paths[1])).toEqual(SITS);
  },
);

test("H-24 Q-15 a guest who was muted and signed out before the host kept them out sits in on no date, until the ban is lifted", async () => {
  const { host, one, paths } = await twoDates();
  const [rude, free] = [openBrowser("192.0.2.7"), openBrowser("192.0.2.8")];
  expect([await rude.sitIn(paths[0]), await free.sitIn(paths[0], "Bo")]).toEqual([SITS, SITS]);
  const guest = await guestIn(rude);
  const mute = await callAs(host, "PATCH", event(one, `participants/${named(guest)}`), { mute: 1 });
  expect(mute.status).toBe(200);
  for (const browser of [rude, free]) await browser.signOut();
  expect((await keepOut(host, one, guest)).status).toBe(204);
  rude.moveTo("198.51.100.9");
  for (const path of paths) expect(await rude.sitIn(path)).toEqual(REFUSED);
  expect(await free.sitIn(paths[1], "Bo")).toEqual(SITS);
  expect((await callAs(host, "DELETE", event(one, `bans/${named(guest)}`))).status).toBeLessThan(300);
  expect(await rude.sitIn(paths[1])).toEqual(SITS);
});

test("H-24 Q-15 a guest who was kept out and signed out sits in again once the host lifts the ban, and one who is still kept out does not", async () => {
  const { host, one, paths } = await twoDates();
  const [rude, worse] = [openBrowser("192.0.2.7"), openBrowser("192.0.2.8")];
  expect([await rude.sitIn(paths[0]), await worse.sitIn(paths[0], "Bo")]).toEqual([SITS, SITS]);
  const [guest, other] = [await guestIn(rude), await guestIn(worse)];
  for (const user of [guest, other]) await keepOut(host, one, user);
  for (const browser of [rude, worse]) await browser.signOut();
  expect((await callAs(host, "DELETE", event(one, `bans/${named(guest)}`))).status).toBeLessThan(300);
  expect(await rude.sitIn(paths[1])).toEqual(SITS);
  expect(await worse.sitIn(paths[1], "Bo")).toEqual(REFUSED);
});

test("H-24 Q-15 a ban from a series that is lifted at another date lets the browser in at each", async () => {
  const { host, one, two, paths } = await twoDates();
  const rude = openBrowser("192.0.2.7");
  expect(await rude.sitIn(paths[0])).toEqual(SITS);
  const guest = await guestIn(rude);
  const seat = event(one, `participants/${named(guest)}`);
  expect((await callAs(host, "DELETE", seat, { keep_out: 1, series: 1 })).status).toBe(204);
  await rude.signOut();
  for (const path of paths) expect(await rude.sitIn(path)).toEqual(REFUSED);
  expect((await callAs(host, "DELETE", event(two, `bans/${named(guest)}`))).status).toBeLessThan(300);
  for (const path of paths) {
    expect([path, await rude.sitIn(path)]).toEqual([path, SITS]);
    await rude.signOut();
  }
});

test("H-24 Q-15 the ban of a guest who has registered since is lifted with that of their network", async () => {
  const { host, one, paths } = await twoDates();
  const [rude, beside] = [openBrowser("192.0.2.7"), openBrowser("192.0.2.7")];
  expect(await rude.sitIn(paths[0])).toEqual(SITS);
  const guest = await guestIn(rude);
  await keepOut(host, one, guest);
  await LEAVES["registers and signs out"]?.(rude, guest.id);
  expect(await beside.sitIn(paths[0], "Bo")).toEqual(REFUSED);
  const account = named({ username: `kept-out-${guest.id}` });
  expect((await callAs(host, "DELETE", event(one, `bans/${account}`))).status).toBeLessThan(300);
  expect(await beside.sitIn(paths[0], "Bo")).toEqual(SITS);
});

const ENDS: Record<string, (app: App, account: TestUser) => Promise<unknown>> = {
  "signs out": (app) => logout(app),
  "signs in": (app, account) => completeLogin(app, { ...account, deletionDueAt: null }),
};
test.each(
  Object.entries(ENDS).flatMap(([how, ends]) =>
    (["muted", "kept out"] as const).map((state) => [state, how, ends] as const),
  ),
)(
  "H-22 H-24 a guest who is %s and registers keeps what the account has, though another tab of the browser %s at the same time",
  async (state, _how, ends) => {
    const { host, member, id, path } = await openHouse();
    const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
    if (state === "kept out") await keepOut(host, id, guest);
    else await callAs(host, "PATCH", event(id, `participants/${named(guest)}`), { mute: 1 });
    const seats = (await seatsOf(id)).map(({ userId }) => userId);
    const tab = await appOf(guest, now());
    const registered = await post(guest, "/auth/register", {
      intent: "register",
      email: `two-tabs-${guest.id}@example.com`,
      username: `two-tabs-${guest.id}`,
      password: PASSWORD,
      passwordConfirmation: PASSWORD,
      terms: "on",
    });
    expect(registered.status).toBe(302);
    const devicesOf = (userId: number) =>
      db.select().from(schema.devices).where(eq(schema.devices.userId, userId));
    const devices = await devicesOf(guest.id);
    expect(devices).toHaveLength(1);
    await ends(tab, member);
    expect(await devicesOf(guest.id)).toEqual(devices);
    expect((await seatsOf(id)).map(({ userId }) => userId)).toEqual(seats);
    expect((await testApp({ loginToken: other.loginToken, now: now() })).user?.id).toBe(other.id);
  },
);

test("H-24 a network is kept out until its session closes, its browser's row goes after 30 days, and others sit in", async () => {
  const host = await makeUser({ tokens: 5000 });
  const start = { is_manually_started: 0, started_at: iso(Date.now() + 42 * DAY) };
  const { id, path } = await makeSession(host, start);
  await setSession(id, { guestLimit: 5 });
  const rude = openBrowser("192.0.2.7");
  expect(await rude.sitIn(path)).toEqual(SITS);
  expect((await keepOut(host, id, await guestIn(rude))).status).toBe(204);
  await rude.signOut();
  const bansOf = async () =>
    (await db.select().from(schema.guestBans).where(eq(schema.guestBans.sessionId, id))).length;
  const pass = async (span: number) => {
    vi.setSystemTime(Date.now() + span);
    await eraseGuests(await testApp({ now: now() }));
  };
  const bans = await bansOf();
  expect(bans).toBeGreaterThan(1);
  await pass(29 * DAY);
  expect(await bansOf()).toBe(bans);
  rude.moveTo("198.51.100.1");
  expect(await rude.sitIn(path)).toEqual(REFUSED);
  await pass(2 * DAY);
  expect(await openBrowser("192.0.2.7").sitIn(path, "Bo")).toEqual(REFUSED);
  expect(await openBrowser("203.0.113.5").sitIn(path, "Cleo")).toEqual(SITS);
  // The row of the browser has gone, and that of the network goes with the session.
  expect(await bansOf()).toBe(1);
  await setSession(id, { closedAt: now() });
  await pass(0);
  expect(await bansOf()).toBe(0);
});

test.each(["before its start", "after its end"])(
  "H-24 a browser that was kept out of a date stays out of the next one for 30 days when the host deletes the first %s, and its network does not",
  async (when) => {
    const { host, one, two, paths } = await twoDates();
    const other = await openHouse();
    const rude = openBrowser("192.0.2.7");
    expect(await rude.sitIn(paths[0])).toEqual(SITS);
    expect((await keepOut(host, one, await guestIn(rude))).status).toBe(204);
    await rude.signOut();
    const session = await sessionNow(one);
    if (when === "after its end")
      await setSession(one, {
        startedAt: instant(now() - 2 * HOUR),
        endedAt: instant(now() - HOUR),
        closedAt: instant(now() - HOUR),
      });
    const gone = await callAs(host, "DELETE", `/challenges/${session?.slug}`);
    expect([gone.status < 300, await sessionNow(one)]).toEqual([true, undefined]);
    expect(await rude.sitIn(paths[1])).toEqual(REFUSED);
    expect(await openBrowser("192.0.2.7").sitIn(paths[1], "Bo")).toEqual(SITS);
    expect(await rude.sitIn(other.path)).toEqual(SITS);
    await setSession(two, { startedAt: instant(now() + 60 * DAY), endedAt: instant(now() + 61 * DAY) });
    vi.setSystemTime(Date.now() + 30 * DAY + MINUTE);
    expect(await rude.sitIn(paths[1], "Cleo")).toEqual(SITS);
  },
);
