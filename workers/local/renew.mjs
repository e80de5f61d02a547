// `npm run data:renew`: folds stored titles, renders stored texts again and recounts totals, in the
// local database or, with --remote, in the deployed one. It may be stopped; the next run continues.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT, withOwnNode } from "./processes.mjs";
import { withStores } from "./stores.mjs";
import { dataFolder, ensureInstalled, migrate } from "./tools.mjs";

const USAGE = "Usage: npm run data:renew [-- --remote]";

export function readArguments(args) {
  if (args.some((argument) => argument !== "--remote")) throw new Error(USAGE);
  return { isRemote: args.length > 0 };
}

/** Vite resolves the application's aliases and types. */
async function withApplication(work) {
  const { createServer } = await import("vite");
  const folder = (path) => join(ROOT, path);
  const alias = { "~": folder("app"), "#db": folder("db"), "#workers": folder("workers") };
  const server = await createServer({
    root: ROOT,
    configFile: false,
    appType: "custom",
    logLevel: "error",
    cacheDir: folder(".cache/renew"),
    resolve: { alias },
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    return await work(await server.ssrLoadModule("/workers/local/renewal.ts"));
  } finally {
    await server.close();
  }
}

async function renew({ isRemote }) {
  const dataDir = dataFolder();
  if (!isRemote) await migrate(dataDir);
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, isRemote ? "renewal-remote.json" : "renewal.json");
  const progress = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  if (progress) console.log("The last run was stopped; this one continues.");
  await withStores({ isRemote, dataDir }, ({ db }) =>
    withApplication(({ renewStored }) =>
      renewStored(db, progress, (next, done) => {
        writeFileSync(file, JSON.stringify(next));
        if (done) console.log(done);
      }),
    ),
  );
  rmSync(file, { force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const asked = readArguments(process.argv.slice(2));
    await ensureInstalled();
    await withOwnNode(() => renew(asked));
    console.log("The stored data follows the rules of this version.");
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
