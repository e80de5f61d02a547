// The load of the room benchmarks: sockets that find lines in frames without parsing them, so that the load costs little
// beside the server.
import WebSocket from "ws";

/** The bound of the first reconnect delay of app/hooks/room/socket.ts. Milliseconds. */
const FIRST_DELAY = 4000;
const WELCOME = Buffer.from('"type":"welcome"');
const NONCE = Buffer.from('"nonce":"');
const NONCE_LENGTH = 36;
const END_OF_OBJECT = "}".charCodeAt(0);

/** The nonce of line `n`, and the line of a nonce. */
const nonceOf = (n) => `${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
const lineOf = (nonce) => Number.parseInt(nonce.slice(0, 8), 16);

let [lastFrame, lastLines] = [Buffer.alloc(0), []];
/** The lines in a frame, in order. A nonce counts as the last field of its object; ours says it in the message, too. */
function linesIn(frame) {
  // The sockets of a room receive the same frame one after the other.
  if (frame.length === lastFrame.length && frame.equals(lastFrame)) return lastLines;
  const lines = [];
  for (let at = frame.indexOf(NONCE); at !== -1; at = frame.indexOf(NONCE, at + NONCE_LENGTH)) {
    const begin = at + NONCE.length;
    if (frame[begin + NONCE_LENGTH + 1] === END_OF_OBJECT)
      lines.push(lineOf(frame.latin1Slice(begin, begin + 8)));
  }
  [lastFrame, lastLines] = [frame, lines];
  return lines;
}

/** A participant's socket. `onLines` receives the lines of a frame, `onIn` is called after each welcome. */
class Client {
  isIn = false;
  onIn = () => {};
  onLines = () => {};
  /** Set for a client that comes back: it notes the order of all its lines, and the last sequence number. */
  heard = null;
  seq = null;
  /** Its own lines that it has not heard yet; it sends them again when it comes back, as a page does. */
  #pending = new Set();
  #isClosed = false;

  constructor(server, person, { isReturning = false } = {}) {
    Object.assign(this, { server, person, isReturning });
    if (isReturning) this.heard = [];
    this.open();
  }

  open() {
    const { headers, protocols } = this.server.dialect.identity(this.server.url, this.person);
    this.socket = new WebSocket(
      this.server.url.replace("http", "ws") + this.server.dialect.path(this),
      protocols,
      {
        headers,
        perMessageDeflate: false,
        skipUTF8Validation: true,
      },
    );
    this.socket.on("open", () => this.server.dialect.begin(this));
    this.socket.on("message", (frame) => this.#hear(frame));
    let why = "";
    this.socket.on("error", ({ message }) => {
      why = message;
    });
    this.socket.on("close", (code) => {
      this.isIn = false;
      if (this.#isClosed) return;
      if (!this.isReturning)
        return this.server.fail(new Error(`The server closed a socket: ${why || code}.`));
      // The time before the server answers again belongs to the machine, so the delay begins after it.
      const later = () => setTimeout(() => this.open(), Math.random() * FIRST_DELAY);
      this.server.isUp ? later() : this.server.whenUp.push(later);
    });
  }

  #hear(frame) {
    if (this.server.dialect.handshake?.(this, frame)) return;
    if (this.heard) this.#note(frame);
    else if (!this.isIn && frame.subarray(0, 200).includes(WELCOME)) this.#enter();
    else this.onLines(linesIn(frame));
  }

  /** Reads everything, as a page does, so that a gap or a repetition shows. */
  #note(frame) {
    const said = JSON.parse(frame.toString());
    for (const operation of Array.isArray(said) ? said : [said]) {
      if (operation.seq !== undefined && operation.type !== "welcome") this.seq = operation.seq;
      if (operation.ticket) this.person.returnTicket = operation.ticket;
      for (const { nonce } of operation.messages ?? []) this.#noteLine(lineOf(nonce));
      if (operation.type === "message") this.#noteLine(lineOf(operation.nonce));
      if (operation.type === "welcome") this.#enter();
    }
  }

  #noteLine(n) {
    this.heard.push(n);
    this.#pending.delete(n);
  }

  #enter() {
    this.isIn = true;
    for (const n of this.#pending) this.#write(n);
    this.onIn();
  }

  send(message) {
    this.socket.send(this.server.dialect.write(message));
  }
  /** Sends line `n`, or, for a client that comes back and is away, as soon as it is back. */
  say(n) {
    if (this.isReturning) this.#pending.add(n);
    if (this.isIn) this.#write(n);
  }
  #write(n) {
    this.send({ type: "message", content: `Line ${n}`, nonce: nonceOf(n) });
  }
  close() {
    this.#isClosed = true;
    this.socket.terminate();
  }
}

/** Connects everybody at the same time; returns the clients and the milliseconds until the last welcome. */
export async function connectAll(server, people, options) {
  const began = performance.now();
  const clients = people.map((person) => new Client(server, person, options));
  await Promise.all(clients.map((client) => new Promise((resolve) => (client.onIn = resolve))));
  return { clients, ms: performance.now() - began };
}
