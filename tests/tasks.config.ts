// Playwright's configuration of `npm run tasks`: as for journeys, with the ten tasks whose presses are counted.
import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config";

export default defineConfig({
  ...journeys,
  testDir: "./tasks",
  reporter: "./tasks/table.ts",
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 10_000 },
});
