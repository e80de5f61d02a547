import { fileURLToPath } from "node:url";
import { run } from "./processes.mjs";
import { auditSql, promotionSql, readArguments } from "./promotion.mjs";
import { dataFolder, ensureInstalled, migrate } from "./tools.mjs";

async function promote({ email, isRemote }) {
  await ensureInstalled();
  const dataDir = dataFolder();
  if (!isRemote) await migrate(dataDir);
  const where = isRemote ? ["--remote", "--env", "production"] : ["--local", "--persist-to", dataDir];
  const output = await run(
    "wrangler",
    ["d1", "execute", "DB", ...where, "--json", "--command", `${auditSql(email)}; ${promotionSql(email)}`],
    {
      quiet: true,
    },
  );
  const [user] = JSON.parse(output.slice(output.indexOf("["))).at(-1).results;
  if (!user) throw new Error(`Nobody is registered with ${email}. Register first, then run this again.`);
  return user;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const user = await promote(readArguments(process.argv.slice(2)));
    console.log(`${user.username} (${user.email}) is super admin now.`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
