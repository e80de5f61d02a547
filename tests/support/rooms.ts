// Sessions with seats in D1, and a client of the room's socket, for room tests.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, type SQL } from "drizzle-orm";
import { afterEach, beforeEach, vi } from "vitest";
import { schema } from "#db/connect.server";
import { Attendance } from "#workers/room/attendance";
import { Frames } from "#workers/room/frames";
import { pings } from "#workers/room/pings";
import { RoomPresence } from "#workers/room/presence";
import { Sockets } from "#workers/room/sockets";
import { RoomStore } from "#workers/room/store";
import type { RoomActor, RoomChange } from "~/domain/room/room";
import type { HiddenPeople } from "~/domain/safety/blocks";
import {
  emptySchedule,
  layOut,
  newPart,
  newPartGroup,
  partsInOrder,
  type Schedule,
} from "~/domain/schedule/schedule";
import { type Instant, instant, plusSeconds, type Seconds, seconds } from "~/domain/time";
import type { ClientMessage } from "~/wire/room/messages";
import { type Operation, PONG } from "~/wire/room/room";
import { ask, ORIGIN } from "./ask";
import { MIDNIGHT } from "./clock";
import { appOf, db, type TestUser } from "./factories";

/** The clock of room tests starts here, at midnight. */
export const ROOM_NOW = MIDNIGHT;

/**
 * Starts every test of the file at ROOM_NOW; the returned function moves the clock. Open pages ping all the time, unless
 * a test says otherwise.
 */
export function useRoomClock(): (ms: number) => void {
  beforeEach(() => {
    vi.setSystemTime(ROOM_NOW);
    vi.spyOn(pings, "lastOf").mockImplementation(() => instant(Date.now()));
  });
  afterEach(() => void vi.restoreAllMocks());
  return (ms) => void vi.setSystemTime(ms);
}

/** The sockets of a room without rules, and what it sends them. */
export function bareRoom(ctx: DurableObjectState, { isLimited = false, hidden = () => null }: BareRoom = {}) {
  const sockets: Sockets = new Sockets(
    ctx,
    {
      joined: (_, listener) => presence.recordJoin(listener),
      left: (socket, listener) => presence.recordLeaving(socket, listener),
    },
    isLimited,
  );
  const frames = new Frames(sockets, { save: () => {}, hasCode: () => false, hidden });
  const now = () => instant(Date.now());
  const store = new RoomStore(ctx.storage);
  const isPresent = (userId: number) => presence.isPresent(userId);
  const attendance = new Attendance(store, { now, isOpen: () => false, isPresent });
  const presence: RoomPresence = new RoomPresence(sockets, frames, attendance, {
    now,
    lastPing: () => now(),
    aliases: () => new Map(),
    onFirstSocket: () => {},
    onPresenceChanged: () => {},
  });
  return { sockets, frames, presence };
}
type BareRoom = { isLimited?: boolean; hidden?: () => ReadonlyMap<number, HiddenPeople> | null };

/** The Durable Object of a session. */
export const stubOf = (id: number) => env.ROOMS.get(env.ROOMS.idFromName(String(id)));

export const actorOf = (user: Pick<TestUser, "id" | "username">, isSuperAdmin = false): RoomActor => ({
  userId: user.id,
  username: user.username,
  isSuperAdmin,
});

/** The instant of the room's alarm; null: none is set. */
export const alarmOf = (id: number) => runInDurableObject(stubOf(id), (_, { storage }) => storage.getAlarm());

/** The session's row in D1. */
export async function recordOf(id: number) {
  const [row] = await db.select().from(schema.sessions).where(eq(schema.sessions.id, id));
  if (!row) throw new Error("no such session");
  return row;
}
/** The state of the first part in a record of a session. */
export const firstPartOf = ({ schedule }: { schedule: Schedule }) => partsInOrder(schedule)[0]?.state;
/** A change of the first part of `partsOf`. */
export const controlOf = (by: TestUser, action: "pause" | "resume"): RoomChange => ({
  type: "control-part",
  by: actorOf(by),
  partId: "p1",
  action,
});

/** Sends a line by the room's own call; its number. */
export async function sayInRoom(id: number, user: TestUser, content: string): Promise<number> {
  const nonce = crypto.randomUUID();
  const said = await stubOf(id).change(id, { type: "say", by: actorOf(user), content, nonce });
  if (!said.ok) throw new Error(said.message);
  return said.value.messages.at(-1)?.seq ?? 0;
}

type Plan = {
  startedAt?: Instant | null;
  duration?: number;
  schedule?: Schedule;
  isManuallyStarted?: boolean;
};

/** Linked parts that start automatically, with these lengths in seconds. */
export const partsOf = (...durations: number[]): Schedule => ({
  groups: [
    newPartGroup("g1", {
      parts: durations.map((span, i) =>
        newPart(`p${i + 1}`, { title: `Part ${i + 1}`, duration: seconds(span) }),
      ),
    }),
  ],
});

/** Inserts a seat, and nothing else that joining does. */
export const putSeat = (
  sessionId: number | SQL<number>,
  user: TestUser,
  joinedAt: number,
  over: Partial<typeof schema.participants.$inferInsert> = {},
) =>
  db.insert(schema.participants).values({
    sessionId,
    userId: user.id,
    personId: user.personId,
    username: user.username,
    seat: crypto.randomUUID(),
    paidBy: user.id,
    joinedAt: instant(joinedAt),
    ...over,
  });

