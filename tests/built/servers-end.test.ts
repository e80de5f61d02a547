// A server of a benchmark or of a long test ends with the process that started it, whatever ended that process.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { descendantsIn, isAlive, ROOT, start } from "../../workers/local/processes.mjs";
import { freePort } from "../../workers/local/tools.mjs";

/** Serves a worker on a port with the data of a folder, and prints the server's process. */
const PARENT = `
import { serveModules } from ${JSON.stringify(pathToFileURL(join(ROOT, "tests/support/worker.mjs")).href)};
const contents = "export default { fetch: () => new Response('here') }";
const worker = { name: "plain", compatibilityDate: "2026-11-02", modules: [{ type: "ESModule", path: "plain.js", contents }] };
const [port, dataDir] = process.argv.slice(1);
const { child } = await serveModules({ port: Number(port), dataDir, workers: [worker] });
console.log(child.pid);
`;

const childrenOf = (id: number) =>
  descendantsIn(execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }), id);

test.each(["SIGTERM", "SIGKILL"] as const)(
  "a server and its workerd end with a parent that %s ends",
  async (signal) => {
    const dataDir = mkdtempSync(join(tmpdir(), "servers-end-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const args = ["--input-type=module", "-e", PARENT, String(await freePort(9669)), dataDir];
    const parent = start("node", args, { stdio: ["ignore", "pipe", "inherit"] });
    const [printed] = (await once(parent.stdout ?? parent, "data")) as [Buffer];
    const server = Number(String(printed));
    const all = [server, ...childrenOf(server)];
    expect(all.length).toBeGreaterThan(1);
    parent.kill(signal);
    await expect.poll(() => all.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  },
);
