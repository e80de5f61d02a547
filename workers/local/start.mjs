// `npm start`: installs, builds, migrates, serves on local workerd and fills demo data. `--watch` rebuilds on change.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  ensureBuilt,
  ensureInstalled,
  migrate,
  ROOT,
  seed,
  serve,
  sourcesMark,
  untilFree,
} from "./tools.mjs";

const port = Number(process.env.PORT ?? 8787);
const dataDir = resolve(ROOT, process.env.DATA_DIR ?? ".data");
const vars = process.env.RATE_LIMITS ? { RATE_LIMITS: process.env.RATE_LIMITS } : {};

let server;
await untilFree(port).catch(giveUp);
await ensureInstalled();
await ensureBuilt();
await startServer().catch(giveUp);

async function startServer() {
  await migrate(dataDir);
  const started = await serve({ port, dataDir, vars });
  server = started;
  started.child.on("exit", (code) => {
    if (started === server) process.exit(code ?? 0);
  });
}

function giveUp(error) {
  console.error(error.message);
  process.exit(1);
}

async function end() {
  const running = server;
  server = null;
  await running?.stop();
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
// npm receives a signal alone and ends without passing it on.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 250).unref();
}

const [, name] = readFileSync(resolve(ROOT, "wrangler.toml"), "utf8").match(/^APP_NAME = "(.*)"$/m) ?? [];
const { accounts, tryThis = [] } = await seed(server.url);
console.log(`
${name} is at ${server.url}

Demo accounts:
${accounts.map(({ role, email, password }) => `  ${role.padEnd(12)} ${email.padEnd(28)} ${password}`).join("\n")}

Try:
${[...tryThis, `Mails land at ${server.url}/local/mailbox`, `Passkeys need a host name: http://localhost:${port}`].map((line) => `  - ${line}`).join("\n")}
`);

// Cloudflare's cron triggers, imitated locally.
const MINUTE = 60_000;
const trigger = (cron) =>
  fetch(`${server?.url}/cdn-cgi/handler/scheduled?cron=${cron.replaceAll(" ", "+")}`).catch(() => {});
for (const [cron, span] of [
  ["* * * * *", MINUTE],
  ["*/5 * * * *", 5 * MINUTE],
  ["17 3 * * *", 24 * 60 * MINUTE],
])
  setInterval(() => trigger(cron), span).unref();
// A machine that runs for less than a day still tidies up.
trigger("17 3 * * *");

if (process.argv.includes("--watch")) {
  console.log("Rebuilding on change.");
  let mark = sourcesMark();
  for (;;) {
    await sleep(500);
    try {
      // Checksums are compared, because a Linux watcher loses a file that an editor replaces.
      if (sourcesMark() === mark) continue;
      mark = sourcesMark();
      await ensureBuilt();
      const old = server;
      server = null;
      await old?.stop();
      await startServer();
      console.log("Built.");
    } catch (error) {
      console.error(error.message);
    }
  }
}
