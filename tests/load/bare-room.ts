// The baseline of the room benchmarks: the smallest hibernating room, which broadcasts every message and stores
// nothing.
import { DurableObject } from "cloudflare:workers";

export class BareRoom extends DurableObject {
  override async fetch(): Promise<Response> {
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.ctx.acceptWebSocket(ours);
    return new Response(null, { status: 101, webSocket: theirs });
  }
  override async webSocketMessage(socket: WebSocket, said: string): Promise<void> {
    const { type } = JSON.parse(said) as { type: string };
    if (type === "join") return socket.send('{"type":"welcome"}');
    for (const listener of this.ctx.getWebSockets()) listener.send(said);
  }
}

type Rooms = { ROOMS: DurableObjectNamespace };
export default {
  fetch: (request: Request, { ROOMS }: Rooms) =>
    request.headers.get("Upgrade") ? ROOMS.get(ROOMS.idFromName("one")).fetch(request) : new Response("{}"),
};
