// `npm run deploy` checks the configuration, builds, migrates, deploys both workers and requests the library.
// `npm run deploy:check` only checks, and reports pending migrations too.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pendingMigrations, problemsOf, warningsOf } from "./deployment.mjs";
import { ROOT, run } from "./processes.mjs";
import { releaseOfCommit } from "./release.mjs";
import { ensureBuilt, ensureInstalled, OBJECTS_CONFIG } from "./tools.mjs";

const ENVIRONMENTS = ["production", "staging"];
const REQUEST_LIBRARY =
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
  const configOf = (file, name) => {
    try {
      return readConfig({ config: join(folder, file), ...(name && { env: name }) });
    } catch (error) {
      // The error has a line only when the text is no TOML.
      const { location, text } = error;
      throw location ? new Error(`${file}:${location.line}: ${text}`) : error;
    }
  };
  const readFile = (file) => {
    const local = configOf(file);
    if (!local.definedEnvironments?.includes(env)) throw new Error(`[env.${env}] is missing in ${file}.`);
    const others = ENVIRONMENTS.filter((name) => name !== env && local.definedEnvironments.includes(name));
    return {
      deployed: configOf(file, env),
      others: { local, ...Object.fromEntries(others.map((name) => [`[env.${name}]`, configOf(file, name)])) },
    };
  };
  const [pages, objects] = [readFile(FILES.pages), readFile(FILES.objects)];
  const migrationFolders = pages.deployed.d1_databases.map(({ migrations_dir: path = "migrations" }) => path);
  return {
    env,
    pages,
    objects,
    missing: migrationFolders.filter((path) => !existsSync(join(folder, path))),
    runtimeDate: runtimeDate(),
  };
}

/** The newest compatibility date that the pinned workerd supports, from its version, such as 1.20261102.1. */
function runtimeDate() {
  const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules/workerd/package.json"), "utf8"));
  return version.replace(/^\d+\.(\d{4})(\d{2})(\d{2})\..*$/, "$1-$2-$3");
}

/** `wrangler` runs a command of wrangler for the environment and resolves to its output. */
async function findProblems({ env, isCheck }, wrangler) {
  const configs = await readConfigs(env);
  for (const warning of warningsOf(configs)) console.warn(`Warning: ${warning}`);
  // The files are checked first, because wrangler cannot ask Cloudflare without a database id.
  const fileProblems = problemsOf({ ...configs, secrets: null, pending: [], willMigrate: true });
  if (fileProblems.length > 0) return fileProblems;
  const remote = {
    secrets: await readSecrets(wrangler),
    pending: isCheck ? pendingMigrations(await wrangler("d1", "migrations", "list", "DB", "--remote")) : [],
  };
  return problemsOf({ ...configs, ...remote, willMigrate: !isCheck });
}

/** The names of the secrets; none for a worker that was never deployed. */
async function readSecrets(wrangler) {
  const output = await wrangler("secret", "list", "--format", "json").catch((error) => {
    if (/10007|not found|does not exist/i.test(error.message)) return "[]";
    throw error;
  });
  return JSON.parse(output.slice(output.indexOf("["))).map(({ name }) => name);
}

async function deploy(env) {
  const release = releaseOfCommit();
  await ensureBuilt(release);
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--remote", "--env", env]);
  // The objects come first, because a worker can bind only objects that exist.
  for (const file of [OBJECTS_CONFIG, join(ROOT, "wrangler.toml")])
    await run("wrangler", ["deploy", "--config", file, "--env", env, "--tag", release]);
  // The minute cron of the deployed worker then installs the library, once, through the use cases (H-05).
  await run("wrangler", ["d1", "execute", "DB", "--remote", "--env", env, "--command", REQUEST_LIBRARY]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const options = readArguments(process.argv.slice(2));
    await ensureInstalled();
    const wrangler = (...args) => run("wrangler", [...args, "--env", options.env], { quiet: true });
    const problems = await findProblems(options, wrangler);
    for (const problem of problems) console.error(`- ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
    else if (options.isCheck) console.log("The configuration is complete.");
    else await deploy(options.env);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
