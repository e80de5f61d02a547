// Measures how soon the built worker answers the longest legal inputs, and refuses a body over the limit, with and without
// a Content-Length. Without it, the time counts from the byte that exceeds the limit.
//   node tests/load/doors.mjs [--port 8798]
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate, seed } from "../../workers/local/tools.mjs";
import { serveWorker } from "../support/worker.mjs";
import { signedIn } from "./caller.mjs";

const { values } = parseArgs({ options: { port: { type: "string", default: "8798" } } });
const BOUND_MS = 100;
/** The bound of P3 for the longest legal input. */
const LEGAL_BOUND_MS = 50;
const ANSWER_BYTES = 100_000;
const MB = 1_000_000;
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const DOORS = [
  { path: "/login", type: JSON_TYPE, start: '{"email":"', limit: 1024 * 1024 },
  { path: "/auth/login", type: FORM, start: "email=", limit: 256 * 1024 },
  { path: "/challenges/events/create", type: FORM, start: "content=", limit: 2 * 1024 * 1024 },
  { path: "/webhooks/stripe", type: JSON_TYPE, start: '{"type":"', limit: 256 * 1024 },
  {
    path: "/upload/text",
    type: "multipart/form-data; boundary=edge",
    start: '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
    limit: 10 * 1024 * 1024 + 10_000,
  },
];
const PIECE = Buffer.alloc(64 * 1024, "x");

/** workerd may close the connection of an unread body before the client has read the answer. */
const CUT_OFF = "cut off";

/** Milliseconds to the answer, its status or `CUT_OFF`, and its bytes. */
const send = (url, { path, type, start, limit }, bytes, headers) =>
  new Promise((resolve) => {
    let began = performance.now();
    const isSaid = "Content-Length" in headers;
    const taken = () => performance.now() - began;
    let isAnswered = false;
    const asked = request(url + path, {
      method: "POST",
      agent: false,
      headers: { "Content-Type": type, ...headers },
    });
    const cutOff = () => resolve({ status: CUT_OFF, ms: taken(), bytes: 0 });
    asked.on("response", (answer) => {
      isAnswered = true;
      const ms = taken();
      let text = "";
      answer.on("data", (piece) => (text += piece));
      answer.on("error", cutOff);
      answer.on("close", () => {
        resolve({ status: answer.statusCode, ms, bytes: text.length });
        asked.destroy();
      });
    });
    asked.on("error", () => {
      if (!isAnswered) cutOff();
    });
    let left = bytes - start.length;
    asked.write(start);
    const go = () => {
      while (left > 0 && !isAnswered && !asked.destroyed) {
        const piece = left >= PIECE.length ? PIECE : PIECE.subarray(0, left);
        left -= piece.length;
        if (!isSaid && bytes - left <= limit + piece.length) began = performance.now();
        if (!asked.write(piece)) return void asked.once("drain", go);
      }
      if (left <= 0) asked.end();
    };
    go();
  });

const listed = (count, one, between) => Array.from({ length: count }, (_, n) => one(n)).join(between);
const multipart = `multipart/form-data; boundary=${"-".repeat(69)}x`;
/** The longest inputs that are read at all: `[name, path, type, body, cookies]`; without a type they are a GET. */
const legal = (version) => [
  ["a path of 1 kB", `/${"x".repeat(1023)}`],
  ["a path of 12 segments", `${`/${"x".repeat(84)}`.repeat(12)}`],
  ["a query of 250 keys", `/?${"index=a&".repeat(250)}`],
  ["a query of 14 kB", `/challenges?search=${"x".repeat(14_000)}`],
  [
    "149 paths of the manifest",
    `/__manifest?version=${version}&${listed(149, (n) => `p=/sessions/${n}`, "&")}`,
  ],
  ["1,500 cookies", "/about", undefined, undefined, listed(1500, (n) => `c${n}=x`, "; ")],
  ["a form of 5,000 fields", "/auth/login", FORM, listed(4990, (n) => `f${n}=x`, "&")],
  ["a form of 1,000 values of one name", "/auth/login", FORM, "f=x&".repeat(999)],
  ["a form of near boundaries", "/auth/login", multipart, "-".repeat(256 * 1024)],
  [
    "JSON of 49,000 values",
    "/challenges",
    JSON_TYPE,
    `{"challenge":{"title":"Sit","tasks":[${"0,".repeat(49_000)}0]}}`,
  ],
  ["JSON of a text of 1 MB", "/challenges", JSON_TYPE, `{"challenge":{"title":"${"[".repeat(1_040_000)}"}}`],
];

