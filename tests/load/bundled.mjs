// Bundles source files for benchmarks: for Node, or as the baseline worker.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT, serve } from "../../workers/local/tools.mjs";

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

/** Serves the worker `entry` on local workerd; `more` goes into its wrangler.toml. */
export async function serveBare(entry, { port, folder, more = "" }) {
  // In a folder of its own, because wrangler reloads when a file beside the worker changes.
  const own = join(folder, "worker");
  await bundle(entry, join(own, "index.mjs"), {
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    define: { "process.env.NODE_ENV": '"production"' },
    minify: true,
  });
  const config = join(own, "wrangler.toml");
  writeFileSync(
    config,
    `name = "bare"
main = "index.mjs"
no_bundle = true
compatibility_date = "2026-10-01"
compatibility_flags = ["nodejs_compat", "no_web_socket_compression"]
${more}`,
  );
  return serve({ port, dataDir: join(folder, "data"), quiet: true, config });
}
