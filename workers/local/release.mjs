// The release that a build carries: the version of package.json, and in a deployment the commit as well.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./processes.mjs";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** For Vite's `define`. */
export const releaseDefined = { __RELEASE__: JSON.stringify(process.env.RELEASE ?? version) };

/** Such as `0.2.0+1a2b3c4d`, or the version alone outside a clone. `dirty` follows changes that are not committed. */
export function releaseOfCommit() {
  try {
    const git = (...args) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
    const commit = git("rev-parse", "--short=8", "HEAD");
    return `${version}+${commit}${git("status", "--porcelain", "--untracked-files=no") ? ".dirty" : ""}`;
  } catch {
    return version;
  }
}
