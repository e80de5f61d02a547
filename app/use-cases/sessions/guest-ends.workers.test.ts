// The end of a guest's seat: sockets that close before the answer, jobs that go on after a failure, a mute that outlives a
// sign-out, and nothing left of the guest in the room (H-19 to H-24).
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { appOf, db, makeUser, type TestUser, testApp } from "#tests/support/factories";
import { openHouse, seated, sitIn } from "#tests/support/guests";
import { joinRoom, type Line, openLine, useRoomClock } from "#tests/support/rooms";
import { join, leave, sayIn, seatsOf, sessionNow } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { AppError } from "~/domain/errors";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { countOf } from "~/domain/goals/logs";
import { partsInOrder } from "~/domain/schedule/shape";
import { DAY, instant, MINUTE } from "~/domain/time";
import { logout } from "~/use-cases/accounts/accounts.server";
import { completeLogin } from "~/use-cases/accounts/complete-login.server";
import type { App } from "~/use-cases/app.server";
import { eraseGuests } from "~/use-cases/erase-guests.server";
import type { Room } from "~/use-cases/ports.server";
import { CLOSE, SOCKET_PROTOCOL } from "~/wire/room/room";
import { removeGuests } from "./guests.server";
import { removeParticipant } from "./people.server";

useRoomClock();

const now = () => instant(Date.now());
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;
const seatAt = (id: number, { username }: TestUser) =>
  event(id, `participants/${encodeURIComponent(username)}`);
const begin = (host: TestUser, id: number) => callAs(host, "POST", event(id, "start"), {});
const idsIn = async (id: number) => (await seatsOf(id)).map(({ userId }) => userId).sort((a, b) => a - b);
const idsOf = (...users: TestUser[]) => users.map(({ id }) => id).sort((a, b) => a - b);

/** The App with some of its rooms' calls replaced. */
const withRooms = (app: App, over: (room: Room) => Partial<Room>): App => ({
  ...app,
  rooms: {
    ...app.rooms,
    of: (id) => {
      const room = app.rooms.of(id);
      return { ...room, ...over(room) };
    },
  },
});

const HOW = {
  removed: (app: App, session: number, username: string) => removeParticipant(app, { session, username }),
  "kept out": (app: App, session: number, username: string) =>
    removeParticipant(app, { session, username, isBanned: true }),
  "removed with all": (app: App, session: number) => removeGuests(app, { session }),
};
test.each(
  Object.entries(HOW).flatMap(([how, remove]) =>
    (["waiting", "running"] as const).map((status) => [how, status, remove] as const),
  ),
)(
  "H-24 the sockets of a guest who is %s from a %s session close before the answer, and none opens again",
  async (_how, status, remove) => {
    const { host, member, id, path } = await openHouse();
    const guest = await seated(path, "Ada");
    if (status === "running") await begin(host, id);
    const [line, other] = [await joinRoom(guest, id), await joinRoom(member, id)];
    const { ticket } = await line.expect("welcome");
    const seen: string[] = [];
    const app = withRooms(await appOf(host, now()), (room) => ({
      async refresh() {
        await room.refresh();
        seen.push("seats read");
      },
      change(change) {
        seen.push(change.type);
        return room.change(change);
      },
    }));
    await remove(app, id, guest.username);
    expect(seen[0]).toBe("seats read");
    expect(seen.filter((one) => one === "expel")).toHaveLength(status === "running" ? 1 : 0);
    expect((await line.closed).code).toBe(CLOSE.notAllowed);
    // Neither the ticket of its welcome nor the cookie opens another.
    const headers = { "Sec-WebSocket-Protocol": `${SOCKET_PROTOCOL}, ${ticket}` };
    const again: Line[] = [await openLine(guest, id, headers), await openLine(guest, id)];
    for (const { closed } of again) expect((await closed).code).toBe(CLOSE.notAllowed);
    other.say({ type: "ready", is_ready: true });
    await other.expect("participants", ({ participants }) => participants.some((one) => one.is_ready === 1));
  },
);

/** The App in whose batch of at least five statements, or in whose call to the room, the session begins ten minutes ago. */
function withStart(
  app: App,
  moment: "before the batch" | "before the room reads it",
  start: () => unknown,
): App {
  let hasBegun = false;
  const begins = async () => {
    if (hasBegun) return;
    hasBegun = true;
    vi.setSystemTime(Date.now() + 1000);
    await start();
    vi.setSystemTime(Date.now() + 10 * MINUTE);
  };
  if (moment === "before the room reads it")
    return withRooms(app, (room) => ({
      async refresh() {
        await begins();
        await room.refresh();
      },
    }));
  const batch = async (statements: unknown[]) => {
    if (statements.length >= 5) await begins();
    return app.db.batch(statements as never);
  };
  return { ...app, db: Object.assign(Object.create(app.db), { batch }) };
}

