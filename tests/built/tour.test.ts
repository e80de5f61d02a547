// The welcome tour in a browser, on a deployed installation that has nothing but the library.
import { statSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestHarness } from "wrangler";
import { type TourStep, tours } from "../../app/components/tour/steps";
import { ROOT } from "../../workers/local/processes.mjs";
import { signedUp } from "../load/caller.mjs";
import { BROWSER_ARGS, ensureBrowser } from "../support/browser.mjs";

const ORIGIN = "https://bothy.example";
const deployed = createTestHarness({
  root: ROOT,
  workers: [
    // The model has no local stand-in.
    { configPath: "wrangler.toml", env: "production", vars: { AI: "" } },
    { configPath: "workers/objects.toml", env: "production" },
  ],
});
const pages = deployed.getWorker<{ DB: D1Database }>("bothy-web");
let browser: Browser;

beforeAll(async () => {
  const executablePath = await ensureBrowser();
  [browser] = await Promise.all([
    chromium.launch({ args: BROWSER_ARGS, ...(executablePath ? { executablePath } : {}) }),
    deployed.listen(),
  ]);
  await pages.applyD1Migrations("DB");
  // As `npm run deploy` asks for the library, and the minute cron installs it.
  const { DB } = await pages.getEnv();
  await DB.exec("INSERT INTO cron_marks (job, mark) VALUES ('library', 'wanted')");
  await pages.scheduled({ cron: "* * * * *" });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await deployed.close();
});

const CLIENT = join(ROOT, "build/client");

/** A page of the deployed site, whose requests go to the workers and its files, and nowhere else. */
async function openSite(width: number, height: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
  onTestFinished(() => context.close());
  await context.route("**/*", async (route) => {
    const request = route.request();
    // The platform answers files before the worker.
    const file = join(CLIENT, new URL(request.url()).pathname);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return route.fulfill({ path: file });
    const body = request.postDataBuffer();
    const answer = await pages.fetch(request.url(), {
      method: request.method(),
      headers: await request.allHeaders().then((all) =>
        // A pseudo-header is the protocol's own, and a body that passes here is not compressed.
        Object.fromEntries(Object.entries(all).filter(([name]) => !/^(:|accept-encoding$)/.test(name))),
      ),
      ...(body ? { body: new Uint8Array(body) } : {}),
      redirect: "manual",
    });
    const { "content-encoding": _, "content-length": __, ...headers } = Object.fromEntries(answer.headers);
    const cookies = answer.headers.getSetCookie().join("\n");
    await route.fulfill({
      status: answer.status,
      headers: { ...headers, ...(cookies ? { "set-cookie": cookies } : {}) },
      body: Buffer.from(await answer.arrayBuffer()),
    });
  });
  return context.newPage();
}

/** Signs a new account in. */
async function register(page: Page, username: string): Promise<void> {
  const person = await signedUp(ORIGIN, username, pages.fetch as unknown as typeof fetch);
  const cookies = person
    .cookie()
    .split("; ")
    .map((pair) => /^([^=]+)=(.*)$/.exec(pair) ?? []);
  await page.context().addCookies(cookies.map(([, name = "", value = ""]) => ({ name, value, url: ORIGIN })));
}

const SIZES = [
  ["390 px", 390, 844],
  ["1280 px", 1280, 800],
] as const;
const PEOPLE = [
  ["a visitor", ""],
  ["a new user", "newcomer"],
] as const;
const CASES = PEOPLE.flatMap(([who, name]) =>
  SIZES.map(([size, ...screen]) => [who, size, name, screen] as const),
);

test.each(CASES)(
  "H-02 S-22 a deployed site shows %s at %s all nineteen steps of the tour, each on its anchor",
  async (_who, _size, name, [width, height]) => {
    const page = await openSite(width, height);
    if (name) await register(page, `${name}${width}`);
    await page.goto(`${ORIGIN}/?tour=welcome`);
    const { steps } = tours.welcome;
    const message = page.getByRole("dialog").and(page.locator(".tour"));
    const anchorOf = (step: TourStep) => (name ? step.anchor : (step.visitorAnchor ?? step.anchor));
    const steppedOn: (string | undefined)[] = [];
    for (const [index, step] of steps.entries()) {
      await message.getByText(`${index + 1} of ${steps.length}`).waitFor();
      const anchor = anchorOf(step);
      if (anchor) {
        const shown = page.locator(`.driver-active-element[data-tour="${anchor}"]`);
        await shown.waitFor({ timeout: 20_000 });
        const isOnScreen = async () => {
          const box = await shown.boundingBox();
          return box !== null && box.y < height && box.y + box.height > 0;
        };
        await expect.poll(isOnScreen, { message: step.name, timeout: 10_000 }).toBe(true);
      }
      steppedOn.push(`${new URL(page.url()).pathname} ${anchor ?? ""}`);
      if (process.env.TOUR_SHOTS)
        await page.screenshot({
          path: `${process.env.TOUR_SHOTS}/${name || "visitor"}-${width}-${index + 1}.png`,
        });
      await message.getByRole("button", { name: step.button ?? "Continue" }).click();
    }
    await message.waitFor({ state: "hidden" });
    expect(steppedOn).toEqual(
      steps.map((step) => `${(!name && step.visitorPath) || step.path} ${anchorOf(step) ?? ""}`),
    );
  },
  180_000,
);
