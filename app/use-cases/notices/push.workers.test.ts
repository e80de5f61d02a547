// The browsers of a user: stored, replaced, forgotten, and reached (N-38 to N-41).
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { runBatch, schema } from "#db/connect.server";
import { deleteExpiredLogins } from "#db/queries/accounts/logins";
import { recordEvent } from "#db/queries/notices/events";
import { listPushBox, listSubscriptions } from "#db/queries/notices/push";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { appOf, db, makeUser, NOW, signInAgain, type TestUser, testApp } from "#tests/support/factories";
import { deliveryRows, drain, emptySpine, spineApp } from "#tests/support/notices";
import { subscribeBrowser as store, subscription } from "#tests/support/push";
import { DAY, instant, plusMillis } from "~/domain/time";
import type { Push } from "~/use-cases/ports.server";
import { hashToken } from "~/use-cases/tokens.server";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";
import { newEvent } from "./events.server";
import { sendPush } from "./push.server";

const endpointsOf = async (user: TestUser) =>
  (await listSubscriptions(db, user.id)).map(({ endpoint }) => endpoint);

const pushRows = async () => (await deliveryRows()).filter(({ channel }) => channel === "push");

/** Push services that answer as named, by endpoint. */
const appPushing = async (user: TestUser, post: Push["post"]) => ({
  ...(await appOf(user)),
  push: { publicKey: "key", post },
});
const message = (user: TestUser) => ({
  userId: user.id,
  key: "k",
  title: "Bothy",
  text: "Soon.",
  url: "https://hut.cabins.dev/my/notices",
  series: null,
  expiresAt: instant(NOW + 600_000),
});

test("N-38 a browser has one subscription, which POST replaces and DELETE removes", async () => {
  const user = await makeUser();
  await store(user);
  const newer = await store(user);
  expect(await endpointsOf(user)).toEqual([newer]);
  expect((await callAs(user, "DELETE", "/account/push")).status).toBe(204);
  expect((await callAs(user, "DELETE", "/account/push")).status).toBe(204);
  expect(await endpointsOf(user)).toEqual([]);
});

test("N-38 an address that is no push service, and a key that is none, is INVALID", async () => {
  const user = await makeUser();
  const { keys } = subscription();
  for (const endpoint of ["http://fcm.googleapis.com/a", "https://example.com/a", "x", ""])
    expect((await callAs(user, "POST", "/account/push", { endpoint, keys })).body.error_code).toBe("INVALID");
  const p256dh = `B${"A".repeat(86)}`;
  for (const bad of [{ ...keys, p256dh }, { ...keys, auth: "short" }, { auth: keys.auth }, null])
    expect(
      (await callAs(user, "POST", "/account/push", { ...subscription(), keys: bad })).body.error_code,
    ).toBe("INVALID");
  expect(await endpointsOf(user)).toEqual([]);
});

test("N-38 the tenth browser stays, and the eleventh replaces the oldest", async () => {
  const user = await makeUser();
  const stored: string[] = [];
  for (let n = 0; n < 11; n++) {
    const endpoint = await store(await signInAgain(user));
    stored.push(endpoint);
    // The rows are a second apart, so that they have an order.
    await db
      .update(schema.pushSubscriptions)
      .set({ createdAt: instant(NOW - 1e6 + n * 1000) })
      .where(eq(schema.pushSubscriptions.endpoint, endpoint));
  }
  expect((await endpointsOf(user)).sort()).toEqual(stored.slice(1).sort());
});

test("N-38 a browser that another user signs in to leaves the first user's account", async () => {
  const [first, second] = [await makeUser(), await makeUser()];
  const endpoint = await store(first);
  await store(second, endpoint);
  expect(await endpointsOf(first)).toEqual([]);
  expect(await endpointsOf(second)).toEqual([endpoint]);
});

