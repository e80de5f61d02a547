// `npm run deploy` checks the configuration, builds, migrates and deploys both workers; `npm run deploy:check` only
// checks, pending migrations included. `--practice` allows a deployment without Stripe keys.
import { join } from "node:path";
import { pendingMigrations, problemsOf } from "./deployment.mjs";
import { ensureBuilt, ensureInstalled, OBJECTS_CONFIG, ROOT, run } from "./tools.mjs";

const isCheck = process.argv.includes("--check");
const isPractice = process.argv.includes("--practice");
const config = join(ROOT, "wrangler.toml");
const DEPLOYED = ["--env", "production"];
const ask = (...args) => run("wrangler", [...args, ...DEPLOYED], { quiet: true });

async function findProblems() {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const both = (path) => ({
    local: readConfig({ config: path }),
    production: readConfig({ config: path, env: "production" }),
  });
  const configs = { ...both(config), objects: both(OBJECTS_CONFIG) };
  const nothing = { secrets: null, pending: [] };
  // The file comes first: without a database id, Cloudflare cannot be asked.
  const inFile = problemsOf({ ...configs, ...nothing, isPractice: true, willMigrate: true });
  if (inFile.length > 0) return inFile;
  const asked = {
    secrets: await readSecrets(),
    pending: isCheck ? pendingMigrations(await ask("d1", "migrations", "list", "DB", "--remote")) : [],
  };
  return problemsOf({ ...configs, ...asked, isPractice, willMigrate: !isCheck });
}

/** A worker that was never deployed has no secrets. */
async function readSecrets() {
  const listed = await ask("secret", "list", "--format", "json").catch((error) => {
    if (/10007|not found|does not exist/i.test(error.message)) return "[]";
    throw error;
  });
  return JSON.parse(listed.slice(listed.indexOf("["))).map(({ name }) => name);
}

async function deploy() {
  await ensureBuilt();
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--remote", ...DEPLOYED]);
  // A worker can only bind objects that exist.
  await run("wrangler", ["deploy", "--config", OBJECTS_CONFIG, ...DEPLOYED]);
  await run("wrangler", ["deploy", ...DEPLOYED]);
}

try {
  await ensureInstalled();
  const problems = await findProblems();
  for (const problem of problems) console.error(`- ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else if (isCheck) console.log("The configuration is complete.");
  else await deploy();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
