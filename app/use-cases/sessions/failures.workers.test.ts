// Failures around a session: of the database at any statement of a payment path (all or nothing, and a retry completes
// it), and of the room (the record is shown).
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { db, makeUser, NOW, type TestUser } from "#tests/support/factories";
import { failingD1 } from "#tests/support/failing-d1";
import { balanceOf, makeActivity, seatsOf, sessionNow } from "#tests/support/sessions";
import { createApp } from "#workers/create-app";
import { SessionInput } from "~/domain/sessions/input";
import type { App } from "~/use-cases/app.server";
import { createNote } from "~/use-cases/goals/notes.server";
import type { Room } from "~/use-cases/ports.server";
import { createPost } from "~/use-cases/sessions/posts.server";
import { createSession } from "./create.server";
import { logInSession } from "./logs.server";
import { joinSession, leaveSession, removeParticipant } from "./people.server";
import { cancelUpcoming, deleteSession, endSession } from "./run.server";
import { viewSession, viewSessionChat } from "./views.server";

const noRoom = (): Promise<never> => Promise.reject(new Error("the room does not answer"));
const silent: Room = {
  refresh: noRoom,
  change: noRoom,
  view: noRoom,
  messages: noRoom,
  endLogins: noRoom,
  linesOf: noRoom,
  writtenBy: noRoom,
  eraseAuthor: noRoom,
  copyChat: noRoom,
  followLogs: noRoom,
  closeSpectators: noRoom,
};

/** An App whose room never answers. */
async function appFor(user: TestUser, d1: D1Database = env.DB): Promise<App> {
  const { app } = await createApp(
    { ...env, DB: d1 },
    { loginToken: user.loginToken, now: NOW, defer: (work) => void work.catch(() => {}) },
  );
  return { ...app, rooms: { of: () => silent, hasOpened: () => true } };
}
const draft = (over: object = {}) =>
  SessionInput.parse({ title: "Failing", isManuallyStarted: true, duration: 600, ...over });

type People = { host: TestUser; guest: TestUser; session: number };
/** Adds a goal with a note of the host and a running timer of the guest. */
async function addGoalRecords({ host, guest, session }: People): Promise<void> {
  const uuid = crypto.randomUUID();
  const goal = { uuid, title: "Read", unit: "pages", position: 0, createdAt: NOW, updatedAt: NOW };
  const [row] = await db
    .insert(schema.goals)
    .values({ ...goal, userId: host.id, sessionId: session })
    .returning();
  await createNote(await appFor(host), { title: "Molly", goalId: row?.id });
  await logInSession(await appFor(guest), { session, sessionGoalUuid: uuid, status: 1, amount: 10_000 });
}
/** Title and status of the guest's log, and the ties of log and note. */
async function goalRecords({ host, guest }: People) {
  const [log] = await db.select().from(schema.logs).where(eq(schema.logs.userId, guest.id));
  const [note] = await db.select().from(schema.notes).where(eq(schema.notes.userId, host.id));
  const ties = [log?.goalId, log?.sessionId, note?.goalId].map((id) => typeof id === "number");
  return [log?.title, log?.status, ...ties];
}
const TIED = ["", 1, true, true, true];
const KEPT = ["Read (pages)", 4, false, false, false];

