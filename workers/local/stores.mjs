// D1 and the copies in R2, of a local run or (`--remote`) of the deployed worker, as wrangler's bindings.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./processes.mjs";

/** Calls `work` with `{ db, copies }`, while a local server runs or not. */
export async function withStores({ isRemote, dataDir }, work) {
  const { getPlatformProxy, unstable_readConfig: readConfig } = await import("wrangler");
  const config = readConfig({
    config: join(ROOT, "wrangler.toml"),
    ...(isRemote ? { env: "production" } : {}),
  });
  const called = (list, name) => list.find(({ binding }) => binding === name);
  // A configuration with only these two, because the other bindings would start, too.
  const folder = mkdtempSync(join(tmpdir(), "bothy-stores-"));
  const configPath = join(folder, "wrangler.json");
  const remote = isRemote ? { remote: true } : {};
  writeFileSync(
    configPath,
    JSON.stringify({
      name: "bothy-backup",
      compatibility_date: config.compatibility_date,
      d1_databases: [{ ...called(config.d1_databases, "DB"), migrations_dir: undefined, ...remote }],
      r2_buckets: [{ ...called(config.r2_buckets, "COPIES"), ...remote }],
    }),
  );
  const proxy = await getPlatformProxy({
    configPath,
    envFiles: [],
    persist: isRemote ? false : { path: join(dataDir, "v3") },
    remoteBindings: isRemote,
  });
  try {
    return await work({ db: proxy.env.DB, copies: proxy.env.COPIES });
  } finally {
    await proxy.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const hasData = (dataDir) => existsSync(join(dataDir, "v3/d1"));

/** The names of all objects under a prefix, without it. */
export async function listNames(copies, prefix) {
  const names = [];
  let cursor;
  do {
    const page = await copies.list({ prefix, ...(cursor ? { cursor } : {}) });
    names.push(...page.objects.map(({ key }) => key.slice(prefix.length)));
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  return names;
}

const AT_ONCE = 16;

/** Runs `work` for each, a few at a time. */
export async function forEach(list, work) {
  const rest = list.values();
  const worker = async () => {
    for (const one of rest) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
