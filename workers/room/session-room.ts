// The room of one session: I/O only, decides nothing. app/domain/room.ts has the rules, room-store.ts what is kept,
// sockets.ts who listens.
import { DurableObject } from "cloudflare:workers";
import type { ErrorCode } from "~/domain/errors";
import type { RoomChange, RoomView } from "~/domain/room";
import type { Env } from "../env";

export type RoomAnswer<T> =
  | { ok: true; value: T }
  | { ok: false; code: ErrorCode; message: string; sentences: string[] };

export class SessionRoom extends DurableObject<Env> {
  async refresh(_sessionId: number): Promise<RoomAnswer<void>> {
    return { ok: true, value: undefined };
  }
  async change(_sessionId: number, _change: RoomChange): Promise<RoomAnswer<RoomView>> {
    return { ok: false, code: "CONFLICT", message: "This room is not open yet.", sentences: [] };
  }
  async view(_sessionId: number): Promise<RoomAnswer<RoomView>> {
    return { ok: false, code: "CONFLICT", message: "This room is not open yet.", sentences: [] };
  }
  async messages(
    _sessionId: number,
    _page: { before?: number; limit: number },
  ): Promise<RoomAnswer<RoomView["messages"]>> {
    return { ok: true, value: [] };
  }
}
