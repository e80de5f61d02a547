// Measures how long the texts that once held the processor take, and how long another person's clock waits meanwhile (P7).
//   npm run bench -- waits [--port 8799] [--times 2] [--from 0] [--before FOLDER]
// FOLDER is a checkout of another version, whose server answers the same requests in turn with ours.
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ROOT } from "../../workers/local/processes.mjs";
import { signedIn } from "./caller.mjs";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8799" },
    times: { type: "string", default: "2" },
    before: { type: "string" },
    from: { type: "string", default: "0" },
  },
});
const times = Number(values.times);
/** Milliseconds that a whole answer may take; the text is a small part of it. */
const BOUND_MS = 1000;

const WORDS = "The quick brown fox jumps over the lazy dog. ";
const repeated = (unit, length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const code = (language, unit, length) => `\`\`\`${language}\n${repeated(unit, length)}\n\`\`\``;

/** Each makes what its request needs, and returns the request to measure. */
const asNote =
  (content) =>
  async ({ owner }) =>
  () =>
    owner("POST", "/api/notes", { title: "Plan", content });
const asPage =
  (content) =>
  async ({ owner, url }) => {
    const { challenge } = await owner("POST", "/challenges", { challenge: { title: "Read", content } });
    const read = async () => {
      const answer = await fetch(`${url}/activities/${challenge.slug}`, { headers: { Accept: "text/html" } });
      await answer.text();
      if (!answer.headers.has("X-Bothy-Cache")) throw new Error(`No copy: ${answer.status}`);
    };
    await read();
    return read;
  };
const session = async (owner, content) => {
  const challenge = { title: "Sit", content, duration: 3600, is_manually_started: 1 };
  return (await owner("POST", "/challenge-events", { challenge })).challenge_event.slug;
};
const asSummary =
  (content) =>
  async ({ owner }) => {
    const slug = await session(owner, content);
    return () => owner("GET", `/challenges/${slug}/prompt`);
  };
const refused = (work) => () =>
  work().then(
    () => Promise.reject(new Error("Not refused")),
    (error) => /: 40[34] /.test(error.message) || Promise.reject(error),
  );
const SLOW_CODE = code("c", "a\t", 12_000);
const CASES = [
  ['190 kB of ` data-until="1"`, an activity\'s copied page', asPage, repeated(' data-until="1"', 190_000)],
  ["12 kB of `a⇥` in C, a note", asNote, SLOW_CODE],
  ["12 kB of `a b ` in C#, a note", asNote, code("cs", "a b ", 12_000)],
  ["20 kB of `a` in TypeScript, a note", asNote, code("typescript", "a", 20_000)],
  ["190 kB of `[](`, a session's summary", asSummary, repeated("[](", 190_000)],
  ["190 kB of `a⏎`, a session's summary", asSummary, repeated("a\n", 190_000)],
  [
    "the C to a session that does not exist",
    (contribution) =>
      async ({ stranger }) =>
        refused(() => stranger("PUT", "/challenges/999999/contribute-content", { contribution })),
    SLOW_CODE,
  ],
  [
    "the C to another person's session",
    (content) =>
      async ({ owner, stranger }) => {
        const slug = await session(owner, WORDS);
        return refused(() => stranger("PUT", `/challenges/${slug}/save-content`, { content }));
      },
    SLOW_CODE,
  ],
  [
    "the C to a log that does not exist",
    (content) =>
      async ({ stranger }) =>
        refused(() => stranger("PATCH", "/api/challenge-logs/999999/update", { content })),
    SLOW_CODE,
  ],
];

/** On a connection of its own, because a server that is held closes the idle ones. */
const clock = (url) =>
  new Promise((resolve, reject) => {
    get(`${url}/api/time`, { agent: false }, (answer) => answer.resume().on("end", resolve)).on(
      "error",
      reject,
    );
  });

/** Milliseconds of the request, and of the longest clock that another person asked for meanwhile. */
async function measured(url, request) {
  let isOver = false;
  let wait = 0;
  const bystander = (async () => {
    while (!isOver) {
      const began = performance.now();
      await clock(url);
      wait = Math.max(wait, performance.now() - began);
    }
  })();
  const began = performance.now();
  await request();
  const ms = performance.now() - began;
  isOver = true;
  await bystander;
  return { ms, wait };
}

async function serve(folder, port) {
  const load = (path) => import(pathToFileURL(join(folder, path)).href);
  const { ensureBuilt, migrate, seed } = await load("workers/local/tools.mjs");
  const { serveWorker } = await load("tests/support/worker.mjs");
  await ensureBuilt();
  const dataDir = mkdtempSync(join(tmpdir(), "bothy-waits-"));
  await migrate(dataDir);
  const server = await serveWorker({ port, dataDir, vars: { RATE_LIMITS: "off", EDGE_CACHE: "on" } });
  const { accounts } = await seed(server.url);
  const [owner, stranger] = await Promise.all(accounts.slice(0, 2).map((one) => signedIn(server.url, one)));
  const end = async () => {
    await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, owner: owner.call, stranger: stranger.call, end };
}

const port = Number(values.port);
const servers = [];
const beyond = [];
try {
  if (values.before) servers.push(["before", await serve(resolve(values.before), port + 1)]);
  servers.push(["now", await serve(ROOT, port)]);
  const shown = ({ ms, wait }) => `${ms.toFixed(0)} | ${wait.toFixed(0)}`;
  console.log(
    `| text |${servers.map(([name]) => ` ${name}, ms | its bystander | words ${name} |`).join("")}`,
  );
  console.log(`|---|${"---|---|---|".repeat(servers.length)}`);
  for (const [name, how, text] of CASES.slice(Number(values.from))) {
    const cells = [];
    for (const [version, server] of servers) {
      const best = { ms: Number.POSITIVE_INFINITY, wait: Number.POSITIVE_INFINITY };
      const words = { ...best };
      for (const [found, content] of [
        [words, repeated(WORDS, text.length)],
        [best, text],
      ]) {
        const request = await how(content)(server);
        // Other processes slow a run down, none speeds it up.
        for (let i = 0; i < times; i++) {
          const { ms, wait } = await measured(server.url, request);
          Object.assign(found, { ms: Math.min(found.ms, ms), wait: Math.min(found.wait, wait) });
        }
      }
      cells.push(`${shown(best)} | ${words.ms.toFixed(0)}`);
      if (version === "now" && best.ms > BOUND_MS) beyond.push(`${name}: ${best.ms.toFixed(0)} ms`);
    }
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
} finally {
  for (const [, server] of servers) await server.end();
}
if (beyond.length > 0) {
  console.error(`Beyond ${BOUND_MS} ms: ${beyond.join(", ")}.`);
  process.exitCode = 1;
}
