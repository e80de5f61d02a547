// The Vite config (`remix vite:build -c remix.config.ts`). The browser's build goes to build/client, the worker
// of pages and calls to build/server, which wrangler serves and deploys unchanged.
import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin, type Rollup } from "vite";
import { hotLibraryCode, serverReact } from "./workers/local/hot-library-code";
import { narrowText } from "./workers/local/narrow-text";
import { unusedLibraryCode } from "./workers/local/unused-library-code";
import { unusedServerCode } from "./workers/local/unused-server-code";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
}

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

type Graph = Rollup.ManualChunkMeta;
type Chunk = { modules: string[]; bytes: number; pages: Set<string>; needs: Set<Chunk> };

/** Modules of this share of the pages are in `base`, which every page loads: a single large file compresses best. */
const BASE = 0.35;
/** The price of a further file in minified bytes: its request, its imports, and the worse compression. */
const FILE = 900;
/** The length of transformed code, divided by that of its minified form. */
const MINIFIED = 1.8;

let names: Map<string, string> | undefined;
const chunkOf = (id: string, graph: Graph): string | undefined => {
  names ??= namesOf(graph);
  return names.get(id);
};

/** The chunk of each module that several pages load with their first view. Rollup splits the rest. */
function namesOf(graph: Graph): Map<string, string> {
  const { all, pagesOf } = firstViews(graph);
  const isBase = (id: string) => (pagesOf.get(id)?.size ?? 0) >= BASE * all;
  const chunks = new Map<string, Chunk>();
  const chunkOfModule = new Map<string, Chunk>();
  for (const [id, pages] of [...pagesOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { isIncluded, code } = graph.getModuleInfo(id) ?? {};
    if (!isIncluded || pages.size < 2 || isBase(id)) continue;
    const key = [...pages].join();
    const chunk = chunks.get(key) ?? { modules: [], bytes: 0, pages, needs: new Set() };
    chunk.modules.push(id);
    chunk.bytes += (code?.length ?? 0) / MINIFIED;
    chunks.set(key, chunk);
    chunkOfModule.set(id, chunk);
  }
  for (const [id, chunk] of chunkOfModule)
    for (const loaded of closure([id], graph)) {
      const needed = chunkOfModule.get(loaded);
      if (needed && needed !== chunk) chunk.needs.add(needed);
    }
  const base = [...pagesOf.keys()].filter(isBase).map((id) => [id, "base"] as const);
  const shared = merged([...chunks.values()]).flatMap(({ modules }, n) =>
    modules.map((id) => [id, `shared-${n + 1}`] as const),
  );
  return new Map([...base, ...shared]);
}

/** The pages that load each module with their first view; each page has the root and the frame. */
function firstViews(graph: Graph) {
  const entries = [...graph.getModuleIds()].filter((id) => graph.getModuleInfo(id)?.isEntry).sort();
  const isPage = (id: string) =>
    /\/app\/routes\/(?!in-frame\.)/.test(id) && graph.getModuleInfo(id)?.exports?.includes("default");
  const pages = entries.filter(isPage);
  const frame = entries.filter((id) => !id.startsWith(folder("./app/routes/")) || /\/in-frame\./.test(id));
  const pagesOf = new Map<string, Set<string>>();
  for (const page of pages)
    for (const id of closure([page, ...frame], graph))
      if (!entries.includes(id)) pagesOf.set(id, (pagesOf.get(id) ?? new Set()).add(page));
  return { all: pages.length, pagesOf };
}

/** Modules and all their static imports. */
function closure(ids: string[], { getModuleInfo }: Graph): Set<string> {
  const loaded = new Set(ids);
  // The set grows while it is read, until every static import is in it.
  for (const id of loaded) for (const imported of getModuleInfo(id)?.importedIds ?? []) loaded.add(imported);
  return loaded;
}

/** Merges the two chunks that save the most until no merge saves anything. */
function merged(chunks: Chunk[]): Chunk[] {
  let best: { a: Chunk; b: Chunk; bytes: number } | undefined;
  for (const [n, a] of chunks.entries())
    for (const b of chunks.slice(n + 1)) {
      const bytes = savingOf(a, b);
      if (bytes > (best?.bytes ?? 0)) best = { a, b, bytes };
    }
  if (!best) return chunks;
  const { a, b } = best;
  const both: Chunk = {
    modules: [...a.modules, ...b.modules],
    bytes: a.bytes + b.bytes,
    pages: new Set([...a.pages, ...b.pages]),
    needs: new Set([...a.needs, ...b.needs].filter((one) => one !== a && one !== b)),
  };
  for (const { needs } of chunks)
    if ([needs.delete(a), needs.delete(b)].includes(true))
      for (const one of [both, ...both.needs]) needs.add(one);
  for (const { pages } of both.needs) for (const page of both.pages) pages.add(page);
  return merged([...chunks.filter((one) => one !== a && one !== b), both]);
}

/** The bytes that a merge saves over all pages: a file where both are loaded, less the bytes that others do not need. */
function savingOf(a: Chunk, b: Chunk): number {
  const pages = new Set([...a.pages, ...b.pages]);
  const loadsBoth = a.pages.size + b.pages.size - pages.size;
  let bytes =
    FILE * loadsBoth - (pages.size - a.pages.size) * a.bytes - (pages.size - b.pages.size) * b.bytes;
  if (bytes <= 0) return 0;
  for (const one of new Set([...a.needs, ...b.needs])) {
    if (one === a || one === b) continue;
    // A chunk between the two would need the merged chunk and be needed by it.
    if (one.needs.has(a) || one.needs.has(b)) return 0;
    bytes -= [...pages].filter((page) => !one.pages.has(page)).length * (one.bytes + FILE);
  }
  return bytes;
}

/** Remix alone would build only its pages. Built from the worker's entry, pages and worker share every module. */
const workerEntry: Plugin = {
  name: "worker-entry",
  config: (_, { isSsrBuild }) =>
    isSsrBuild ? { build: { rollupOptions: { input: folder("./workers/index.ts") } } } : {},
};

/** Each page of the worker is a chunk that loads on its first request (workers/pages.ts). */
const lazyRoutes: Plugin = {
  name: "lazy-routes",
  enforce: "post",
  transform(code, id, options) {
    if (!options?.ssr || !id.includes("virtual:remix/server-build")) return;
    const lazy = code.replace(/import \* as (route\d+) from ("[^"]+");/g, "const $1 = () => import($2);");
    if (lazy === code) throw new Error("Remix has changed how its server build imports routes.");
    return { code: lazy, map: null };
  },
};

/**
 * Page data is aborted when the page is left. Remix logs an abort that comes while the body is read, and turns it into a
 * failed decoding.
 */
const quietAborts: Plugin = {
  name: "quiet-aborts",
  transform(code, id, options) {
    if (options?.ssr || !id.endsWith("/@remix-run/react/dist/esm/single-fetch.js")) return;
    const quiet = code.replace("    console.error(e);\n", "    if (init.signal?.aborted) throw e;\n$&");
    if (quiet === code) throw new Error("Remix has changed how it decodes page data.");
    return { code: quiet, map: null };
  },
};

/** The router scrolls to the top after the first reload of a page's data, and after each that follows a kept position. */
const steadyScroll: Plugin = {
  name: "steady-scroll",
  transform(code, id, options) {
    if (options?.ssr || !id.endsWith("/@remix-run/router/dist/router.js")) return;
    const steady = code.replace(
      "restoreScrollPosition: getSavedScrollPosition(location, newState.matches || state.matches),\n      preventScrollReset,",
      "...(isUninterruptedRevalidation ? {} : { restoreScrollPosition: getSavedScrollPosition(location, newState.matches || state.matches), preventScrollReset }),",
    );
    if (steady === code) throw new Error("The router has changed how it restores the scroll position.");
    return { code: steady, map: null };
  },
};

/** rehype-highlight imports the 37 common grammars even when it is given others; the platform compiles them at each start. */
const ownGrammars: Plugin = {
  name: "own-grammars",
  transform(code, id) {
    if (!id.endsWith("/lowlight/lib/common.js")) return;
    if (!code.includes("export const grammars = {")) throw new Error("lowlight has moved its grammars.");
    return { code: "export const grammars = {};", map: null };
  },
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    tailwindcss(),
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
    }),
    workerEntry,
    lazyRoutes,
    serverReact,
    hotLibraryCode,
    quietAborts,
    steadyScroll,
    unusedLibraryCode,
    ...(isSsrBuild ? [ownGrammars, unusedServerCode, narrowText] : []),
  ],
  resolve: { alias: { "~": folder("./app"), "#db": folder("./db"), "#workers": folder("./workers") } },
  ssr: {
    // The target "webworker" would create one file; only "node" permits chunks.
    target: "node",
    noExternal: true,
    resolve: { conditions: ["workerd", "worker", "browser"], externalConditions: ["workerd", "worker"] },
  },
  // Without this replacement React chooses its development build at run time.
  define: isSsrBuild ? { "process.env.NODE_ENV": '"production"' } : {},
  // In both builds, so that the style is the same file.
  esbuild: { charset: "ascii" },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    ...(isSsrBuild
      ? {
          // Small, so that a cold start parses quickly; wrangler uploads the maps, so traces name our files.
          minify: "esbuild",
          sourcemap: true,
          rollupOptions: { external: /^cloudflare:/ },
        }
      : {
          // Smaller than esbuild's result by 4 % of every page.
          minify: "terser",
          terserOptions: { module: true, ecma: 2020, compress: { passes: 2 } },
          rollupOptions: {
            output: { manualChunks: chunkOf, onlyExplicitManualChunks: true },
            // In a circular import a chunk may run before its dependency.
            onwarn(warning, warn) {
              if (warning.code === "CIRCULAR_CHUNK") throw new Error(warning.message);
              warn(warning);
            },
          },
        }),
  },
}));
