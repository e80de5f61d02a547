// The sockets of an ended login: every way to end a login closes them in every room, and no others.
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { listSeatsWithSockets } from "#db/queries/accounts/logins";
import { PASSWORD, registered, someone } from "#tests/support/accounts";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, setUser, signInAgain, type TestUser, testApp } from "#tests/support/factories";
import { joinRoom, makeSession, openLine, ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { setSession } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { CLOSE } from "~/wire/room/room";
import { restoreAddress } from "./confirmations.server";

useRoomClock();

/** The life of an emailed link. */
const LIFE = { createdAt: ROOM_NOW, expiresAt: 4e12 as typeof ROOM_NOW };
const loginOf = async (user: TestUser) => hashToken(user.loginToken);

async function member() {
  const { input, answer, user } = await registered();
  const { id, person } = answer.body.user;
  const known = { ...input, id, personId: person.id, loginToken: user.loginToken };
  const session = await makeSession([await makeUser(), known], { now: ROOM_NOW });
  return { user: known, session: session.id, email: input.email };
}

const isOpen = async (line: Awaited<ReturnType<typeof joinRoom>>, user: TestUser) => {
  line.say({ type: "ready", is_ready: true });
  await line.expect("participants", (op) =>
    op.participants.some((one) => one.username === user.username && one.is_ready === 1),
  );
  return true;
};

test("X-10 only rooms of the person's own seats are asked to close sockets", async () => {
  const { user, session } = await member();
  const { id: foreign } = await makeSession([await makeUser()], { now: ROOM_NOW });
  const asked = (await listSeatsWithSockets(db, user.id, ROOM_NOW, 1000)).map(({ sessionId }) => sessionId);
  expect(asked).toEqual([session]);
  expect(asked).not.toContain(foreign);
});

test("X-10 signing out closes the sockets of that login and of no other", async () => {
  const { user, session } = await member();
  const other = await signInAgain(user);
  const [line, kept] = [await joinRoom(user, session), await joinRoom(other, session)];
  expect((await callAs(user, "POST", "/logout")).status).toBe(204);
  expect((await line.closed).code).toBe(CLOSE.signedOut);
  expect(await isOpen(kept, user)).toBe(true);
});

test("X-10 revoking a login on the account page closes its sockets in every room", async () => {
  const { user, session } = await member();
  const second = await makeSession([await makeUser(), user], { now: ROOM_NOW });
  const other = await signInAgain(user);
  const lines = [await joinRoom(other, session), await joinRoom(other, second.id)];
  await post(user, "/account/security", { intent: "end-login", login: await loginOf(other) });
  for (const line of lines) expect((await line.closed).code).toBe(CLOSE.signedOut);
});

test("X-10 ending all other logins closes their sockets", async () => {
  const { user, session } = await member();
  const other = await signInAgain(user);
  const [line, kept] = [await joinRoom(other, session), await joinRoom(user, session)];
  await post(user, "/account/security", { intent: "end-other-logins" });
  expect((await line.closed).code).toBe(CLOSE.signedOut);
  expect(await isOpen(kept, user)).toBe(true);
});

test("X-10 changing the password closes all sockets, those of this browser's old login included", async () => {
  const { user, session } = await member();
  const other = await signInAgain(user);
  const lines = [await joinRoom(other, session), await joinRoom(user, session)];
  const answer = await post(user, "/account", {
    intent: "password",
    currentPassword: PASSWORD,
    password: "a lantern at dawn",
    passwordConfirmation: "a lantern at dawn",
  });
  expect(answer.status).toBe(200);
  for (const line of lines) expect((await line.closed).code).toBe(CLOSE.signedOut);
});

test("X-10 a password reset by email closes all sockets", async () => {
  const { user, session, email } = await member();
  const line = await joinRoom(user, session);
  const token = newToken();
  await db
    .insert(schema.passwordResets)
    .values({ tokenHash: await hashToken(token), userId: user.id, ...LIFE });
  const password = "a lantern at noon";
  const answer = await callAs(null, "POST", "/post-reset-password", {
    email,
    token,
    password,
    password_confirmation: password,
  });
  expect(answer.status).toBe(200);
  expect((await line.closed).code).toBe(CLOSE.signedOut);
});

test("X-10 Q-06 the link that restores the old address closes all sockets", async () => {
  const { user, session, email } = await member();
  const line = await joinRoom(user, session);
  const token = newToken();
  const link = { tokenHash: await hashToken(token), userId: user.id, kind: "restore", email } as const;
  await db.insert(schema.confirmations).values({ ...link, ...LIFE });
  await restoreAddress(await testApp({ now: ROOM_NOW }), { token });
  expect((await line.closed).code).toBe(CLOSE.signedOut);
});

test("X-10 a request to delete the account closes all sockets", async () => {
  const { user, session } = await member();
  const line = await joinRoom(user, session);
  await post(user, "/account", { intent: "delete-account", currentPassword: PASSWORD });
  expect((await line.closed).code).toBe(CLOSE.signedOut);
});

test("X-10 sockets close when the daily job deletes the account", async () => {
  const { user, session } = await member();
  // A seat in a closed session stays, so only the end of the login closes the socket.
  await setSession(session, { closedAt: ROOM_NOW });
  const line = await joinRoom(user, session);
  await setUser(user.id, { deletionDueAt: ROOM_NOW });
  await deleteDueAccounts(await appOf(await makeUser(), ROOM_NOW), 50);
  expect((await line.closed).code).toBe(CLOSE.signedOut);
});

test("X-10 a socket closes when its browser signs in or registers as another user", async () => {
  for (const path of ["/login", "/register"]) {
    const { user, session } = await member();
    const line = await joinRoom(user, session);
    const body =
      path === "/register" ? someone() : { email: (await registered()).input.email, password: PASSWORD };
    expect((await callAs(user, "POST", path, body)).status).toBeLessThan(300);
    expect((await line.closed).code, path).toBe(CLOSE.signedOut);
  }
});

test("X-10 an upgrade during which the login ends opens no lasting socket", async () => {
  const { user, session } = await member();
  await (await appOf(user, ROOM_NOW)).rooms.of(session).endLogins([await loginOf(user)]);
  // The login's row still exists, because the upgrade read it just before the deletion.
  expect((await (await openLine(user, session)).closed).code).toBe(CLOSE.signedOut);
});

test("R-26 a socket without a seat closes at once, so that it never joins later", async () => {
  const { session } = await member();
  const line = await openLine(await makeUser(), session);
  await line.expect("refused", (op) => op.error_code === "FORBIDDEN");
  expect((await line.closed).code).toBe(CLOSE.notAllowed);
});
