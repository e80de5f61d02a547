// The Vite config that builds the worker of the Durable Objects into build/objects
// (`vite build -c workers/local/objects.config.ts`).
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { releaseDefined } from "./release.mjs";

const folder = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export default defineConfig({
  root: folder("."),
  publicDir: false,
  resolve: { alias: { "~": folder("app"), "#db": folder("db"), "#workers": folder("workers") } },
  ssr: {
    target: "node",
    noExternal: true,
    resolve: { conditions: ["workerd", "worker", "browser"], externalConditions: ["workerd", "worker"] },
  },
  define: { ...releaseDefined, "process.env.NODE_ENV": '"production"' },
  esbuild: { charset: "ascii" },
  build: {
    ssr: "workers/objects.ts",
    outDir: "build/objects",
    emptyOutDir: true,
    target: "es2022",
    // terser makes it 3 % smaller than esbuild does.
    minify: "terser",
    sourcemap: true,
    rollupOptions: {
      external: /^cloudflare:/,
      output: { entryFileNames: "index.js" },
      // The schema's modules only declare tables, so a table that no query of a room uses can be left out.
      treeshake: { moduleSideEffects: (id) => !id.includes("/db/schema/") },
    },
  },
});
