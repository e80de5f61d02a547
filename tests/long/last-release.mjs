// The build of the last release in db/released.json, made once from the commit that named it.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { migrationsOfBuild } from "../../workers/local/builds.mjs";
import { ROOT, run } from "../../workers/local/processes.mjs";

/** Its version, commit and folder, where its own packages and build are. Takes minutes for the first time. */
export async function buildLastRelease() {
  const released = JSON.parse(readFileSync(join(ROOT, "db/released.json"), "utf8"));
  const version = Object.keys(released).at(-1);
  const log = ["log", "-1", "--format=%H", "--", "db/released.json"];
  const commit = (await run("git", log, { quiet: true })).trim();
  if (commit === "")
    throw new Error("This checkout has no history in which the last release could be found.");
  const folder = join(ROOT, ".cache/releases", commit.slice(0, 12));
  // The build writes the objects last.
  if (!existsSync(join(folder, "build/objects/index.js"))) {
    console.log(`Building ${version} …`);
    rmSync(folder, { recursive: true, force: true });
    await run("git", ["clone", "--quiet", "--no-checkout", ROOT, folder], { quiet: true });
    await run("git", ["-C", folder, "checkout", "--quiet", "--detach", commit], { quiet: true });
    await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { quiet: true, cwd: folder });
    await run("npm", ["run", "--silent", "build"], {
      quiet: true,
      cwd: folder,
      env: { NODE_ENV: "production" },
    });
  }
  return { version, commit: commit.slice(0, 8), folder };
}

/** Makes an empty database in `dataDir` by the release's own migrations. */
export async function migrateAsReleased({ folder }, dataDir) {
  const script = `const { migrate } = await import("./workers/local/tools.mjs"); await migrate(process.argv[1]);`;
  await run("node", ["--input-type=module", "-e", script, dataDir], { quiet: true, cwd: folder });
}

/** Logins with seats in the running session 1, by the release's own code, since its schema lacks newer columns. */
export async function crowdAsReleased({ folder }, dataDir, people) {
  const { fill } = await import(pathToFileURL(join(folder, "tests/load/crowd-lines.mjs")).href);
  return fill(dataDir, people);
}

/** The statements of the migrations that this tree has beyond those of the release, by file. */
export function newerMigrations({ version }) {
  const released = JSON.parse(readFileSync(join(ROOT, "db/released.json"), "utf8"))[version];
  return migrationsOfBuild()
    .filter((name) => !(name in released))
    .map((name) => ({
      name,
      statements: readFileSync(join(ROOT, "db/migrations", name), "utf8").split("--> statement-breakpoint"),
    }));
}
