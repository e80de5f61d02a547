// The release that a build carries: the version of package.json, and in a deployment the commit as well.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./processes.mjs";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** The constant of the release, for Vite's `define`. */
export const releaseDefined = { __RELEASE__: JSON.stringify(process.env.RELEASE ?? version) };

/** The release of a deployment, such as `0.2.0+1a2b3c4d`, with `.dirty` after uncommitted changes; the version outside a clone. */
export function releaseOfCommit() {
  try {
    const git = (...args) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
    const commit = git("rev-parse", "--short=8", "HEAD");
    return `${version}+${commit}${git("status", "--porcelain", "--untracked-files=no") ? ".dirty" : ""}`;
  } catch {
    return version;
  }
}
