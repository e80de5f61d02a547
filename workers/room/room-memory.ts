// The state of a room, in memory and on disk; a change is made in memory first. Then `flush` saves it in one
// transaction, sets the alarm and releases the frames, so every broadcast change is durable.

import {
  type Aliases,
  aliasesIn,
  type BlockPair,
  type Hidden,
  hiddenByUser,
  roomSeenBy,
  turnsSeenBy,
} from "~/domain/blocks";
import { mutesSeenBy } from "~/domain/chat";
import { type ChatCopy, newestIn, nightAfter } from "~/domain/chat-copy";
import { AppError } from "~/domain/errors";
import { mentionsIn } from "~/domain/mentions";
import { arrive, depart, lose, type Presence } from "~/domain/presence";
import { type Recap, recapOf } from "~/domain/recap";
import type { AuthoredMessage, RoomActor, RoomParticipant, RoomState, RoomTopic } from "~/domain/room";
import { advanceRoom, nextDueAt, withHost } from "~/domain/room-advance";
import { seenFromOutside } from "~/domain/room-outside";
import type { Unrecorded } from "~/domain/room-record";
import { partsInOrder } from "~/domain/schedule-shape";
import { statusAt } from "~/domain/session-status";
import { renamed } from "~/domain/session-texts";
import { type Instant, instant, plusMillis, SECOND } from "~/domain/time";
import {
  CLOSE,
  type MuteWire,
  mutesOut,
  type Operation,
  operationsOf,
  participantOut,
  ROSTER_PAGE,
  removedOut,
  snapshotOut,
} from "~/wire/room";
import { limitsApply } from "../adapters/attempts";
import { LONGEST_TICKET } from "../adapters/tickets";
import type { ObjectsEnv } from "../env";
import type { LineChange, StoredLine } from "./line-store";
import { isRowNew, RoomStore, STALE, type StoredRoom, stampPeople } from "./room-store";
import { type Identity, type SeenBy, Sockets } from "./sockets";

/** Backoff when D1 does not answer: the first wait and the longest. */
const RETRY = { first: 5 * SECOND, longest: 300 * SECOND } as const;
/** How long a serialised snapshot is reused; its measured spans are at most this old. */
const WORDS_LAST_MS = 250;

const UNRECORDED_OF: Record<RoomTopic, Unrecorded | null> = {
  status: "parts",
  parts: "parts",
  content: "texts",
  summary: "texts",
  "slow-mode": null,
  mutes: null,
  participants: null,
  access: null,
  "needs-host": null,
};

export class RoomMemory {
  readonly store: RoomStore;
  readonly sockets: Sockets;
  /** When chat needs the alarm: a block that was reserved early must return. */
  alsoDueAt: () => Instant | null = () => null;
  readonly #ctx: DurableObjectState;
  #current: StoredRoom | null;
  /** The state on disk. */
  #written: StoredRoom | null;
  #lines: StoredLine[] = [];
  /** Writes that belong in the same transaction as the lines. */
  #more: (() => void)[] = [];
  #dueAt: Instant | null = null;
  #alarmAt: number | null | undefined;
  #failures = 0;
  #isPresenceChecked = false;
  /** Arrivals and departures that are not on disk yet: those of a quarter of a second share a transaction. */
  readonly #moved = new Map<number, { presence: Presence; at: Instant }>();
  #history: { seq: number; from: number; madeAt: number; words: string } | null = null;
  /** Counts changes of lines that a copy may hold, to find those made while a copy is written. */
  #changes = 0;
  /** The people hidden from each other, derived from `of`; null in a room without blocks. */
  #hidden: { of: StoredRoom; byUser: ReadonlyMap<number, Hidden> | null } | null = null;
  #words: Words | null = null;
  /** The same for people without a seat, who see less when the session has a join code. */
  #outsideWords: Words | null = null;

