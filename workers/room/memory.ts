// The state of a room, in memory and on disk. A change is made in memory; `flush` then saves it in one transaction, sets
// the alarm and releases the frames, so every broadcast change is durable.

import { beginningOf } from "~/domain/beginnings";
import { AppError } from "~/domain/errors";
import { mentionsIn } from "~/domain/notices/mentions";
import { SEAT_ROLE } from "~/domain/roles";
import { advanceRoom, hasRound, nextDueAt, withHost } from "~/domain/room/advance";
import { type ChatCopy, newestIn } from "~/domain/room/chat-copy";
import { HOST_LINE_LENGTH } from "~/domain/room/host-line";
import { outsiderView, stageView, viewLinkView } from "~/domain/room/outsider-view";
import type { PendingWrite } from "~/domain/room/record";
import type { RoomActor, RoomParticipant, RoomState, RoomTopic } from "~/domain/room/room";
import { recapOf } from "~/domain/room/tally";
import type { BlockPair } from "~/domain/safety/blocks";
import { presenceBy, type RoundPresence } from "~/domain/schedule/round";
import type { AuthoredMessage } from "~/domain/sessions/chat";
import type { Recap } from "~/domain/sessions/recap";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { type Instant, instant, plusMillis } from "~/domain/time";
import { operationsOf } from "~/wire/room/operations";
import { CLOSE, type Operation } from "~/wire/room/room";
import { limitsApply } from "../adapters/attempts";
import { LONGEST_TICKET } from "../adapters/tickets";
import type { ObjectsEnv } from "../env";
import { RoomAlarm } from "./alarm";
import { Attendance } from "./attendance";
import { RoomCopy } from "./chat-copy";
import { Frames, type Staged } from "./frames";
import { RoomHiding } from "./hiding";
import type { LineChange, StoredLine } from "./line-store";
import { isWritten, pendingWritesOf } from "./pending-writes";
import { pings } from "./pings";
import { RoomPresence } from "./presence";
import { type Identity, Sockets } from "./sockets";
import { hasChangedRow, RoomStore, type StoredRoom, stampPeople } from "./store";

export class RoomMemory {
  readonly store: RoomStore;
  readonly sockets: Sockets;
  readonly frames: Frames;
  readonly attendance: Attendance;
  readonly presence: RoomPresence;
  readonly hiding = new RoomHiding(this);
  readonly copy = new RoomCopy(this);
  readonly alarm: RoomAlarm;
  readonly #ctx: DurableObjectState;
  #current: StoredRoom | null;
  /** The state on disk. */
  #saved: StoredRoom | null;
  #lines: StoredLine[] = [];
  /** Writes that belong in the same transaction as the lines. */
  #extraWrites: (() => void)[] = [];
  #dueAt: Instant | null = null;