test.each(
  Object.entries(HOW).flatMap(([how, remove]) =>
    (["before the batch", "before the room reads it"] as const).map(
      (moment) => [how, moment, remove] as const,
    ),
  ),
)(
  "H-24 Q-14 a guest who is %s while the session begins, %s, has no visit, and a member has",
  async (_how, moment, remove) => {
    const { host, member, id, path } = await openHouse();
    const guest = await seated(path, "Ada");
    for (const user of [member, guest]) await (await joinRoom(user, id)).expect("welcome");
    const app = withStart(await appOf(host, now()), moment, () => begin(host, id));
    await remove(app, id, guest.username);
    vi.setSystemTime(Date.now() + 10 * MINUTE);
    await callAs(host, "POST", event(id, "end"), {});
    const attended = await db.select().from(schema.attendance).where(eq(schema.attendance.sessionId, id));
    const ids = attended.map(({ userId }) => userId);
    expect([ids.includes(member.id), ids.includes(guest.id)]).toEqual([true, false]);
    expect(await idsIn(id)).toEqual(idsOf(host, member));
  },
);

test.each(["waiting", "running"])(
  "H-24 R-69 all guests removed twice are one save: a form from between the two is saved, and one from before is not: %s",
  async (status) => {
    const { host, id, path } = await openHouse();
    await seated(path, "Ada");
    if (status === "running") await begin(host, id);
    const save = (challenge: object) => callAs(host, "PATCH", event(id, "patch"), { challenge });
    const version = async (link: string) =>
      (await save({ donation_link: `https://example.com/${link}` })).body.challenge_event.updated_at;
    const before = await version("before");
    const press = () => post(host, `${path}/people`, { intent: "guests.remove" });
    expect((await press()).status).toBe(302);
    const between = await version("between");
    expect((await press()).status).toBe(302);
    expect((await save({ guest_limit: 2, updated_at: before })).status).toBe(409);
    expect((await save({ guest_limit: 2, updated_at: between })).status).toBe(200);
  },
);

test("H-24 R-69 a room that fails to record the removal of all guests is called again, so that the removal is no failure", async () => {
  const { host, id, path } = await openHouse();
  await seated(path, "Ada");
  await begin(host, id);
  const edits: string[] = [];
  const app = withRooms(await appOf(host, now()), (room) => ({
    async change(change) {
      if (change.type === "edit" && edits.push("edit") === 1) throw new AppError("SERVER_ERROR");
      return room.change(change);
    },
  }));
  expect(await removeGuests(app, { session: id })).toEqual({ removed: 1 });
  await expect.poll(() => edits).toHaveLength(2);
});

test("H-19 X-10 a guest who signs out loses the socket before the login ends, and by the login where the room cannot read the seats", async () => {
  const { host, id, path } = await openHouse();
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await begin(host, id);
  const loginsOf = async (user: TestUser) =>
    (await db.select().from(schema.logins).where(eq(schema.logins.userId, user.id))).length;
  const [line, stuck] = [await joinRoom(guest, id), await joinRoom(other, id)];
  const logins: number[] = [];
  await logout(
    withRooms(await appOf(guest, now()), (room) => ({
      async refresh() {
        await room.refresh();
        logins.push(await loginsOf(guest));
      },
    })),
  );
  expect([logins, await loginsOf(guest), (await line.closed).code]).toEqual([[1], 0, CLOSE.notAllowed]);
  const silent = withRooms(await appOf(other, now()), () => ({
    refresh: async () => {
      throw new AppError("SERVER_ERROR");
    },
  }));
  await logout(silent);
  expect([await loginsOf(other), (await stuck.closed).code]).toEqual([0, CLOSE.signedOut]);
});

test("H-21 the socket of a guest closes when everything of the guest is erased, and a member's stays", async () => {
  const { host, member, id, path } = await openHouse();
  const guest = await seated(path, "Ada");
  await begin(host, id);
  const [line, other] = [await joinRoom(guest, id), await joinRoom(member, id)];
  await callAs(host, "POST", event(id, "end"), {});
  vi.setSystemTime(Date.now() + DAY + MINUTE);
  await eraseGuests(await testApp({ now: now() }));
  expect((await line.closed).code).toBe(CLOSE.signedOut);
  other.say({ type: "people" });
  await other.expect("participants");
});

