// Pages of a local server in Chromium, as benchmarks open them.
import { chromium } from "@playwright/test";
import { BROWSER_ARGS, ensureBrowser } from "../support/browser.mjs";

export async function launchBrowser() {
  const executablePath = await ensureBrowser();
  return chromium.launch({ ...(executablePath ? { executablePath } : {}), args: BROWSER_ARGS });
}

/** A page in a context of its own, with the login of `caller`; `options` are those of the context. */
export async function newScreen(browser, url, caller = null, options = {}) {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: "block", ...options });
  const cookies = (caller?.cookie() ?? "").split("; ").filter(Boolean);
  await context.addCookies(
    cookies.map((one) => {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(one);
      return { name, value, url };
    }),
  );
  return context.newPage();
}
