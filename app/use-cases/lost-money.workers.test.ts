// Money whose owner cannot act, or whose lot has expired, and turns that nobody may take.
import { beforeEach, expect, test, vi } from "vitest";
import { grantLotByEmail } from "#db/queries/tokens";
import { PASSWORD } from "#tests/support/accounts";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import {
  appOf,
  db,
  makeUser,
  makeUsers,
  newLogin,
  setUser,
  type TestUser,
  testApp,
} from "#tests/support/factories";
import { joinRoom } from "#tests/support/rooms";
import { iso, layOutDays, makeSeries, restSeries, sentencesOf } from "#tests/support/series";
import { balanceOf, join, leave, makeSession } from "#tests/support/sessions";
import { subscribe } from "#tests/support/subscriptions";
import { post } from "#tests/support/visit";
import { DAY, instant } from "~/domain/time";
import { askForDeletion } from "~/use-cases/accounts/deletion.server";
import { passwords } from "~/use-cases/accounts/password-hashes.server";
import { renewSubscriptions } from "~/use-cases/payments/subscriptions.server";
import { suspendUser } from "~/use-cases/safety/suspensions.server";

const now = () => instant(Date.now());
beforeEach(restSeries);
const dated = (days: number) => ({ is_manually_started: 0, started_at: iso(Date.now() + days * DAY) });

keepBystanders(restSeries);

test("Q-18 B-16 B-17 a suspended person is not charged for another month, or can stop the renewal", async () => {
  const [user, admin] = [await makeUser({ tokens: 0 }), await makeUser({ roleId: 10 })];
  const app = await appOf(user, now());
  await subscribe(app);
  await suspendUser(await appOf(admin, now()), { username: user.username, days: 0, reason: "spam" });
  const again = { ...user, loginToken: (await newLogin(user)).loginToken };
  const stopped = await callAs(again, "POST", "/api/subscriptions/cancel", {});
  const renewed = await renewSubscriptions(await testApp({ now: instant(Date.now() + 31 * DAY) }));
  expect({ mayStop: stopped.status === 200, renewed: renewed.renewed }).not.toEqual({
    mayStop: false,
    renewed: 1,
  });
});

test("B-14 B-09 N-21 a token is in the account when its notice says so, also when its lot has expired meanwhile", async () => {
  const [host, guest] = [await makeUser(), await makeUser({ tokens: 0 })];
  await grantLotByEmail(db, guest.email, {
    kind: "purchased",
    granted: 100,
    reference: `test:${crypto.randomUUID()}`,
    createdAt: now(),
    // As a lot of a subscription at the end of its period.
    expiresAt: instant(Date.now() + 5 * DAY),
  });
  const { id } = await makeSession(host, dated(10));
  expect((await join(guest, id)).status).toBe(200);
  vi.setSystemTime(Date.now() + 6 * DAY);
  expect((await callAs(host, "POST", `/challenge-events/${id}/end`, {})).status).toBe(200);
  const isSaid = (await sentencesOf(guest, "session-cancelled")).join().includes("Your token was returned");
  const { body } = await callAs(guest, "GET", "/get-user");
  const has = /all_remaining_tokens":([\d.]+)/.exec(JSON.stringify(body))?.[1];
  expect({ isSaid, has }).toEqual(isSaid ? { isSaid, has: "1" } : { isSaid, has: "0" });
});

test("Q-12 G-17 a host in turn pays for no session of a series that a block hides from the host's list", async () => {
  const [owner, other] = await makeUsers(2);
  const id = await makeSeries(owner);
  await callAs(owner, "PUT", `/api/series/${id}/hosts/${other.username}`, {});
  expect((await callAs(other, "POST", `/api/series/${id}/accept-turn`, { is_free: 0 })).status).toBe(200);
  await callAs(owner, "PUT", `/api/blocks/${other.username}`);
  const { body } = await callAs(other, "GET", "/api/my/series");
  const isListed = JSON.stringify(body).includes(`/my/series/${id}"`);
  await layOutDays(7);
  await layOutDays(14);
  expect({ isListed, paid: 1000 - (await balanceOf(other)) }).toEqual({ isListed, paid: isListed ? 100 : 0 });
});

test("R-91 R-64 until the first planned start of a session that began early, people who have not come leave with their token", async () => {
  const [host, away, visitor, stays] = await makeUsers(4);
  const { id } = await makeSession(host, dated(2));
  for (const user of [away, visitor, stays]) await join(user, id);
  vi.setSystemTime(Date.now() + 60_000);
  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  const line = await joinRoom(visitor, id);
  await line.expect("history");
  line.socket.close();
  for (const user of [away, visitor]) expect((await leave(user, id)).status).toBe(200);
  expect([await balanceOf(away), await balanceOf(visitor), await balanceOf(stays)]).toEqual([1000, 900, 900]);
});

test("R-67 B-17 an account that is kept says that its plan is still cancelled, and one without a plan does not", async () => {
  const said = async (user: TestUser) => {
    await setUser(user.id, { passwordHash: await passwords.hash(PASSWORD) });
    await askForDeletion(await appOf(user, now()), { currentPassword: PASSWORD });
    const form = { intent: "login", email: user.email, password: PASSWORD, next: "/my/goals" };
    const back = await post(null, "/auth/login", form);
    return decodeURIComponent(back.headers.getSetCookie().join());
  };
  const [user, other] = await makeUsers(2);
  const app = await appOf(user, now());
  await subscribe(app);
  const sentence = "Your plan is still cancelled, and ends with the period that is paid.";
  expect(await said(user)).toContain(sentence);
  expect((await renewSubscriptions(await testApp({ now: instant(Date.now() + 31 * DAY) }))).renewed).toBe(0);
  const plain = await said(other);
  expect(plain).toContain("Your account stays: it will not be deleted.");
  expect(plain).not.toContain(sentence);
});
