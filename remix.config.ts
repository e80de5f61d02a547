// How the pages are built: this is the Vite config (`remix vite:build -c remix.config.ts`).
// wrangler then bundles workers/index.ts, which imports build/server; build/client is served as assets.
import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
}

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// What every page needs anyway, in one chunk: many small ones compress worse and cost a request each.
const BASE =
  /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|turbo-stream|clsx|cookie)\/|node_modules\/@remix-run\/|vite\/preload-helper|app\/entry\.client|app\/root\.tsx|app\/routes\/(in-frame|not-found)|app\/components\/layout\/(?!error-page|shortcuts)|app\/components\/ui\/(button|toasts|toast-outlet|dropdown-menu|avatar)\.|app\/components\/pictures\/(icon|mark)\.|app\/hooks\/(use-shell|modals)/;

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
  ],
  resolve: { alias: { "~": folder("./app"), "#db": folder("./db"), "#workers": folder("./workers") } },
  ssr: {
    target: "webworker",
    noExternal: true,
    resolve: { conditions: ["workerd", "worker", "browser"], externalConditions: ["workerd", "worker"] },
  },
  build: {
    target: "es2022",
    sourcemap: false,
    assetsInlineLimit: 0,
    // Only in the browser's build: the server is one file.
    ...(isSsrBuild
      ? {}
      : {
          rollupOptions: { output: { manualChunks: (id: string) => (BASE.test(id) ? "base" : undefined) } },
        }),
  },
}));
