// The Vite config of the worker of the Durable Objects (`vite build -c workers/local/objects.config.ts`), into
// build/objects.
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
      // These modules only declare: a table that no query of a room names stays out.
      treeshake: { moduleSideEffects: (id) => !id.includes("/db/schema/") },
    },
  },
});
