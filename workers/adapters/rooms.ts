// Calls a session's room by typed RPC, and throws the error that its answer contains. An idempotent call is retried once
// after the room has failed during it.
import { AppError } from "~/domain/errors";
import type { RoomChange } from "~/domain/room/room";
import type { Room, Rooms } from "~/use-cases/ports.server";
import type { Env } from "../env";
import type { RoomAnswer } from "../room/answers";
import type { SessionRoom } from "../room/session-room";

const IDEMPOTENT: ReadonlySet<RoomChange["type"]> = new Set([
  "set-ready",
  "set-summary",
  "end-soon",
  "say",
  "edit-line",
  "remove-line",
  "logged",
]);
/** The room does not store the values of the record's fields, so it cannot recognise a repeated edit of them. */
const isIdempotent = (change: RoomChange): boolean =>
  change.type === "edit" ? change.facts === undefined : IDEMPOTENT.has(change.type);

/** How many rooms this process remembers; a forgotten room is looked up in D1 again. */
const MAX_REMEMBERED_ROOMS = 10_000;
const openedRooms = new Set<number>();

/** A call creates the room permanently, so callers must check that the session exists. */
export function openRoom(env: Pick<Env, "ROOMS">, sessionId: number): DurableObjectStub<SessionRoom> {
  if (openedRooms.size >= MAX_REMEMBERED_ROOMS && !openedRooms.has(sessionId))
    for (const oldest of openedRooms) {
      openedRooms.delete(oldest);
      break;
    }
  openedRooms.add(sessionId);
  return env.ROOMS.get(env.ROOMS.idFromName(String(sessionId)));
}

export function createRooms(env: Env): Rooms {
  return {
    hasOpened: (sessionId) => openedRooms.has(sessionId),
    of(sessionId): Room {
      // A stub stays broken after its room has failed, so each call takes a new stub.
      const stub = () => openRoom(env, sessionId);
      const callRoom = async <T>(
        call: (room: DurableObjectStub<SessionRoom>) => Promise<RoomAnswer<T>>,
        mayRepeat = true,
      ): Promise<T> => unwrap(await call(stub()).catch(repeatOnce(() => call(stub()), mayRepeat)));
      return {
        refresh: () => callRoom((room) => room.refresh(sessionId)),
        change: (change) => callRoom((room) => room.change(sessionId, change), isIdempotent(change)),
        view: () => callRoom((room) => room.view(sessionId)),
        messages: (page) => callRoom((room) => room.messages(sessionId, page)),
        linesOf: (page) => callRoom((room) => room.linesOf(sessionId, page)),
        writtenBy: (userId) => callRoom((room) => room.writtenBy(sessionId, userId)),
        followLogs: () => callRoom((room) => room.followLogs(sessionId)),
        eraseAuthor: (author) => callRoom((room) => room.eraseAuthor(sessionId, author)),
        copyChat: () => callRoom((room) => room.copyChat(sessionId)),
        endLogins: (loginHashes) => callRoom((room) => room.endLogins(loginHashes)),
        closeSpectators: (which) => callRoom((room) => room.closeSpectators(which)),
      };
    },
  };
}

/** Repeats a failed call, except when the room is overloaded, because a repeat would add load. */
const repeatOnce =
  <T>(call: () => Promise<T>, mayRepeat: boolean) =>
  (error: unknown): Promise<T> => {
    const isOverloaded = (error as { overloaded?: boolean }).overloaded === true;
    if (!mayRepeat || isOverloaded) throw error;
    return call();
  };

function unwrap<T>(answer: RoomAnswer<T>): T {
  if (answer.ok) return answer.value;
  const { code, message, sentences, fields, retryAfter, newer } = answer;
  throw new AppError(code, message, {
    sentences,
    fields,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(newer === undefined ? {} : { newer }),
  });
}
