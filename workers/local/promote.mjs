// `npm run user:promote`: makes a registered user super admin, of the local data or, with --remote, of the deployed site.
import { fileURLToPath } from "node:url";
import { run, withOwnNode } from "./processes.mjs";
import { auditSql, promotionSql, readArguments } from "./promotion.mjs";
import { withStores } from "./stores.mjs";
import { dataFolder, ensureInstalled, migrate } from "./tools.mjs";

async function promote({ email, isRemote }) {
  const statements = [auditSql(email), promotionSql(email)];
  const [user] = isRemote ? await promoteRemote(statements) : await promoteLocally(statements);
  if (!user) throw new Error(`Nobody is registered with ${email}. Register first, then run this again.`);
  return user;
}

async function promoteLocally(statements) {
  const dataDir = dataFolder();
  await migrate(dataDir);
  const answers = await withStores({ isRemote: false, dataDir }, ({ db }) =>
    db.batch(statements.map((sql) => db.prepare(sql))),
  );
  return answers.at(-1).results;
}

async function promoteRemote(statements) {
  const options = ["--remote", "--env", "production", "--json", "--command", statements.join("; ")];
  const output = await run("wrangler", ["d1", "execute", "DB", ...options], { quiet: true });
  return JSON.parse(output.slice(output.indexOf("["))).at(-1).results;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const options = readArguments(process.argv.slice(2));
    await ensureInstalled();
    await withOwnNode(async () => {
      const user = await promote(options);
      console.log(`${user.username} (${user.email}) is super admin now.`);
    });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
