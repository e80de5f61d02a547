// `npm run deploy` checks the configuration, builds, migrates, deploys both workers and asks for the library;
// `npm run deploy:check` only checks, pending migrations included. `-- --env staging` names the other environment.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pendingMigrations, problemsOf } from "./deployment.mjs";
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

/** The configurations that `problemsOf` compares, from the files of this folder. */
export async function readConfigs(env, folder = ROOT) {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const of = (path, name) => readConfig({ config: path, ...(name && { env: name }) });
  const [pages, objects] = ["wrangler.toml", "workers/objects.toml"].map((path) => join(folder, path));
  const others = ENVIRONMENTS.filter((name) => name !== env).map((name) => [
    `[env.${name}]`,
    of(pages, name),
  ]);
  return {
    env,
    deployed: of(pages, env),
    others: { local: of(pages), ...Object.fromEntries(others) },
    objects: { deployed: of(objects, env), local: of(objects) },
  };
}

async function findProblems({ env, isCheck }, ask) {
  const configs = await readConfigs(env);
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
