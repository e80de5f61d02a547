// `npm start` as a process: its end on a signal, and its message when the port is taken.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
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

test("npm start says in one line that its port is taken", async () => {
  const taken = await listening(0);
  const { said, ended } = start(portOf(taken), tmpdir());
  expect(await ended).toBe(1);
  expect(
    said()
      .split("\n")
      .filter((line) => line && !/^(>|npm )/.test(line)),
  ).toEqual([`Port ${portOf(taken)} is taken. Choose another with PORT=…`]);
  await close(taken);
});

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
