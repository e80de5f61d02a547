// The welcome of a socket that joins: the room, its people, and the history that it missed. Sockets that join at the same
// time share the serialised JSON.

import { roomSeenBy } from "~/domain/room/aliases";
import { outsiderView, stageView, viewLinkView } from "~/domain/room/outsider-view";
import type { RoomState } from "~/domain/room/room";
import type { HiddenPeople } from "~/domain/safety/blocks";
import { roomLogOut } from "~/wire/room/logs";
import { editedOut, messageOut, participantOut, removedOut, snapshotOut } from "~/wire/room/operations";
import { type History, MAX_HISTORY_LINES, ROSTER_PAGE, SOCKET_VERSION } from "~/wire/room/room";
import type { RoomMemory } from "./memory";
import type { Listener } from "./sockets";
import type { StoredRoom } from "./stored-room";

const WELCOME_LOGS = 20;
/** Characters up to which a history shares the welcome's frame. */
const SHORT_HISTORY = 2000;
/** How long serialised JSON is reused; the elapsed times in it are at most this old. */
const MAX_JSON_AGE_MS = 250;

/** A room serialised for a welcome. */
type RoomJson = {
  room: string;
  /** The first page of the roster, serialised. */
  people: string;
  /** The usernames of this page; null: it is the whole roster. */
  names: ReadonlySet<string> | null;
  /** The whole roster, serialised. */
  everybody(): string;
  count: number;
};
/** `of` is the room that was serialised. */
type CachedRoomJson = RoomJson & { of: StoredRoom; madeAt: number };

export class Welcome {
  readonly #memory: RoomMemory;
  #json: CachedRoomJson | null = null;
  /** The room for people without a seat, who see less when the session has a join code. */
  #outsiderJson: CachedRoomJson | null = null;
  #history: { seq: number; changes: number; from: number; madeAt: number; text: string } | null = null;
  /** The online people of a page of the roster, which all welcomes between two announcements share. */
  #pageOnline: { names: ReadonlySet<string>; of: ReadonlySet<string>; online: string[] } | null = null;

  constructor(memory: RoomMemory) {
    this.#memory = memory;
  }

  /** Sends a new welcome to people whose view of others has changed, and to all stages, which hide the same people. */
  greetAgain(userIds: readonly number[]): void {
    const { sockets } = this.#memory;
    for (const [socket, listener] of sockets.joined(userIds)) this.greet(socket, listener);
    if (userIds.length === 0 || sockets.stageCount === 0) return;
    for (const [socket, { isStage, isLinked }] of sockets.all())
      if (isStage) this.greetStage(socket, isLinked);
  }