/** Runs `work` while the row of this user in the table breaks. */
async function withStuckRow(on: string, condition: string, work: () => Promise<void>): Promise<void> {
  await env.DB.exec(
    `CREATE TRIGGER stuck_row BEFORE ${on} WHEN ${condition} BEGIN SELECT RAISE(ABORT, 'stuck'); END`,
  );
  await work().finally(() => env.DB.exec("DROP TRIGGER stuck_row"));
}
const failedRows = async () =>
  (await db.select().from(schema.failedRows)).map(({ job, row, tries }) => [job, row, tries]);

test("H-20 N-06 a guest whose seat cannot be freed holds up none of the others, and goes once it can", async () => {
  const { host, member, id, path } = await openHouse();
  const names = ["Ada", "Bo", "Cleo"];
  const guests: TestUser[] = [];
  for (const name of names) guests.push(await seated(path, name));
  const [stuck] = guests as [TestUser];
  for (const guest of guests) await db.delete(schema.logins).where(eq(schema.logins.userId, guest.id));
  const run = async () => {
    const { freed, failed } = await eraseGuests(await testApp({ now: now() }), 1);
    return [freed, failed];
  };
  await withStuckRow("DELETE ON participants", `OLD.user_id = ${stuck.id}`, async () => {
    expect([await run(), await run(), await run()]).toEqual([
      [0, 1],
      [1, 0],
      [1, 0],
    ]);
    expect(await idsIn(id)).toEqual(idsOf(host, member, stuck));
    // After the last one the job starts over.
    expect([await run(), await run()]).toEqual([
      [0, 0],
      [0, 1],
    ]);
  });
  expect(await failedRows()).toEqual([["free-guest-seats", String(stuck.id), 2]]);
  expect([await run(), await run()]).toContainEqual([1, 0]);
  expect(await idsIn(id)).toEqual(idsOf(host, member));
});

test("H-21 N-06 a guest who cannot be erased holds up none of the others", async () => {
  const { host, id, path } = await openHouse();
  const [stuck, next] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await begin(host, id);
  await callAs(host, "POST", event(id, "end"), {});
  vi.setSystemTime(Date.now() + DAY + MINUTE);
  const run = async () => (await eraseGuests(await testApp({ now: now() }), 1)).erased;
  await withStuckRow("UPDATE ON users", `OLD.id = ${stuck.id} AND NEW.guest_of < 0`, async () => {
    expect([await run(), await run()]).toEqual([0, 1]);
  });
  const [erased] = await db.select().from(schema.users).where(eq(schema.users.id, next.id));
  expect(erased?.firstName).toBe("");
  expect([await run(), await run()]).toContain(1);
});

test("H-24 Q-13 a muted guest who signs out, or in and out, sits in again by the same browser only after the mute, and another guest at once", async () => {
  const { host, member, id, path } = await openHouse();
  const [muted, free] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await begin(host, id);
  await callAs(host, "PATCH", seatAt(id, muted), { mute: 300 });
  const send = (address: string, form: Record<string, string>, cookie: string) =>
    ask(address, {
      method: "POST",
      redirect: "manual",
      headers: { Cookie: cookie, Origin: ORIGIN, Accept: "text/html" },
      body: new URLSearchParams(form),
    });
  /** The cookies that the browser keeps after the sign-out. */
  const signOut = async ({ loginToken }: TestUser) => {
    const answer = await send("/auth/logout", {}, `login=${loginToken}`);
    const kept = answer.headers.getSetCookie().filter((line) => /^(?:__Host-)?device=/.test(line));
    return kept.map((line) => line.split(";")[0]).join("; ");
  };
  const [ofMuted, ofFree] = [await signOut(muted), await signOut(free)];
  expect([ofMuted.length > 40, ofFree]).toEqual([true, ""]);
  const again = (cookie: string, name: string) => send(path, { intent: "sit-in", name }, cookie);
  const refused = await again(ofMuted, "Cleo");
  expect([refused.status, (await refused.text()).includes("You are muted until 00:05.")]).toEqual([
    403,
    true,
  ]);
  expect((await again(ofFree, "Dan")).status).toBe(302);
  const apart = await openHouse();
  expect((await send(apart.path, { intent: "sit-in", name: "Eve" }, ofMuted)).status).toBe(302);
  // Neither does an account in between end the mute.
  const app = await testApp({ loginToken: (await seated(apart.path, "Gus")).loginToken, now: now() });
  await begin(apart.host, apart.id);
  await callAs(apart.host, "PATCH", `${event(apart.id, "participants")}/${app.user?.username}`, {
    mute: 300,
  });
  await completeLogin(app, { ...member, deletionDueAt: null });
  const thatDevice = `device=${app.cookies.device?.token}`;
  expect((await send(apart.path, { intent: "sit-in", name: "Hal" }, thatDevice)).status).toBe(403);
  vi.setSystemTime(Date.now() + 301_000);
  expect((await again(ofMuted, "Finn")).status).toBe(302);
  // The erasure takes the recollection with it.
  vi.setSystemTime(Date.now() + 10 * MINUTE);
  await callAs(host, "POST", event(id, "end"), {});
  const devices = () => db.select().from(schema.devices).where(eq(schema.devices.userId, muted.id));
  expect(await devices()).toHaveLength(1);
  vi.setSystemTime(Date.now() + DAY + MINUTE);
  await eraseGuests(await testApp({ now: now() }));
  expect(await devices()).toEqual([]);
});

