// The entrance of a room's socket, for participants with a seat, under the identity of the upgrade, and spectators.

import { AppError } from "~/domain/errors";
import { NOT_JOINED } from "~/domain/room/chat";
import { logSecurity } from "~/use-cases/security-log.server";
import { CLOSE } from "~/wire/room/room";
import type { RoomMemory } from "./memory";
import type { Entry, Identity, Join, Listener } from "./sockets";
import type { Welcome } from "./welcome";

const JOINED_ALREADY = "This connection has joined already.";

export class Entrance {
  readonly #memory: RoomMemory;
  readonly #welcome: Welcome;
  /** The tickets for the welcomes of sockets that have not joined; a room that hibernates meanwhile sends none. */
  readonly #tickets = new WeakMap<WebSocket, string>();

  constructor(memory: RoomMemory, welcome: Welcome) {
    this.#memory = memory;
    this.#welcome = welcome;
  }

  /** The identity comes from the upgrade, never from `join`. */
  join(socket: WebSocket, listener: Listener, join: Join): void {
    const { sockets } = this.#memory;
    const state = this.#memory.upToDate();
    const seat = this.#memory.seatOf(listener);
    if (!seat || join.username !== seat.username) {
      this.refuse(socket);
      return;
    }
    if (listener.hasJoined) throw new AppError("CONFLICT", JOINED_ALREADY);
    // The welcome already contains the queued frames.
    this.#memory.flush();
    if (!sockets.join(socket, listener, seat.username)) return;
    this.#memory.recordHostAttendance();
    // Rooms that closed long ago do not hear of ended logins.
    const ticket = state.closedAt === null ? this.#tickets.get(socket) : undefined;
    this.#tickets.delete(socket);
    this.#welcome.greet(socket, { ...listener, username: seat.username }, join.since, ticket);
  }

  letIn(socket: WebSocket, identity: Identity, ticket: string | null, join: Join | undefined): void {
    this.#memory.accept(socket, identity);
    if (ticket !== null) this.#tickets.set(socket, ticket);
    // Without a seat the socket must close: only the rooms of a login's seats learn that the login ended.
    if (!this.#memory.seatOf(identity)) {
      this.refuse(socket);
      return;
    }
    const listener = this.#memory.sockets.of(socket);
    if (join && listener) this.join(socket, listener, join);
  }

  refuse(socket: WebSocket): void {
    const { sockets } = this.#memory;
    const listener = sockets.of(socket);
    if (listener) {
      const { userId, network } = listener;
      const path = `/sessions/${this.#memory.requireCurrent().state.sessionId}/socket`;
      const origin = { ip: network, userAgent: "", place: "" };
      logSecurity(
        { now: this.#memory.now(), origin },
        { event: "socket-refused", userId, status: 403, path },
      );
    }
    sockets.send(socket, { type: "refused", error_code: "FORBIDDEN", message: NOT_JOINED });
    sockets.close(socket, CLOSE.notAllowed, "not joined");
  }

  /** Spectators receive timers and presence; chat and logs are for participants. */
  letWatch(socket: WebSocket, { network, isStage, isLinked }: Entry): void {
    const { sockets } = this.#memory;
    this.#memory.upToDate();
    this.#memory.flush();
    if (
      !sockets.acceptSpectator(socket, network, {
        ...(isStage && { isStage }),
        ...(isLinked && { isLinked }),
      })
    )
      return;
    if (isStage) this.#welcome.greetStage(socket, isLinked);
    else this.#welcome.greet(socket, null);
  }
}