describe("B-12 a database that fails at each single statement", () => {
  const paths: {
    name: string;
    isHosts?: boolean;
    hasGuest?: boolean;
    /** Adds records to the session. */
    prepare?(people: People): Promise<unknown>;
    /** Holds at any time after the failure. */
    holds?(people: People): Promise<void>;
    run(app: App, people: People): Promise<unknown>;
    /** The balances of host and guest at the end. */
    after: { host: number; guest: number; seats: number };
  }[] = [
    {
      name: "joining",
      run: (app, { session }) => joinSession(app, { session }),
      after: { host: 900, guest: 900, seats: 2 },
    },
    {
      name: "leaving",
      hasGuest: true,
      run: (app, { session }) => leaveSession(app, { session }),
      after: { host: 900, guest: 1000, seats: 1 },
    },
    {
      name: "removing",
      isHosts: true,
      hasGuest: true,
      run: (app, { session, guest }) => removeParticipant(app, { session, username: guest.username }),
      after: { host: 900, guest: 1000, seats: 1 },
    },
    {
      name: "cancelling",
      isHosts: true,
      hasGuest: true,
      run: (app, { session }) => endSession(app, { session }),
      after: { host: 1000, guest: 1000, seats: 2 },
    },
    {
      name: "deleting",
      isHosts: true,
      hasGuest: true,
      prepare: addGoalRecords,
      // Records leave a goal only with their session.
      holds: async (people) =>
        expect(await goalRecords(people)).toEqual((await sessionNow(people.session)) ? TIED : KEPT),
      run: (app, { session }) => deleteSession(app, { session }),
      after: { host: 999, guest: 999, seats: 0 },
    },
    {
      name: "posting",
      hasGuest: true,
      run: (app, { session }) =>
        createPost(app, { session, content: "Hello", uuid: "00000000-0000-4000-8000-000000000001" }),
      after: { host: 900, guest: 899, seats: 2 },
    },
  ];

  test.each(paths)("B-12 B-14 $name leaves all or nothing, and a retry completes it", async (path) => {
    for (const when of ["before", "after"] as const)
      for (let at = 1; at <= 40; at++) {
        const [host, guest] = [await makeUser(), await makeUser()];
        const made = await createSession(await appFor(host), draft());
        const session = made.session.id;
        if (path.hasGuest) await joinSession(await appFor(guest), { session });
        await path.prepare?.({ host, guest, session });
        const actor = path.isHosts ? host : guest;
        const failing = failingD1(env.DB, { at, when });
        // The login is read first: if that fails the user is a visitor, and nothing happens.
        let failed = true;
        try {
          await path.run(await appFor(actor, failing.d1), { host, guest, session });
          failed = false;
        } catch {}
        // The ledger balances in every case.
        await balanceOf(host);
        await balanceOf(guest);
        // A deleted session has neither.
        const counted = (await sessionNow(session))?.participantsCount ?? 0;
        expect(counted).toBe((await seatsOf(session)).length);
        await path.holds?.({ host, guest, session });
        if (failed)
          await path
            .run(await appFor(actor), { host, guest, session })
            // It had taken effect; only its answer was lost.
            .catch((error: { code?: string }) => expect(["CONFLICT", "NOT_FOUND"]).toContain(error.code));
        expect({
          host: await balanceOf(host),
          guest: await balanceOf(guest),
          seats: (await seatsOf(session)).length,
        }).toEqual(path.after);
        await path.holds?.({ host, guest, session });
        if (!failing.counter.hasFailed) break;
        // Every statement has had its failure.
        expect(at).toBeLessThan(40);
      }
  });

  test("B-12 B-06 creating a session leaves all or nothing, and a repeat creates it once", async () => {
    const activity = await makeActivity(await makeUser());
    for (const when of ["before", "after"] as const)
      for (let at = 1; at <= 40; at++) {
        const host = await makeUser();
        const input = draft({
          uuid: crypto.randomUUID(),
          activityId: activity.id,
          goals: [{ title: "Read" }],
        });
        const failing = failingD1(env.DB, { at, when });
        await appFor(host, failing.d1)
          .then((app) => createSession(app, input))
          .catch(() => {});
        await balanceOf(host);
        const { session } = await createSession(await appFor(host), input);
        expect(await balanceOf(host)).toBe(900);
        expect((await seatsOf(session.id)).length).toBe(1);
        if (!failing.counter.hasFailed) break;
        // Every statement has had its failure.
        expect(at).toBeLessThan(40);
      }
  });
});

test("L-06 without its room a session is still created, joined, shown and left", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { session } = await createSession(await appFor(host), draft({ goals: [{ title: "Read" }] }));
  const joined = await joinSession(await appFor(guest), { session: session.id });
  expect(joined.me.isJoined).toBe(true);
  const seen = await viewSession(await appFor(guest), { session: session.id });
  expect(seen.participants.map(({ username }) => username)).toEqual([host.username, guest.username]);
  expect(seen.goals.map(({ goal }) => goal.title)).toEqual(["Read"]);
  expect((await viewSessionChat(await appFor(guest), { session: session.id })).messages).toEqual([]);
  expect((await leaveSession(await appFor(guest), { session: session.id })).isJoined).toBe(false);
});

test("B-14 a session whose room has begun a run is not cancelled, even if the record does not know it yet", async () => {
  const host = await makeUser();
  const { session } = await createSession(await appFor(host), draft());
  const app = await appFor(host);
  const row = await sessionNow(session.id);
  if (!row) throw new Error("no session");
  const running: Room = {
    ...silent,
    view: async () =>
      ({
        now: NOW,
        online: [],
        messages: [],
        state: {
          ...row,
          sessionId: row.id,
          seq: 9,
          participants: [],
          contributions: [],
          startedAt: NOW,
          endedAt: null,
          runBegunAt: NOW,
        },
      }) as never,
    change: async (change) => Promise.reject(new Error(`asked the room to ${change.type}`)),
  };
  await expect(
    endSession({ ...app, rooms: { of: () => running, hasOpened: () => true } }, { session: session.id }),
  ).rejects.toThrow("asked the room to end");
  expect(await balanceOf(host)).toBe(900);
});

test("R-15 a deletion that others outrun leaves logs and notes on their goals", async () => {
  const people = { host: await makeUser(), guest: await makeUser(), session: 0 };
  people.session = (await createSession(await appFor(people.host), draft())).session.id;
  await joinSession(await appFor(people.guest), people);
  await addGoalRecords(people);
  const app = await appFor(people.host);
  const change = env.DB.prepare("UPDATE sessions SET room_version = room_version + 1 WHERE id = ?");
  const view = async () => {
    await change.bind(people.session).run();
    return noRoom();
  };
  app.rooms = { of: () => ({ ...silent, view }), hasOpened: () => true };
  await expect(deleteSession(app, people)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await goalRecords(people)).toEqual(TIED);
});

test("Q-18 a cancellation is tried eight times while its session changes elsewhere", async () => {
  const cancelled = async (changes: number) => {
    const app = await appFor(await makeUser());
    const { id } = (await createSession(app, draft())).session;
    let left = changes;
    const view = async () => {
      if (left-- > 0)
        await env.DB.prepare("UPDATE sessions SET updated_at = updated_at + 1 WHERE id = ?").bind(id).run();
      return noRoom();
    };
    app.rooms = { of: () => ({ ...silent, view }), hasOpened: () => true };
    return cancelUpcoming(app, id).then(
      () => "cancelled",
      ({ code }) => code,
    );
  };
  expect([await cancelled(7), await cancelled(8)]).toEqual(["cancelled", "CONFLICT"]);
});
