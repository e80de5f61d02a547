// Journeys: real browsers against the whole app on local workerd, on a database of their own.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS } from "./support/browser.mjs";

export const PORT = Number(process.env.JOURNEY_PORT ?? 8790);
const dataDir = process.env.JOURNEY_DATA ?? join(tmpdir(), `bothy-journeys-${process.pid}`);
process.env.JOURNEY_DATA = dataDir;
const executablePath =
  process.env.CHROMIUM_PATH || (process.platform === "linux" ? "/usr/bin/chromium" : undefined);

/** `AS_DEPLOYED=1` runs the journeys with the edge cache and the limits of a deployment. */
const settings: Record<string, string> = process.env.AS_DEPLOYED
  ? { RATE_LIMITS: "on", EDGE_CACHE: "on" }
  : { RATE_LIMITS: "off" };

export default defineConfig({
  testDir: "./journeys",
  outputDir: "../test-results",
  // Long enough for a busy machine; passing journeys never wait for it.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  fullyParallel: false,
  workers: 1,
  retries: process.env.CI ? 1 : 0,
  failOnFlakyTests: Boolean(process.env.CI),
  reporter: [
    ["list"],
    ["json", { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? "../.cache/results/journeys.json" }],
  ],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    // Recorded only on a retry, because recording every journey is slow.
    trace: process.env.CI ? "on-first-retry" : "off",
    screenshot: "only-on-failure",
    // Playwright cannot delay or fail requests that a service worker handles.
    serviceWorkers: "block",
    locale: "en-GB",
    timezoneId: "Europe/Paris",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: BROWSER_ARGS,
    },
  },
  webServer: {
    command: "node workers/local/start.mjs",
    cwd: join(import.meta.dirname, ".."),
    wait: { stdout: / is at http/ },
    env: { PORT: String(PORT), DATA_DIR: dataDir, ...settings },
    timeout: 240_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 5000 },
    stdout: "pipe",
  },
});