type Left = { host: TestUser; guest: TestUser; id: number };
const LEAVES = {
  "is removed": ({ host, guest, id }: Left) => callAs(host, "DELETE", seatAt(id, guest)),
  leaves: ({ guest, id }: Left) => leave(guest, id),
  "signs out": ({ guest }: Left) => callAs(guest, "POST", "/logout"),
  "goes with all": ({ host, id }: Left) => post(host, `/sessions/${id}/people`, { intent: "guests.remove" }),
};

test.each(Object.entries(LEAVES))(
  "H-19 J-05 R-83 a guest who %s leaves no hand, check, turn or presence behind, and those of others stay",
  async (_how, leaves) => {
    const part = { uuid: "r", title: "Round", duration: 60, per_participant: 1, edit_content: 1 };
    const { host, member, id, path } = await openHouse({
      parts: [{ uuid: "g", auto_start: 0, parts: [part] }],
    });
    const guest = await seated(path, "Ada");
    const last = await makeUser();
    await join(last, id);
    await begin(host, id);
    const lines = new Map<TestUser, Line>();
    for (const user of [host, member, guest, last]) lines.set(user, await joinRoom(user, id));
    await callAs(host, "POST", event(id, "parts/r/start"), {});
    for (const user of [last, guest]) {
      lines.get(user)?.say({ type: "ready", is_ready: true });
      lines.get(user)?.say({ type: "hand", is_up: true });
      await lines
        .get(host)
        ?.expect("participants", ({ participants }) =>
          participants.some((one) => one.username === user.username && one.hand != null),
        );
    }
    const view = async () => (await appOf(host, now())).rooms.of(id).view();
    // The host, the member, and then the guest, whose turn it is.
    for (const _ of [1, 2])
      expect((await callAs(host, "POST", event(id, "parts/r/next"), {})).status).toBe(200);
    const speakers = (await view()).state.schedule;
    expect(partsInOrder(speakers)[0]?.turns).toContain(guest.username);
    const answer = await leaves({ host, guest, id });
    expect(answer.status).toBeLessThan(400);
    await lines.get(guest)?.closed;
    const { state, online } = await view();
    expect(state.participants.map(({ userId }) => userId).sort((a, b) => a - b)).toEqual(
      idsOf(host, member, last),
    );
    expect(state.participants.filter(({ isReady }) => isReady).map(({ userId }) => userId)).toEqual([
      last.id,
    ]);
    expect(JSON.stringify([state.participants, state.schedule, online])).not.toContain(guest.username);
    expect(partsInOrder(state.schedule)[0]?.turns.at(-1)).toBe(last.username);
    // The next speaker has the word, and passes it on.
    expect((await callAs(last, "POST", event(id, "parts/r/pass"), {})).status).toBe(200);
    expect((await sayIn(member, id)).status).toBe(201);
  },
);

test("H-19 J-05 a guest who comes back has no hand up and no check", async () => {
  const { host, id, path } = await openHouse();
  const guest = await seated(path, "Ada");
  await begin(host, id);
  const line = await joinRoom(guest, id);
  line.say({ type: "ready", is_ready: true });
  line.say({ type: "hand", is_up: true });
  await line.expect("participants", ({ participants }) => participants.some((one) => one.hand != null));
  expect((await callAs(host, "DELETE", seatAt(id, guest))).status).toBe(204);
  await line.closed;
  expect((await join(guest, id)).status).toBe(200);
  const { state } = await (await appOf(host, now())).rooms.of(id).view();
  const seat = state.participants.find(({ userId }) => userId === guest.id);
  expect([seat?.isReady, seat?.hand ?? null]).toEqual([false, null]);
});

