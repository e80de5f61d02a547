// The steps that `npm start` and `npm run dev` share: the contents of the database, the greeting, crons, and the end.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { endAll, isAlive, ROOT } from "./processes.mjs";
import { installLibrary, seed } from "./tools.mjs";

/** The contents of a new database by argument: the demo with the library, only the library, or nothing (H-08). */
const FILLINGS = new Map([
  ["", "demo"],
  ["--no-demo", "library"],
  ["--bare", "nothing"],
]);

/** The contents that the arguments name. Ends the process with the usage for any other arguments. */
export function readFilling(command, args = process.argv.slice(2)) {
  const filling = args.length > 1 ? undefined : FILLINGS.get(args[0] ?? "");
  if (filling) return filling;
  console.error(`Usage: ${command} [-- --no-demo | --bare]`);
  process.exit(1);
}

/** Fills the database, and prints the address; with the demo also its accounts and where to begin. */
export async function announce(url, port, filling) {
  const [, name] = readFileSync(resolve(ROOT, "wrangler.toml"), "utf8").match(/^APP_NAME = "(.*)"$/m) ?? [];
  const isDemo = filling === "demo";
  if (filling === "library") await installLibrary(url);
  const demo = isDemo ? await seed(url) : { accounts: [], tryThis: [] };
  const accounts = demo.accounts.map(
    ({ role, email, password }) => `  ${role.padEnd(12)} ${email.padEnd(28)} ${password}`,
  );
  const tries = [
    ...demo.tryThis,
    `Mails land at ${url}/local/mailbox`,
    `Passkeys need a host name: http://localhost:${port}`,
  ];
  console.log(`
${name} is at ${url}
${isDemo ? `\nDemo accounts, only on this machine:\n${accounts.join("\n")}\n` : ""}
Try:
${tries.map((line) => `  - ${line}`).join("\n")}
`);
}

const MINUTE = 60_000;

/** Imitates Cloudflare's cron triggers for the server at `url`. */
export function imitateCrons(url) {
  const trigger = (cron) =>
    fetch(`${url}/cdn-cgi/handler/scheduled?cron=${cron.replaceAll(" ", "+")}`).catch(() => {});
  for (const [cron, intervalMs] of [
    ["* * * * *", MINUTE],
    ["*/5 * * * *", 5 * MINUTE],
    ["17 3 * * *", 24 * 60 * MINUTE],
  ])
    setInterval(() => trigger(cron), intervalMs).unref();
  // Run once at the start, so that the health check succeeds at once, and a run of less than a day still tidies up.
  trigger("* * * * *").then(() => trigger("17 3 * * *"));
}

let isEnding = false;

/** On a signal, ends this process with every process that it has started. */
export function endOnSignals() {
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    await endAll();
    console.log("Stopped.");
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
  // A signal may reach only npm, which ends without passing it on. On Windows `ppid` keeps the id of an ended parent.
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent || !isAlive(parent)) end();
  }, 250).unref();
}

/** Resolves to whether a signal ends this process. It waits, because Ctrl-C ends the server too, perhaps earlier. */
const isEndedBySignal = () =>
  new Promise((resolve) => {
    // A busy process runs a late timer before it reads a signal, and what is immediate after it.
    setTimeout(() => setImmediate(() => resolve(isEnding)), 100);
  });

/** Ends this process when its server ends. */
export const endWith = ({ child }) =>
  child.on("exit", async (code) => {
    if (!(await isEndedBySignal())) process.exit(code ?? 0);
  });

/** Ends this process and prints the sentence of an error, unless a signal has caused it. */
export async function endWithSentence(error) {
  if (await isEndedBySignal()) return;
  console.error(error.message);
  await endAll();
  process.exit(1);
}
