// The servers of the room benchmarks, each with its dialect: how a client identifies itself, joins and sends.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, serveBare } from "../../tests/load/bundled.mjs";
import { fill } from "../../tests/load/crowd-lines.mjs";
import { serveProcess, serveWorker } from "../../tests/support/worker.mjs";
import { migrate } from "../../workers/local/tools.mjs";

const SESSION = 1;
const MINUTE = 60_000;
const room = (className) => ({ durableObjects: { ROOMS: { className, useSQLite: true } } });

const plain = {
  processName: "workerd",
  path: () => "/parties/rooms/one",
  identity: () => ({ headers: {}, protocols: [] }),
  begin: (client) => client.send({ type: "join" }),
  write: (message) => JSON.stringify(message),
};

/** As a page of the product: the login's cookie, and the ticket of the page or of the last welcome. */
const ours = {
  ...plain,
  /** A box that reserves lines when it opens, and lines for those who come back. */
  hasBox: true,
  hasHistory: true,
  path: ({ person, seq }) =>
    `/sessions/${SESSION}/socket?username=${person.name}${seq === null ? "" : `&since=${seq}`}`,
  identity: (url, { token, pageTicket, returnTicket }) => {
    const ticket = returnTicket ?? pageTicket;
    return {
      headers: { Cookie: `login=${token}`, Origin: url },
      protocols: ticket ? ["bothy", ticket] : [],
    };
  },
  begin: () => {},
};

/** The packets of Engine.IO 4 and Socket.IO 5 on a WebSocket, as their client sends them. */
const socketIo = {
  ...plain,
  processName: "node",
  path: () => "/socket.io/?EIO=4&transport=websocket",
  begin: () => {},
  write: ({ type, ...message }) => `42${JSON.stringify([type, { type, ...message }])}`,
  /** True for a packet without an operation. */
  handshake(client, frame) {
    const kind = frame.toString("latin1", 0, 2);
    if (kind === "42") return false;
    if (kind[0] === "0") client.socket.send("40");
    if (kind === "40") client.send({ type: "join" });
    if (kind[0] === "2") client.socket.send("3");
    return true;
  },
};

/** Every server by name: `start({ port, core, folder, people })`. `folder` belongs only to this kind of server. */
export const SERVERS = {
  ours: { dialect: ours, start: startOurs },
  bare: {
    dialect: plain,
    start: (options) =>
      serveBare("bench/bare-room.ts", { ...options, isDirect: true, more: room("BareRoom") }),
  },
  "bare-durable": {
    dialect: plain,
    start: (options) =>
      serveBare("bench/bare-room.ts", { ...options, isDirect: true, more: room("BareDurableRoom") }),
  },
  "bare-ticketed": {
    dialect: { ...ours, hasBox: false, hasHistory: false },
    start: (options) =>
      serveBare("bench/bare-room.ts", {
        ...options,
        isDirect: true,
        more: { ...room("BareTicketedRoom"), bindings: { TICKETS: "on" } },
      }),
  },
  ws: {
    dialect: { ...plain, processName: "node" },
    start: ({ port, core }) => serveProcess({ port, core, script: [nodeRoom, "ws", String(port)] }),
  },
  "socket.io": {
    dialect: socketIo,
    start: ({ port, core }) => serveProcess({ port, core, script: [nodeRoom, "socket.io", String(port)] }),
  },
  partyserver: {
    dialect: plain,
    start: (options) =>
      serveBare("bench/peers/party-room.mjs", { ...options, isDirect: true, more: room("PartyRoom") }),
  },
};
const nodeRoom = join(import.meta.dirname, "node-room.mjs");

/**
 * With fresh data of its own, or with `dataDir` of a server that has died. Without static files, as the other rooms:
 * their local stand-in costs a join more than a bare room does, and every frame passes it.
 */
async function startOurs({ port, core, world, dataDir = world.copy() }) {
  const server = await serveWorker({
    port,
    core,
    dataDir,
    vars: { RATE_LIMITS: "off" },
    change: withoutFiles,
    isDirect: true,
  });
  return {
    ...server,
    dataDir,
    kill: async ({ isForGood = true } = {}) => {
      await server.kill();
      if (isForGood) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function withoutFiles({ pages }) {
  delete pages.assets;
}

/** A database with a running session and `count` people in it, which each start of our worker copies. */
export async function makeWorld(folder, count) {
  const template = mkdtempSync(join(folder, "world-"));
  await migrate(template);
  const people = fill(template, count);
  return {
    people,
    copy() {
      const copy = mkdtempSync(join(folder, "copy-"));
      cpSync(template, copy, { recursive: true });
      return copy;
    },
    drop: () => rmSync(template, { recursive: true, force: true }),
  };
}

/** Gives every person the ticket that the session's page carries. It is valid for a minute. */
export async function ticketsFor(folder) {
  const outfile = join(folder, "tickets.mjs");
  await bundle("workers/adapters/tickets.ts", outfile);
  const { createTickets } = await import(pathToFileURL(outfile).href);
  const tickets = createTickets({}, true);
  return async (people) => {
    const now = Date.now();
    for (const person of people) {
      delete person.returnTicket;
      const { id: userId, name: username, loginHash } = person;
      const ticket = { sessionId: SESSION, userId, username, timeZone: "UTC", loginHash };
      if (now - (person.ticketAt ?? 0) < MINUTE / 2) continue;
      person.pageTicket = await tickets.issue(ticket, now);
      person.ticketAt = now;
    }
  };
}
