// Chromium with a processor four times slower, 360 pixels wide: how long presses take until the next paint, and how pages
// load over a slow line. Fails when a press takes longer than its bound.
//   npm run bench -- presses [--times 5] [--port 8796]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate, seed } from "../../workers/local/tools.mjs";
import { serveWorker } from "../support/worker.mjs";
import { signedIn } from "./caller.mjs";
import { percentile } from "./crowd-lines.mjs";
import { launchBrowser, newScreen } from "./screens.mjs";

const { values } = parseArgs({
  options: { times: { type: "string", default: "5" }, port: { type: "string", default: "8796" } },
});
const [times, port] = [Number(values.times), Number(values.port)];
const SLOWER = 4;
/** A round trip of 150 ms for each request; 1.6 Mbit/s down, 0.75 up. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const SCREEN = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
/** Milliseconds. */
const BOUND_PRESS = 100;
/** A task blocks from here on. */
const LONG = 50;
/** Milliseconds without a long task before a press, after it, and at the end of a load. */
const QUIET = { before: 2000, after: 500, load: 5000 };

const scratch = mkdtempSync(join(tmpdir(), "bench-presses-"));
await ensureBuilt();
await migrate(scratch);
const server = await serveWorker({ port, dataDir: scratch, vars: { RATE_LIMITS: "off" } });
const browser = await launchBrowser();
try {
  const { accounts } = await seed(server.url);
  const host = await signedIn(server.url, accounts[0]);
  const { running, waiting } = await fill(host);

  const late = [];
  console.log(`\n| press, processor ${SLOWER} × slower | median, ms | worst, ms |\n|---|---|---|`);
  for (const one of pressesOf(host, running, waiting)) {
    const taken = await repeat(() => press(one));
    console.log(`| ${one.name} | ${percentile(taken, 0.5)} | ${percentile(taken, 1)} |`);
    if (percentile(taken, 0.5) > BOUND_PRESS) late.push(one.name);
  }

  console.log(
    "\n| load, over the slow line | first paint, ms | largest paint, ms | layout shift | blocked, ms |\n|---|---|---|---|---|",
  );
  for (const [name, person, path] of [
    ["/, visitor", null, "/"],
    ["/events, visitor", null, "/events"],
    ["a running session, signed in", host, running],
  ]) {
    const loads = await repeat(() => load(person, path));
    const figures = Object.entries({ first: 0, largest: 0, shift: 3, blocked: 0 }).map(([figure, digits]) => {
      const all = loads.map((one) => one[figure]);
      return percentile(all, 0.5).toFixed(digits);
    });
    console.log(`| ${name} | ${figures.join(" | ")} |`);
  }
  console.log(`bound: ${BOUND_PRESS} ms for the median of a press`);
  if (late.length > 0) {
    console.error(`Too slow: ${late.join(", ")}.`);
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  await server.kill();
  rmSync(scratch, { recursive: true, force: true });
}

async function repeat(measure) {
  const all = [];
  for (let n = 0; n < times; n++) all.push(await measure());
  return all;
}

/** The element to tap; with a `key`, the field to press it in. */
function pressesOf(host, running, waiting) {
  const button = (name) => (page) => page.getByRole("button", { name });
  const link = (name) => (page) => page.getByRole("link", { name });
  const message = (page) => page.getByLabel("Message");
  return [
    { name: "open the login dialog", person: null, path: "/", target: link("Login") },
    { name: "open the form of a goal", person: host, path: "/my/goals", target: link("Create a Goal") },
    { name: "quick log", person: host, path: "/my/goals", target: button("A stone") },
    { name: "ready", person: host, path: waiting, target: button("I am ready") },
    { name: "start a part", person: host, path: running, target: button(/^Start Part/) },
    { name: "a letter of a chat line", person: host, path: running, target: message, key: "n" },
    { name: "send a chat line", person: host, path: running, target: message, key: "Enter" },
  ];
}

/** Makes a goal with a quick-log button, a session in progress whose parts wait for their host, and one before its start. */
async function fill(host) {
  await host.call("POST", "/api/goals/store", {
    challenge: {
      tasks: [
        {
          title: "Carry stones",
          unit: "stones",
          amount: 1000,
          quick_log_buttons: [{ uuid: "one", title: "A stone", amount: 1, status: 2 }],
        },
      ],
    },
  });
  const parts = Array.from({ length: times + 2 }, (_, n) => ({
    title: `Part ${n}`,
    duration: 1,
    type: "event",
  }));
  const made = async (title) =>
    host.call("POST", "/challenge-events", {
      challenge: {
        title,
        duration: 3600,
        is_manually_started: 1,
        parts: [{ linked: 1, auto_start: 0, parts }],
      },
    });
  const [running, waiting] = [await made("In progress"), await made("Before its start")];
  await host.call("POST", `/challenge-events/${running.challenge_event.id}/start`, {});
  return { running: running.path, waiting: waiting.path };
}

/** A page on the slow processor that records its own figures. */
async function open(person) {
  const page = await newScreen(browser, server.url, person, SCREEN);
  await page.addInitScript(record);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  return { page, devtools };
}

/** Runs in the page. */
function record() {
  window.figures = { presses: [], tasks: [], first: 0, largest: 0, shift: 0 };
  const { figures } = window;
  const keep = {
    event: (one) => one.interactionId > 0 && figures.presses.push(one.duration),
    longtask: ({ startTime, duration }) => figures.tasks.push({ startTime, duration }),
    paint: ({ name, startTime }) =>
      name === "first-contentful-paint" && Object.assign(figures, { first: startTime }),
    "largest-contentful-paint": ({ startTime }) => Object.assign(figures, { largest: startTime }),
    "layout-shift": ({ hadRecentInput, value }) => {
      if (!hadRecentInput) figures.shift += value;
    },
  };
  for (const [type, take] of Object.entries(keep))
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    });
}

