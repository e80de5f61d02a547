// The Vite config (`remix vite:build -c remix.config.ts`). The browser's build goes to build/client, the whole worker
// to build/server, which wrangler serves and deploys unchanged.
import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
}

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Modules that a page uses together form one chunk of the browser's build, because many small chunks compress worse and
// cost a request each. The first matching entry decides; Rollup splits the rest.
const CHUNKS: [name: string, of: RegExp][] = [
  [
    "base",
    paths(
      "node_modules",
      /react|react-dom|scheduler|react-router|react-router-dom|@remix-run|turbo-stream|clsx|cookie/,
    ),
  ],
  ["base", /vite\/preload-helper|app\/(entry\.client|root)\.|app\/routes\/(in-frame|not-found)\./],
  ["base", paths("app/components/layout", /(?!error-page|shortcuts)[\w-]+/)],
  [
    "base",
    paths(
      "app/components/ui",
      /button|toasts|toast-outlet|dropdown-menu|avatar|faces|breadcrumbs|heading-level|notice|text-link/,
    ),
  ],
  ["base", paths("app/components/pictures", /icon|mark/)],
  ["base", paths("app/hooks", /use-shell|modal-store/)],
  // Small components that nearly every page uses.
  ["kit", paths("app/components/ui", /(?!sort-board|auto-scroll|tabs|toaster)[\w-]+/)],
  ["kit", paths("app/components/timer", /countdown|spoken-span|face-geometry/)],
  ["kit", paths("app/components/pictures", /drawing/)],
  ["kit", paths("app/components/form", /plain-form/)],
  [
    "kit",
    paths(
      "app/hooks",
      /use-(browser-layout-effect|now|hydrated|call|fresh-data|inline-edit|optimistic)|answers/,
    ),
  ],
  [
    "kit",
    paths(
      "app/domain",
      /days|time|memoise|duration-text|list-terms|tour-anchors|errors|session-status|field-rules|session-status/,
    ),
  ],
  ["lists", paths("app/components/lists", /[\w-]+/)],
  ["timers", paths("app/components/timer", /(?!full-screen)[\w-]+/)],
  [
    "timers",
    paths(
      "app/domain",
      /clock|timers|timer-pieces|part-kinds|logs|goals|recurrence|measure-text|schedule-(sets|shape|outline)/,
    ),
  ],
  ["timers", paths("app/hooks", /use-clock/)],
  ["timers", paths("app/components/goals", /goal-progress/)],
  ["form", paths("app/components/form", /[\w-]+/)],
  ["form", paths("app/hooks", /use-action-form|typed-fields/)],
  ["my", paths("app/components/goals", /goal-form-later/)],
  // The forms of goals and logs, without the lists of goals and logs.
  [
    "goal-forms",
    paths(
      "app/components/goals",
      /form-rows|goal-form|goal-folds|goal-fields|goal-form-rows|recurrence-fields/,
    ),
  ],
  ["goal-forms", paths("app/components/(my|logs)", /measure-fields|log-form/)],
  ["fields", paths("app/components/editor", /rich-text-field/)],
  ["fields", paths("app/hooks", /use-draft/)],
  ["fields", paths("app/domain", /duration-parse/)],
  ["my", paths("app/components/(my|logs)", /(?!log-(row|list))[\w-]+/)],
  // The client of a session's room loads after its page.
  ["room", paths("app/components/room", /live-room|tab-mark|cue-plan|cues/)],
  ["room", paths("app/hooks", /use-(room|cues|wake-lock)|room-client/)],
  ["room", paths("node_modules", /partysocket/)],
  // A session's page without the host's components.
  ["live", paths("app/components/room", /(?!host-controls|use-conductor)[\w-]+/)],
  ["live", paths("app/components/sessions", /session-(page|meta|actions|facts)/)],
  ["live", paths("app/hooks", /cue-[a-z]+/)],
  ["live", paths("app/domain", /schedule-(plan|advance)/)],
];

function paths(folder: string, names: RegExp): RegExp {
  return new RegExp(`/${folder}/(?:${names.source})[./]`);
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

/** Libraries import react-dom for functions that run only in a browser; rendering to a stream needs one file of it. */
const serverReact: Plugin = {
  name: "server-react",
  enforce: "pre",
  resolveId(id, _, options) {
    if (!options?.ssr) return;
    if (id === "react-dom/server")
      return folder("./node_modules/react-dom/cjs/react-dom-server.browser.production.min.js");
    if (id === "react-dom") return "\0react-dom";
  },
  load(id) {
    if (id !== "\0react-dom") return;
    return `const never = () => { throw new Error("The server has no DOM."); };
      export { never as createPortal, never as flushSync, never as unstable_batchedUpdates };
      export default { flushSync: never };`;
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
          rollupOptions: {
            output: { manualChunks: (id: string) => CHUNKS.find(([, of]) => of.test(id))?.[0] },
            // In a circular import a chunk may run before its dependency.
            onwarn(warning, warn) {
              if (warning.code === "CIRCULAR_CHUNK") throw new Error(warning.message);
              warn(warning);
            },
          },
        }),
  },
}));
