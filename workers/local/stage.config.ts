// The Vite config of the script of a stage's page (`vite build -c workers/local/stage.config.ts`), beside the pages'
// files.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { releaseDefined } from "./release.mjs";

const folder = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export default defineConfig({
  root: folder("."),
  publicDir: false,
  resolve: { alias: { "~": folder("app") } },
  define: { ...releaseDefined, "process.env.NODE_ENV": '"production"' },
  build: {
    outDir: "build/client",
    emptyOutDir: false,
    target: "es2022",
    minify: "terser",
    terserOptions: { compress: { passes: 2 } },
    rollupOptions: {
      input: "app/entry.stage.tsx",
      output: { entryFileNames: "stage.js" },
    },
  },
});
