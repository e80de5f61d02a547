// The baselines of the room benchmarks: the smallest hibernating room, which broadcasts every message and stores
// nothing, a room with one durable row for each line, and one with our tickets and a welcome.
import { DurableObject } from "cloudflare:workers";
import { createTickets } from "#workers/adapters/tickets";
import { instant } from "~/domain/time";
import { hashToken } from "~/use-cases/tokens.server";

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

/** A bare room with a ticket beside its cookie, another for the way back, and a welcome with a page of names. */
export class BareTicketedRoom extends DurableObject {
  readonly names: string[] = [];
  override async fetch(request: Request): Promise<Response> {
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.ctx.acceptWebSocket(ours);
    const { username, ticket } = JSON.parse(request.headers.get("Entry") ?? "");
    ours.serializeAttachment({ username });
    this.names.push(username);
    ours.send(JSON.stringify({ type: "welcome", ticket, names: this.names.slice(-100) }));
    return new Response(null, {
      status: 101,
      webSocket: theirs,
      headers: { "Sec-WebSocket-Protocol": "bothy" },
    });
  }
}

async function upgradeWithTicket(request: Request, room: DurableObjectStub): Promise<Response> {
  const [, token = ""] = (request.headers.get("Sec-WebSocket-Protocol") ?? "").split(/, */);
  const [, login = ""] = /\blogin=([^;]+)/.exec(request.headers.get("Cookie") ?? "") ?? [];
  const now = instant(Date.now());
  const tickets = createTickets({}, true);
  const known = await tickets?.read(token, now);
  if (!tickets || !known || known.ticket.loginHash !== (await hashToken(login)))
    return new Response(null, { status: 403 });
  const { username } = known.ticket;
  const ticket = await tickets.issueReturn(known.ticket, now);
  return room.fetch("http://room/", {
    headers: { Upgrade: "websocket", Entry: JSON.stringify({ username, ticket }) },
  });
}

type Rooms = { ROOMS: DurableObjectNamespace; TICKETS?: string };
export default {
  fetch(request: Request, { ROOMS, TICKETS }: Rooms) {
    if (!request.headers.get("Upgrade")) return new Response("{}");
    const room = ROOMS.get(ROOMS.idFromName("one"));
    return TICKETS ? upgradeWithTicket(request, room) : room.fetch(request);
  },
};
