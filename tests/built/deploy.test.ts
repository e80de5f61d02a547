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

async function upload(env: string, out: string, ...args: string[]): Promise<string> {
  const said = await run("wrangler", ["deploy", ...args, "--dry-run", "--env", env, "--outdir", out], {
    quiet: true,
  });
  expect(said).toContain("--dry-run: exiting now.");
  expect(said).not.toMatch(/WARNING|ERROR/);
  expect(said).toMatch(/env\.LOCAL_RUN \(""\)/);
  return said;
}

test.each([
  ["production", "bothy"],
  ["staging", "bothy-staging"],
])(
  "both workers of %s are uploaded whole, with their bindings and without the parts of a local run",
  async (env, name) => {
    const out = mkdtempSync(join(tmpdir(), "bothy-deploy-"));
    try {
      const pages = await upload(env, join(out, "pages"));
      for (const binding of ["ROOMS", "COUNTERS", "FLOODS", "DB", "UPLOADS", "COPIES", "MAIL", "AI", "JOBS"])
        expect(pages).toContain(`env.${binding} `);
      expect(pages).toContain(`env.ROOMS (SessionRoom, defined in ${name})`);
      expect(chunksIn(join(out, "pages"))).toEqual(chunksIn(WORKER));

      const objects = await upload(env, join(out, "objects"), "--config", CONFIG);
      for (const binding of ["ROOMS (SessionRoom)", "DB", "COPIES"])
        expect(objects).toContain(`env.${binding}`);
      expect(chunksIn(join(out, "objects"))).toEqual(chunksIn(OBJECTS));
    } finally {
      rmSync(out, { recursive: true });
    }
  },
);

test("ASVS 16.4.3 a deployed worker sends all its log lines to a store that it cannot change", () => {
  for (const config of ["wrangler.toml", CONFIG]) {
    const [local = "", production = ""] = readFileSync(
      join(import.meta.dirname, "../..", config),
      "utf8",
    ).split("\n[env.production]\n");
    // The production environment inherits it.
    expect(local).toMatch(/\n\[observability\]\nenabled = true\nhead_sampling_rate = 1\n/);
    expect(production).not.toMatch(/observability/);
    for (const kept of ["logs", "traces"])
      expect(local).toMatch(new RegExp(`\\n\\[observability\\.${kept}\\]\\nenabled = true\\n`));
    expect(production.match(/^logpush = true$/gm)).toHaveLength(2);
  }
});
