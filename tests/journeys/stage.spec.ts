// The stage on a wall: the size of its numerals, its contrast, its ground, and the way back from the dialog (J-08, J-13).
import type { Page } from "@playwright/test";
import { call, expect, holdRequests, type Person, test, waitForHydration } from "./fixtures";

const STAGE = "/sessions/12/stage";
const numerals = (page: Page) => page.locator(".timer-face-numerals");
const isLive = (page: Page) =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__reactProps")),
  );

/** The path of a session of three hours that waits for its host. */
async function makeWaiting({ page }: Person, challenge: object): Promise<string> {
  const made = await call(page, "POST", "/challenge-events", {
    challenge: { duration: 3 * 3600, is_manually_started: 1, parts: [], ...challenge },
  });
  return ((await made.json()) as { path: string }).path;
}

/** Sizes in pixels; `low`: words with a contrast below 7:1; `broken`: words whose lines overlap or leave the screen. */
const look = (page: Page) =>
  page.evaluate(() => {
    const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const light = (colour: string) => {
      if (!brush) return 0;
      brush.fillStyle = colour;
      brush.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0] = [...brush.getImageData(0, 0, 1, 1).data].map((one) => {
        const share = one / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const groundOf = (element: Element | null): string => {
      const colour = element ? getComputedStyle(element).backgroundColor : "white";
      return colour === "rgba(0, 0, 0, 0)" ? groundOf(element?.parentElement ?? null) : colour;
    };
    const words = [...document.querySelectorAll("main *")].filter((element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
    );
    const ratios = words
      .filter((element) => !element.closest(".sr-only, noscript, svg"))
      .map((element) => {
        const [a, b] = [light(getComputedStyle(element).color), light(groundOf(element))].sort(
          (x, y) => y - x,
        );
        return { text: element.textContent, ratio: ((a ?? 0) + 0.05) / ((b ?? 0) + 0.05) };
      });
    const lines = [...document.querySelectorAll(".stage-clock > span")].map((line) => {
      const words = document.createRange();
      words.selectNodeContents(line);
      return words.getBoundingClientRect();
    });
    return {
      size: Number.parseFloat(
        getComputedStyle(document.querySelector(".stage-clock") ?? document.body).fontSize,
      ),
      lines: new Set(lines.map(({ top }) => Math.round(top))).size,
      isOutside: lines.some(({ left, right }) => left < 0 || right > innerWidth),
      low: ratios.filter(({ ratio }) => ratio < 7),
      count: ratios.length,
      scrolls:
        document.documentElement.scrollHeight > innerHeight ||
        document.documentElement.scrollWidth > innerWidth,
    };
  });

for (const [width, height] of [
  [1920, 1080],
  [1080, 1920],
] as const)
  for (const span of ["minutes", "hours"] as const)
    test(`J-08 numerals of ${span} take 18 % of the height at ${width} × ${height}, words have a contrast of 7:1, and nothing scrolls`, async ({
      page,
      host,
    }) => {
      const path = span === "hours" ? await makeWaiting(host, { title: "A long evening" }) : "/sessions/12";
      await page.setViewportSize({ width, height });
      for (const theme of ["dark", "light"]) {
        await page.goto(`${path}/stage?look=${theme}`);
        await isLive(page);
        await expect(async () => {
          const { size, count, ...seen } = await look(page);
          expect([theme, size / height >= 0.18, size / height]).toEqual([theme, true, size / height]);
          const lines = span === "hours" && height > width ? 2 : 1;
          expect([theme, seen]).toEqual([theme, { lines, isOutside: false, low: [], scrolls: false }]);
          expect(count).toBeGreaterThan(span === "hours" ? 3 : 5);
        }).toPass({ timeout: 20_000 });
      }
    });

test("J-08 in the look clear each pixel outside the face, its words and its code is transparent", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto(`${STAGE}?look=clear`);
  await isLive(page);
  const shot = (await page.screenshot({ omitBackground: true })).toString("base64");
  const alphas = await page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), {
      width: image.width,
      height: image.height,
    });
    const brush = canvas.getContext("2d");
    brush?.drawImage(image, 0, 0);
    const at = (x: number, y: number) => brush?.getImageData(x, y, 1, 1).data[3];
    const box = document.querySelector(".timer-face-numerals")?.getBoundingClientRect();
    let inside = 0;
    for (let x = box?.left ?? 0; x < (box?.right ?? 0); x += 4)
      inside += at(x, (box?.top ?? 0) + (box?.height ?? 0) / 2) ?? 0;
    return {
      outside: [at(4, 4), at(1915, 4), at(60, 400), at(1860, 400), at(4, 1075), at(960, 900)],
      inside,
    };
  }, shot);
  expect(alphas.outside).toEqual([0, 0, 0, 0, 0, 0]);
  expect(alphas.inside).toBeGreaterThan(0);
});

