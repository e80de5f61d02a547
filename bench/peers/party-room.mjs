// A peer of the room benchmarks: a hibernating room of partyserver, which broadcasts every message.
import { routePartykitRequest, Server } from "partyserver";

export class PartyRoom extends Server {
  static options = { hibernate: true };
  onMessage(connection, said) {
    if (JSON.parse(said).type === "join") connection.send('{"type":"welcome"}');
    else this.broadcast(said);
  }
}

export default {
  fetch: async (request, env) => (await routePartykitRequest(request, env)) ?? new Response("{}"),
};
