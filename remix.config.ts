// The Vite config (`remix vite:build -c remix.config.ts`): the browser's pages, and the worker of pages and calls.
import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin, type Rollup, type UserConfig } from "vite";
import { releaseDefined } from "./workers/local/release.mjs";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Modules that a fifth of the pages load with their first view are a single file. Rollup splits the rest. */
function sharedModules({ getModuleIds, getModuleInfo }: Rollup.ManualChunkMeta): Set<string> {
  const entries = [...getModuleIds()].filter((id) => getModuleInfo(id)?.isEntry);
  const isPage = (id: string) => /\/app\/routes\/(?!in-frame\.)/.test(id);
  const views = entries.filter((id) => isPage(id) && getModuleInfo(id)?.exports?.includes("default"));
  const loads = new Map<string, number>();
  for (const view of views) {
    const loaded = new Set([view, ...entries.filter((id) => !isPage(id))]);
    // The set grows while it is read, until every static import is in it.
    for (const id of loaded)
      for (const imported of getModuleInfo(id)?.importedIds ?? []) loaded.add(imported);
    for (const id of loaded) loads.set(id, (loads.get(id) ?? 0) + 1);
  }
  const isShared = (id: string) => !entries.includes(id) && (loads.get(id) ?? 0) * 5 >= views.length;
  return new Set([...loads.keys()].filter(isShared));
}
let shared: Set<string> | undefined;
/** Only the server renders them: their modules would join the first view of other pages. */
const treeshake: Rollup.TreeshakingOptions = {
  moduleSideEffects: (id) =>
    !id.includes("/components/room/still-stage") && !id.includes("/sessions/embed-card"),
};
const output: Rollup.OutputOptions = {
  manualChunks(id, graph) {
    shared ??= sharedModules(graph);
    return shared.has(id) ? "base" : null;
  },
};

/** Remix by itself would build only its pages. Built from the worker's entry, pages and worker share every module. */
const input = folder("./workers/index.ts");
const workerEntry: Plugin = {
  name: "worker-entry",
  config: (_, { isSsrBuild }) => (isSsrBuild ? { build: { rollupOptions: { input } } } : {}),
};

/** The tests build the pages in the same way. */
export const pages = () =>
  remix({
    appDirectory: "app",
    ignoredRouteFiles: ["**/*"],
    future: {
      v3_singleFetch: true,
      v3_routeConfig: true,
      v3_lazyRouteDiscovery: true,
      v3_fetcherPersist: true,
      v3_relativeSplatPath: true,
      v3_throwAbortReason: true,
    },
  }) as Plugin[];

export default defineConfig(
  async ({ isSsrBuild, command }): Promise<UserConfig> => ({
    plugins: [
      tailwindcss(),
      command === "serve" ? (await import("./workers/local/dev-server")).devServer(pages()) : pages(),
      workerEntry,
    ],
    resolve: { alias: { "~": folder("./app"), "#db": folder("./db"), "#workers": folder("./workers") } },
    ssr: {
      target: "node", // "webworker" would create one file, without chunks.
      noExternal: true,
      resolve: { conditions: ["workerd", "worker", "browser"], externalConditions: ["workerd", "worker"] },
    },
    // Without this replacement React chooses its development build at run time.
    define: { ...releaseDefined, ...(isSsrBuild && { "process.env.NODE_ENV": '"production"' }) },
    build: {
      target: "es2022",
      assetsInlineLimit: 0,
      // wrangler uploads the maps, so traces name our files. terser makes pages 4 % smaller than esbuild.
      ...(isSsrBuild
        ? { minify: "esbuild", sourcemap: true, rollupOptions: { external: /^cloudflare:/ } }
        : {
            minify: "terser",
            terserOptions: { compress: { passes: 2 } },
            rollupOptions: { output, treeshake },
          }),
    },
  }),
);
