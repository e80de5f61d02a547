// Measures the latency of a chat line in a full room on local workerd, at a calm pace and in a burst. Fails when a line is
// lost, out of order or too slow for half of the listeners, or when the silent room sends anything.
//   node tests/load/room.mjs [--people 50] [--lines 200] [--idle 10] [--port 8795]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate, serve } from "../../workers/local/tools.mjs";
import { signedUp } from "./caller.mjs";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "50" },
    lines: { type: "string", default: "200" },
    idle: { type: "string", default: "10" },
    port: { type: "string", default: "8795" },
  },
});
const [people, lines, port] = [Number(values.people), Number(values.lines), Number(values.port)];
/** The bound in milliseconds for half of the deliveries in a calm room, without a network. */
const BOUND_P50 = 50;
/** Seconds of silence while a timer runs. */
const idle = Number(values.idle);
/** Milliseconds between two lines of a calm room. */
const PACE = 50;

const dataDir = mkdtempSync(join(tmpdir(), "bench-room-"));
await ensureBuilt();
await migrate(dataDir);
const server = await serve({ port, dataDir, vars: { RATE_LIMITS: "off" }, quiet: true });
try {
  const crowd = await Promise.all(
    Array.from({ length: people }, (_, n) => signedUp(server.url, `walker-${n}`)),
  );
  const [host] = crowd;
  const timer = { title: "Walk", type: "event", duration: 3000, auto_start: 1, sets: 1 };
  const parts = [{ title: "", type: "event", is_linked: 1, sets: 1, parts: [timer] }];
  const { challenge_event: session } = await host.call("POST", "/challenge-events", {
    challenge: { title: "A full room", duration: 3600, is_manually_started: 1, is_free: 0, parts },
  });
  for (const person of crowd.slice(1)) await person.call("POST", `/challenge-events/${session.id}/join`, {});
  await host.call("POST", `/challenge-events/${session.id}/start`, {});

  const began = performance.now();
  const listeners = await Promise.all(crowd.map((person) => listen(person, session.id)));
  const joined = performance.now() - began;

  const calm = await measure(listeners, lines, PACE);
  const burst = await measure(listeners, people, 0);
  const silent = await silence(listeners);
  const rows = [
    ["calm", `${Math.round(1000 / PACE)} lines a second`, calm],
    ["all at once", `${people} lines`, burst],
  ];
  console.log(
    `${people} people, all in after ${joined.toFixed(0)} ms: ${((people * 1000) / joined).toFixed(0)} a second.\n`,
  );
  console.log(
    "| room | said | deliveries | p50 ms | p95 ms | p99 ms | frames a listener |\n|---|---|---|---|---|---|---|",
  );
  for (const [name, said, { delays, frames }] of rows)
    console.log(
      `| ${name} | ${said} | ${delays.length} | ${[0.5, 0.95, 0.99].map((p) => at(delays, p).toFixed(1)).join(" | ")} | ${(frames / people).toFixed(1)} |`,
    );
  if (at(calm.delays, 0.5) > BOUND_P50) {
    console.error(`Half of the deliveries take more than ${BOUND_P50} ms.`);
    process.exitCode = 1;
  }
  console.log(`\nSilent for ${idle} s while a timer runs: ${silent} frames sent.`);
  if (silent > 0) {
    console.error("A frame was sent because time passed.");
    process.exitCode = 1;
  }
  for (const listener of listeners) listener.socket.close();
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Sends `count` lines by alternating people; resolves when everybody has received them all in one order. */
async function measure(listeners, count, pace) {
  const saidAt = new Map();
  const delays = [];
  const orders = listeners.map(() => []);
  const before = listeners.reduce((sum, listener) => sum + listener.frames, 0);
  const done = new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`Lost: ${count * listeners.length - delays.length}`)),
      60_000,
    );
    listeners.forEach((listener, n) => {
      listener.onLine = (nonce) => {
        delays.push(performance.now() - saidAt.get(nonce));
        orders[n].push(nonce);
        if (delays.length < count * listeners.length) return;
        clearTimeout(late);
        resolve();
      };
    });
  });
  for (let i = 0; i < count; i++) {
    const nonce = crypto.randomUUID();
    saidAt.set(nonce, performance.now());
    listeners[i % listeners.length].socket.send(
      JSON.stringify({ type: "message", content: `Line ${i}`, nonce }),
    );
    if (pace > 0) await new Promise((resolve) => setTimeout(resolve, pace));
  }
  await done;
  const order = orders[0].join();
  if (orders.some((one) => one.join() !== order)) throw new Error("Not everybody heard the same order.");
  const frames = listeners.reduce((sum, listener) => sum + listener.frames, 0) - before;
  return { delays: delays.sort((a, b) => a - b), frames };
}

/** Frames received while nobody acts. */
async function silence(listeners) {
  const heard = () => listeners.reduce((sum, listener) => sum + listener.frames, 0);
  // By then the last throttled frame has left.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const before = heard();
  await new Promise((resolve) => setTimeout(resolve, idle * 1000));
  return heard() - before;
}

async function listen(person, id) {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/sessions/${id}/socket`, {
    headers: { Cookie: person.cookie(), Origin: server.url },
  });
  const listener = { socket, frames: 0, onLine: () => {} };
  await new Promise((resolve, reject) => {
    socket.addEventListener("error", () => reject(new Error("no line to the room")));
    socket.addEventListener("open", () =>
      socket.send(
        JSON.stringify({ type: "join", room: id, client_uuid: person.username, username: person.username }),
      ),
    );
    socket.addEventListener("message", ({ data }) => {
      listener.frames++;
      for (const operation of JSON.parse(data)) {
        if (operation.type === "welcome") resolve();
        if (operation.type === "refused") reject(new Error(operation.message));
        if (operation.type === "message") listener.onLine(operation.nonce);
      }
    });
  });
  return listener;
}
