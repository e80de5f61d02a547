// A quick-log button pressed in Chromium when every call of D1 takes 100 ms longer: how long until the page shows the log,
// until it is stored, and until the page has its data again. Fails beyond the goals of D3.
//   npm run bench -- taps [--times 5] [--delay 100] [--port 8798]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate, seed } from "../../workers/local/tools.mjs";
import { signedIn } from "./caller.mjs";
import { percentile, wait } from "./crowd-lines.mjs";
import { serveMeasured } from "./measured.mjs";
import { launchBrowser, newScreen } from "./screens.mjs";

const { values } = parseArgs({
  options: {
    times: { type: "string", default: "5" },
    delay: { type: "string", default: "100" },
    port: { type: "string", default: "8798" },
  },
});
const [times, delay, port] = [Number(values.times), Number(values.delay), Number(values.port)];
/** Milliseconds at 100 ms a call. */
const GOALS = { shown: 100, stored: 400 };

const scratch = mkdtempSync(join(tmpdir(), "bench-taps-"));
await ensureBuilt();
await migrate(scratch);
const server = await serveMeasured({ port, dataDir: scratch, folder: scratch });
const browser = await launchBrowser();

/** Milliseconds from the press until the text of the page changes. Runs in the page. */
const pressed = () => {
  const main = document.querySelector("main");
  const button = document.querySelector('ul[aria-label="Quick log"] button');
  const before = main.textContent;
  return new Promise((resolve) => {
    const began = performance.now();
    const look = new MutationObserver(() => {
      if (main.textContent === before) return;
      look.disconnect();
      requestAnimationFrame(() =>
        resolve({ began: performance.timeOrigin + began, shown: performance.now() - began }),
      );
    });
    look.observe(main, { subtree: true, childList: true, characterData: true });
    button.click();
  });
};

/** The beginning of the next request to an address with this part that is answered, and of its answer; since 1970. */
async function requestOf(page, part) {
  // Remix stops reading when it has the data, so the end of a request is no event.
  const answer = await page.waitForResponse((one) => one.url().includes(part));
  const { startTime, responseStart } = answer.request().timing();
  return { start: startTime, end: startTime + responseStart };
}

async function press(page) {
  const [stored, data, { began, shown }] = await Promise.all([
    requestOf(page, "store-quick-log"),
    requestOf(page, ".data"),
    page.evaluate(pressed),
  ]);
  return {
    shown,
    stored: stored.end - began,
    "data asked for": data.start - began,
    "data there": data.end - began,
  };
}

try {
  const { accounts } = await seed(server.url);
  const person = await signedIn(server.url, accounts[0]);
  const { goal } = await person.call("POST", "/api/goals/store", {
    challenge: { tasks: [{ title: "Push-ups", amount: 20 }] },
  });
  const page = await newScreen(browser, server.url, person);
  await page.goto(`/my/goals/${goal.id}`, { waitUntil: "load" });
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('ul[aria-label="Quick log"] form') ?? {}).some((key) =>
      key.startsWith("__reactProps"),
    ),
  );
  // The first press loads code.
  await press(page);
  await wait(2000);
  await server.calls(delay);
  const taken = [];
  for (let n = 0; n < times; n++) {
    taken.push(await press(page));
    // Later readings of the page must not count for the next press.
    await wait(1000);
  }
  const calls = (await server.calls()).length / times;
  console.log(`\n| a quick log at ${delay} ms a call | median, ms |\n|---|---|`);
  const medians = {};
  for (const name of Object.keys(taken[0])) {
    medians[name] = percentile(
      taken.map((one) => one[name]),
      0.5,
    );
    console.log(`| ${name} | ${medians[name].toFixed(0)} |`);
  }
  console.log(`${calls} calls of D1 a press, the page's data included.`);
  const slow = Object.keys(GOALS).filter((name) => medians[name] > GOALS[name]);
  if (slow.length > 0) {
    console.error(`Beyond D3: ${slow.join(", ")}`);
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  await server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