test("H-20 G-22 the place of a guest whose login has expired, and those of all guests, go to the waiting list", async () => {
  const { host, member, id, path } = await openHouse({ participant_limit: 4 });
  await callAs(host, "PATCH", event(id, "patch"), { challenge: { guest_limit: 2 } });
  const [first, second] = [await seated(path, "Ada"), await seated(path, "Bo")];
  const waiters = [await makeUser(), await makeUser()] as const;
  for (const waiter of waiters)
    expect((await callAs(waiter, "POST", event(id, "wait"), {})).status).toBe(200);
  await db.update(schema.logins).set({ expiresAt: now() }).where(eq(schema.logins.userId, first.id));
  await eraseGuests(await testApp({ now: now() }));
  expect(await idsIn(id)).toEqual(idsOf(host, member, second, waiters[0]));
  expect((await post(host, `${path}/people`, { intent: "guests.remove" })).status).toBe(302);
  expect(await idsIn(id)).toEqual(idsOf(host, member, ...waiters));
  expect((await sessionNow(id))?.participantsCount).toBe(4);
  expect((await sitIn(path, "Cleo")).guest).toBeNull();
});

/** The sum of what the logs of a user count, and that of the session's totals of them. */
async function countedOf({ id }: TestUser) {
  const sumOf = <K extends string>(rows: Record<K, number>[], name: K) =>
    rows.reduce((sum, row) => sum + row[name], 0);
  const rows = await db.select().from(schema.logs).where(eq(schema.logs.userId, id));
  const logs = rows.map((row) => countOf(row as never));
  const totals = await db.select().from(schema.sessionTotals).where(eq(schema.sessionTotals.userId, id));
  const names = ["amount", "distance", "duration"] as const;
  return [names.map((name) => sumOf(logs, name)), names.map((name) => sumOf(totals, name))];
}

test("H-19 H-21 R-54 S-10 the timer of a guest who was removed is theirs to stop, and stops at the latest with the erasure, counting what it counted", async () => {
  const { host, member, id, path } = await openHouse({
    tasks: [{ title: "Read", unit: "pages", amount: 20, duration: 600 }],
  });
  const [guest, gone] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await begin(host, id);
  const [goal] = await db.select().from(schema.goals).where(eq(schema.goals.sessionId, id));
  // One page is done, and counts.
  const done = [1000, 0, 0];
  const quick = { intent: "log.quick", goal: String(goal?.id), button: "" };
  expect((await post(gone, `${path}/goals`, quick)).status).toBe(302);
  expect(await countedOf(gone)).toEqual([done, done]);
  for (const user of [guest, gone, member]) {
    const started = await post(user, `${path}/goals`, { intent: "log.begin", goal: String(goal?.id) });
    expect(started.status).toBe(302);
  }
  const logsOf = async (user: TestUser) =>
    (await db.select().from(schema.logs).where(eq(schema.logs.userId, user.id))).map(({ status }) => status);
  for (const user of [guest, gone]) expect((await callAs(host, "DELETE", seatAt(id, user))).status).toBe(204);
  const [log] = await db.select().from(schema.logs).where(eq(schema.logs.userId, guest.id));
  expect((await callAs(guest, "POST", `/api/challenge-logs/${log?.id}/stop`, {})).status).toBe(200);
  // Without the seat nothing new begins.
  expect((await post(guest, `${path}/goals`, { intent: "log.begin", goal: String(goal?.id) })).status).toBe(
    404,
  );
  expect([await logsOf(guest), await logsOf(gone)]).toEqual([
    [LOG_STATUS.stopped],
    [LOG_STATUS.done, LOG_STATUS.active],
  ]);
  await callAs(host, "POST", event(id, "end"), {});
  const counted = [await countedOf(gone), await countedOf(member)];
  expect(counted[0]).toEqual([done, done]);
  vi.setSystemTime(Date.now() + DAY + MINUTE);
  await eraseGuests(await testApp({ now: now() }));
  expect(await logsOf(gone)).toEqual([LOG_STATUS.done, LOG_STATUS.stopped]);
  expect(await logsOf(member)).toEqual([LOG_STATUS.active]);
  expect([await countedOf(gone), await countedOf(member)]).toEqual(counted);
});