test("N-39 N-40 a push reaches every browser, an ended one is forgotten, and a busy service asks for a retry", async () => {
  const user = await makeUser();
  const [good, ended, busy] = [
    await store(user),
    await store(await signInAgain(user)),
    await store(await signInAgain(user)),
  ];
  const posts: { endpoint: string; payload: unknown; ttl: number }[] = [];
  const app = await appPushing(user, async ({ endpoint }, { payload, ttl }) => {
    posts.push({ endpoint, payload: JSON.parse(payload), ttl });
    return endpoint === ended ? "gone" : endpoint === busy ? "later" : "sent";
  });
  await expect(sendPush(app, message(user))).rejects.toThrow("later try");
  expect(posts.map(({ endpoint }) => endpoint).sort()).toEqual([good, ended, busy].sort());
  expect(posts[0]).toMatchObject({
    ttl: 600,
    payload: { title: "Bothy", body: "Soon.", url: "https://hut.cabins.dev/my/notices", key: "k" },
  });
  expect((await endpointsOf(user)).sort()).toEqual([good, busy].sort());
  const refusing = await appPushing(user, async () => "refused");
  await sendPush(refusing, message(user));
  expect(await endpointsOf(user)).toHaveLength(2);
});

test("N-39 N-40 a notice goes out only to the browsers of its recipients, and again when a service was busy", async () => {
  const [reader, other] = [await makeUser(), await makeUser()];
  await store(reader);
  await emptySpine();
  const { app } = await spineApp(NOW);
  const results: Awaited<ReturnType<Push["post"]>>[] = ["later", "sent"];
  const keys: string[] = [];
  app.push = {
    publicKey: "key",
    post: async (_browser, { key }) => {
      keys.push(key);
      return results[keys.length - 1] ?? "sent";
    },
  };
  const to = [reader.id, other.id];
  const body = { title: "Morning pages", path: "/sessions/1", startedAt: NOW, to, payers: [] };
  const event = newEvent(app, { kind: "session-cancelled", subject: "session:1", body });
  await runBatch(db, [recordEvent(db, event)]);
  await drain(app);
  expect((await pushRows()).map(({ userId, channel, state }) => ({ userId, channel, state }))).toEqual([
    { userId: reader.id, channel: "push", state: "waiting" },
  ]);
  await drain({ ...app, now: instant(NOW + 60_000) });
  expect(await pushRows()).toMatchObject([{ state: "sent", key: keys[0] }]);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test("N-38 a push of a local run lands in the push box, encrypted as its browser would get it, for 30 days", async () => {
  const user = await makeUser();
  const endpoint = await store(user, `${ORIGIN}/local/push/${crypto.randomUUID()}`);
  await sendPush(await appOf(user), message(user));
  const [kept] = await listPushBox(db);
  expect(kept).toMatchObject({ endpoint, headers: { TTL: "600" } });
  expect(JSON.parse(kept?.payload ?? "")).toMatchObject({ title: "Bothy", body: "Soon." });
  expect(atob(kept?.body ?? "").length).toBeGreaterThan(1000);
  const page = await (await ask("/local/mailbox")).text();
  expect(page).toContain("Soon.");
  const sentAt = kept?.sentAt ?? NOW;
  await deleteExpiredRows(await testApp({ now: plusMillis(sentAt, 30 * DAY) }));
  expect(await listPushBox(db)).toHaveLength(1);
  await deleteExpiredRows(await testApp({ now: plusMillis(sentAt, 30 * DAY + 1) }));
  expect(await listPushBox(db)).toEqual([]);
});

test("N-41 signing out, ending a login elsewhere and its expiry each delete only that browser's subscription", async () => {
  const user = await makeUser();
  const [here, there, old] = [user, await signInAgain(user), await signInAgain(user)];
  const kept = await store(here);
  await store(there);
  const expiring = await store(old);
  expect((await callAs(there, "POST", "/logout")).status).toBe(204);
  expect((await endpointsOf(user)).sort()).toEqual([kept, expiring].sort());
  await db
    .update(schema.logins)
    .set({ expiresAt: instant(NOW - 1) })
    .where(eq(schema.logins.tokenHash, await hashToken(old.loginToken)));
  await deleteExpiredLogins(db, NOW);
  expect(await endpointsOf(user)).toEqual([kept]);
});
