// A crowd for benchmarks: logins with seats in one running session, and their sockets to its room.
import { randomBytes } from "node:crypto";
import { openLocalD1 } from "../support/local-d1.mjs";
import { addPerson, hashOf } from "../support/local-people.mjs";

/** The bound of the first reconnect delay of app/hooks/room/socket.ts. Milliseconds. */
const FIRST_DELAY = 4000;
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** `numbers` may be unsorted. */
export const percentile = (numbers, share) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** Inserts users with a login and a seat in the running session 1, by SQL. */
export function fill(dataDir, people) {
  const db = openLocalD1(dataDir);
  const now = Date.now();
  const person = Array.from({ length: people }, (_, n) => {
    const token = randomBytes(32).toString("base64url");
    return { id: n + 1, name: `walker-${n}`, token, loginHash: hashOf(token) };
  });
  const insert = (sql) => db.prepare(sql);
  const seat = insert(
    "INSERT INTO participants (session_id, user_id, person_id, username, is_host, seat, paid_by, joined_at) VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
  );
  db.exec("BEGIN");
  for (const { name, token } of person) addPerson(db, { username: name, token, now });
  insert(
    "INSERT INTO sessions (id, slug, owner_id, title, started_at, ended_at, duration, participants_count, schedule, created_at, updated_at) VALUES (1, 'crowd', 1, 'A crowd', ?, ?, 7200, ?, '{\"groups\":[]}', ?, ?)",
  ).run(now - 60_000, now + 7_140_000, people, now, now);
  for (const { id, name } of person) seat.run(id, id, name, id === 1 ? 1 : 0, `seat-${id}`, id, now + id);
  db.exec("COMMIT");
  db.close();
  return person;
}

/** A socket that reconnects by itself and records its messages. */
class Line {
  /** Nonces in the order of arrival. */
  heard = [];
  seq = null;
  isIn = false;
  onIn = () => {};
  onLine = () => {};
  onOperation = () => {};
  constructor(url, person, origin) {
    this.origin = origin;
    this.url = url;
    this.person = person;
    this.open();
  }
  open() {
    this.socket = new WebSocket(this.url, {
      headers: { Cookie: `login=${this.person.token}`, Origin: this.origin },
    });
    this.socket.addEventListener("open", () =>
      this.say({
        type: "join",
        room: 1,
        client_uuid: this.person.name,
        username: this.person.name,
        ...(this.seq === null ? {} : { since: this.seq }),
      }),
    );
    this.socket.addEventListener("message", ({ data }) => this.hear(JSON.parse(data)));
    this.socket.addEventListener("error", () => {});
    this.socket.addEventListener("close", () => {
      this.isIn = false;
      if (!this.isDone) setTimeout(() => this.open(), this.delay());
    });
  }
  delay() {
    return Math.random() * FIRST_DELAY;
  }
  say(message) {
    this.socket.send(JSON.stringify(message));
  }
  hear(operations) {
    for (const operation of operations) {
      this.onOperation(operation);
      if (operation.type === "refused") throw new Error(operation.message);
      if (operation.type === "history") for (const message of operation.messages) this.note(message.nonce);
      if (operation.type === "message") this.note(operation.nonce);
      if (operation.seq !== undefined && operation.type !== "welcome") this.seq = operation.seq;
      if (operation.type === "welcome") {
        this.isIn = true;
        this.onIn();
      }
    }
  }
  note(nonce) {
    this.heard.push(nonce);
    this.onLine(nonce);
  }
  close() {
    this.isDone = true;
    this.socket.close();
  }
}

/** Connects everybody at the same time; returns milliseconds. */
export async function comeIn(url, crowd, origin) {
  const began = performance.now();
  const all = [];
  await Promise.all(
    crowd.map(
      (person) =>
        new Promise((resolve) => {
          const line = new Line(url, person, origin);
          line.onIn = resolve;
          all.push(line);
        }),
    ),
  );
  return { all, ms: performance.now() - began };
}
