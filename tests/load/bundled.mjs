// Bundles source files for benchmarks: for Node, or as a worker.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../../workers/local/processes.mjs";
import { builtOptions, serveModules } from "../support/worker.mjs";

/** Bundles `entry`, a path from the root, into `outfile`. */
export const bundle = (entry, outfile, options = {}) =>
  build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    alias: {
      "~": join(ROOT, "app"),
      "#db": join(ROOT, "db"),
      "#tests": join(ROOT, "tests"),
      "#workers": join(ROOT, "workers"),
    },
    logLevel: "error",
    ...options,
  });

/** Serves the worker `entry` on workerd; `more` are options of Miniflare. */
export async function serveBare(entry, { port, folder, core = null, more = {}, isDirect }) {
  const outfile = join(folder, "worker/index.mjs");
  if (!existsSync(outfile))
    await bundle(entry, outfile, {
      platform: "browser",
      conditions: ["workerd", "worker", "browser"],
      external: ["cloudflare:*", "node:*"],
      define: { "process.env.NODE_ENV": '"production"' },
      minify: true,
    });
  // The figures compare only on the platform of our worker.
  const { compatibilityDate, compatibilityFlags } = (await builtOptions()).pages;
  const options = {
    name: "bare",
    compatibilityDate,
    compatibilityFlags,
    modulesRoot: join(folder, "worker"),
    modules: [{ type: "ESModule", path: outfile }],
    ...more,
  };
  return serveModules({ port, dataDir: join(folder, "data"), workers: [options], core, isDirect });
}
