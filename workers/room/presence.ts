// The people who are present in a room: those with a socket that has pinged lately. It announces them, and those
// who type, at most four times a second.

import type { Aliases } from "~/domain/room/aliases";
import { awayAt, CHECK_PINGS_EVERY } from "~/domain/room/presence";
import type { HiddenPeople } from "~/domain/safety/blocks";
import { type Instant, instant, plusMillis } from "~/domain/time";
import type { Attendance } from "./attendance";
import type { Frames } from "./frames";
import type { Listener, Sockets } from "./sockets";

/** Presence and typing are throttled to four frames a second, and to one a second in a large room. */
const FLUSH_EVERY_MS = 250;
const LARGE_ROOM = { people: 250, flushEveryMs: 1000 } as const;
const MAX_TYPING_SHOWN = 5;

/** The part of the room that presence uses. */
export type RoomForPresence = {
  now(): Instant;
  /** The last ping of a socket; null when it has sent none. */
  lastPing(socket: WebSocket): Instant | null;
  /** The aliases of hidden people. */
  aliases(hiddenPeople: HiddenPeople): Aliases;
  /** The first socket has joined, so the alarm must look at pings. */
  onFirstSocket(): void;
  /** Somebody has become present or absent. */
  onPresenceChanged(): void;
};

export class RoomPresence {
  readonly #sockets: Sockets;
  readonly #frames: Frames;
  readonly #attendance: Attendance;
  readonly #room: RoomForPresence;
  /** The people who are present, each with the number of their joined sockets that are not away. */
  readonly #present = new Map<number, { username: string; sockets: number }>();
  /** When people became present or absent. People without an entry have not changed since `#beganAt`. */
  readonly #changedAt = new Map<number, Instant>();
  readonly #beganAt: Instant;
  /** Joined sockets that are away. */
  readonly #away = new Set<WebSocket>();
  /** When the last message came from a socket. */
  readonly #lastMessageAt = new WeakMap<WebSocket, Instant>();
  /** Before this instant no further socket can be away. */
  #quietUntil: Instant | null = null;
  /** When the pings were last read. */
  #pingsReadAt: Instant | null = null;
  #typing = new Set<string>();
  /** The people in the call as last broadcast (J-02). */
  #inCall: ReadonlySet<string>;
  /** True when people have joined or left the call since the last flush. */
  #hasCallChanged = false;
  /** The online usernames as last broadcast. */
  #announced: Set<string>;
  #lastFlushAt = 0;
  #flushTimer: ReturnType<typeof setTimeout> | null = null;

  /** Clients already know of the sockets that stayed open during hibernation, so nothing is announced. */
  constructor(sockets: Sockets, frames: Frames, attendance: Attendance, room: RoomForPresence) {
    this.#sockets = sockets;
    this.#frames = frames;
    this.#attendance = attendance;
    this.#room = room;
    this.#beganAt = room.now();
    for (const [socket, listener] of sockets.all())
      if (listener.isAway) this.#away.add(socket);
      else if (listener.hasJoined) this.#count(listener, 1);
    this.#announced = new Set(this.online());
    this.#inCall = this.#callers();
  }

  // ------------------------------------------------------------------ arrivals and absences