  constructor(ctx: DurableObjectState, env: ObjectsEnv) {
    this.#ctx = ctx;
    this.store = new RoomStore(ctx.storage);
    this.sockets = new Sockets(
      ctx,
      {
        save: () => this.#save(),
        hasCode: () => this.#current?.state.hasCode ?? true,
        hidden: () => this.#hiddenByUser(),
        aliases: (hidden) => this.#aliases(hidden),
        arrived: (userId) => this.#movePresence(userId, arrive),
        departed: (userId) => this.#movePresence(userId, depart),
        savePresence: () => this.#savePresence(),
      },
      limitsApply(env),
    );
    this.#current = this.#written = this.store.read();
    // A room without storage has no alarm to delete, either.
    if (this.#current === null) this.#alarmAt = null;
    this.#look();
  }

  now(): Instant {
    return instant(Date.now());
  }

  /** False when the login has ended; the socket is then closed. */
  accept(socket: WebSocket, identity: Identity): boolean {
    this.sockets.accept(socket, identity);
    if (!this.store.hasLoginEnded(identity.loginHash, this.now())) return true;
    this.sockets.close(socket, CLOSE.signedOut, "signed out");
    return false;
  }
  /** Closes the sockets of these logins, and remembers the logins while a ticket of them may be valid. */
  endLogins(loginHashes: readonly string[]): void {
    const now = this.now();
    this.store.endLogins(loginHashes, plusMillis(now, LONGEST_TICKET), now);
    this.sockets.endLogins(loginHashes);
  }

  get current(): StoredRoom | null {
    return this.#current;
  }
  need(): StoredRoom {
    if (!this.#current) throw new AppError("NOT_FOUND", "There is no such session.");
    return this.#current;
  }

  /** As the rule of the same name, without a search through the roster. */
  seatOf({ userId }: RoomActor): RoomParticipant | null {
    const stored = this.need().people.get(userId);
    return stored && !stored.isGone ? stored.person : null;
  }

  /** The state at this instant. Changes that were due meanwhile are committed first. */
  upToDate(): RoomState {
    this.noteHost();
    const { state } = this.need();
    const now = this.now();
    if (this.#dueAt === null || now < this.#dueAt) return state;
    const { state: next, topics } = advanceRoom(state, now);
    if (topics.length > 0) this.commit(next, topics, topics);
    else this.#look();
    return this.need().state;
  }

  /** A closed room keeps its attendance, and records nobody. */
  #movePresence(userId: number, move: (presence: Presence, now: Instant) => Presence): void {
    if (this.#current?.state.closedAt !== null) return;
    this.findLost();
    const [before, now] = [this.#presenceOf(userId), this.now()];
    const after = move(before, now);
    if (after !== before) this.#moved.set(userId, { presence: after, at: now });
  }
  #presenceOf(userId: number): Presence {
    return this.#moved.get(userId)?.presence ?? this.store.presenceOf(userId);
  }
  #savePresence(): void {
    if (this.#moved.size > 0) this.store.transaction(() => this.#writePresence());
  }
  #writePresence(): void {
    for (const [userId, { presence, at }] of this.#moved) this.store.setPresence(userId, presence, at);
    this.#moved.clear();
  }

  /** Once per process: ends the intervals of people whose sockets a crash has cut (G-25). */
  findLost(): void {
    if (this.#isPresenceChecked) return;
    this.#isPresenceChecked = true;
    const [now, stored] = [this.now(), this.#current ? this.store.storedUntil() : null];
    if (stored === null) return;
    for (const [userId, presence] of this.store.listPresence()) {
      if (this.sockets.isHere(userId)) continue;
      const lost = lose(presence, stored, now);
      if (lost !== presence) this.store.setPresence(userId, lost, now);
    }
  }

  /** This person gave up the seat. Before the start that does not count as missed (G-26). */
  noteLeft(userId: number): void {
    const { state } = this.need();
    const now = this.now();
    if (statusAt(state, now) !== 1) return;
    this.#moved.set(userId, { presence: { ...depart(this.#presenceOf(userId), now), leftAt: now }, at: now });
    this.#savePresence();
  }

  /** The recap of the room in this final state; null if the session never ran. */
  recapOf(state: RoomState): Recap | null {
    this.findLost();
    this.flush();
    this.#savePresence();
    const presence = this.store.listPresence();
    const gone = [...this.need().people.values()].flatMap(({ person, isGone }) =>
      isGone ? [person.userId] : [],
    );
    return recapOf(state, { presence, gone, lines: this.store.lines.countMessages() });
  }

  /** Notes that a host or admin is here (G-31). Call it when a socket joins and before it closes. */
  noteHost(): void {
    if (!this.#current?.state.needsHost) return;
    const { state } = this.#current;
    const next = withHost(state, new Set(this.sockets.online()), this.now());
    if (next !== state) this.commit(next, [], []);
  }

  /** The first state of a room without storage, with the chat of its copy if it has lost one. */
  begin(first: RoomState, hiding: readonly BlockPair[], copy: ChatCopy | null): void {
    const seq = Math.max(first.seq, copy?.seq ?? 0);
    const state = { ...first, seq };
    const seated = stampPeople(new Map(), state.participants, seq);
    const gone = (copy?.gone ?? []).filter(({ userId }) => !seated.has(userId));
    const saidSeq = copy ? newestIn(copy) : 0;
    this.#current = {
      state,
      runSeq: seq,
      textsSeq: seq,
      people: new Map([
        ...seated,
        ...gone.map((person) => [person.userId, { person, seq, isGone: true }] as const),
      ]),
      hiding,
      hidingSeq: hiding.length > 0 ? seq : -1,
      unrecorded: new Set(),
      saidSeq,
      copiedSeq: saidSeq,
      uncopiedSince: null,
    };
    if (copy) this.#more.push(() => this.store.addChat(copy));
    this.#look();
  }

  // ------------------------------------------------------------------ blocks between people

  /** The people hidden from this user; null: nobody. */
  hiddenFrom(userId: number): Hidden | null {
    return this.#hiddenByUser()?.get(userId) ?? null;
  }

  /** Stores D1's pairs. Answers the users whose view of others has changed, who need a fresh welcome. */
  setHiding(pairs: readonly BlockPair[]): number[] {
    const before = this.need();
    const keyOf = ({ userId, blockedId }: BlockPair) => `${userId} ${blockedId}`;
    const [old, fresh] = [new Set(before.hiding.map(keyOf)), new Set(pairs.map(keyOf))];
    const changed = [...before.hiding, ...pairs].filter(
      (pair) => old.has(keyOf(pair)) !== fresh.has(keyOf(pair)),
    );
    if (changed.length === 0) return [];
    const seq = before.state.seq + 1;
    this.#current = { ...before, state: { ...before.state, seq }, hiding: pairs, hidingSeq: seq };
    return [...new Set(changed.flatMap(({ userId, blockedId }) => [userId, blockedId]))];
  }

  #hiddenByUser(): ReadonlyMap<number, Hidden> | null {
    const current = this.#current;
    if (current === null || current.hiding.length === 0) return null;
    const last = this.#hidden;
    if (last?.of.hiding === current.hiding && last.of.people === current.people) return last.byUser;
    const nameOf = (userId: number) => current.people.get(userId)?.person.username;
    const byUser = hiddenByUser(current.hiding, (userId) => nameOf(userId) ?? "");
    this.#hidden = { of: current, byUser };
    return byUser;
  }

  #aliases(hidden: Hidden): Aliases {
    return aliasesIn(this.need().state, hidden);
  }

  /** An author's operation as each viewer sees it; undefined in a room without blocks. */
  #unlessHidden(author: number, operation: Operation): SeenBy | undefined {
    if (this.#hiddenByUser() === null) return undefined;
    return (hidden) => (hidden.ids.has(author) ? [] : [operation]);
  }

  /** A change of the room as each viewer sees it; undefined in a room without blocks. */
  #changeSeen(topics: readonly RoomTopic[], before: RoomState, after: RoomState): SeenBy | undefined {
    if (this.#hiddenByUser() === null) return undefined;
    const now = this.now();
    const isRosterNew = topics.includes("participants");
    // The alias of a hidden person contains the position in the roster, so a changed roster renames turns too.
    const told = isRosterNew ? [...new Set([...topics, "parts" as const])] : topics;
    return (hidden) => {
      const operations = operationsOf(told, roomSeenBy(before, hidden), roomSeenBy(after, hidden), now);
      if (!isRosterNew) return operations;
      const [old, fresh] = [aliasesIn(before, hidden), aliasesIn(after, hidden)];
      const online = this.sockets.online().flatMap((name) => fresh.get(name) ?? []);
      return [...operations, { type: "online", online, offline: [...old.values()] }];
    };
  }

  /** Broadcasts `topics`, and marks those of `toRecord` as not yet in D1. A new completion is always marked. */
  commit(changed: RoomState, topics: readonly RoomTopic[], toRecord: readonly RoomTopic[]): void {
    const before = this.need();
    const seq = before.state.seq + 1;
    const state = { ...changed, seq };
    const unrecorded = new Set(before.unrecorded);
    for (const topic of toRecord) {
      const what = UNRECORDED_OF[topic];
      if (what) unrecorded.add(what === "parts" && areDatesNew(before.state, state) ? "run" : what);
    }
    if (isCompletionNew(before.state, state)) unrecorded.add("people");
    if (before.state.contributions !== state.contributions) unrecorded.add("contributions");
    if (state.startedBy != null && before.state.startedBy == null) unrecorded.add("start");
    const isTextNew = topics.includes("content") || topics.includes("summary");
    const arePeopleNew = before.state.participants !== state.participants;
    const isRunNew = topics.includes("status") || topics.includes("parts") || !(isTextNew || arePeopleNew);
    this.#current = {
      ...before,
      state,
      runSeq: isRunNew ? seq : before.runSeq,
      textsSeq: isTextNew ? seq : before.textsSeq,
      people: arePeopleNew ? stampPeople(before.people, state.participants, seq) : before.people,
      unrecorded: unrecorded.size > before.unrecorded.size ? unrecorded : before.unrecorded,
    };
    this.#look();
    const operations = operationsOf(topics, before.state, state, this.now());
    this.sockets.broadcast(
      operations,
      state.hasCode
        ? operationsOf(topics, seenFromOutside(before.state), seenFromOutside(state), this.now())
        : operations,
      this.#changeSeen(topics, before.state, state),
    );
    if (topics.includes("mutes") || (topics.includes("participants") && state.mutes.length > 0))
      this.sockets.tellEach((listener) => ({ type: "mutes", mutes: this.mutesFor(listener) }));
    if (topics.includes("access")) this.sockets.closeOnlookers(CLOSE.changed, "listen again");
  }

  /** The mutes that this person may see, under the names that this person sees. */
  mutesFor(listener: RoomActor): MuteWire[] {
    const { state } = this.need();
    if (state.mutes.length === 0) return [];
    const hidden = this.hiddenFrom(listener.userId);
    const { participants } = hidden ? roomSeenBy(state, hidden) : state;
    return mutesOut(participants, mutesSeenBy(state, listener, this.now()));
  }

  /** Adds a message or a log under the next `seq`. */
  addLine(author: number, make: (seq: number) => { line: StoredLine; operation: Operation }): void {
    const current = this.need();
    const seq = current.state.seq + 1;
    const { line, operation } = make(seq);
    const said =
      line.kind === "message"
        ? { saidSeq: seq, uncopiedSince: current.uncopiedSince ?? line.message.createdAt }
        : {};
    this.#current = { ...current, state: { ...current.state, seq }, ...said };
    this.#lines.push(line);
    if (line.kind === "message") this.noteMentions(line.message);
    this.sockets.broadcast([operation], [operation], this.#unlessHidden(author, operation));
  }

  /**
   * Owes the notices of people whom the line mentions and whom it does not reach by a socket (N-26). `before`: the text
   * of an edited line, whose mentions are known.
   */
  noteMentions({ seq, userId, username, content, createdAt }: AuthoredMessage, before = ""): void {
    const known = mentionsIn(before);
    const names = mentionsIn(content).filter((name) => !known.includes(name));
    if (names.length === 0) return;
    const { participants } = this.need().state;
    const here = participants.flatMap((person) => (this.sockets.isHere(person.userId) ? person.userId : []));
    if (participants.every((person) => person.userId === userId || here.includes(person.userId))) return;
    this.#more.push(() => this.store.lines.addMention({ seq, userId, username, names, here, at: createdAt }));
    this.owe("mentions");
  }

  /** Edits or removes a line that is on disk, under the next `seq`. */
  changeLine(author: number, make: (seq: number) => { change: LineChange; operation: Operation }): void {
    const current = this.need();
    const seq = current.state.seq + 1;
    const { change, operation } = make(seq);
    this.#current = { ...current, state: { ...current.state, seq }, saidSeq: seq };
    if (change.line <= current.copiedSeq) this.#makeStale();
    this.#changes++;
    this.#more.push(() => this.store.lines.changeLine(change));
    this.sockets.broadcast([operation], [operation], this.#unlessHidden(author, operation));
  }

  /** Removes the author's lines, each under its own `seq`, and renames the author. Idempotent. */
  eraseAuthor({ userId, username }: { userId: number; username: string }): void {
    this.upToDate();
    this.flush();
    this.#history = null;
    for (const { seq: line } of this.store.lines.linesOf({
      userId,
      after: -1,
      limit: Number.MAX_SAFE_INTEGER,
    }))
      this.changeLine(userId, (seq) => ({
        change: { type: "removed", seq, line, at: this.now() },
        operation: { type: "removed", ...removedOut({ seq, line }) },
      }));
    if (this.need().copiedSeq > 0) this.#makeStale();
    this.#changes++;
    const current = this.need();
    const known = current.people.get(userId);
    const former = known?.person.username ?? username;
    this.#more.push(() => this.store.lines.renameAuthor({ userId, username }));
    if (known && former !== username) {
      const person = { ...known.person, username };
      const { state } = current;
      const participants = state.participants.map((one) => (one.userId === userId ? person : one));
      if (known.isGone)
        this.#current = { ...current, people: new Map(current.people).set(userId, { ...known, person }) };
      else this.commit({ ...state, participants }, ["participants"], []);
      // A part under way keeps the names of past turns.
      const { state: named } = this.need();
      const schedule = turnsSeenBy(named.schedule, new Map([[former, username]]));
      if (partsInOrder(schedule).some((part, index) => part !== partsInOrder(named.schedule)[index]))
        this.commit({ ...named, schedule }, ["parts"], ["parts"]);
    }
    const { state: said } = this.need();
    const contributions = renamed(said.contributions, userId, username);
    if (contributions !== said.contributions) this.commit({ ...said, contributions }, ["content"], []);
    this.flush();
  }

  // ------------------------------------------------------------------ the copy outside the room

  #makeStale(): void {
    this.#current = { ...this.need(), copiedSeq: STALE };
  }
  get hasUncopied(): boolean {
    const { current } = this;
    return current !== null && current.saidSeq > current.copiedSeq;
  }
  /** The chat must be copied: the session is closed, the copy holds a line that has changed, or it is night. */
  get isCopyDue(): boolean {
    const at = this.#copyAt();
    return at !== null && at <= this.now();
  }
  /** When the chat is to be copied; null: the copy has everything. */
  #copyAt(): Instant | null {
    const { current } = this;
    if (current === null || !this.hasUncopied) return null;
    const { state, copiedSeq, uncopiedSince } = current;
    if (state.closedAt !== null || copiedSeq === STALE || uncopiedSince === null) return this.now();
    return nightAfter(uncopiedSince, state.sessionId);
  }

  /** The chat as of now; `isWritten` is to be called once it is stored. */
  takeChat(): { copy: ChatCopy; isWritten(): void } {
    this.flush();
    const { state, people, saidSeq } = this.need();
    const { seq, sessionId } = state;
    const gone = [...people.values()].filter(({ isGone }) => isGone).map(({ person }) => person);
    const changes = this.#changes;
    return {
      copy: { sessionId, seq, gone, ...this.store.chat() },
      isWritten: () => {
        const current = this.need();
        const isChanged = this.#changes !== changes;
        this.#current = {
          ...current,
          copiedSeq: isChanged ? STALE : saidSeq,
          uncopiedSince: current.saidSeq > saidSeq ? this.now() : null,
        };
        this.#failures = 0;
        this.flush();
      },
    };
  }

  /** Marks something as not yet in D1, in addition to what `commit` marks. */
  owe(what: Unrecorded): void {
    const current = this.need();
    if (!current.unrecorded.has(what))
      this.#current = { ...current, unrecorded: new Set([...current.unrecorded, what]) };
  }

  /** D1 now has `what` as it was in `at`. Anything that has changed since remains to be written. */
  recorded(what: ReadonlySet<Unrecorded>, at: StoredRoom): void {
    const current = this.need();
    const isStill = (one: Unrecorded): boolean => {
      switch (one) {
        case "run":
        case "parts":
          return current.runSeq === at.runSeq;
        case "texts":
          return current.textsSeq === at.textsSeq;
        case "contributions":
          return current.state.contributions === at.state.contributions;
        case "people":
          return current.people === at.people;
        // Written once. A settlement of chat covers all that was owed.
        case "start":
        case "chat":
          return true;
        // A line may have come meanwhile.
        case "mentions":
          return this.store.lines.listMentions(1).length === 0;
        default:
          return one satisfies never;
      }
    };
    const unrecorded = new Set([...current.unrecorded].filter((one) => !(what.has(one) && isStill(one))));
    if (unrecorded.size < current.unrecorded.size) this.#current = { ...current, unrecorded };
    this.#failures = 0;
  }
  /** D1 did not answer: the wait before the next retry grows. */
  failed(): void {
    this.#failures++;
  }

  /**
   * The room serialised for a welcome, cached for everybody who joins within a few milliseconds. A viewer with hidden
   * people gets words of their own.
   */
  words(isOutside: boolean, hidden: Hidden | null = null): RoomWords {
    const current = this.need();
    if (hidden) {
      const seen = roomSeenBy(current.state, hidden);
      return { ...rosterOf(seen), room: roomWords(seen, this.now()) };
    }
    const isApart = isOutside && current.state.hasCode;
    const last = isApart ? this.#outsideWords : this.#words;
    if (last && isStill(last, current)) return last;
    const state = isApart ? seenFromOutside(current.state) : current.state;
    const roster = last?.of.people === current.people ? last : rosterOf(state);
    const words: Words = { ...roster, of: current, madeAt: Date.now(), room: roomWords(state, this.now()) };
    if (isApart) this.#outsideWords = words;
    else this.#words = words;
    return words;
  }

  /** The serialised history after `from`, shared by everybody who joins within a few milliseconds. */
  history(from: number, make: () => string): string {
    const { seq } = this.need().state;
    const last = this.#history;
    if (last?.seq === seq && last.from === from && Math.abs(Date.now() - last.madeAt) < WORDS_LAST_MS)
      return last.words;
    const words = make();
    this.#history = { seq, from, madeAt: Date.now(), words };
    return words;
  }

  // ------------------------------------------------------------------ disk and alarm

  /** Saves and sends now. */
  flush(): void {
    this.sockets.flush();
  }

  #save(): void {
    const current = this.#current;
    if (!current) return;
    const before = this.#written;
    const isNew = isRowNew(before, current);
    const [line] = this.#lines;
    const isSingleLine = !isNew && this.#lines.length === 1 && this.#more.length + this.#moved.size === 0;
    try {
      // A single row is atomic without a transaction, which costs as much as the row.
      if (line && isSingleLine) this.store.lines.addLine(line);
      else if (isNew || this.#lines.length + this.#more.length > 0)
        this.store.transaction(() => {
          if (isNew) this.store.write(before, current);
          for (const more of this.#more) more();
          for (const added of this.#lines) this.store.lines.addLine(added);
          this.#writePresence();
        });
    } catch (error) {
      // Memory and disk differ: restart from the disk. Nothing unsaved was acknowledged.
      this.#ctx.abort(`not saved: ${String(error)}`);
      throw error;
    }
    const isCopyNew = before?.uncopiedSince !== current.uncopiedSince;
    this.#written = current;
    this.#lines = [];
    this.#more = [];
    // Right after waking, the alarm that was set is still valid.
    if (isNew || isCopyNew || this.#alarmAt !== undefined) this.setAlarm();
  }

  #look(): void {
    this.#dueAt = this.#current ? nextDueAt(this.#current.state, this.now()) : null;
  }

  /**
   * The alarm rings when the room next changes by itself, when a write to D1 is due for a retry, or when chat needs it.
   */
  setAlarm(): void {
    const { state, unrecorded } = this.need();
    const now = this.now();
    const isToSettle = statusAt(state, now) === 2 && state.closedAt === null;
    const copyAt = this.#copyAt();
    const wait = Math.min(RETRY.first * 2 ** Math.max(0, this.#failures - 1), RETRY.longest);
    const alsoDueAt = this.alsoDueAt();
    const dates = [
      ...(alsoDueAt === null ? [] : [alsoDueAt]),
      ...(unrecorded.size > 0 || isToSettle ? [plusMillis(now, wait)] : []),
      ...(copyAt === null ? [] : [copyAt > now ? copyAt : plusMillis(now, wait)]),
      ...(this.#dueAt === null || isToSettle ? [] : [this.#dueAt]),
    ];
    const at = dates.length === 0 ? null : Math.min(...dates);
    if (at === this.#alarmAt) return;
    // A retry that is already set is good enough.
    if (at !== null && typeof this.#alarmAt === "number" && at !== this.#dueAt)
      if (this.#alarmAt > now && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    if (at === null) void this.#ctx.storage.deleteAlarm();
    else void this.#ctx.storage.setAlarm(at);
  }

  /** The alarm has rung, so none is set any more. */
  rung(): void {
    this.#alarmAt = null;
  }

  /** The session was deleted: erases everything of the room. */
  async forget(): Promise<void> {
    this.#current = this.#written = null;
    this.#moved.clear();
    this.#history = null;
    this.#lines = [];
    this.#more = [];
    this.#look();
    this.#alarmAt = null;
    await this.#ctx.storage.deleteAlarm();
    await this.store.forget();
  }
}

/** A room serialised for a welcome. */
export type RoomWords = {
  room: string;
  /** The first page of the roster, serialised. */
  people: string;
  /** The usernames of this page; null: it is the whole roster. */
  names: ReadonlySet<string> | null;
  /** The whole roster, serialised. */
  everybody(): string;
  count: number;
};
type Words = RoomWords & { of: StoredRoom; madeAt: number };

const roomWords = (state: RoomState, now: Instant): string => JSON.stringify(snapshotOut(state, now));

function rosterOf({ participants }: RoomState): Omit<RoomWords, "room"> {
  const isPage = participants.length > ROSTER_PAGE;
  const page = participants.filter(({ isHost }, place) => place < ROSTER_PAGE || isHost);
  let everybody: string | null = null;
  return {
    people: JSON.stringify(page.map(participantOut)),
    names: isPage ? new Set(page.map(({ username }) => username)) : null,
    everybody: () => {
      everybody ??= JSON.stringify(participants.map(participantOut));
      return everybody;
    },
    count: participants.length,
  };
}
const isStill = ({ of, madeAt }: Words, current: StoredRoom): boolean =>
  of.runSeq === current.runSeq &&
  of.textsSeq === current.textsSeq &&
  of.people === current.people &&
  Math.abs(Date.now() - madeAt) < WORDS_LAST_MS;

const areDatesNew = (before: RoomState, after: RoomState): boolean =>
  before.startedAt !== after.startedAt ||
  before.endedAt !== after.endedAt ||
  before.closedAt !== after.closedAt;

function isCompletionNew(before: RoomState, after: RoomState): boolean {
  if (before.participants === after.participants) return false;
  const known = new Map(before.participants.map((person) => [person.userId, person]));
  return after.participants.some((person) => {
    const was = known.get(person.userId);
    return was !== undefined && was !== person && was.completedAt !== person.completedAt;
  });
}
