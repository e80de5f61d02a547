// A client of the history checker, which acts at random and records all requests and received lines. It retries each
// keyed call until an answer comes, and reconnects its socket with `since`.
import { wait } from "../load/crowd-lines.mjs";

/** A call without an answer after this long is retried under its key. */
const ANSWER_MS = 8000;
/** Milliseconds between two actions of a client. */
const PACE = [150, 900];

export class Client {
  /** Received lines in order: `{ seq, nonce, content }`. */
  heard = [];
  /** Nonce → content of the lines that this client sent. */
  said = new Map();
  /** Nonces of this client's lines that the room has broadcast: they are durable. */
  acknowledged = new Set();
  /** Key → `{ kind, status }` of every keyed call; `status` is null while unanswered. */
  keyed = new Map();
  /** Keys whose two attempts gave different answers. */
  conflicts = [];
  /** The seat after the last answered join or leave. */
  hasSeat = true;
  /** Permitted gaps: a welcome announced one, or the client had no seat meanwhile. */
  gaps = 0;
  operations = 0;
  /** Username → number of the raised hand, as this client's page shows it (J-05). */
  hands = new Map();
  #seq = null;
  #isDone = false;
  #isIn = false;
  #xsrf = "history-checker-history-checker-token";

  constructor(url, person, random) {
    this.url = url;
    this.person = person;
    this.random = random;
    this.isHost = person.id === 1;
    // The others keep their seats, so that they may miss nothing.
    this.changesSeat = person.id % 3 === 0;
  }

