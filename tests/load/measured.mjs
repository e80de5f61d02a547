// Serves the built worker with a D1 that delays each call and records its statements.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serveWorker } from "../support/worker.mjs";
import { bundle } from "./bundled.mjs";

const ENTRY = `import worker from "./index.js";
import { measured } from "./measured-d1.js";
export default measured(worker);
`;

/** `calls(delay)` returns the calls since the last time, and delays the next ones by so many milliseconds. */
export async function serveMeasured({ port, dataDir, folder, core = null }) {
  const outfile = join(folder, "measured-d1.mjs");
  await bundle("tests/load/measured-d1.ts", outfile, { platform: "browser" });
  const more = { "measured.js": ENTRY, "measured-d1.js": readFileSync(outfile, "utf8") };
  const change = ({ pages }) =>
    pages.modules.unshift(
      ...Object.entries(more).map(([name, contents]) => ({
        type: "ESModule",
        path: join(pages.modulesRoot, name),
        contents,
      })),
    );
  const server = await serveWorker({ port, dataDir, vars: { RATE_LIMITS: "off" }, core, change });
  return {
    ...server,
    calls: async (delay = 0) => (await fetch(`${server.url}/local/measured?delay=${delay}`)).json(),
  };
}
