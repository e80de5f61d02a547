// One clock for everybody: the seconds of two screens and a spectator change together, whatever their machines'
// clocks say. Also a host and a participant who use the keyboard, with cues on and off.
import type { Locator, Page } from "@playwright/test";
import {
  call,
  expect,
  expectQuiet,
  heightOf,
  holdRequests,
  newPerson,
  test,
  waitForHydration,
  widthOf,
} from "./fixtures";
import { tabTo } from "./focus";
import { inSession, makeSession as makeWalk, timer } from "./sessions";

const WRONG_MS = 2 * 60 * 60 * 1000;
/** The allowed difference between two screens of a session. */
const TOGETHER_MS = 100;
const FLIPS = 3;

const numerals = (page: Page): Locator => timer(page).locator(".timer-face-numerals");

type Flip = { shown: string; at: number };

/** The offset between the page's clock and this process's clock, from the fastest of a few round trips. */
async function offsetOf(page: Page): Promise<number> {
  let best = { took: Number.POSITIVE_INFINITY, offset: 0 };
  for (let i = 0; i < 12; i++) {
    const sent = performance.now();
    const sentAt = Date.now();
    const theirs = await page.evaluate(() => Date.now());
    const took = performance.now() - sent;
    if (took < best.took) best = { took, offset: theirs - (sentAt + took / 2) };
  }
  return best.offset;
}

/** Each change of the numerals: the new text and its instant by this process's clock. */
async function flips(page: Page): Promise<Flip[]> {
  const offset = await offsetOf(page);
  const seen = await page.evaluate(
    (wanted) =>
      new Promise<Flip[]>((resolve) => {
        const found: Flip[] = [];
        const read = () =>
          document.querySelector('[role="timer"] .timer-face-numerals, .timer-face-numerals')?.textContent ??
          "";
        let before = read();
        const look = () => {
          const shown = read();
          if (shown !== before) found.push({ shown, at: Date.now() });
          before = shown;
          if (found.length < wanted) requestAnimationFrame(look);
          else resolve(found);
        };
        requestAnimationFrame(look);
      }),
    FLIPS,
  );
  return seen.map(({ shown, at }) => ({ shown, at: at - offset }));
}

/** Counts in `window.drawn` the changes of the numerals that an animation frame itself draws. */
function countDrawn() {
  const counted = { drawn: 0 };
  Object.assign(window, counted);
  const read = () => document.querySelector(".timer-face-numerals")?.textContent;
  const real = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (onFrame) =>
    real((now) => {
      const before = read();
      onFrame(now);
      if (before !== undefined && read() !== before) Object.assign(window, { drawn: ++counted.drawn });
    });
}

/** Expects the same numerals on all screens within the allowed time, for most changes. */
async function expectTogether(...pages: Page[]): Promise<void> {
  // A busy machine sometimes paints late, so the measurement is repeated before it fails.
  await expect(async () => {
    const [first = [], ...others] = await Promise.all(pages.map(flips));
    for (const other of others) {
      const apart = other.flatMap(({ shown, at }) =>
        first.filter((flip) => flip.shown === shown).map((flip) => Math.abs(flip.at - at)),
      );
      expect(apart.length).toBeGreaterThan(1);
      expect(Math.max(...apart)).toBeLessThan(TOGETHER_MS);
    }
  }).toPass({ timeout: 40_000, intervals: [0] });
}

/** Displayed minutes and seconds, in seconds. */
const secondsOf = (text: string | null): number =>
  (text ?? "").split(":").reduce((total, piece) => total * 60 + Number(piece), 0);
const shownSeconds = async (page: Page): Promise<number> => secondsOf(await numerals(page).textContent());
/** By how many seconds the first screen shows more than the second. */
const secondsApart = async (one: Page, other: Page): Promise<number> => {
  const [here = 0, there = 0] = await Promise.all([one, other].map(shownSeconds));
  return here - there;
};

type Plan = { title: string; parts: { title: string; duration: number }[] };
async function makeSession(host: Page, plan: Plan) {
  const made = await call(host, "POST", "/challenge-events", {
    challenge: {
      title: plan.title,
      duration: 3600,
      is_manually_started: 1,
      participant_limit: 5,
      parts: [
        {
          title: "",
          type: "event",
          linked: 1,
          sets: 1,
          parts: plan.parts.map((part) => ({ ...part, type: "event", sets: 1 })),
        },
      ],
    },
  });
  expect(made.status(), await made.text()).toBe(201);
  const { challenge_event, path } = (await made.json()) as { challenge_event: { id: number }; path: string };
  return { id: challenge_event.id, path };
}

