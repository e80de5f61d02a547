// The round trips of each page, and its first byte when every call of D1 takes 120 ms longer, for a visitor and signed in.
// Also reads each of some notes right after it is written. Fails when a page or a note is missing.
//   npm run bench -- trips [--asks 5] [--writes 1000] [--port 8796]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate, seed } from "../../workers/local/tools.mjs";
import { signedIn } from "./caller.mjs";
import { percentile } from "./crowd-lines.mjs";
import { serveMeasured } from "./measured.mjs";
import { CORES, pinTo } from "./processor.mjs";

const { values } = parseArgs({
  options: {
    asks: { type: "string", default: "5" },
    writes: { type: "string", default: "1000" },
    port: { type: "string", default: "8796" },
  },
});
const [asks, writes, port] = ["asks", "writes", "port"].map((name) => Number(values[name]));
/** Milliseconds; the goal leaves 12 of them beyond each delay. */
const [DELAY, SPARE] = [120, 12];
const PAGES = ["/", "/events", "/activities", "/groups", "/about", "/pricing"];
const OWN = ["/my/goals", "/my/logs", "/my/notes", "/account", "/tokens", "/challenges/events/create"];

const scratch = mkdtempSync(join(tmpdir(), "bench-trips-"));
await ensureBuilt();
await migrate(scratch);
const server = await serveMeasured({ port, dataDir: scratch, folder: scratch, core: CORES.server });
pinTo(CORES.load);

/** Milliseconds to the first byte: the median of a few requests. The browser keeps its cookies. */
async function firstByte(path, jar) {
  const taken = [];
  for (let n = 0; n < asks; n++) {
    const began = performance.now();
    const headers = { Cookie: jar.cookie(), Accept: "text/html" };
    const answer = await fetch(server.url + path, { headers });
    taken.push(performance.now() - began);
    jar.keep(answer);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
  }
  return percentile(taken, 0.5);
}

try {
  const { accounts, tryThis = [] } = await seed(server.url);
  const { cookie, keep, call } = await signedIn(server.url, accounts[0]);
  const html = await (await fetch(`${server.url}/activities`)).text();
  const activity = html.match(/href="(\/activities\/[\w-]+)"/)?.[1];
  const session = tryThis.join(" ").match(/\/sessions\/\d+/)?.[0];
  const open = [...PAGES, activity, session].filter(Boolean);

  console.log(
    `\n| page | trips | first byte, ms | with ${DELAY} ms a call | beyond | within the goal |\n|---|---|---|---|---|---|`,
  );
  const counts = { all: 0, met: 0 };
  for (const [name, goal, paths, jar] of [
    ["visitor", 1, open, { cookie: () => "", keep() {} }],
    ["signed in", 2, [...open, ...OWN], { cookie, keep }],
  ])
    for (const path of paths) {
      await firstByte(path, jar);
      await server.calls();
      const own = await firstByte(path, jar);
      const calls = await server.calls(DELAY);
      const trips = calls.length / asks;
      const slow = await firstByte(path, jar);
      await server.calls();
      const isMet = trips <= goal && slow - own <= goal * (DELAY + SPARE);
      counts.all++;
      if (isMet) counts.met++;
      const cells = [trips, own.toFixed(1), slow.toFixed(1), (slow - own).toFixed(1), isMet ? "yes" : "no"];
      console.log(`| ${path}, ${name} | ${cells.join(" | ")} |`);
    }
  console.log(`D2: ${counts.met} of ${counts.all} pages within the goal.`);

  let read = 0;
  for (let n = 0; n < writes; n++) {
    const content = `Note ${n} ${crypto.randomUUID()}`;
    await call("POST", "/api/notes", { content });
    const mine = await call("GET", "/api/my/notes");
    if (JSON.stringify(mine).includes(content)) read++;
  }
  console.log(`Read-your-writes: ${read} of ${writes} notes.`);
  if (read < writes) process.exitCode = 1;
} finally {
  await server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