/** The fastest of five answers, in milliseconds, and its status. */
async function answered(url, headers, [, path, type, body, cookies]) {
  let best = { ms: Number.POSITIVE_INFINITY, status: 0 };
  for (let i = 0; i < 5; i++) {
    const began = performance.now();
    const answer = await fetch(url + path, {
      method: type ? "POST" : "GET",
      redirect: "manual",
      headers: {
        ...headers,
        ...(type ? { "Content-Type": type } : {}),
        ...(cookies ? { Cookie: `${headers.Cookie}; ${cookies}` } : {}),
      },
      body,
    });
    await answer.arrayBuffer();
    const ms = performance.now() - began;
    if (ms < best.ms) best = { ms, status: answer.status };
  }
  return best;
}

await ensureBuilt();
const scratch = mkdtempSync(join(tmpdir(), "bothy-doors-"));
const beyond = [];
await migrate(scratch);
const port = Number(values.port);
const url = `http://127.0.0.1:${port}`;
const server = await serveWorker({ port, dataDir: scratch, vars: { RATE_LIMITS: "off" } });
try {
  const { accounts } = await seed(url);
  const jar = (await signedIn(url, accounts[0])).cookie();
  const headers = {
    Cookie: jar,
    Origin: url,
    "X-XSRF-TOKEN": decodeURIComponent(/XSRF-TOKEN=([^;]*)/.exec(jar)?.[1] ?? ""),
  };
  const home = await (await fetch(url)).text();
  const manifest = await (await fetch(url + /\/assets\/manifest-[\w-]+\.js/.exec(home)?.[0])).text();
  const version = /"version":"(\w+)"/.exec(manifest)?.[1];
  console.log("| longest legal input | status | ms |\n|---|---|---|");
  for (const input of legal(version)) {
    const { ms, status } = await answered(url, headers, input);
    console.log(`| ${input[0]} | ${status} | ${ms.toFixed(0)} |`);
    if (ms > LEGAL_BOUND_MS) beyond.push(`${input[0]}: ${ms.toFixed(0)} ms`);
    if (status >= 500) beyond.push(`${input[0]}: ${status}`);
  }
  console.log("\n| door | bytes | length said | status | ms |\n|---|---|---|---|---|");
  for (const door of DOORS)
    for (const bytes of [door.limit + 1, 20 * MB, 90 * MB])
      for (const isSaid of [true, false]) {
        const more = isSaid ? { "Content-Length": bytes } : { "Transfer-Encoding": "chunked" };
        // The best of three: other processes slow a run down, none speeds it up.
        const tries = [];
        for (let i = 0; i < 3; i++) tries.push(await send(url, door, bytes, { ...headers, ...more }));
        const best = tries.reduce((a, b) => (a.ms <= b.ms ? a : b));
        const statuses = [...new Set(tries.map(({ status }) => status))].join(", ");
        console.log(
          `| ${door.path} | ${bytes} | ${isSaid ? "yes" : "no"} | ${statuses} | ${best.ms.toFixed(0)} |`,
        );
        const name = `${door.path} with ${bytes} bytes`;
        if (tries.some(({ status }) => status !== 413 && status !== CUT_OFF))
          beyond.push(`${name}: ${statuses}`);
        if (best.ms > BOUND_MS) beyond.push(`${name}: ${best.ms.toFixed(0)} ms`);
        if (tries.some(({ bytes }) => bytes > ANSWER_BYTES)) beyond.push(`${name}: the answer's bytes`);
      }
} finally {
  await server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`bounds: ${LEGAL_BOUND_MS} ms for a legal input, ${BOUND_MS} ms for a refusal`);
if (beyond.length > 0) {
  console.error(`Not answered in time: ${beyond.join(", ")}.`);
  process.exitCode = 1;
}
