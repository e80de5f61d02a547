// Finds files, exports and dependencies that nothing uses. `knip --production` leaves the tests out, so it also finds
// code that only tests call.
import type { KnipConfig } from "knip";

export default ({ production = false }): KnipConfig => ({
  workspaces: {
    ".": {
      entry: [
        "workers/{index,objects}.ts!",
        "app/routes.ts!",
        "app/entry.embed.ts!",
        "app/routes/**/*.{ts,tsx}!",
        "app/styles/app.css!",
        "workers/{local,programs}/*.mjs",
        "{remix,workers/local/objects,workers/local/stage}.config.ts!",
        "db/drizzle.config.ts",
        "tests/**/*.mjs",
        "tests/{playwright,pictures,tasks}.config.ts",
        "tests/{journeys,pictures,tasks}/*.spec.ts",
        // Other files name these by path.
        "tests/support/test-worker.ts",
        "tests/tasks/table.ts",
        "tests/built/client/program.ts",
        "tests/load/{bare-pages,full-parts,lists-pages,measured-d1}.ts",
      ],
      project: [
        "{app,db,workers}/**/*.{ts,tsx,css}!",
        "!**/*.test.{ts,tsx}!",
        "!**/{fixtures,*.model}.ts!",
        "workers/local/*.mjs",
        "tests/**/*.{ts,mjs}",
      ],
    },
    // The package of the peers; npm installs it only for their benchmark.
    bench: {
      entry: ["*.{mjs,ts}", "peers/{node,party}-room.mjs"],
      project: ["**/*.{mjs,ts}"],
    },
  },
  // Without tests, a test's own import is no reason to export; the file uses it.
  ignoreExportsUsedInFile: production,
  // Made by the test of the generated client.
  ignoreUnresolved: production ? [] : ["./api"],
  // A tool of Linux, which gives a benchmark's load its own core.
  ignoreBinaries: production ? [] : ["taskset"],
});