test("L-10 T-12 T-16 L-04 two screens show the same second through pause, resume, an added minute and a lost connection, with a clock two hours wrong", {
  tag: "@main",
}, async ({ host, browser }) => {
  const guest = await newPerson(browser, "guest");
  await guest.page.clock.install({ time: Date.now() + WRONG_MS });
  await host.page.addInitScript(countDrawn);
  const { id, path } = await makeSession(host.page, {
    title: "One clock",
    parts: [
      { title: "Walk", duration: 1500 },
      { title: "Rest", duration: 600 },
    ],
  });
  expect((await call(guest.page, "POST", `/challenge-events/${id}/join`, {})).ok()).toBe(true);
  expect((await call(host.page, "POST", `/challenge-events/${id}/start`, {})).ok()).toBe(true);
  const both = [host.page, guest.page];
  for (const page of both) {
    await page.goto(path);
    await expect(timer(page)).toHaveAttribute("aria-label", /^Walk/);
  }
  expect(Math.abs((await offsetOf(guest.page)) - WRONG_MS)).toBeLessThan(60_000);
  const controls = host.page.getByRole("toolbar", { name: "Host controls" });
  await expect(guest.page.getByRole("toolbar", { name: "Host controls" })).toHaveCount(0);
  await expectTogether(...both);
  const drawn = () => host.page.evaluate(() => (window as never as { drawn: number }).drawn);
  await expect.poll(drawn).toBeGreaterThan(1);

  await test.step("pause and resume", async () => {
    await controls.getByRole("button", { name: "Pause" }).click();
    for (const page of both) await expect(timer(page)).toHaveAttribute("aria-label", /Paused/);
    // The host's screen shows its own instant of the pause until it hears that of the room.
    await expect.poll(() => secondsApart(host.page, guest.page)).toBe(0);
    const stood = await shownSeconds(host.page);
    await controls.getByRole("button", { name: "Resume" }).click();
    for (const page of both) await expect(timer(page)).not.toHaveAttribute("aria-label", /Paused/);
    await expectTogether(...both);
    expect(await shownSeconds(host.page)).toBeLessThanOrEqual(stood);
  });

  await test.step("add a minute, remove a minute", async () => {
    const before = await shownSeconds(host.page);
    await controls.getByRole("button", { name: /One minute more/ }).click();
    for (const page of both)
      await expect.poll(async () => (await shownSeconds(page)) - before).toBeGreaterThan(30);
    await expectTogether(...both);
    for (const page of both) await expect(page.getByText(/behind plan/).first()).toBeVisible();
    await controls.getByRole("button", { name: /One minute less/ }).click();
    for (const page of both) await expect.poll(() => shownSeconds(page)).toBeLessThan(before);
  });

  await test.step("a lost connection resumes and receives what it missed", async () => {
    await guest.context.setOffline(true);
    const before = await shownSeconds(host.page);
    await controls.getByRole("button", { name: /One minute more/ }).click();
    await expect.poll(async () => (await shownSeconds(host.page)) - before).toBeGreaterThan(30);
    // Without a connection the timer continues from its last state.
    await expect.poll(() => shownSeconds(guest.page)).toBeLessThan(before);
    await guest.context.setOffline(false);
    // Compared with the host's screen, because the reconnection may take long.
    await expect.poll(() => secondsApart(host.page, guest.page), { timeout: 60_000 }).toBeLessThan(30);
    await expectTogether(...both);
  });

  await test.step("a spectator sees the same second full screen, without controls", async () => {
    const context = await browser.newContext({ baseURL: test.info().project.use.baseURL ?? "" });
    const spectator = await context.newPage();
    await spectator.goto(path);
    await expect(spectator.getByRole("button", { name: "Join", exact: true })).toBeVisible();
    await expect(spectator.getByRole("toolbar", { name: "Host controls" })).toHaveCount(0);
    await expect(spectator.getByLabel("Message")).toHaveCount(0);
    await expectTogether(host.page, spectator);
    await spectator.goto("about:blank");
    await spectator.goto(`${path}#timer`);
    const big = spectator.getByRole("dialog");
    await expect(big.getByRole("timer").first()).toBeVisible();
    await expect.poll(() => widthOf(big)).toBe(spectator.viewportSize()?.width);
    // The spectator sees a pause at once.
    await controls.getByRole("button", { name: "Pause" }).click();
    await expect(big.getByRole("timer").first()).toHaveAttribute("aria-label", /Paused/);
    await controls.getByRole("button", { name: "Resume" }).click();
    await spectator.keyboard.press("Escape");
    await expect(big).toBeHidden();
    await context.close();
  });

  await test.step("finish now, back, skip", async () => {
    await controls.getByRole("button", { name: "Finish now" }).click();
    for (const page of both) await expect(timer(page)).toHaveAttribute("aria-label", /^Rest/);
    // On a slow connection the host's own screen does not wait, and a press during another request is kept.
    const release = await holdRequests(host.page, /\/parts\//, "POST");
    await controls.getByRole("button", { name: "Back" }).click();
    await expect(timer(host.page)).toHaveAttribute("aria-label", /^Walk/);
    await expect(timer(guest.page)).toHaveAttribute("aria-label", /^Rest/);
    await controls.getByRole("button", { name: "Skip to the next" }).click();
    await expect(timer(host.page)).toHaveAttribute("aria-label", /^Rest/);
    await controls.getByRole("button", { name: "Back" }).click();
    await expect(timer(host.page)).toHaveAttribute("aria-label", /^Walk/);
    await release();
    await expect(timer(guest.page)).toHaveAttribute("aria-label", /^Walk/);
    await expect(controls).toHaveAttribute("aria-busy", "false");
    await expect(timer(host.page)).toHaveAttribute("aria-label", /^Walk/);
    await expectTogether(...both);
  });

  await test.step("the host hands over and can leave", async () => {
    const menu = host.page
      .getByText("More", { exact: true })
      .or(host.page.getByLabel(`More for ${guest.username}`));
    await menu.first().click();
    await host.page.getByRole("button", { name: `Hand over to ${guest.username}` }).click();
    await host.page.getByRole("alertdialog").getByRole("button", { name: "Hand over" }).click();
    await expect(guest.page.getByRole("toolbar", { name: "Host controls" })).toBeVisible();
    await guest.page.getByRole("button", { name: "Pause" }).click();
    await expect(timer(host.page)).toHaveAttribute("aria-label", /Paused/);
    await host.page.getByRole("button", { name: "Leave", exact: true }).click();
    await host.page.getByRole("alertdialog").getByRole("button", { name: "Leave", exact: true }).click();
    await expect(host.page.getByRole("button", { name: "Join", exact: true })).toBeVisible();
  });
  for (const page of both) expectQuiet(page, [/Failed to fetch|NetworkError|ERR_INTERNET_DISCONNECTED/]);
  await guest.context.close();
});

test("L-10 a corrected clock takes no start back: the question of a host who ends at once stays open", async ({
  host,
}) => {
  const { page } = host;
  const session = await makeWalk(page);
  // The first probes are right; the next ones are nearly two seconds late, as those of a busy page can be.
  let probes = 0;
  await page.route("**/api/time", (route) =>
    route.fulfill({ json: { now: Date.now() + (++probes > 5 ? -1900 : 0) } }),
  );
  await page.goto(session.path);
  await waitForHydration(page);
  await expect.poll(() => probes).toBe(5);
  // The press on End follows the start at once, so that the late clock is before it.
  await page.evaluate(() => {
    const watch = new MutationObserver(() => {
      const button = [...document.querySelectorAll("main button")].find(
        ({ textContent }) => textContent === "End session",
      );
      if (!(button instanceof HTMLElement)) return;
      watch.disconnect();
      button.click();
      dispatchEvent(new Event("online"));
    });
    watch.observe(document.body, { childList: true, subtree: true });
  });
  await inSession(page, session, "start");
  await expect.poll(() => probes).toBe(10);
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expect(page.getByText("(In Progress)", { exact: true })).toBeVisible();
  expectQuiet(page);
});

test("P2 goals and logs of which none is running draw no frames", async ({ host }) => {
  const { page } = host;
  const made = await call(page, "POST", "/api/goals/store", {
    challenge: { tasks: [{ title: "Carry stones", unit: "stones", amount: 1000 }] },
  });
  expect(made.status(), await made.text()).toBe(201);
  await page.addInitScript(() => {
    const ask = window.requestAnimationFrame.bind(window);
    const frames = { asked: 0, ask };
    window.requestAnimationFrame = (onFrame) => {
      frames.asked++;
      return ask(onFrame);
    };
    Object.assign(window, { frames });
  });
  const askedInThreeFrames = () =>
    page.evaluate(async () => {
      const { frames } = window as never as {
        frames: { asked: number; ask: typeof requestAnimationFrame };
      };
      const before = frames.asked;
      for (let n = 0; n < 3; n++) await new Promise(frames.ask);
      return frames.asked - before;
    });
  await page.goto("/my/goals");
  await waitForHydration(page);
  await expect.poll(askedInThreeFrames).toBe(0);
  await page.getByRole("button", { name: "Start Progress" }).click();
  await expect.poll(askedInThreeFrames).toBe(3);
});

test("U-43 U-45 by keyboard alone: ready, a chat line, and cues that are scheduled, switched off and stay off", async ({
  host,
  guest,
}) => {
  // Records the scheduled sounds, and whether the screen is kept awake.
  await guest.page.addInitScript(() => {
    const heard = { laid: [] as number[], takenBack: 0, awake: 0 };
    Object.assign(window, { heard });
    const { start, stop } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (when = 0) {
      heard.laid.push(when - this.context.currentTime);
      start.call(this, when);
    };
    OscillatorNode.prototype.stop = function (when) {
      if (when === undefined) heard.takenBack++;
      stop.call(this, when);
    };
    const request = async () => {
      heard.awake++;
      return { released: false, release: async () => {} };
    };
    Object.defineProperty(navigator, "wakeLock", { value: { request } });
  });
  const heard = () =>
    guest.page.evaluate(
      () => (window as never as { heard: { laid: number[]; takenBack: number; awake: number } }).heard,
    );
  const { id, path } = await makeSession(host.page, {
    title: "By keys",
    parts: [
      { title: "Climb", duration: 90 },
      { title: "View", duration: 600 },
    ],
  });
  expect((await call(guest.page, "POST", `/challenge-events/${id}/join`, {})).ok()).toBe(true);
  for (const { page } of [host, guest]) await page.goto(path);

  const ready = guest.page.getByRole("button", { name: "I am ready" });
  await waitForHydration(guest.page);
  await tabTo(guest.page, ready);
  await guest.page.keyboard.press("Space");
  await expect(ready).toHaveAttribute("aria-pressed", "true");
  await expect(
    host.page
      .getByRole("listitem")
      .filter({ hasText: guest.username })
      .getByText("ready", { exact: true })
      .first(),
  ).toBeAttached();
  await expect(guest.page.getByText("Chat is active when the session is in progress.")).toHaveCount(0);

  expect((await call(host.page, "POST", `/challenge-events/${id}/start`, {})).ok()).toBe(true);
  await expect(timer(guest.page)).toHaveAttribute("aria-label", /^Climb/);
  // Screen readers hear the part, the tab's title names it, and the screen stays awake.
  await expect(guest.page.locator("p[aria-live=polite].sr-only").filter({ hasText: "Climb" })).toBeAttached();
  await expect.poll(() => guest.page.title()).toMatch(/^\d\d:\d\d Climb/);
  await expect
    .poll(() => guest.page.locator('link[rel~="icon"]').first().getAttribute("href"))
    .toMatch(/running/);
  await expect.poll(async () => (await heard()).awake).toBeGreaterThan(0);

  const box = guest.page.getByLabel("Message").first();
  await tabTo(guest.page, box);
  await guest.page.keyboard.type("Nearly there");
  await guest.page.keyboard.press("Enter");
  await expect(box).toHaveValue("");
  await expect(host.page.getByText("Nearly there").first()).toBeVisible();
  const chat = guest.page.getByRole("log", { name: "Chat" }).first();
  await expect.poll(() => heightOf(chat)).toBeGreaterThanOrEqual(200);

  // The tones of the end and the seconds before it are scheduled on the audio clock long before they sound.
  await expect.poll(async () => Math.max(0, ...(await heard()).laid)).toBeGreaterThan(30);
  const cues = guest.page.getByText("Cues", { exact: true }).first();
  await tabTo(guest.page, guest.page.locator("summary", { hasText: "Cues" }));
  await guest.page.keyboard.press("Enter");
  const sound = guest.page.getByRole("switch", { name: "Sound" });
  await expect(sound).toBeChecked();
  await sound.focus();
  await guest.page.keyboard.press("Space");
  await expect(sound).not.toBeChecked();
  await expect.poll(async () => (await heard()).takenBack).toBeGreaterThan(0);
  await guest.page.reload();
  await expect(timer(guest.page)).toHaveAttribute("aria-label", /^Climb|^View/);
  await cues.click();
  await expect(guest.page.getByRole("switch", { name: "Sound" })).not.toBeChecked();
  await guest.page.mouse.click(5, 5);
  await expect.poll(async () => (await heard()).laid.length).toBe(0);
  for (const { page } of [host, guest]) expectQuiet(page);
});
