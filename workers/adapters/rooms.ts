// Reaches a session's room by typed RPC. Errors cross RPC as plain ones; the code travels in the answer instead.
import { AppError } from "~/domain/errors";
import type { Room, Rooms } from "~/use-cases/ports.server";
import type { Env } from "../env";
import type { RoomAnswer } from "../room/session-room";

export function createRooms(env: Env): Rooms {
  return {
    of(sessionId): Room {
      const stub = env.ROOMS.get(env.ROOMS.idFromName(String(sessionId)));
      return {
        refresh: async () => unwrap(await stub.refresh(sessionId)),
        change: async (change) => unwrap(await stub.change(sessionId, change)),
        view: async () => unwrap(await stub.view(sessionId)),
        messages: async (page) => unwrap(await stub.messages(sessionId, page)),
      };
    },
  };
}

function unwrap<T>(answer: RoomAnswer<T>): T {
  if (answer.ok) return answer.value;
  const { code, message, sentences, fields } = answer;
  throw new AppError(code, message, { sentences, fields });
}
