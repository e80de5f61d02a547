// Suspending an account: logins, sockets and hosted sessions end, and only export and deletion stay.

import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { everyCall } from "#tests/support/every-call";
import {
  db,
  makeUser,
  setUser,
  signInAgain,
  type TestUser,
  testApp,
  userNow,
} from "#tests/support/factories";
import { drain } from "#tests/support/notices";
import { joinRoom, partsOf, ROOM_NOW, runningRoom, useRoomClock } from "#tests/support/rooms";
import { balanceOf, join, makeSession, sessionNow } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { isOpenToSuspended } from "~/domain/safety/sanctions";
import { DAY, HOUR, instant } from "~/domain/time";
import { passwords } from "~/use-cases/accounts/password-hashes.server";

const at = useRoomClock();
const suspend = (by: TestUser | null, whom: TestUser, over: Record<string, string> = {}) =>
  post(by, `/admin/users/${whom.username}`, { intent: "suspend", days: "7", reason: "Spam", ...over });
const actsOn = async ({ id }: TestUser) =>
  (await db.select().from(schema.audit).where(eq(schema.audit.userId, id))).map(({ action, reason }) => [
    action,
    reason,
  ]);

const SUSPENDED = /^Your account is suspended until \w+, \d+\/\d+\/\d+\. Reason: Spam\.$/;

keepBystanders();

test("Q-18 a suspension ends logins and sockets, cancels upcoming sessions with refunds, and leaves running ones", async () => {
  const [root, host, guest] = [await makeUser({ roleId: 10 }), await makeUser(), await makeUser()];
  const upcoming = await makeSession(host);
  const other = await makeSession(guest);
  const before = await balanceOf(guest);
  await join(guest, upcoming.id);
  const { id: running } = await runningRoom([host, guest], partsOf(3600), 3600);
  const tab = await joinRoom(host, running);
  expect((await suspend(root, host)).status).toBe(302);
  expect((await tab.closed).code).toBe(4401);
  expect((await callAs(host, "POST", "/api/notes", {})).status).toBe(401);
  expect(await balanceOf(guest)).toBe(before);
  expect((await sessionNow(upcoming.id))?.closedAt).not.toBeNull();
  expect((await sessionNow(running))?.closedAt).toBeNull();
  expect((await sessionNow(other.id))?.closedAt).toBeNull();
  expect(await actsOn(host)).toEqual([["suspended", "Spam"]]);
  await vi.waitFor(async () => {
    await drain(await testApp({ now: instant(Date.now()) }));
    const mails = await db.select().from(schema.mailbox).where(eq(schema.mailbox.recipient, host.email));
    const subjects = mails.map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("suspended"))).toEqual([
      "Your Bothy account is suspended",
    ]);
  });
});

test("Q-18 a suspended user reads until when and why, and reaches only export, deletion and signing out", async () => {
  const [root, user] = [await makeUser({ roleId: 10 }), await makeUser()];
  const { id } = await makeSession(root);
  await suspend(root, user);
  const back = await signInAgain(user);
  for (const path of ["/", "/account", "/my/goals", `/sessions/${id}`, "/account/tokens"]) {
    const page = await visit(back, path);
    expect([path, page.status, page.location]).toEqual([path, 302, "/account/suspended"]);
  }
  const page = await visit(back, "/account/suspended");
  expect(page.status).toBe(200);
  expect((await page.texts("main p")).some((text) => SUSPENDED.test(text))).toBe(true);
  for (const [method, path] of [
    ["GET", "/api/my/goals"],
    ["GET", `/api/sessions/${id}`],
    ["POST", `/challenge-events/${id}/join`],
    ["POST", "/api/notes"],
  ] as const) {
    const { status, body } = await callAs(back, method, path, method === "GET" ? undefined : {});
    expect([path, status, body.error_code]).toEqual([path, 403, "FORBIDDEN"]);
    expect(body.error).toMatch(SUSPENDED);
  }
  const socket = await ask(`/sessions/${id}/socket?watch=1`, {
    headers: { Upgrade: "websocket", Origin: "http://127.0.0.1:8787", Cookie: `login=${back.loginToken}` },
  });
  expect(socket.status).toBe(403);
  const saved = await ask("/account/export/everything.json", {
    headers: { Cookie: `login=${back.loginToken}` },
  });
  expect(saved.status).toBe(200);
  expect(JSON.parse(await saved.text()).sanctions).toMatchObject([
    { scope: "site", kind: "ban", reason: "Spam" },
  ]);
  const passwordHash = await passwords.hash("the kettle is on");
  await setUser(user.id, { passwordHash });
  const gone = await post(back, "/account/suspended", {
    intent: "delete-account",
    currentPassword: "the kettle is on",
  });
  expect([gone.status, gone.location]).toEqual([302, "/"]);
  const row = await userNow(user.id);
  expect(row?.deletionDueAt).not.toBeNull();
});

