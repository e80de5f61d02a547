// `npm start`: install, build, migrate, serve on local workerd, fill demo data, say where. `--watch` rebuilds on change.
import { readFileSync, watch } from "node:fs";
import { resolve } from "node:path";
import { ensureBuilt, ensureInstalled, migrate, ROOT, SOURCES, seed, serve } from "./tools.mjs";

const port = Number(process.env.PORT ?? 8787);
const dataDir = resolve(ROOT, process.env.DATA_DIR ?? ".data");
const vars = process.env.RATE_LIMITS ? { RATE_LIMITS: process.env.RATE_LIMITS } : {};

await ensureInstalled();
await ensureBuilt();
await migrate(dataDir);
const server = await serve({ port, dataDir, vars });

for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => void server.stop().then(() => process.exit(0)));
server.child.on("exit", (code) => process.exit(code ?? 0));

const [, name] = readFileSync(resolve(ROOT, "wrangler.toml"), "utf8").match(/^APP_NAME = "(.*)"$/m) ?? [];
const { accounts, tryThis = [] } = await seed(server.url);
console.log(`
${name} is at ${server.url}

Demo accounts:
${accounts.map(({ role, email, password }) => `  ${role.padEnd(12)} ${email.padEnd(28)} ${password}`).join("\n")}

Try:
${[...tryThis, `Mails land at ${server.url}/local/mailbox`].map((line) => `  - ${line}`).join("\n")}
`);

// Cloudflare's cron, on a local run.
setInterval(() => {
  fetch(`${server.url}/cdn-cgi/handler/scheduled?cron=*/5+*+*+*+*`).catch(() => {});
}, 5 * 60_000).unref();

if (process.argv.includes("--watch")) {
  let timer;
  const rebuild = () => {
    clearTimeout(timer);
    timer = setTimeout(
      () =>
        ensureBuilt().then(
          () => console.log("Built."),
          (error) => console.error(error.message),
        ),
      200,
    );
  };
  for (const folder of SOURCES) watch(resolve(ROOT, folder), { recursive: true }, rebuild);
  console.log("Rebuilding on change.");
}
