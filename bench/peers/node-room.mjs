// Peers of the room benchmarks on Node: a room of `ws` or of socket.io, which broadcasts every message.
//   node bench/peers/node-room.mjs ws|socket.io PORT
import { createServer } from "node:http";

const [kind, port] = process.argv.slice(2);
const server = createServer((_, answer) => answer.end("{}"));

if (kind === "ws") {
  const { WebSocketServer } = await import("ws");
  const room = new WebSocketServer({ server });
  room.on("connection", (socket) => {
    socket.on("error", () => {});
    socket.on("message", (data) => {
      const said = data.toString();
      if (JSON.parse(said).type === "join") return socket.send('{"type":"welcome"}');
      for (const listener of room.clients) listener.send(said);
    });
  });
} else {
  const { Server } = await import("socket.io");
  const room = new Server(server, { transports: ["websocket"] });
  room.on("connection", (socket) => {
    socket.on("join", () => socket.emit("welcome", { type: "welcome" }));
    socket.on("message", (message) => room.emit("message", message));
  });
}
server.listen(Number(port), "127.0.0.1", () => console.log("ready"));