  constructor(ctx: DurableObjectState, env: ObjectsEnv) {
    this.#ctx = ctx;
    this.store = new RoomStore(ctx.storage);
    this.#current = this.#saved = this.store.read();
    this.sockets = new Sockets(
      ctx,
      {
        joined: (_, listener) => this.presence.recordJoin(listener),
        left: (socket, listener) => this.presence.recordLeaving(socket, listener),
      },
      limitsApply(env),
    );
    this.frames = new Frames(this.sockets, {
      save: () => this.#save(),
      hasCode: () => this.#current?.state.hasCode ?? true,
      hidden: () => this.hiding.byUser(),
    });
    this.attendance = new Attendance(this.store, {
      now: () => this.now(),
      isOpen: () => this.#current?.state.closedAt === null,
      isHere: (userId) => this.presence.isHere(userId),
    });
    this.presence = new RoomPresence(this.sockets, this.frames, this.attendance, {
      now: () => this.now(),
      lastPing: (socket) => pings.lastOf(ctx, socket),
      aliases: (hiddenPeople) => this.hiding.aliases(hiddenPeople),
      onFirstSocket: () => this.alarm.set(),
      onPresenceChanged: () => this.#onPresenceChanged(),
    });
    // A room without storage has no alarm to delete, either.
    this.alarm = new RoomAlarm(this, ctx.storage, this.#current === null ? null : undefined);
    this.#setDueAt();
  }

  now(): Instant {
    return instant(Date.now());
  }

  /** Accepts the socket, and closes it at once if its login has ended. */
  accept(socket: WebSocket, identity: Identity): void {
    this.sockets.accept(socket, identity);
    if (this.store.hasLoginEnded(identity.loginHash, this.now()))
      this.sockets.close(socket, CLOSE.signedOut, "signed out");
  }
  /** Closes the sockets of these logins, and remembers the logins until their tickets have expired. */
  endLogins(loginHashes: readonly string[]): void {
    const now = this.now();
    this.store.endLogins(loginHashes, plusMillis(now, LONGEST_TICKET), now);
    this.sockets.endLogins(loginHashes);
  }

  get current(): StoredRoom | null {
    return this.#current;
  }
  requireCurrent(): StoredRoom {
    if (!this.#current) throw new AppError("NOT_FOUND", "There is no such session.");
    return this.#current;
  }

  /** The person's seat; null without one. The domain's `seatOf`, but by a look-up instead of a search of the roster. */
  seatOf({ userId }: RoomActor): RoomParticipant | null {
    const storedPerson = this.requireCurrent().people.get(userId);
    return storedPerson && !storedPerson.isGone ? storedPerson.person : null;
  }

  /** Replaces the state in memory; `flush` saves it. */
  update(next: StoredRoom): void {
    this.#current = next;
  }
  /** A write that belongs in the transaction of the next `flush`. */
  addExtraWrite(write: () => void): void {
    this.#extraWrites.push(write);
  }
  /** When the room next changes by itself. */
  get dueAt(): Instant | null {
    return this.#dueAt;
  }

  /** The state at this instant. Changes that were due meanwhile are committed first. */
  upToDate(): RoomState {
    this.recordHostAttendance();
    const { state } = this.requireCurrent();
    const now = this.now();
    if (this.#dueAt === null || now < this.#dueAt) return state;
    const { state: next, topics } = advanceRoom(state, now, this.presenceIn(state));
    if (topics.length > 0) this.commit(next, topics, topics);
    else this.#setDueAt();
    return this.requireCurrent().state;
  }

  /** The presence of people, by username. Only rounds need it. */
  presenceIn(state: RoomState): RoundPresence | undefined {
    if (!hasRound(state)) return undefined;
    const ids = new Map(state.participants.map(({ username, userId }) => [username, userId]));
    return presenceBy((name) => this.presence.presenceOf(ids.get(name) ?? 0));
  }
  /** Sets the alarm again, because the next change of a round depends on the presence. */
  #onPresenceChanged(): void {
    if (!this.#current || !hasRound(this.#current.state)) return;
    this.#setDueAt();
    this.alarm.set();
  }

  /** The recap of the room in this final state; null if the session never ran. It flushes first, because it counts rows. */
  recapOf(state: RoomState): Recap | null {
    this.flush();
    const presence = this.attendance.list();
    const departedIds = [...this.requireCurrent().people.values()].flatMap(({ person, isGone }) =>
      isGone ? [person.userId] : [],
    );
    return recapOf(state, { presence, gone: departedIds, lines: this.store.lines.countMessages() });
  }

  /**
   * Refreshes the presence and records that a host or admin has attended (G-31). Call it when a socket joins and before
   * it closes.
   */
  recordHostAttendance(): void {
    this.presence.refresh();
    if (!this.#current?.state.needsHost) return;
    const { state } = this.#current;
    const next = withHost(state, this.#runnersPresentSince(state.startedAt), this.now());
    if (next !== state) this.commit(next, [], []);
  }

  /** The names of hosts and admins who are present, or pinged since this instant. */
  #runnersPresentSince(since: Instant | null): ReadonlySet<string> {
    const { participants } = this.requireCurrent().state;
    return new Set(
      participants
        .filter(
          ({ role, userId }) =>
            role === SEAT_ROLE.admin && since !== null && this.presence.wasHereSince(userId, since),
        )
        .map(({ username }) => username),
    );
  }

  /** Records that this person gave up the seat. Before the start, that does not count as a missed session (G-26). */
  recordGivenUpSeat(userId: number): void {
    if (statusAt(this.requireCurrent().state, this.now()) === SESSION_STATUS.running)
      this.attendance.gaveUpSeat(userId);
  }

  /** The first state of a room without storage. A room that has lost its storage restores the chat from the nightly copy. */
  begin(first: RoomState, hiding: readonly BlockPair[], copy: ChatCopy | null): void {
    const seq = Math.max(first.seq, copy?.seq ?? 0);
    const state = { ...first, seq };
    const seated = stampPeople(new Map(), state.participants, seq);
    const departed = (copy?.gone ?? []).filter(({ userId }) => !seated.has(userId));
    const chatSeq = copy ? newestIn(copy) : 0;
    this.#current = {
      state,
      runSeq: seq,
      textsSeq: seq,
      people: new Map([
        ...seated,
        ...departed.map((person) => [person.userId, { person, seq, isGone: true }] as const),
      ]),
      hiding,
      hidingSeq: hiding.length > 0 ? seq : -1,
      pendingWrites: new Set(),
      saidSeq: chatSeq,
      copiedSeq: chatSeq,
      uncopiedSince: null,
    };
    if (copy) this.#extraWrites.push(() => this.store.addChat(copy));
    this.#setDueAt();
  }

  /**
   * Replaces the state, broadcasts `topics`, and marks those of `toRecord` as not yet in D1. A new completion is
   * always marked.
   */
  commit(changed: RoomState, topics: readonly RoomTopic[], toRecord: readonly RoomTopic[]): void {
    const previous = this.requireCurrent();
    const seq = previous.state.seq + 1;
    const state = { ...changed, seq };
    const pendingWrites = new Set([
      ...previous.pendingWrites,
      ...pendingWritesOf(previous.state, state, toRecord),
    ]);
    const isTextNew = topics.includes("content") || topics.includes("summary");
    const arePeopleNew = previous.state.participants !== state.participants;
    const isRunNew =
      topics.includes("status") ||
      topics.includes("parts") ||
      topics.includes("facts") ||
      !(isTextNew || arePeopleNew);
    this.#current = {
      ...previous,
      state,
      runSeq: isRunNew ? seq : previous.runSeq,
      textsSeq: isTextNew ? seq : previous.textsSeq,
      people: arePeopleNew ? stampPeople(previous.people, state.participants, seq) : previous.people,
      pendingWrites:
        pendingWrites.size > previous.pendingWrites.size ? pendingWrites : previous.pendingWrites,
    };
    this.#setDueAt();
    const operations = operationsOf(topics, previous.state, state, this.now());
    const outsideState = outsiderView(state);
    this.frames.broadcast(
      operations,
      outsideState === state
        ? operations
        : operationsOf(topics, outsiderView(previous.state), outsideState, this.now()),
      this.hiding.viewsByListener(topics, previous.state, state),
      this.#stagedOperations(topics, previous.state, state),
    );
    if (topics.includes("mutes") || (topics.includes("participants") && state.mutes.length > 0))
      this.frames.tellEach((listener) => ({ type: "mutes", mutes: this.hiding.mutesFor(listener) }));
    if (topics.includes("call")) this.#tellCall();
    if (topics.includes("access")) this.sockets.closeSpectators(CLOSE.changed, "reconnect");
  }

  /** Nobody is in a new call yet. Only people with a seat hear of it (J-04). */
  #tellCall(): void {
    this.frames.broadcast([{ type: "call", call: this.requireCurrent().state.call ?? null }], []);
    this.presence.endCall();
    this.flush();
  }

  /**
   * The operations for stages and view links. A changed roster also sends the parts, because hidden people's turns are
   * renamed.
   */
  #stagedOperations(topics: readonly RoomTopic[], before: RoomState, after: RoomState): Staged {
    if (this.sockets.stageCount === 0) return { open: [], linked: [] };
    const hiddenFrom = this.hiding.everybody();
    const changedTopics = topics.includes("participants")
      ? [...new Set([...topics, "parts" as const])]
      : topics;
    const operationsIn = (view: (state: RoomState) => RoomState) =>
      operationsOf(changedTopics, view(before), view(after), this.now());
    return {
      open: operationsIn((state) => stageView(state, hiddenFrom)),
      linked: operationsIn(viewLinkView).filter(({ type }) => type !== "participants"),
    };
  }

