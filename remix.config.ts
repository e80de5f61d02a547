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

export default defineConfig({
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
  build: { target: "es2022", sourcemap: false, assetsInlineLimit: 0 },
});
