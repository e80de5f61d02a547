// A JSON call with a personal key beside the same call with a login cookie, in turn: the time of an answer and the
// processor's. Fails when the key takes more than 1.1 times as much.
//   npm run bench -- keys [--pairs 3000] [--port 8798]
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate } from "../../workers/local/tools.mjs";
import { openLocalD1 } from "../support/local-d1.mjs";
import { serveWorker } from "../support/worker.mjs";
import { signedUp } from "./caller.mjs";
import { percentile } from "./crowd-lines.mjs";
import { CORES, pinTo, workerdTime } from "./processor.mjs";

const { values } = parseArgs({
  options: { pairs: { type: "string", default: "3000" }, port: { type: "string", default: "8798" } },
});
const [pairs, port] = [Number(values.pairs), Number(values.port)];
const BOUND = 1.1;
const WARM_UP = 500;
/** /proc counts the processor's time in steps of 10 ms. */
const BLOCK = 250;
const CALLS = ["/get-user", "/api/my/goals"];

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const ask = (url, headers) =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const asked = request(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve(performance.now() - began);
        else reject(new Error(`${url}: ${answer.statusCode}`));
      });
    });
    asked.on("error", reject);
    asked.end();
  });

const scratch = mkdtempSync(join(tmpdir(), "bothy-keys-"));
await ensureBuilt();
await migrate(scratch);
const server = await serveWorker({
  port,
  dataDir: scratch,
  vars: { RATE_LIMITS: "off" },
  core: CORES.server,
});
pinTo(CORES.load);
const beyond = [];
try {
  const url = `http://127.0.0.1:${port}`;
  const { cookie } = await signedUp(url, "programmer");
  const db = openLocalD1(scratch);
  db.exec("UPDATE users SET email_confirmed_at = 1");
  db.close();
  const made = await fetch(`${url}/account/api`, {
    method: "POST",
    headers: { Cookie: cookie(), Origin: url },
    body: new URLSearchParams({ intent: "key.create", name: "A script", scopes: "read", days: "30" }),
  });
  const [key] = /bth_[\w-]{49}/.exec(await made.text()) ?? [];
  // Behind a proxy no run is local, so that answers are not checked against their schemas.
  const via = { Via: "1.1 bench" };
  const ways = {
    cookie: { ...via, Cookie: cookie() },
    key: { ...via, Authorization: `Bearer ${key}` },
  };
  const names = Object.keys(ways);
  for (const path of CALLS) {
    for (let n = 0; n < WARM_UP; n++) for (const name of names) await ask(url + path, ways[name]);
    const times = { cookie: [], key: [] };
    for (let n = 0; n < pairs; n++)
      for (const name of n % 2 ? names : names.toReversed())
        times[name].push(await ask(url + path, ways[name]));
    const processor = { cookie: 0, key: 0 };
    for (let done = 0; done < pairs; done += BLOCK)
      for (const name of (done / BLOCK) % 2 ? names : names.toReversed()) {
        const before = workerdTime(server.child.pid);
        for (let n = 0; n < BLOCK; n++) await ask(url + path, ways[name]);
        processor[name] += workerdTime(server.child.pid) - before;
      }
    const medians = { cookie: percentile(times.cookie, 0.5), key: percentile(times.key, 0.5) };
    const ratios = [medians, processor].map((one) => one.key / one.cookie);
    const perCall = (name) => (processor[name] / (Math.ceil(pairs / BLOCK) * BLOCK)).toFixed(3);
    console.log(
      `${path}: median ${medians.key.toFixed(2)} ms with a key, ${medians.cookie.toFixed(2)} with a cookie, ${ratios[0].toFixed(2)} ×; processor ${perCall("key")} and ${perCall("cookie")} ms, ${ratios[1].toFixed(2)} ×`,
    );
    if (Math.max(...ratios) > BOUND) beyond.push(path);
  }
} finally {
  agent.destroy();
  await server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
if (beyond.length > 0) {
  console.error(`More than ${BOUND} times the call with a cookie: ${beyond.join(", ")}.`);
  process.exitCode = 1;
}