  /** Adds a message or a log under the next `seq`. */
  addLine(author: number, build: (seq: number) => { line: StoredLine; operation: Operation }): void {
    const current = this.requireCurrent();
    const seq = current.state.seq + 1;
    const { line, operation } = build(seq);
    const copyState =
      line.kind === "message"
        ? { saidSeq: seq, uncopiedSince: current.uncopiedSince ?? line.message.createdAt }
        : {};
    this.#current = { ...current, state: { ...current.state, seq }, ...copyState };
    this.#lines.push(line);
    if (line.kind === "message") this.queueMentions(line.message);
    this.frames.broadcast([operation], [operation], this.hiding.unlessHidden(author, operation));
  }

  /**
   * Queues the line's mentions for the notices of people whom no open socket reaches (N-26). `previousContent` is the text
   * of an edited line before the edit; its mentions are not queued again.
   */
  queueMentions({ seq, userId, username, content, createdAt }: AuthoredMessage, previousContent = ""): void {
    const previousMentions = mentionsIn(previousContent);
    const names = mentionsIn(content).filter((name) => !previousMentions.includes(name));
    if (names.length === 0) return;
    const { participants } = this.requireCurrent().state;
    const presentIds = participants.flatMap((person) =>
      this.presence.isHere(person.userId) ? person.userId : [],
    );
    if (participants.every((person) => person.userId === userId || presentIds.includes(person.userId)))
      return;
    this.#extraWrites.push(() =>
      this.store.lines.addMention({ seq, userId, username, names, here: presentIds, at: createdAt }),
    );
    this.addPendingWrite("mentions");
  }

  /** Edits or removes a line that is on disk, under the next `seq`. */
  changeLine(author: number, build: (seq: number) => { change: LineChange; operation: Operation }): void {
    const current = this.requireCurrent();
    const seq = current.state.seq + 1;
    const { change, operation } = build(seq);
    this.#current = { ...current, state: { ...current.state, seq }, saidSeq: seq };
    this.copy.markChanged(change.line);
    this.#extraWrites.push(() => this.store.lines.changeLine(change));
    this.frames.broadcast([operation], [operation], this.hiding.unlessHidden(author, operation));
    this.#updateHostLine(change);
  }

  /** Editing or removing a chat line updates the host line made from it (J-12). */
  #updateHostLine(change: LineChange): void {
    const { state } = this.requireCurrent();
    if (state.line?.seq !== change.line) return;
    const content = change.type === "edited" ? beginningOf(change.content, HOST_LINE_LENGTH) : "";
    this.commit({ ...state, line: content === "" ? null : { ...state.line, content } }, ["line"], []);
  }

  /** Marks something as not yet in D1, in addition to what `commit` marks. */
  addPendingWrite(pendingWrite: PendingWrite): void {
    const current = this.requireCurrent();
    if (!current.pendingWrites.has(pendingWrite))
      this.#current = { ...current, pendingWrites: new Set([...current.pendingWrites, pendingWrite]) };
  }

  /** D1 now has these parts as they were in `writtenRoom`. Anything that has changed since remains to be written. */
  removePendingWrites(writtenParts: ReadonlySet<PendingWrite>, writtenRoom: StoredRoom): void {
    const current = this.requireCurrent();
    const pendingWrites = new Set(
      [...current.pendingWrites].filter(
        (write) => !(writtenParts.has(write) && isWritten(write, writtenRoom, current, this.store.lines)),
      ),
    );
    if (pendingWrites.size < current.pendingWrites.size) this.#current = { ...current, pendingWrites };
    this.alarm.succeeded();
  }

  // ------------------------------------------------------------------ disk

  /** Saves and sends now. */
  flush(): void {
    this.frames.flush();
  }

  #save(): void {
    const current = this.#current;
    if (!current) return;
    const saved = this.#saved;
    const hasChanges = hasChangedRow(saved, current);
    const [line] = this.#lines;
    const isSingleLine =
      !hasChanges && this.#lines.length === 1 && this.#extraWrites.length === 0 && this.attendance.isSaved;
    try {
      // A single row is atomic without a transaction, which costs as much as the row.
      if (line && isSingleLine) this.store.lines.addLine(line);
      else if (hasChanges || this.#lines.length + this.#extraWrites.length > 0)
        this.store.transaction(() => {
          if (hasChanges) this.store.write(saved, current);
          for (const extraWrite of this.#extraWrites) extraWrite();
          for (const added of this.#lines) this.store.lines.addLine(added);
          this.attendance.write();
        });
    } catch (error) {
      // Memory and disk differ: restart from the disk. Nothing unsaved was acknowledged.
      this.#ctx.abort(`not saved: ${String(error)}`);
      throw error;
    }
    const hasCopyDueChanged = saved?.uncopiedSince !== current.uncopiedSince;
    this.#saved = current;
    this.#lines = [];
    this.#extraWrites = [];
    if (hasChanges || hasCopyDueChanged || this.alarm.isKnown) this.alarm.set();
  }

  #setDueAt(): void {
    const state = this.#current?.state;
    this.#dueAt = state ? nextDueAt(state, this.now(), this.presenceIn(state)) : null;
  }

  /** The session was deleted: erases everything of the room. */
  async forget(): Promise<void> {
    this.#current = this.#saved = null;
    this.attendance.forget();
    this.#lines = [];
    this.#extraWrites = [];
    this.#setDueAt();
    await this.alarm.forget();
    await this.store.forget();
  }
}
