// The card of a session inside a page of another origin: it counts there, and nothing of it can be pressed from there
// (J-11).
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "./fixtures";

const CARD = "/embed/sessions/12";

/** A page of another origin with one frame; ends with its test. */
async function frameOn(address: string): Promise<{ url: string; close(): void }> {
  const server = createServer((_, answer) => {
    answer.setHeader("Content-Type", "text/html");
    answer.end(`<title>Another site</title><iframe src="${address}" width="320" height="240"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}/`, close: () => server.close() };
}

test("J-11 a page of another origin frames the card, whose countdown moves, and Join opens the session in a window of its own", async ({
  page,
  baseURL,
}) => {
  const other = await frameOn(baseURL + CARD);
  try {
    await page.goto(other.url);
    const card = page.frameLocator("iframe");
    const numerals = card.locator("[data-until]");
    const first = await numerals.textContent();
    await expect(numerals).not.toHaveText(first ?? "");
    const opened = page.waitForEvent("popup");
    await card.getByRole("link", { name: "Join" }).click();
    const session = await opened;
    await expect(session).toHaveURL(`${baseURL}/sessions/12`);
    expect(await session.evaluate(() => window.opener === null)).toBe(true);
    expect(page.url()).toBe(other.url);
  } finally {
    other.close();
  }
});

test("J-11 a card loads itself again after a minute, for its places and its end", async ({
  page,
  baseURL,
}) => {
  const other = await frameOn(baseURL + CARD);
  try {
    await page.clock.install();
    await page.goto(other.url);
    await expect(page.frameLocator("iframe").getByRole("link", { name: "Join" })).toBeVisible();
    const again = page.waitForRequest((request) => request.url().endsWith(CARD));
    await page.clock.runFor(61_000);
    expect((await again).isNavigationRequest()).toBe(true);
    await expect(page.frameLocator("iframe").getByRole("link", { name: "Join" })).toBeVisible();
  } finally {
    other.close();
  }
});

test("J-11 the page of another origin reaches nothing in the card, and the card has nothing that acts", async ({
  page,
  baseURL,
}) => {
  const other = await frameOn(baseURL + CARD);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(request.url());
  });
  try {
    await page.goto(other.url);
    const card = page.frameLocator("iframe");
    await expect(card.getByRole("link", { name: "Join" })).toBeVisible();
    const reached = await page.evaluate(() => {
      const frame = document.querySelector("iframe");
      const inside = frame?.contentWindow as Window & { document?: Document };
      const errors: string[] = [];
      for (const press of [
        () => inside.document.querySelector("a")?.click(),
        () => (inside as unknown as { eval(text: string): void }).eval("document.querySelector('a').click()"),
      ])
        try {
          press();
        } catch (error) {
          errors.push((error as Error).name);
        }
      inside.postMessage("press", "*");
      return { errors, document: frame?.contentDocument ?? null };
    });
    expect(reached).toEqual({ errors: ["SecurityError", "SecurityError"], document: null });
    // The card has received the message before a timer that begins after it.
    await card.locator("main").evaluate(() => new Promise((done) => setTimeout(done)));
    await expect(card.locator("form, button, input, iframe")).toHaveCount(0);
    expect([sent, page.context().pages().length]).toEqual([[], 1]);
    expect(await page.context().cookies(baseURL)).toEqual([]);
  } finally {
    other.close();
  }
});

for (const path of ["/sessions/12", "/sessions/12/stage", "/embed/sessions/999999999"])
  test(`J-11 no page of another origin frames ${path}`, async ({ page, baseURL }) => {
    const other = await frameOn(baseURL + path);
    try {
      await page.goto(other.url);
      await expect(async () => expect(page.frames()[1]?.url()).toMatch(/^chrome-error:/)).toPass();
    } finally {
      other.close();
    }
  });
