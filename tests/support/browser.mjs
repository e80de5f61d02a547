// The browser of journeys and benchmarks: found or installed, and its arguments. Without packages, because it runs
// before anything is installed.
import { existsSync } from "node:fs";
import { run } from "../../workers/local/processes.mjs";

export const BROWSER_ARGS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-quic",
  "--disable-component-update",
];

/** Debian's headless shell, which needs two thirds of the CPU time of a whole Chromium. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";

/**
 * The browser's path: the machine's own, otherwise Debian's package, otherwise Playwright's download (an empty path).
 */
export async function ensureBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  if (!existsSync(HEADLESS_SHELL) && existsSync("/usr/bin/apt-get") && process.getuid?.() === 0) {
    console.log("Installing Chromium …");
    await install("chromium-headless-shell").catch((error) => console.log(error.message));
  }
  const known = [HEADLESS_SHELL, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = known.find((path) => existsSync(path));
  if (found) return found;
  await run("playwright", ["install", "chromium"]);
  return "";
}

async function install(debianPackage) {
  const options = { quiet: true, env: { DEBIAN_FRONTEND: "noninteractive" } };
  await run("apt-get", ["update", "-qq"], options);
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", debianPackage], options);
}
