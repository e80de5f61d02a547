// A client that openapi-typescript and openapi-fetch generate from the document works with personal keys.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { afterAll, expect, test } from "vitest";
import { ROOT, run } from "../../workers/local/processes.mjs";
import { freePort, migrate, seed, serve } from "../../workers/local/tools.mjs";
import { signedIn } from "../load/caller.mjs";

const dataDir = mkdtempSync(join(tmpdir(), "bothy-client-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
/** Inside the project, where its packages resolve. */
const folder = join(ROOT, ".cache/client");
const PROGRAM = join(folder, "program.ts");

const CHECKED = [
  "--ignoreConfig",
  "--noEmit",
  "--strict",
  "--target",
  "es2022",
  "--module",
  "esnext",
  "--skipLibCheck",
];

/** A personal key, as its page shows it once. */
async function keyOf(url: string, account: { email: string; password: string }, scopes: string[]) {
  const { cookie } = await signedIn(url, account);
  const body = new URLSearchParams({ intent: "key.create", name: "A program", days: "30" });
  for (const scope of scopes) body.append("scopes", scope);
  const answer = await fetch(`${url}/account/api`, {
    method: "POST",
    headers: { Cookie: cookie(), Origin: url },
    body,
  });
  return /bth_[\w-]{49}/.exec(await answer.text())?.[0] ?? "";
}

test("O-10 O-13 a generated client and the programs of /api/docs work with personal keys as they are", async () => {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(ROOT, "tests/built/client/program.ts"), PROGRAM);
  await migrate(dataDir);
  const server = await serve({ port: await freePort(), dataDir, quiet: true });
  try {
    const { accounts } = await seed(server.url);
    const { url } = server;
    const published = (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenAPI3;
    writeFileSync(join(folder, "api.d.ts"), astToString(await openapiTS(published)));
    const compiler = join(ROOT, "node_modules/typescript-native/bin/tsc");
    await run("node", [compiler, ...CHECKED, "--moduleResolution", "bundler", "--types", "node", PROGRAM], {
      quiet: true,
    });
    const said = await run("node", ["--experimental-strip-types", PROGRAM], {
      quiet: true,
      env: {
        SITE: url,
        HOST_KEY: await keyOf(url, accounts[0], ["write", "host"]),
        GUEST_KEY: await keyOf(url, accounts[1], ["write"]),
      },
    });
    expect(JSON.parse(/\{.*\}/.exec(said)?.[0] ?? "null")).toEqual({
      goal: "Read",
      amount: 2,
      session: "Reading round",
      seats: 2,
    });
    const key = await keyOf(url, accounts[0], ["read", "write", "host"]);
    const runs = (name: string, ...args: string[]): Promise<string> =>
      run("node", [join(ROOT, `workers/programs/${name}.mjs`), ...args], {
        quiet: true,
        env: { SITE: url, KEY: key },
      });
    const lines = async (name: string, ...args: string[]) => (await runs(name, ...args)).trim().split("\n");
    const count = async () => Number.parseInt((await lines("list")).at(-1) ?? "", 10);
    const before = await count();
    for (let n = 1; n <= 3; n++)
      expect(await runs("log", "Chapters", String(n), "chapters")).toMatch(
        new RegExp(`^Chapters: ${n} chapters on \\d{4}-\\d{2}-\\d{2}\\n$`),
      );
    const listed = await lines("list");
    expect(listed.at(-1)).toBe(`${before + 3} logs`);
    expect(listed.filter((line) => line.endsWith(" Chapters: 6"))).toHaveLength(1);
    const [address = "", ...states] = await lines("session", "Morning pages", "0");
    expect(address).toMatch(new RegExp(`^${url}/`));
    expect(states).toEqual(["waiting", "running", "ended"]);
  } finally {
    await server.stop();
  }
}, 240_000);
