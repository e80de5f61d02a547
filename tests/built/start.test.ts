// `npm start` as a process: its end on a signal at each stage, and its sentence about a wrong setting or a taken port.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../workers/local/processes.mjs";

const listening = (port: number) =>
  new Promise<Server>((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
const portOf = (server: Server) => (server.address() as AddressInfo).port;
const close = (server: Server) => new Promise((resolve) => server.close(resolve));

/** Starts npm in a process group without a terminal, as a service manager does. */
function start(
  port: number,
  dataDir: string,
): { child: ChildProcess; said(): string; ended: Promise<number> } {
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir };
  const child = spawn("npm", ["start"], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout?.on("data", (data) => (said += data));
  child.stderr?.on("data", (data) => (said += data));
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 0)));
  return { child, said: () => said, ended };
}

const linesOf = (said: string) => said.split("\n").filter((line) => line && !/^(>|npm )/.test(line));

test("npm start says in one line that its port is taken", async () => {
  const taken = await listening(0);
  const dataDir = mkdtempSync(join(tmpdir(), "bothy-start-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const { said, ended } = start(portOf(taken), dataDir);
  expect(await ended).toBe(1);
  expect(linesOf(said())).toEqual([`Port ${portOf(taken)} is taken. Choose another with PORT=…`]);
  await close(taken);
});

test.each([
  ["a port that is no number", { PORT: "abc" }, 'PORT is "abc". Choose a number from 1 to 65535.'],
  ["a port that no machine has", { PORT: "70000" }, 'PORT is "70000". Choose a number from 1 to 65535.'],
  [
    "a data folder that is a file",
    { DATA_DIR: "README.md" },
    "/README.md is a file. Choose a folder as DATA_DIR.",
  ],
  [
    "a data folder inside a file",
    { DATA_DIR: "README.md/data" },
    "/README.md is a file. Choose a folder as DATA_DIR.",
  ],
])("npm start and npm run dev say one sentence about %s", async (_, given, sentence) => {
  for (const name of ["start", "dev"]) {
    const child = spawn(process.execPath, [`workers/local/${name}.mjs`], {
      cwd: ROOT,
      env: { ...process.env, ...given },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(1);
    expect(said.trim().split("\n")).toEqual([expect.stringMatching(new RegExp(`${sentence}$`))]);
  }
});

/** The moments of a start at which somebody may press Ctrl-C. */
const isAnswering = (port: number) =>
  fetch(`http://127.0.0.1:${port}/api/time`).then(
    ({ ok }) => ok,
    () => false,
  );
test.each<[string, (dataDir: string, port: number) => boolean | Promise<boolean>]>([
  ["migrates", (dataDir) => existsSync(join(dataDir, "server.json"))],
  ["begins to serve", (dataDir) => existsSync(join(dataDir, "vapid.json"))],
  ["fills the demo", (_, port) => isAnswering(port)],
])(
  "Ctrl-C while npm start %s ends everything that it has started, in one word",
  async (_, isThere) => {
    const free = await listening(0);
    const port = portOf(free);
    await close(free);
    const dataDir = mkdtempSync(join(tmpdir(), "bothy-start-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const { child, said, ended } = start(port, dataDir);
    onTestFinished(() => {
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (child.pid && !hasEnded) process.kill(-child.pid, "SIGKILL");
    });
    await expect.poll(() => isThere(dataDir, port), { timeout: 60_000, interval: 20 }).toBe(true);
    // A terminal sends the signal to the whole group.
    process.kill(-(child.pid ?? 0), "SIGINT");
    await ended;
    expect(linesOf(said()).at(-1)).toBe("Stopped.");
    expect(said()).not.toMatch(/^\s+at /m);
    expect(existsSync(join(dataDir, "server.json"))).toBe(false);
    await expect
      .poll(() => listening(port).then(close, () => "taken"), { timeout: 20_000 })
      .not.toBe("taken");
  },
  120_000,
);

test("npm start ends with all its child processes when npm receives SIGTERM", async () => {
  const free = await listening(0);
  const port = portOf(free);
  await close(free);
  const dataDir = mkdtempSync(join(tmpdir(), "bothy-start-"));
  const { child, said, ended } = start(port, dataDir);
  try {
    await expect.poll(said, { timeout: 240_000, interval: 200 }).toContain(`is at http://127.0.0.1:${port}`);
    await expect.poll(said, { timeout: 10_000 }).toContain(`http://localhost:${port}`);
    child.kill("SIGTERM");
    // The output closes when the last process that holds it ends.
    await ended;
    await expect
      .poll(() => listening(port).then(close, () => "taken"), { timeout: 20_000 })
      .not.toBe("taken");
  } finally {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 300_000);
