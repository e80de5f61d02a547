// Playwright's configuration of `npm run pictures`: as for journeys, with the specs that take pictures.
import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config";

export default defineConfig({ ...journeys, testDir: "./pictures", reporter: "list", retries: 0 });
