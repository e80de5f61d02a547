// The cells of the room benchmarks. Each run gets a fresh server and returns its figures by name.
import { percentile, wait } from "../../tests/load/crowd-lines.mjs";
import { memoryBelow, watch } from "../../tests/load/processor.mjs";
import { connectAll } from "./clients.mjs";

/** Lines that each person has sent and not yet heard. */
const IN_FLIGHT = 64;
/** Milliseconds between opening the message box and the first line. */
const WRITING = 1000;
/** Milliseconds until presence and typing are silent again. */
const SETTLED = 1000;
/** Sockets of a large room that connect at the same time. */
const AT_ONCE = 250;
const CALM_PACE = 20;
const CALM_LINES = 50;
const LARGE_PACE = 200;
const LARGE_LINES = 30;
const FIRST_BURSTS = 3;
const LATER_BURSTS = 5;
const LINES_AFTER_RETURN = 20;
/** Milliseconds until a line counts as lost. */
const LOST = 60_000;
/** Milliseconds until a line counts as lost among thousands in flight, which the slowest rooms need this long to deliver. */
const LOST_IN_FLIGHT = 150_000;

const PER_DELIVERY = "processor µs a delivery";
const cycle = (speakers, count) => Array.from({ length: count }, (_, n) => speakers[n % speakers.length]);

/** The lines of one run, numbered in the order of sending. */
class Lines {
  #next = 0;
  take() {
    return this.#next++;
  }
}

/** Opens the message box of people, as the page does when it gains focus. */
async function open({ server, isSilentStart }, speakers) {
  if (!server.dialect.hasBox || isSilentStart) return;
  for (const speaker of speakers) speaker.send({ type: "writing" });
  await wait(WRITING);
}

/** Sends a line for each of `speakers`, and resolves when everybody has all of them. Latencies in milliseconds. */
async function talk(clients, speakers, pace, lines) {
  const sentAt = new Map();
  const heardBy = new Map();
  const [each, last] = [[], []];
  const heard = new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("A line was lost.")), LOST + speakers.length * pace);
    for (const client of clients)
      client.onLines = (frame) => {
        const now = performance.now();
        for (const n of frame) {
          const began = sentAt.get(n);
          if (began === undefined) continue;
          each.push(now - began);
          const count = (heardBy.get(n) ?? 0) + 1;
          heardBy.set(n, count);
          if (count > clients.length) reject(new Error("A line was heard twice."));
          if (count === clients.length) last.push(now - began);
        }
        if (last.length < speakers.length) return;
        clearTimeout(late);
        resolve();
      };
  });
  const began = performance.now();
  for (const [n, speaker] of speakers.entries()) {
    await wait(Math.max(0, began + n * pace - performance.now()));
    const line = lines.take();
    sentAt.set(line, performance.now());
    speaker.say(line);
  }
  await heard;
  for (const client of clients) client.onLines = () => {};
  return { each, last };
}

const perDelivery = (seen, deliveries) => (seen.server * 1000) / deliveries;

/** R1: everybody keeps some lines in flight. */
export async function throughput(run) {
  const { clients } = await run.connect(run.people);
  const lines = new Lines();
  const speakers = new Map();
  let delivered = 0;
  let isOver = false;
  await wait(SETTLED);
  await open(run, clients);
  const sayNext = (client) => {
    const line = lines.take();
    speakers.set(line, client);
    client.say(line);
  };
  for (const client of clients)
    client.onLines = (frame) => {
      delivered += frame.length;
      if (isOver) return;
      for (const n of frame) if (speakers.get(n) === client) sayNext(client);
    };
  for (const client of clients) for (let n = 0; n < IN_FLIGHT; n++) sayNext(client);
  await wait((run.seconds * 1000) / 2);
  const [before, look] = [delivered, watch(run.server.child.pid)];
  await wait(run.seconds * 1000);
  const [count, seen] = [delivered - before, look()];
  isOver = true;
  for (
    const until = performance.now() + LOST_IN_FLIGHT;
    delivered < speakers.size * clients.length;
    await wait(50)
  )
    if (performance.now() > until) throw new Error("A line was lost.");
  if (delivered > speakers.size * clients.length) throw new Error("A line was heard twice.");
  return {
    seen,
    figures: { "deliveries a second": (count * 1000) / seen.ms, [PER_DELIVERY]: perDelivery(seen, count) },
  };
}