test("J-08 the full-screen timer of a session is its stage, with a way back and a way to its page", async ({
  page,
}) => {
  await page.goto("/sessions/12#timer");
  await waitForHydration(page);
  const dialog = page.getByRole("dialog");
  await expect(dialog.locator(".stage-screen .timer-face-numerals")).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Open it as a page" })).toHaveAttribute("href", STAGE);
  await dialog.getByRole("button", { name: "Leave full screen" }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/sessions\/12/);
});

test("J-13 without JavaScript the stage shows the plan and its times", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(STAGE);
  await expect(page.getByRole("list", { name: "The plan" }).getByRole("listitem").first()).toBeVisible();
  await context.close();
});

test("J-10 the host makes a view link, a screen without a login shows the session by it, and the end of the link clears the screen", async ({
  host,
  page,
}) => {
  const path = await makeWaiting(host, { title: "Behind a code", join_code: "kettle" });
  await host.page.goto(`${path}/people`);
  await waitForHydration(host.page);
  const section = host.page.locator("section", {
    has: host.page.getByRole("heading", { name: "View link" }),
  });
  await section.getByRole("button", { name: "Make a link" }).click();
  const link = section.locator("code");
  await expect(link).toContainText("/sessions/view/stage#");
  await page.goto((await link.textContent()) ?? "");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Behind a code");
  await expect(numerals(page)).toHaveText("3:00:00");
  await expect(page.locator(".stage-qr, main a")).toHaveCount(0);
  expect((await page.content()).includes(host.username)).toBe(false);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Behind a code");
  await expect(section.getByRole("button", { name: "Make a new link" })).toBeVisible();
  // The screen is empty before another look at the page has its answer.
  const release = await holdRequests(page, /\/sessions\/view\/stage/, "POST");
  await section.getByRole("button", { name: "End the link" }).click();
  await expect(page.getByText("Behind a code")).toHaveCount(0);
  await release();
  await expect(page.getByText("This link shows no stage any more.")).toBeVisible();
  await expect(section.getByRole("button", { name: "Make a link" })).toBeVisible();
});

test("J-08 a screen with an outdated page loads it again, also when its session goes before that", async ({
  host,
  page,
}) => {
  const path = await makeWaiting(host, { title: "Behind an old page", join_code: "kettle" });
  await host.page.goto(`${path}/people`);
  await waitForHydration(host.page);
  const section = host.page.locator("section", {
    has: host.page.getByRole("heading", { name: "View link" }),
  });
  await section.getByRole("button", { name: "Make a link" }).click();
  const link = section.locator("code");
  await expect(link).toContainText("/sessions/view/stage#");
  await page.clock.install();
  // The room welcomes the screen as one of a newer version.
  let isWelcomed = false;
  await page.routeWebSocket(/./, (socket) => {
    const room = socket.connectToServer();
    room.onMessage((frame) => {
      const newer = String(frame).replaceAll(/"version":\d+/g, '"version":999');
      if (newer !== String(frame)) isWelcomed = true;
      socket.send(newer);
    });
  });
  await page.goto((await link.textContent()) ?? "");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Behind an old page");
  await expect.poll(() => isWelcomed).toBe(true);
  await page.clock.runFor(1000);
  await section.getByRole("button", { name: "End the link" }).click();
  await expect(page.getByText("This link shows no stage any more.")).toBeVisible();
  const reloaded = page.waitForEvent("domcontentloaded");
  await page.clock.runFor(15_000);
  await reloaded;
  await expect(page.getByText("This link shows no stage any more.")).toBeVisible();
});
