// The upload of `npm run deploy`, as a dry run.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../workers/local/tools.mjs";
import { WORKER } from "./worker";

const chunksIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .sort();

test("the production worker is uploaded whole, with its bindings and without the parts of a local run", async () => {
  const out = mkdtempSync(join(tmpdir(), "bothy-deploy-"));
  try {
    const said = await run("wrangler", ["deploy", "--dry-run", "--env", "production", "--outdir", out], {
      quiet: true,
    });
    expect(said).toContain("--dry-run: exiting now.");
    for (const binding of [
      "ROOMS (SessionRoom)",
      "LEAVES (SessionLeaf)",
      "COUNTERS (AttemptCounter)",
      "FLOODS",
      "DB",
      "UPLOADS",
      "COPIES",
      "MAIL",
      "AI",
    ])
      expect(said).toContain(`env.${binding}`);
    expect(said).toMatch(/env\.LOCAL_RUN \(""\)/);
    expect(said).not.toMatch(/WARNING|ERROR/);
    expect(chunksIn(out)).toEqual(chunksIn(WORKER));
  } finally {
    rmSync(out, { recursive: true });
  }
});

test("ASVS 16.4.3 a deployed worker sends all its log lines to a store that it cannot change", () => {
  const [local = "", production = ""] = readFileSync(
    join(import.meta.dirname, "../../wrangler.toml"),
    "utf8",
  ).split("\n[env.production]\n");
  // The production environment inherits it.
  expect(local).toMatch(/\n\[observability\]\nenabled = true\nhead_sampling_rate = 1\n/);
  expect(production).not.toMatch(/observability/);
  expect(production).toMatch(/^logpush = true$/m);
});
