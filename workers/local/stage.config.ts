// The Vite config of two standalone scripts: that of the stage and, with `--mode embed`, that of the embedded card.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { releaseDefined } from "./release.mjs";

const folder = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const scriptOf = (mode: string) =>
  mode === "embed"
    ? { input: "app/entry.embed.ts", name: "embed.js" }
    : { input: "app/entry.stage.tsx", name: "stage.js" };

export default defineConfig(({ mode }) => ({
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
      input: scriptOf(mode).input,
      output: { entryFileNames: scriptOf(mode).name },
    },
  },
}));
