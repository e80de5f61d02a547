// Calls a session's room by typed RPC; an error code travels in the answer, because RPC loses it. After a room dies
// during an idempotent call, the call is retried once.
import { AppError } from "~/domain/errors";
import type { RoomChange } from "~/domain/room/room";
import type { Room, Rooms } from "~/use-cases/ports.server";
import type { Env } from "../env";
import type { RoomAnswer } from "../room/answers";
import type { SessionRoom } from "../room/session-room";

const SAFE_TWICE: ReadonlySet<RoomChange["type"]> = new Set([
  "set-ready",
  "set-summary",
  "end-soon",
  "say",
  "edit-line",
  "remove-line",
  "logged",
]);
/** The room knows no values of the record's fields, so a repeat of their edit looks like another one. */
const isSafeTwice = (change: RoomChange): boolean =>
  change.type === "edit" ? change.facts === undefined : SAFE_TWICE.has(change.type);

/** How many rooms this process remembers; a forgotten room is looked up in D1 again. */
const MAX_REMEMBERED_ROOMS = 10_000;
const opened = new Set<number>();

/** A call creates the room for good, so callers make sure that the session exists. */
export function openRoom(env: Pick<Env, "ROOMS">, sessionId: number): DurableObjectStub<SessionRoom> {
  if (opened.size >= MAX_REMEMBERED_ROOMS && !opened.has(sessionId))
    for (const oldest of opened) {
      opened.delete(oldest);
      break;
    }
  opened.add(sessionId);
  return env.ROOMS.get(env.ROOMS.idFromName(String(sessionId)));
}

export function createRooms(env: Env): Rooms {
  return {
    hasOpened: (sessionId) => opened.has(sessionId),
    of(sessionId): Room {
      // A stub whose room died stays broken, so each call takes a new stub.
      const stub = () => openRoom(env, sessionId);
      const callRoom = async <T>(
        call: (room: DurableObjectStub<SessionRoom>) => Promise<RoomAnswer<T>>,
        mayRepeat = true,
      ): Promise<T> => unwrap(await call(stub()).catch(repeatOnce(() => call(stub()), mayRepeat)));
      return {
        refresh: () => callRoom((room) => room.refresh(sessionId)),
        change: (change) => callRoom((room) => room.change(sessionId, change), isSafeTwice(change)),
        view: () => callRoom((room) => room.view(sessionId)),
        messages: (page) => callRoom((room) => room.messages(sessionId, page)),
        linesOf: (page) => callRoom((room) => room.linesOf(sessionId, page)),
        followLogs: () => callRoom((room) => room.followLogs(sessionId)),
        eraseAuthor: (author) => callRoom((room) => room.eraseAuthor(sessionId, author)),
        copyChat: () => callRoom((room) => room.copyChat(sessionId)),
        endLogins: (loginHashes) => callRoom((room) => room.endLogins(loginHashes)),
        closeSpectators: (which) => callRoom((room) => room.closeSpectators(which)),
      };
    },
  };
}

/** No retry when the room is overloaded: a retry would add load. */
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