/** Resolves when the page has had no long task for so many milliseconds. */
async function quiet(page, ms) {
  await page.evaluate(async (wanted) => {
    const since = performance.now();
    const last = () => {
      const { startTime, duration } = window.figures.tasks.at(-1) ?? { startTime: 0, duration: 0 };
      return Math.max(since, startTime + duration);
    };
    while (performance.now() < last() + wanted) await new Promise((resolve) => setTimeout(resolve, 100));
  }, ms);
}

/** Milliseconds from a tap, or from `key` in a text field, to the paint that follows; 0 if below 16. */
async function press({ person, path, target, key }) {
  const { page } = await open(person);
  await page.goto(path);
  await quiet(page, QUIET.before);
  const found = target(page).first();
  await found.scrollIntoViewIfNeeded();
  if (key === "Enter") await found.fill("Nearly there");
  if (key) await found.focus();
  const { x, y, width, height } = await found.boundingBox();
  await quiet(page, QUIET.after);
  await page.evaluate(() => (window.figures.presses.length = 0));
  // Playwright's own click looks for its target again in the page, at the expense of the press.
  await (key ? page.keyboard.press(key) : page.touchscreen.tap(x + width / 2, y + height / 2));
  await quiet(page, QUIET.after);
  const taken = await page.evaluate(() => window.figures.presses);
  await page.context().close();
  return Math.max(0, ...taken);
}

async function load(person, path) {
  const { page, devtools } = await open(person);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", LINE);
  await page.goto(path);
  await quiet(page, QUIET.load);
  const { tasks, ...figures } = await page.evaluate(() => window.figures);
  await page.context().close();
  const { first } = figures;
  const blocked = tasks
    .map(({ startTime, duration }) => startTime + duration - Math.max(startTime, first) - LONG)
    .reduce((sum, beyond) => sum + Math.max(0, beyond), 0);
  return { ...figures, blocked };
}