  /** A participant's socket has joined. */
  recordJoin(listener: Listener): void {
    // Runs before the arrival counts, because a crash may have cut off this person's last interval.
    this.#attendance.endLostIntervals();
    const [now, isFirst] = [this.#room.now(), !this.isPresent(listener.userId)];
    this.#count(listener, 1);
    if (isFirst) this.#attendance.recordArrival(listener.userId, now);
    if (this.#quietUntil !== null) this.#quietUntil = instant(Math.min(this.#quietUntil, awayAt(now)));
    if (this.#sockets.joinedCount === 1) this.#room.onFirstSocket();
    if (isFirst) this.#recordPresenceChange(listener);
    this.#scheduleFlush();
  }
  /** A socket that had joined has closed. */
  recordLeaving(socket: WebSocket, listener: Listener): void {
    if (listener.isInCall) this.#scheduleCallAnnouncement();
    if (this.#away.delete(socket)) return;
    this.#count(listener, -1);
    if (!this.isPresent(listener.userId)) {
      this.#attendance.recordDeparture(listener.userId, this.#room.now());
      this.#recordPresenceChange(listener);
    }
    this.#scheduleFlush();
  }
  /** A message came from this socket. */
  recordMessage(socket: WebSocket): void {
    const now = this.#room.now();
    this.#lastMessageAt.set(socket, now);
    const listener = this.#sockets.of(socket);
    if (listener?.isAway) this.#comeBack(socket, listener, now);
  }

  /** The last sign of life of a socket. */
  #lastSeenAt(socket: WebSocket, { acceptedAt }: Listener): Instant {
    const [pingAt, messageAt] = [this.#room.lastPing(socket) ?? 0, this.#lastMessageAt.get(socket) ?? 0];
    return instant(Math.max(pingAt, messageAt, acceptedAt));
  }

  /** Reads the pings and updates who is present. Call it before code that depends on presence. */
  refresh(): void {
    const now = this.#room.now();
    this.#pingsReadAt = now;
    for (const socket of [...this.#away]) {
      const listener = this.#sockets.of(socket);
      const seenAt = listener && this.#lastSeenAt(socket, listener);
      if (listener && seenAt !== null && now < awayAt(seenAt)) this.#comeBack(socket, listener, seenAt);
    }
    if (this.#quietUntil !== null && now < this.#quietUntil) return;
    let quietUntil: Instant | null = null;
    for (const [socket, listener] of [...this.#sockets.all()]) {
      if (!listener.hasJoined || listener.isAway) continue;
      const dueAt = awayAt(this.#lastSeenAt(socket, listener));
      if (dueAt <= now) this.#goAway(socket, listener);
      else quietUntil = instant(Math.min(dueAt, quietUntil ?? dueAt));
    }
    this.#quietUntil = quietUntil;
  }
  #comeBack(socket: WebSocket, listener: Listener, at: Instant): void {
    const { isAway: _, ...presentListener } = listener;
    this.#away.delete(socket);
    this.#sockets.setListener(socket, presentListener);
    const isFirst = !this.isPresent(listener.userId);
    this.#count(presentListener, 1);
    this.#quietUntil = null;
    if (isFirst) {
      this.#attendance.recordArrival(listener.userId, at);
      this.#recordPresenceChange(listener);
    }
    this.#scheduleFlush();
  }
  #goAway(socket: WebSocket, listener: Listener): void {
    this.#away.add(socket);
    this.#sockets.setListener(socket, { ...listener, isAway: true });
    this.#count(listener, -1);
    const { userId } = listener;
    if (!this.isPresent(userId)) {
      const seenInstants = this.#sockets.joined([userId]).map((entry) => this.#lastSeenAt(...entry));
      this.#attendance.recordDeparture(userId, instant(Math.max(...seenInstants)));
      this.#recordPresenceChange(listener);
    }
    this.#scheduleFlush();
  }

  /** When the alarm must read the pings again, if nothing else wakes the room; null: no socket is open. */
  get nextPingCheckAt(): Instant | null {
    if (this.#sockets.joinedCount === 0) return null;
    return plusMillis(this.#pingsReadAt ?? this.#room.now(), CHECK_PINGS_EVERY);
  }

  // ------------------------------------------------------------------ present people

  online(): string[] {
    return [...this.#present.values()].map(({ username }) => username);
  }
  /** The online people as last broadcast; the next announcement contains the changes since. */
  get announced(): ReadonlySet<string> {
    return this.#announced;
  }
  onlineFor(hiddenPeople: HiddenPeople): string[] {
    return this.#namesFor(hiddenPeople, this.online());
  }
  isPresent(userId: number): boolean {
    return this.#present.has(userId);
  }
  /** Whether this person is present, or has pinged since this instant. */
  wasPresentSince(userId: number, since: Instant): boolean {
    return this.#sockets
      .joined([userId])
      .some(([socket, listener]) => !listener.isAway || this.#lastSeenAt(socket, listener) >= since);
  }
  /** Whether this person is present, and since when the room knows it. */
  presenceOf(userId: number): { isHere: boolean; since: Instant } {
    return { isHere: this.isPresent(userId), since: this.#changedAt.get(userId) ?? this.#beganAt };
  }
  #recordPresenceChange({ userId }: Listener): void {
    this.#changedAt.set(userId, this.#room.now());
    this.#room.onPresenceChanged();
  }
  #count({ userId, username }: Listener, change: 1 | -1): void {
    const sockets = (this.#present.get(userId)?.sockets ?? 0) + change;
    if (sockets > 0) this.#present.set(userId, { username, sockets });
    else this.#present.delete(userId);
  }

  // ------------------------------------------------------------------ announcements

  /** Announces with the next flush that this person types. */
  recordTyping(username: string): void {
    this.#typing.add(username);
    this.#scheduleFlush();
  }

  /** Throttles ephemeral updates: sends the first at once, and later ones together after the pause. */
  #scheduleFlush(): void {
    if (this.#flushTimer !== null) return;
    const pause = this.#present.size > LARGE_ROOM.people ? LARGE_ROOM.flushEveryMs : FLUSH_EVERY_MS;
    const wait = this.#lastFlushAt + pause - Date.now();
    if (wait <= 0 || wait > pause) this.#flush();
    else this.#flushTimer = setTimeout(() => this.#flush(), wait);
  }

  #flush(): void {
    this.#flushTimer = null;
    this.#lastFlushAt = Date.now();
    this.#attendance.save();
    if (this.#hasCallChanged) this.#announceCall();
    this.#hasCallChanged = false;
    const onlineNames = new Set(this.online());
    const online = [...onlineNames].filter((name) => !this.#announced.has(name));
    const offline = [...this.#announced].filter((name) => !onlineNames.has(name));
    this.#announced = onlineNames;
    const usernames = [...this.#typing].slice(0, MAX_TYPING_SHOWN);
    this.#typing.clear();
    if (online.length + offline.length > 0) {
      const message = { type: "online" as const, online, offline };
      this.#frames.broadcast([message], [message], (hiddenPeople) => [
        {
          ...message,
          online: this.#namesFor(hiddenPeople, online),
          offline: this.#namesFor(hiddenPeople, offline),
        },
      ]);
    }
    if (usernames.length > 0) {
      const message = { type: "typing" as const, usernames };
      this.#frames.broadcast([message], [message], (hiddenPeople) => {
        const visibleNames = usernames.filter((name) => !hiddenPeople.names.has(name));
        return visibleNames.length === 0 ? [] : [{ ...message, usernames: visibleNames }];
      });
    }
  }

  /** Names as a viewer sees them, without hidden people who have just left. */
  #namesFor(hiddenPeople: HiddenPeople, names: readonly string[]): string[] {
    const aliases = this.#room.aliases(hiddenPeople);
    return names.flatMap((name) => aliases.get(name) ?? (hiddenPeople.names.has(name) ? [] : name));
  }

  // ------------------------------------------------------------------ the call

  /** "Join the call" was pressed on this page. */
  enterCall(socket: WebSocket): void {
    const listener = this.#sockets.of(socket);
    if (!listener || listener.isInCall) return;
    this.#sockets.setListener(socket, { ...listener, isInCall: true });
    this.#scheduleCallAnnouncement();
  }
  /** Removes everybody from the call, because its address has changed. */
  emptyCall(): void {
    for (const [socket, { isInCall, ...listener }] of [...this.#sockets.all()])
      if (isInCall) this.#sockets.setListener(socket, listener);
    this.#scheduleCallAnnouncement();
  }
  inCallFor(hiddenPeople: HiddenPeople | null): string[] {
    const names = [...this.#inCall];
    return hiddenPeople ? this.#namesFor(hiddenPeople, names) : names;
  }
  #callers(): ReadonlySet<string> {
    const entries = [...this.#sockets.all()];
    return new Set(entries.flatMap(([, { isInCall, username }]) => (isInCall ? username : [])));
  }
  #scheduleCallAnnouncement(): void {
    this.#hasCallChanged = true;
    this.#scheduleFlush();
  }
  #announceCall(): void {
    const callers = this.#callers();
    const joinedNames = [...callers].filter((name) => !this.#inCall.has(name));
    const leftNames = [...this.#inCall].filter((name) => !callers.has(name));
    this.#inCall = callers;
    if (joinedNames.length + leftNames.length === 0) return;
    const message = { type: "in_call" as const, joined: joinedNames, left: leftNames };
    this.#frames.broadcast([message], [], (hiddenPeople) => [
      {
        ...message,
        joined: this.#namesFor(hiddenPeople, joinedNames),
        left: this.#namesFor(hiddenPeople, leftNames),
      },
    ]);
  }
}
