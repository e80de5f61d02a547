// The baselines of the room benchmarks: the smallest hibernating room, which broadcasts every message and stores
// nothing, and the same with one durable row for each line.
import { DurableObject } from "cloudflare:workers";

export class BareRoom extends DurableObject {
  override async fetch(): Promise<Response> {
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.ctx.acceptWebSocket(ours);
    return new Response(null, { status: 101, webSocket: theirs });
  }
  protected keep(_said: string): void {}
  override async webSocketMessage(socket: WebSocket, said: string): Promise<void> {
    const { type } = JSON.parse(said) as { type: string };
    if (type === "join") return socket.send('{"type":"welcome"}');
    this.keep(said);
    for (const listener of this.ctx.getWebSockets()) listener.send(said);
  }
}

export class BareDurableRoom extends BareRoom {
  readonly table = this.ctx.storage.sql.exec(
    "CREATE TABLE IF NOT EXISTS lines (seq INTEGER PRIMARY KEY, said TEXT NOT NULL)",
  );
  /** The platform holds the broadcast back until the row is on disk. */
  protected override keep(said: string): void {
    this.ctx.storage.sql.exec("INSERT INTO lines (said) VALUES (?)", said);
  }
}

type Rooms = { ROOMS: DurableObjectNamespace };
export default {
  fetch: (request: Request, { ROOMS }: Rooms) =>
    request.headers.get("Upgrade") ? ROOMS.get(ROOMS.idFromName("one")).fetch(request) : new Response("{}"),
};
