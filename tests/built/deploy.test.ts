// The uploads of `npm run deploy`, as a dry run.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../workers/local/processes.mjs";
import { OBJECTS, WORKER } from "./worker";

const CONFIG = "workers/objects.toml";

const chunksIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .sort();

async function upload(out: string, ...args: string[]): Promise<string> {
  const said = await run(
    "wrangler",
    ["deploy", ...args, "--dry-run", "--env", "production", "--outdir", out],
    { quiet: true },
  );
  expect(said).toContain("--dry-run: exiting now.");
  expect(said).not.toMatch(/WARNING|ERROR/);
  expect(said).toMatch(/env\.LOCAL_RUN \(""\)/);
  return said;
}

test("both production workers are uploaded whole, with their bindings and without the parts of a local run", async () => {
  const out = mkdtempSync(join(tmpdir(), "bothy-deploy-"));
  try {
    const pages = await upload(join(out, "pages"));
    for (const binding of ["ROOMS", "COUNTERS", "FLOODS", "DB", "UPLOADS", "COPIES", "MAIL", "AI"])
      expect(pages).toContain(`env.${binding} `);
    expect(pages).toContain("env.ROOMS (SessionRoom, defined in bothy)");
    expect(chunksIn(join(out, "pages"))).toEqual(chunksIn(WORKER));

    const objects = await upload(join(out, "objects"), "--config", CONFIG);
    for (const binding of ["ROOMS (SessionRoom)", "DB", "COPIES"])
      expect(objects).toContain(`env.${binding}`);
    expect(chunksIn(join(out, "objects"))).toEqual(chunksIn(OBJECTS));
  } finally {
    rmSync(out, { recursive: true });
  }
});

test("ASVS 16.4.3 a deployed worker sends all its log lines to a store that it cannot change", () => {
  for (const config of ["wrangler.toml", CONFIG]) {
    const [local = "", production = ""] = readFileSync(
      join(import.meta.dirname, "../..", config),
      "utf8",
    ).split("\n[env.production]\n");
    // The production environment inherits it.
    expect(local).toMatch(/\n\[observability\]\nenabled = true\nhead_sampling_rate = 1\n/);
    expect(production).not.toMatch(/observability/);
    expect(production).toMatch(/^logpush = true$/m);
  }
});
