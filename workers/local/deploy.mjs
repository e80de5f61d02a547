// `npm run deploy` checks the configuration, builds, migrates, deploys both workers and asks for the library;
// `npm run deploy:check` only checks, pending migrations included. `-- --env staging` names the other environment.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pendingMigrations, problemsOf, warningsOf } from "./deployment.mjs";
import { ROOT, run } from "./processes.mjs";
import { releaseOfCommit } from "./release.mjs";
import { ensureBuilt, ensureInstalled, OBJECTS_CONFIG } from "./tools.mjs";

const ENVIRONMENTS = ["production", "staging"];
const LIBRARY_WANTED =
  "INSERT INTO cron_marks (job, mark) VALUES ('library', 'wanted') ON CONFLICT (job) DO UPDATE SET mark = 'wanted'";
const USAGE = `Usage: npm run deploy [-- --env ${ENVIRONMENTS.join("|")}]`;

export function readArguments(args) {
  const isCheck = args.includes("--check");
  const [flag, env = "production", ...rest] = args.filter((argument) => argument !== "--check");
  if ((flag !== undefined && flag !== "--env") || rest.length > 0 || !ENVIRONMENTS.includes(env))
    throw new Error(USAGE);
  return { isCheck, env };
}

const FILES = { pages: "wrangler.toml", objects: "workers/objects.toml" };

/** The configurations that `problemsOf` compares, from the files of this folder. Throws a sentence for a broken file. */
export async function readConfigs(env, folder = ROOT) {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const of = (file, name) => {
    try {
      return readConfig({ config: join(folder, file), ...(name && { env: name }) });
    } catch (error) {
      // Only text that is no TOML has a line.
      const { location, text } = error;
      throw location ? new Error(`${file}:${location.line}: ${text}`) : error;
    }
  };
  const read = (file) => {
    const local = of(file);
    if (!local.definedEnvironments?.includes(env)) throw new Error(`[env.${env}] is missing in ${file}.`);
    const others = ENVIRONMENTS.filter((name) => name !== env && local.definedEnvironments.includes(name));
    return {
      deployed: of(file, env),
      others: { local, ...Object.fromEntries(others.map((name) => [`[env.${name}]`, of(file, name)])) },
    };
  };
  const [pages, objects] = [read(FILES.pages), read(FILES.objects)];
  const migrations = pages.deployed.d1_databases.map(({ migrations_dir: path = "migrations" }) => path);
  return {
    env,
    pages,
    objects,
    missing: migrations.filter((path) => !existsSync(join(folder, path))),
    runtimeDate: runtimeDate(),
  };
}

/** The newest compatibility date that the pinned workerd knows is in its version: 1.20261102.1. */
function runtimeDate() {
  const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules/workerd/package.json"), "utf8"));
  return version.replace(/^\d+\.(\d{4})(\d{2})(\d{2})\..*$/, "$1-$2-$3");
}

async function findProblems({ env, isCheck }, ask) {
  const configs = await readConfigs(env);
  for (const warning of warningsOf(configs)) console.warn(`Warning: ${warning}`);
  // The file comes first: without a database id, Cloudflare cannot be asked.
  const inFile = problemsOf({ ...configs, secrets: null, pending: [], willMigrate: true });
  if (inFile.length > 0) return inFile;
  const asked = {
    secrets: await readSecrets(ask),
    pending: isCheck ? pendingMigrations(await ask("d1", "migrations", "list", "DB", "--remote")) : [],
  };
  return problemsOf({ ...configs, ...asked, willMigrate: !isCheck });
}

/** A worker that was never deployed has no secrets. */
async function readSecrets(ask) {
  const listed = await ask("secret", "list", "--format", "json").catch((error) => {
    if (/10007|not found|does not exist/i.test(error.message)) return "[]";
    throw error;
  });
  return JSON.parse(listed.slice(listed.indexOf("["))).map(({ name }) => name);
}

async function deploy(env) {
  const release = releaseOfCommit();
  await ensureBuilt(release);
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--remote", "--env", env]);
  // A worker can only bind objects that exist.
  for (const file of [OBJECTS_CONFIG, join(ROOT, "wrangler.toml")])
    await run("wrangler", ["deploy", "--config", file, "--env", env, "--tag", release]);
  // The minute cron of the deployed worker installs it through the use cases, and once (H-05).
  await run("wrangler", ["d1", "execute", "DB", "--remote", "--env", env, "--command", LIBRARY_WANTED]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const asked = readArguments(process.argv.slice(2));
    await ensureInstalled();
    const ask = (...args) => run("wrangler", [...args, "--env", asked.env], { quiet: true });
    const problems = await findProblems(asked, ask);
    for (const problem of problems) console.error(`- ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
    else if (asked.isCheck) console.log("The configuration is complete.");
    else await deploy(asked.env);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