test("Q-18 a suspension ends on its day, and a super admin lifts it before", async () => {
  const [root, user, other] = [await makeUser({ roleId: 10 }), await makeUser(), await makeUser()];
  await suspend(root, user, { days: "1" });
  const back = await signInAgain(user);
  const account = async ({ username }: TestUser) => (await visit(root, `/admin/users/${username}`)).html;
  expect(await account(user)).toContain("Suspended until");
  at(ROOM_NOW + DAY - 1);
  expect((await visit(back, "/my/goals")).status).toBe(302);
  at(ROOM_NOW + DAY);
  expect((await visit(back, "/my/goals")).status).toBe(200);
  await db.insert(schema.sanctions).values({
    scope: "hut",
    targetId: 1,
    userId: user.id,
    kind: "mute",
    reason: "Noise",
    createdAt: instant(ROOM_NOW + HOUR),
  });
  expect(
    await (await visit(root, `/admin/users/${user.username}`)).texts('ul[aria-label="Sanctions"] li'),
  ).toEqual([expect.stringContaining("Noise"), expect.stringContaining("Spam")]);
  await suspend(root, other, { days: "0" });
  expect(await account(other)).toContain("Suspended without an end.");
  expect([await account(other), await account(root)].map((html) => html.includes("None so far."))).toEqual([
    false,
    true,
  ]);
  const third = await signInAgain(other);
  expect((await visit(third, "/account/suspended")).html).toContain(
    "Your account is suspended. Reason: Spam.",
  );
  for (const _ of [1, 2]) await post(root, `/admin/users/${other.username}`, { intent: "lift-suspension" });
  expect((await visit(third, "/my/goals")).status).toBe(200);
  expect(await actsOn(other)).toEqual([
    ["suspended", "Spam"],
    ["suspension-lifted", ""],
  ]);
});

test("Q-18 X-02 every call answers a suspended user with the sentence, streams and uploads too", async () => {
  const [root, user] = [await makeUser({ roleId: 10 }), await makeUser()];
  await suspend(root, user);
  const back = await signInAgain(user);
  const { readTime: _, getCsrfCookie: __, ...callsWithLogin } = everyCall;
  const addressed = Object.values(callsWithLogin).map(({ method, path }) => ({
    method,
    path: path.replace(/\{\w+\}/g, "1"),
  }));
  const closedCalls = addressed.filter(({ path }) => !isOpenToSuspended(path));
  expect(addressed.length - closedCalls.length).toBe(4);
  for (const { method, path } of closedCalls) {
    const { status, body } = await callAs(back, method, path, method === "GET" ? undefined : {});
    expect([path, status, body.error_code, body.message]).toEqual([
      path,
      403,
      "FORBIDDEN",
      expect.stringMatching(SUSPENDED),
    ]);
  }
});

test("Q-17 Q-18 only a super admin suspends, with a reason, and no super admin is suspended", async () => {
  const [root, second, user] = [
    await makeUser({ roleId: 10 }),
    await makeUser({ roleId: 10 }),
    await makeUser(),
  ];
  expect((await suspend(user, user)).status).toBe(403);
  expect((await suspend(root, second)).status).toBe(403);
  expect((await suspend(root, root)).status).toBe(403);
  expect((await suspend(root, user, { reason: " " })).status).toBe(422);
  expect(await actsOn(user)).toEqual([]);
  expect((await visit(user, `/admin/users/${user.username}`)).status).toBe(403);
  const page = await visit(root, `/admin/users/${user.username}`);
  expect(page.status).toBe(200);
  expect((await testApp()).suspensionSentence).toBeUndefined();
});