/** R2: a quarter of the room acts in the same instant, first lines apart from later lines. */
export async function bursts(run) {
  const { clients } = await run.connect(run.people);
  const lines = new Lines();
  const size = Math.ceil(clients.length / (FIRST_BURSTS + 1));
  const groups = Array.from({ length: FIRST_BURSTS }, (_, n) => clients.slice(n * size, (n + 1) * size));
  const others = clients.slice(FIRST_BURSTS * size);
  await wait(SETTLED);
  await open(run, others);
  await talk(clients, cycle(others, CALM_LINES * 2), CALM_PACE, lines);
  const look = watch(run.server.child.pid);
  const [first, later] = [[], []];
  for (const group of groups) {
    await open(run, group);
    first.push(...(await talk(clients, group, 0, lines)).last);
    await wait(200);
  }
  for (let n = 0; n < LATER_BURSTS; n++) {
    later.push(...(await talk(clients, groups[n % groups.length], 0, lines)).last);
    await wait(200);
  }
  const seen = look();
  return {
    seen,
    figures: {
      "first lines: last receiver's p99, ms": percentile(first, 0.99),
      "later lines: last receiver's p99, ms": percentile(later, 0.99),
      [PER_DELIVERY]: perDelivery(seen, (first.length + later.length) * clients.length),
    },
  };
}

/** R3 and R5: fifty people in turn; `pace` milliseconds between two lines. */
export const calm = (pace) => async (run) => {
  const { clients } = await run.connect(run.people);
  const lines = new Lines();
  const speakers = clients.slice(0, 50);
  await wait(SETTLED);
  await open(run, speakers);
  await talk(clients, cycle(speakers, CALM_LINES), pace, lines);
  const look = watch(run.server.child.pid);
  const count = Math.ceil((run.seconds * 2000) / pace);
  const { each } = await talk(clients, cycle(speakers, count), pace, lines);
  const seen = look();
  return {
    seen,
    figures: {
      "p50, ms": percentile(each, 0.5),
      "p99, ms": percentile(each, 0.99),
      [PER_DELIVERY]: perDelivery(seen, each.length),
    },
  };
};

/** Connects everybody, some at a time. */
async function connectInTurn(run, options) {
  const clients = [];
  let joining = 0;
  for (let from = 0; from < run.people.length; from += AT_ONCE) {
    const more = await run.connect(run.people.slice(from, from + AT_ONCE), options);
    clients.push(...more.clients);
    joining += more.ms;
  }
  return { clients, joining };
}

/** R4: many sockets in one session; a line follows when everybody has the line before. */
export async function large(run) {
  const { clients, joining } = await connectInTurn(run);
  const lines = new Lines();
  await wait(3 * SETTLED);
  const speakers = clients.slice(0, 10);
  await open(run, speakers);
  await talk(clients, speakers, LARGE_PACE, lines);
  const look = watch(run.server.child.pid);
  const [each, last] = [[], []];
  for (const speaker of cycle(speakers, LARGE_LINES)) {
    const began = performance.now();
    const heard = await talk(clients, [speaker], 0, lines);
    each.push(...heard.each);
    last.push(...heard.last);
    await wait(Math.max(0, LARGE_PACE - (performance.now() - began)));
  }
  const seen = look();
  return {
    seen,
    figures: {
      "last receiver's p50, ms": percentile(last, 0.5),
      "last receiver's p99, ms": percentile(last, 0.99),
      [PER_DELIVERY]: perDelivery(seen, each.length),
      "joins a second": (clients.length * 1000) / joining,
      "memory, MB": memoryBelow(run.server.child.pid, run.server.dialect.processName),
    },
  };
}

/** R6: everybody joins at the same time. */
export async function joins(run) {
  const early = await run.connect(run.people.slice(0, 20));
  for (const client of early.clients) client.close();
  await wait(SETTLED);
  const look = watch(run.server.child.pid);
  const { clients, ms } = await run.connect(run.people);
  const seen = look();
  return {
    seen,
    figures: {
      "joins a second": (clients.length * 1000) / ms,
      "processor ms a join": seen.server / clients.length,
    },
  };
}

/** R7: the server dies; everybody comes back, and the first of them sends lines before the others are connected. */
export async function returns(run) {
  const { clients } = await run.connect(run.people, { isReturning: true });
  const lines = new Lines();
  await wait(SETTLED);
  const said = [];
  const say = (client) => {
    said.push(lines.take());
    client.say(said.at(-1));
  };
  say(clients[0]);
  await wait(SETTLED);
  const back = clients.map((client) => new Promise((resolve) => (client.onIn = resolve)));
  const server = await run.restart();
  const look = watch(server.child.pid);
  const first = await Promise.race(back.map((one, n) => one.then(() => clients[n])));
  for (let n = 0; n < LINES_AFTER_RETURN; n++) say(first);
  await Promise.all(back);
  const seen = look();
  await wait(2 * SETTLED);
  const wrong = clients.filter(({ heard }) => heard.join() !== said.join()).length;
  if (run.server.dialect.hasHistory && wrong > 0)
    throw new Error(`${wrong} missed a line, heard one twice or in another order.`);
  return { seen, figures: { "seconds until all are back": seen.ms / 1000 } };
}

/** Connects people, and closes them when the run is over. */
export function connector(server) {
  const all = [];
  return {
    async connect(people, options = {}) {
      await server.prepare(people);
      const { clients, ms } = await connectAll(server, people, options);
      all.push(...clients);
      return { clients, ms };
    },
    closeAll() {
      for (const client of all) client.close();
    },
  };
}
