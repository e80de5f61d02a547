// Chromium with a processor four times slower, 360 pixels wide: how long a participant who taps a session in a list waits
// for its roster and chat, beside a full load of the same address. Fails beyond the bounds of P5.
//   npm run bench -- entering [--times 5] [--port 8797] [--frames folder]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate, seed } from "../../workers/local/tools.mjs";
import { serveWorker } from "../support/worker.mjs";
import { signedIn } from "./caller.mjs";
import { percentile } from "./crowd-lines.mjs";
import { launchBrowser, newScreen } from "./screens.mjs";

const { values } = parseArgs({
  options: {
    times: { type: "string", default: "5" },
    port: { type: "string", default: "8797" },
    /** Where the screenshots of one round go. */
    frames: { type: "string" },
  },
});
const [times, port] = [Number(values.times), Number(values.port)];
const SLOWER = 4;
const SCREEN = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
/** Shares of a full load. */
const BOUNDS = { "first tap of a visit": 1.6, "second tap": 1.3 };
/** Milliseconds for which a finger rests on the screen, and of rest between two steps. */
const [TAP, REST] = [80, 3000];
const LINES = ["Hello all", "Shall we begin?", "Two minutes more", "I am ready", "Then we begin"];

const scratch = mkdtempSync(join(tmpdir(), "bench-entering-"));
await ensureBuilt();
await migrate(scratch);
const server = await serveWorker({ port, dataDir: scratch, vars: { RATE_LIMITS: "off" } });
const browser = await launchBrowser();
try {
  const { accounts } = await seed(server.url);
  const host = await signedIn(server.url, accounts[0]);
  const path = await fill(host);
  const rounds = [];
  for (let n = 0; n < times; n++) rounds.push(await round(host, path, n === 0 ? values.frames : undefined));

  const median = (name) =>
    percentile(
      rounds.map((one) => one[name]),
      0.5,
    );
  const slow = [];
  console.log(
    `\n| entering a session, processor ${SLOWER} × slower | median, ms | of a full load |\n|---|---|---|`,
  );
  for (const name of Object.keys(rounds[0])) {
    const ratio = percentile(
      rounds.map((one) => one[name] / one["full load"]),
      0.5,
    );
    console.log(`| ${name} | ${Math.round(median(name))} | ${ratio.toFixed(2)} |`);
    if (ratio > BOUNDS[name]) slow.push(name);
  }
  if (slow.length > 0) {
    console.error(`Too slow: ${slow.join(", ")}.`);
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  await server.kill();
  rmSync(scratch, { recursive: true, force: true });
}

/** A session in progress with a chat; returns its path. */
async function fill(host) {
  const made = await host.call("POST", "/challenge-events", {
    challenge: {
      title: "A room to enter",
      duration: 3600,
      is_manually_started: 1,
      parts: [{ linked: 1, auto_start: 1, parts: [{ title: "Work", duration: 3000, type: "event" }] }],
    },
  });
  const { id } = made.challenge_event;
  await host.call("POST", `/challenge-events/${id}/start`, {});
  for (const content of LINES)
    await host.call("POST", "/messages", {
      content,
      messageable_type: "challenge_event",
      messageable_id: id,
    });
  return made.path;
}

/** The paints of one visit: a full load, then a new visit that taps the session, goes back, and taps it again. */
async function round(person, path, folder) {
  const loaded = await open(person);
  await loaded.page.goto(path);
  const full = await painted(loaded.page);
  await loaded.page.context().close();

  const { page, devtools } = await open(person);
  await page.goto("/my/sessions");
  const stop = folder ? await film(devtools, folder) : null;
  await page.waitForTimeout(REST);
  const first = await tap(page, devtools, path);
  await page.waitForTimeout(REST);
  await page.goBack();
  await page.waitForTimeout(REST);
  const second = await tap(page, devtools, path);
  await stop?.();
  await page.context().close();
  return { "full load": full, "first tap of a visit": first, "second tap": second };
}

async function open(person) {
  const page = await newScreen(browser, server.url, person, SCREEN);
  await page.addInitScript(watch, LINES.at(-1));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  return { page, devtools };
}

/** Runs in the page: notes the frame that shows roster and chat, counted from the load or from the finger's lift. */
function watch(lastLine) {
  window.entered = { since: 0, at: null };
  addEventListener(
    "touchend",
    ({ timeStamp }) => {
      window.entered = { since: timeStamp, at: null };
    },
    true,
  );
  const isThere = () =>
    /^\/sessions\/\d+$/.test(location.pathname) &&
    document.querySelector('aside[aria-label="People"] ul li') !== null &&
    document.querySelector('[role="log"]')?.textContent?.includes(lastLine) === true;
  const look = () => {
    const { entered } = window;
    // The frame whose callbacks run now is painted before the next task.
    if (entered.at === null && document.body !== null && isThere()) {
      entered.at = 0;
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        entered.at = performance.now();
      };
      channel.port2.postMessage(null);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Milliseconds until roster and chat were painted. */
async function painted(page) {
  await page.waitForFunction(() => window.entered.at > 0);
  return page.evaluate(() => window.entered.at - window.entered.since);
}

async function tap(page, devtools, path) {
  const link = page.locator(`a[href="${path}"]`).first();
  await link.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await link.boundingBox();
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await page.waitForTimeout(TAP);
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  return painted(page);
}

/** Keeps each frame of the screen as a picture with its time. */
async function film(devtools, folder) {
  mkdirSync(folder, { recursive: true });
  const begun = Date.now();
  devtools.on("Page.screencastFrame", ({ data, sessionId }) => {
    const name = `${String(Date.now() - begun).padStart(6, "0")}.jpg`;
    writeFileSync(join(folder, name), Buffer.from(data, "base64"));
    devtools.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
  });
  await devtools.send("Page.startScreencast", { format: "jpeg", quality: 60, everyNthFrame: 1 });
  return () => devtools.send("Page.stopScreencast");
}
