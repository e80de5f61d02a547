// Opens D1 and the copies in R2, of a local run or with `--remote` of the deployed worker, as wrangler's bindings.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrationsOfBuild } from "./builds.mjs";
import { withFolder } from "./owner.mjs";
import { ROOT } from "./processes.mjs";

/**
 * Calls `work` with the stores: of the deployed worker, of the server that runs on the data, or of a workerd of this
 * process.
 * @template T
 * @param {{ isRemote: boolean, dataDir: string }} data
 * @param {(stores: { db: D1Database, copies: R2Bucket }) => Promise<T>} work
 */
export const withStores = ({ isRemote, dataDir }, work) =>
  isRemote
    ? withProxy({ isRemote, dataDir }, work)
    : withFolder(dataDir, {
        through: (server) => work(storesOf(server)),
        alone: () => withProxy({ isRemote, dataDir }, work),
      });

/** The stores of a running server, through its route (serve-stores.ts), with the methods that commands use. */
function storesOf({ url, key }) {
  const ask = async (operation) => {
    const answer = await fetch(`${url}/local/stores`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Local-Key": key },
      body: JSON.stringify(operation),
    });
    if (answer.ok) return answer.json();
    const { error = "" } = await answer.json().catch(() => ({}));
    throw new Error(
      error || `The server at ${url} answered ${answer.status}. Stop it, then run this command again.`,
    );
  };
  const prepare = (sql, values = []) => {
    const runStatement = async () => (await ask({ statements: [{ sql, values }] }))[0];
    return {
      sql,
      values,
      bind: (...boundValues) => prepare(sql, boundValues),
      run: runStatement,
      all: runStatement,
      async first(column) {
        const row = (await runStatement()).results[0] ?? null;
        return column === undefined ? row : (row?.[column] ?? null);
      },
    };
  };
  return {
    db: {
      prepare,
      batch: (statements) => ask({ statements: statements.map(({ sql, values }) => ({ sql, values })) }),
    },
    copies: {
      list: (list) => ask({ list }),
      async get(name) {
        const { text } = await ask({ get: name });
        return text === null ? null : { text: async () => text };
      },
      put: (name, text) => ask({ put: name, text }),
    },
  };
}

/** Applies the migrations that the database of a running server lacks, each in a batch, as wrangler does. */
export async function migrateThrough(server) {
  const { unstable_splitSqlQuery: split } = await import("wrangler");
  const { db } = storesOf(server);
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all();
  const applied = new Set(results.map(({ name }) => name));
  for (const name of migrationsOfBuild().filter((file) => !applied.has(file))) {
    const statements = split(readFileSync(join(ROOT, "db/migrations", name), "utf8"));
    await db.batch([
      ...statements.map((sql) => db.prepare(sql)),
      db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
    ]);
  }
}

/** Calls `work` with the stores of a workerd that this process starts. */
async function withProxy({ isRemote, dataDir }, work) {
  const { getPlatformProxy, unstable_readConfig: readConfig } = await import("wrangler");
  const config = readConfig({
    config: join(ROOT, "wrangler.toml"),
    ...(isRemote ? { env: "production" } : {}),
  });
  const bindingOf = (list, name) => list.find(({ binding }) => binding === name);
  // The configuration has only these two bindings, because workerd would start the others too.
  const folder = mkdtempSync(join(tmpdir(), "bothy-stores-"));
  const configPath = join(folder, "wrangler.json");
  const remote = isRemote ? { remote: true } : {};
  writeFileSync(
    configPath,
    JSON.stringify({
      name: "bothy-backup",
      compatibility_date: config.compatibility_date,
      d1_databases: [{ ...bindingOf(config.d1_databases, "DB"), migrations_dir: undefined, ...remote }],
      r2_buckets: [{ ...bindingOf(config.r2_buckets, "COPIES"), ...remote }],
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

/** The names of all objects under a prefix, without the prefix. */
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

const MAX_AT_ONCE = 16;

/** Runs `work` for each item, a few at a time. */
export async function forEach(items, work) {
  // The workers share this iterator, so each item is taken once.
  const remaining = items.values();
  const worker = async () => {
    for (const item of remaining) await work(item);
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker));
}