let count = 0;
/** The first of `people` is the host. */
export async function makeSession(
  people: TestUser[],
  plan: Plan & { now: Instant },
): Promise<{ id: number; slug: string }> {
  const [host] = people;
  if (!host) throw new Error("a session needs a host");
  const { now, startedAt = null, duration = 3600 } = plan;
  const slug = `session-${++count}-${crypto.randomUUID().slice(0, 8)}`;
  const [made] = await db
    .insert(schema.sessions)
    .values({
      slug,
      title: "A session",
      ownerId: host.id,
      startedAt,
      endedAt: startedAt === null ? null : plusSeconds(startedAt, duration),
      duration: duration as Seconds,
      isManuallyStarted: plan.isManuallyStarted ?? startedAt === null,
      participantsCount: people.length,
      schedule: layOut(plan.schedule ?? emptySchedule(), startedAt, people.length),
      createdAt: now,
      updatedAt: now,
    })
    .returning({ id: schema.sessions.id });
  const id = made?.id ?? 0;
  await db.insert(schema.slugs).values({ slug, kind: "session", targetId: id });
  for (const [i, person] of people.entries()) {
    await putSeat(id, person, plusSeconds(now, i), i === 0 ? { role: 1, isHost: true } : {});
  }
  return { id, slug };
}

/** Inserts this many more seats straight into D1; their names have the maximum length. */
export async function seatCrowd(sessionId: number, people: number): Promise<void> {
  const name = `crowd-${crypto.randomUUID().slice(0, 8)}`;
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO users (email, username, password_hash, created_at, updated_at)
       SELECT ?1 || i || '@example.com', ?1 || printf('%016d', i), 'none', 1, 1 FROM n`,
    ).bind(name, people),
    env.DB.prepare(
      `INSERT INTO participants (session_id, user_id, person_id, username, role, is_host, seat, paid_by, joined_at)
       SELECT ?2, id, id, username, 0, 0, 'crowd:' || id, id, ?3 FROM users WHERE username LIKE ?1 || '%'`,
    ).bind(name, sessionId, ROOM_NOW),
    env.DB.prepare("UPDATE sessions SET participants_count = participants_count + ?2 WHERE id = ?1").bind(
      sessionId,
      people,
    ),
  ]);
}

/** A session that its host has started, and the way to its room. */
export async function runningRoom(people: TestUser[], schedule: Schedule, duration: number) {
  const [host] = people;
  if (!host) throw new Error("nobody");
  const { id } = await makeSession(people, { now: ROOM_NOW, schedule, duration });
  const room = (await appOf(host)).rooms.of(id);
  await room.change({ type: "start", by: actorOf(host) });
  return { id, host, room };
}

export type Line = {
  socket: WebSocket;
  /** Every operation received so far. */
  heard: Operation[];
  frames: number;
  say(message: ClientMessage): void;
  /** Resolves with the first matching operation, already received or future. */
  expect<T extends Operation["type"]>(
    type: T,
    fits?: (op: Extract<Operation, { type: T }>) => boolean,
  ): Promise<Extract<Operation, { type: T }>>;
  closed: Promise<{ code: number }>;
};

/** A spectator's socket; a visitor's without a user. */
export const watchRoom = (sessionId: number, user: TestUser | null = null): Promise<Line> =>
  openLine(user, sessionId, {}, "?watch=1");

export async function openLine(
  user: TestUser | null,
  sessionId: number,
  headers: Record<string, string> = {},
  query = "",
): Promise<Line> {
  const cookie: Record<string, string> = user ? { Cookie: `login=${user.loginToken}` } : {};
  const answer = await ask(`/sessions/${sessionId}/socket${query}`, {
    headers: { Upgrade: "websocket", Origin: ORIGIN, ...cookie, ...headers },
  });
  const socket = answer.webSocket;
  if (!socket) throw new Error(`no socket: ${answer.status} ${await answer.text()}`);
  const waiting = new Set<() => void>();
  const line: Line = {
    socket,
    heard: [],
    frames: 0,
    say: (message) => socket.send(JSON.stringify(message)),
    expect: (type, fits = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const found = line.heard.find((op) => op.type === type && fits(op as never));
          if (!found) return;
          waiting.delete(look);
          resolve(found as never);
        };
        waiting.add(look);
        look();
      }),
    closed: new Promise((resolve) =>
      socket.addEventListener("close", (event) => resolve({ code: event.code })),
    ),
  };
  socket.addEventListener("message", (event) => {
    if (event.data === PONG) return;
    line.frames++;
    line.heard.push(...(JSON.parse(String(event.data)) as Operation[]));
    for (const look of waiting) look();
  });
  socket.accept();
  return line;
}

/** Opens a socket and joins; resolves when the welcome and the history have come. */
export async function joinRoom(user: TestUser, sessionId: number, since?: number): Promise<Line> {
  const query = `?username=${user.username}${since === undefined ? "" : `&since=${since}`}`;
  const line = await openLine(user, sessionId, {}, query);
  await line.expect("history");
  return line;
}