  /** Sends a stage its welcome. It is not shared, because a session has few stages. */
  greetStage(socket: WebSocket, isLinked: boolean | undefined): void {
    const { state } = this.#memory.requireCurrent();
    const now = this.#memory.now();
    const visibleState = isLinked ? viewLinkView(state) : stageView(state, this.#memory.hiding.everybody());
    this.#memory.sockets.send(socket, {
      type: "welcome",
      now,
      seq: state.seq,
      version: SOCKET_VERSION,
      room: snapshotOut(visibleState, now),
      is_whole: 1,
      is_page: 0,
      count: visibleState.participants.length,
      participants: visibleState.participants.map(participantOut),
      left: [],
      online: [],
      mutes: [],
    });
  }

  /** Sends the welcome, and to a participant the history: in the same frame, unless it would delay the room's state. */
  greet(socket: WebSocket, listener: Listener | null, since?: number, ticket?: string): void {
    const { sockets } = this.#memory;
    const welcome = this.#welcomeOf(since, listener, ticket);
    const history = listener === null ? [] : [this.#historyOf(since, listener)];
    const isShort = history.every(({ length }) => length <= SHORT_HISTORY);
    sockets.send(socket, welcome, ...(isShort ? history : []));
    if (!isShort) sockets.send(socket, ...history);
  }

  /** The `seq` after which a viewer lacks changes; -1: the viewer needs everything. */
  #missedSince(since: number | undefined, listener: Listener | null): number {
    const { state, hidingSeq } = this.#memory.requireCurrent();
    const hasHidden = listener !== null && this.#memory.hiding.hiddenFrom(listener.userId) !== null;
    // A client is ahead of the room only if the room has lost its storage. A change of blocks makes old frames wrong.
    return since === undefined || since > state.seq || since < hidingSeq || hasHidden ? -1 : since;
  }

  /** The serialised welcome. Sockets that join at the same time share its snapshot of the room and page of the roster. */
  #welcomeOf(since: number | undefined, listener: Listener | null, ticket?: string): string {
    const { state, runSeq, textsSeq, people } = this.#memory.requireCurrent();
    const hiddenPeople = listener ? this.#memory.hiding.hiddenFrom(listener.userId) : null;
    const from = this.#missedSince(since, listener);
    const roomJson = this.#jsonFor(listener === null, hiddenPeople);
    const { names } = roomJson;
    const changedPeople =
      from < 0 ? [] : [...people.values()].filter((storedPerson) => storedPerson.seq > from);
    const head = { type: "welcome", now: this.#memory.now(), seq: state.seq, version: SOCKET_VERSION };
    const tail = {
      is_whole: from < 0 ? 1 : 0,
      is_page: names === null ? 0 : 1,
      count: roomJson.count,
      left: changedPeople.flatMap((storedPerson) =>
        storedPerson.isGone ? storedPerson.person.username : [],
      ),
      online: this.#onlineOf(names, listener),
      mutes: listener ? this.#memory.hiding.mutesFor(listener) : [],
      // Only participants learn that there is a call (J-04).
      ...(listener ? this.#callFor(hiddenPeople) : {}),
      ticket,
    };
    const ownSeat =
      listener && names !== null && !names.has(listener.username) ? this.#memory.seatOf(listener) : null;
    const page = ownSeat
      ? `${roomJson.people.slice(0, -1)},${JSON.stringify(participantOut(ownSeat))}]`
      : roomJson.people;
    const room = from < 0 || Math.max(runSeq, textsSeq) > from ? roomJson.room : "null";
    const participants =
      from < 0
        ? page
        : JSON.stringify(
            changedPeople.flatMap((storedPerson) =>
              storedPerson.isGone ? [] : participantOut(storedPerson.person),
            ),
          );
    const fieldsOf = (value: object) => JSON.stringify(value).slice(1, -1);
    return `{${fieldsOf(head)},"room":${room},"participants":${participants},${fieldsOf(tail)}}`;
  }

  /** The lines and logs that a participant missed, serialised. */
  #historyOf(since: number | undefined, listener: Listener): string {
    const from = this.#missedSince(since, listener);
    const hiddenPeople = this.#memory.hiding.hiddenFrom(listener.userId);
    if (hiddenPeople) return this.#historyAfter(from, hiddenPeople);
    return this.#sharedHistory(from);
  }
  #sharedHistory(from: number): string {
    const { seq } = this.#memory.requireCurrent().state;
    const { changes } = this.#memory.copy;
    const cached = this.#history;
    if (cached?.seq === seq && cached.changes === changes && cached.from === from && isFresh(cached.madeAt))
      return cached.text;
    const text = this.#historyAfter(from, null);
    this.#history = { seq, changes, from, madeAt: Date.now(), text };
    return text;
  }
  #historyAfter(from: number, hiddenPeople: HiddenPeople | null): string {
    const { store } = this.#memory;
    const hiddenFilter = hiddenPeople ? { hidden: hiddenPeople } : {};
    const messages = store.lines.listMessages({ since: from, limit: MAX_HISTORY_LINES + 1, ...hiddenFilter });
    const changes = from < 0 ? [] : store.lines.listChanges({ since: from, limit: MAX_HISTORY_LINES + 1 });
    const unlogged = from < 0 ? [] : store.lines.listUnlogged(from);
    const history: History = {
      type: "history",
      seq: this.#memory.requireCurrent().state.seq,
      is_whole: from < 0 ? 1 : 0,
      messages: messages.slice(-MAX_HISTORY_LINES).map(messageOut),
      edited: changes.flatMap((change) => (change.type === "edited" ? editedOut(change) : [])),
      removed: changes.flatMap((change) => (change.type === "removed" ? removedOut(change) : [])),
      is_cut: Math.max(messages.length, changes.length) > MAX_HISTORY_LINES ? 1 : 0,
      logs: store.lines.listLogs({ since: from, limit: WELCOME_LOGS, ...hiddenFilter }).map(roomLogOut),
      ...(unlogged.length > 0 ? { unlogged } : {}),
    };
    return JSON.stringify(history);
  }

  #callFor(hiddenPeople: HiddenPeople | null) {
    const inCall = this.#memory.presence.inCallFor(hiddenPeople);
    return {
      call: this.#memory.requireCurrent().state.call,
      ...(inCall.length > 0 ? { in_call: inCall } : {}),
    };
  }

  /** The online people as this viewer may see them. */
  #online(listener: Listener | null): string[] {
    const { presence } = this.#memory;
    if (listener === null) return this.#memory.requireCurrent().state.hasCode ? [] : presence.online();
    const hiddenPeople = this.#memory.hiding.hiddenFrom(listener.userId);
    return hiddenPeople ? presence.onlineFor(hiddenPeople) : presence.online();
  }

  /** The online people among `names`, and the viewer. Null means the whole roster. */
  #onlineOf(names: ReadonlySet<string> | null, listener: Listener | null): string[] {
    if (names === null) return this.#online(listener);
    if (listener !== null && this.#memory.hiding.hiddenFrom(listener.userId))
      return this.#online(listener).filter((name) => names.has(name) || name === listener.username);
    if (listener === null && this.#memory.requireCurrent().state.hasCode) return [];
    const { announced } = this.#memory.presence;
    let pageOnline = this.#pageOnline;
    if (pageOnline?.names !== names || pageOnline.of !== announced) {
      pageOnline = { names, of: announced, online: [...names].filter((name) => announced.has(name)) };
      this.#pageOnline = pageOnline;
    }
    const { online } = pageOnline;
    return listener === null || online.includes(listener.username) ? online : [...online, listener.username];
  }

  /** Sends the whole roster, to a client that shows more than the page in its welcome. */
  sendPeople(socket: WebSocket, listener: Listener): void {
    const { sockets } = this.#memory;
    if (!sockets.takePeopleRequest(socket, listener)) return;
    this.#memory.clock.catchUp();
    // The roster already contains the queued changes.
    this.#memory.flush();
    const viewer = listener.isSpectator ? null : listener;
    const hiddenPeople = viewer ? this.#memory.hiding.hiddenFrom(viewer.userId) : null;
    const people = this.#jsonFor(viewer === null, hiddenPeople).everybody();
    const online = JSON.stringify(this.#online(viewer));
    sockets.send(socket, `{"type":"people","participants":${people},"online":${online}}`);
  }

  /**
   * The room as this viewer sees it. Viewers who join within a quarter of a second share it, except those with hidden
   * people.
   */
  #jsonFor(isOutside: boolean, hiddenPeople: HiddenPeople | null): RoomJson {
    const current = this.#memory.requireCurrent();
    const now = this.#memory.now();
    if (hiddenPeople) {
      const visibleState = roomSeenBy(current.state, hiddenPeople);
      return { ...rosterOf(visibleState), room: JSON.stringify(snapshotOut(visibleState, now)) };
    }
    const state = isOutside ? outsiderView(current.state) : current.state;
    const hidesDetails = state !== current.state;
    const cached = hidesDetails ? this.#outsiderJson : this.#json;
    if (cached && isCurrent(cached, current)) return cached;
    const roster = cached?.of.people === current.people ? cached : rosterOf(state);
    const room = JSON.stringify(snapshotOut(state, now));
    const roomJson: CachedRoomJson = { ...roster, of: current, madeAt: Date.now(), room };
    if (hidesDetails) this.#outsiderJson = roomJson;
    else this.#json = roomJson;
    return roomJson;
  }
}

const isFresh = (madeAt: number): boolean => Math.abs(Date.now() - madeAt) < MAX_JSON_AGE_MS;

const isCurrent = ({ of, madeAt }: CachedRoomJson, current: StoredRoom): boolean =>
  of.runSeq === current.runSeq &&
  of.textsSeq === current.textsSeq &&
  of.people === current.people &&
  isFresh(madeAt);

function rosterOf({ participants }: RoomState): Omit<RoomJson, "room"> {
  const isPage = participants.length > ROSTER_PAGE;
  const page = participants.filter(({ isHost, hand }, index) => index < ROSTER_PAGE || isHost || hand);
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
