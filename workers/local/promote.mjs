// `npm run user:promote`: makes a registered user super admin, of the local data or, with --remote, of the deployed site.
import { fileURLToPath } from "node:url";
import { run, withOwnNode } from "./processes.mjs";
import { auditSql, promotionSql, readArguments } from "./promotion.mjs";
import { withStores } from "./stores.mjs";
import { dataFolder, ensureInstalled, migrate } from "./tools.mjs";

async function promote({ email, isRemote }) {
  const statements = [auditSql(email), promotionSql(email)];
  const [user] = isRemote ? await promoteRemote(statements) : await promoteHere(statements);
  if (!user) throw new Error(`Nobody is registered with ${email}. Register first, then run this again.`);
  return user;
}

async function promoteHere(statements) {
  const dataDir = dataFolder();
  await migrate(dataDir);
  const done = await withStores({ isRemote: false, dataDir }, ({ db }) =>
    db.batch(statements.map((sql) => db.prepare(sql))),
  );
  return done.at(-1).results;
}

async function promoteRemote(statements) {
  const where = ["--remote", "--env", "production", "--json", "--command", statements.join("; ")];
  const output = await run("wrangler", ["d1", "execute", "DB", ...where], { quiet: true });
  return JSON.parse(output.slice(output.indexOf("["))).at(-1).results;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const asked = readArguments(process.argv.slice(2));
    await ensureInstalled();
    await withOwnNode(async () => {
      const user = await promote(asked);
      console.log(`${user.username} (${user.email}) is super admin now.`);
    });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