  async #fetch(method, path, body, key) {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        Cookie: `login=${this.person.token}; XSRF-TOKEN=${this.#xsrf}`,
        Origin: this.url,
        "Content-Type": "application/json",
        "X-XSRF-TOKEN": this.#xsrf,
        ...(key ? { "Idempotency-Key": key } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : null };
  }

  /** Retries until the server answers; a server that is down gives no answer or a 5xx of the proxy. */
  async call(method, path, body, key) {
    const call = { name: `${method} ${path}`, last: "no answer" };
    this.#unanswered.add(call);
    for (;;) {
      try {
        const answer = await this.#fetch(method, path, body, key);
        if (answer.status < 500 || answer.body?.error_code) {
          this.#unanswered.delete(call);
          return answer;
        }
        call.last = String(answer.status);
      } catch (error) {
        call.last = error.message;
      }
      await wait(this.random.between(100, 600));
    }
  }
  #unanswered = new Set();

  /** A sentence for each pending thing of this client. */
  waitsFor() {
    const { name } = this.person;
    return [
      ...[...this.#unanswered].map((call) => `${name} repeats ${call.name} (${call.last})`),
      ...(this.hasSeat ? [] : [`${name} has no seat`]),
      ...(this.#isIn ? [] : [`${name} has no welcome`]),
    ];
  }

  async makeSession() {
    const challenge = {
      title: "History",
      is_manually_started: 1,
      duration: 7200,
      tasks: [{ title: "Lines", unit: "lines", amount: 100 }],
      parts: [
        {
          uuid: "group",
          auto_start: 0,
          parts: [
            { uuid: "first", title: "First", duration: 3600 },
            { uuid: "second", title: "Second", duration: 3600 },
          ],
        },
      ],
    };
    const { status, body } = await this.call("POST", "/challenge-events", { challenge }, "make");
    if (status !== 201) throw new Error(`No session: ${status} ${JSON.stringify(body)}`);
    const { id } = body.challenge_event;
    const started = await this.call("POST", `/challenge-events/${id}/start`, {});
    if (started.status >= 300) throw new Error(`No start: ${started.status}`);
    return id;
  }

  enter(session) {
    this.session = session;
    this.#entering = this.isHost ? Promise.resolve() : this.#join();
    this.#entering.then(() => this.#open());
  }
  #entering;

  async #join() {
    const key = crypto.randomUUID();
    const answer = await this.#once("join", key, "POST", `/challenge-events/${this.session}/join`, {});
    if (answer.status < 300) this.hasSeat = true;
  }

  /** Sends a keyed call until its answer; every fourth is sent twice at once, like a double click. */
  async #once(kind, key, method, path, body) {
    this.operations++;
    this.keyed.set(key, { kind, status: null });
    const ask = () => this.call(method, path, body, key);
    const answers = this.random.share() < 0.25 ? await Promise.all([ask(), ask()]) : [await ask()];
    const [answer, second] = answers;
    if (second && (second.status !== answer.status || second.body?.log?.id !== answer.body?.log?.id))
      this.conflicts.push(`${kind} ${key}: ${answer.status} and ${second.status}`);
    this.keyed.set(key, { kind, status: answer.status });
    return answer;
  }

  #open() {
    if (this.#isDone) return;
    const socket = new WebSocket(`${this.url.replace("http", "ws")}/sessions/${this.session}/socket`, {
      headers: { Cookie: `login=${this.person.token}`, Origin: this.url },
    });
    this.socket = socket;
    socket.addEventListener("open", () =>
      this.#send({
        type: "join",
        room: this.session,
        client_uuid: this.person.name,
        username: this.person.name,
        ...(this.#seq === null ? {} : { since: this.#seq }),
      }),
    );
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.socket) for (const operation of JSON.parse(data)) this.#hear(operation);
    });
    socket.addEventListener("error", () => {});
    socket.addEventListener("close", () => {
      if (socket !== this.socket) return;
      this.#isIn = false;
      if (!this.#isDone) setTimeout(() => this.#open(), this.random.between(200, 1500));
    });
  }
  #send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  #hear(operation) {
    this.#noteHands(operation);
    if (operation.type === "history") {
      if (operation.is_cut === 1 && this.#seq !== null) this.gaps++;
      for (const message of operation.messages) this.#note(message);
      this.#isIn = true;
    }
    if (operation.type === "message") this.#note(operation.message);
    if (operation.seq !== undefined && operation.type !== "welcome") this.#seq = operation.seq;
  }
  #noteHands({ type, is_whole, left = [], participants = [] }) {
    if (type !== "welcome" && type !== "participants") return;
    if (is_whole === 1) this.hands.clear();
    for (const name of left) this.hands.delete(name);
    for (const { username, hand } of participants)
      if (hand === undefined) this.hands.delete(username);
      else this.hands.set(username, hand);
  }
  /** The line of hands in its order. */
  line() {
    return [...this.hands].sort(([, a], [, b]) => a - b).map(([username]) => username);
  }

  #note({ seq, nonce, content }) {
    this.heard.push({ seq, nonce, content });
    if (this.said.has(nonce)) this.acknowledged.add(nonce);
  }

  async act(isOver) {
    await this.#entering;
    while (!isOver()) {
      await wait(this.random.between(...PACE));
      await this.#actOnce();
    }
  }

  async #actOnce() {
    const share = this.random.share();
    const event = `/challenge-events/${this.session}`;
    if (this.isHost && share < 0.2) {
      this.operations++;
      const what = this.random.pick(["pause", "resume", "finish", "start"]);
      await this.call("POST", `${event}/parts/${this.random.pick(["first", "second"])}/${what}`, {});
    } else if (share < 0.55) this.#say();
    else if (share < 0.7) {
      this.operations++;
      this.#send({ type: "ready", is_ready: this.random.share() < 0.5 });
    } else if (share < 0.76) {
      this.operations++;
      this.#send({ type: "hand", is_up: this.random.share() < 0.6 ? 1 : 0 });
    } else if (share < 0.85) {
      const key = crypto.randomUUID();
      await this.#once("log", key, "POST", `${event}/logs`, { title: key, amount: 1, status: 2 });
    } else if (share < 0.93) {
      const key = crypto.randomUUID();
      await this.#once("note", key, "POST", "/api/notes", { title: key });
    } else if (this.changesSeat) await this.#changeSeat();
  }

  #say() {
    if (!this.#isIn) return;
    this.operations++;
    const nonce = crypto.randomUUID();
    this.said.set(nonce, `line ${nonce}`);
    this.#send({ type: "message", content: `line ${nonce}`, nonce });
  }

  async #changeSeat() {
    if (this.hasSeat) {
      this.operations++;
      const { status } = await this.call("POST", `/api/challenge-events/${this.session}/leave`, {});
      if (status >= 300) return;
      this.hasSeat = false;
      this.gaps++;
    } else await this.#join();
  }

  async untilWelcome() {
    while (!this.#isIn) await wait(50);
  }

  /** Takes the seat again and waits for a welcome, so that every client has received the end. */
  async untilQuiet() {
    while (!this.hasSeat) await this.#join();
    await wait(1000);
    while (!this.#isIn) await wait(50);
    await wait(2000);
  }

  /** Every line of the room, oldest first, by the documented pages of its chat. */
  async readHistory() {
    const lines = [];
    let before = null;
    do {
      const query = before === null ? "" : `?before=${before}`;
      const { body } = await this.call("GET", `/api/sessions/${this.session}/chat${query}`);
      const page = body.serverData.messages;
      lines.unshift(...page.map(({ seq, id, nonce, content }) => ({ seq: seq ?? id, nonce, content })));
      before = body.serverData.before;
    } while (before !== null && before !== undefined);
    return lines;
  }

  close() {
    this.#isDone = true;
    this.socket?.close();
  }
}
