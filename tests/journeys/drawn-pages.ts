// The pages that the accessibility journeys open: by day those of routes that differ from main and ten drawn ones, at
// night (`npm run test:long -- pages`) all of them.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type PageEntry, pagesOf, type Role } from "./pages";

export type DrawnPage = { role: Role; at: string; entry: PageEntry };

const DRAWN = 10;
const ROLES: readonly Role[] = ["visitor", "member", "host", "superAdmin"];

/**
 * `pattern → files` of every route, with the files of the frames around it. From the text, because Playwright cannot load
 * the module; tests/pages.test.ts compares both.
 */
export function filesOfRoutes(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const around: { path: string; file: string }[] = [];
  for (const line of readFileSync(join(import.meta.dirname, "../../app/routes.ts"), "utf8").split("\n")) {
    const [, kind, first = "", second] =
      /^\s*(route|index|layout)\("([^"]*)"(?:, "([^"]*)")?/.exec(line) ?? [];
    if (kind) {
      const node = { path: kind === "route" ? `/${first}` : "", file: second ?? first };
      const pattern = [...around, node].map(({ path }) => path).join("") || "/";
      const files = [...around, node].map(({ file }) => file);
      if (kind !== "layout") found.set(pattern, [...(found.get(pattern) ?? []), ...files]);
      if (line.endsWith("[")) around.push(node);
    } else if (/^\s*\]\)/.test(line)) around.pop();
  }
  return found;
}

/** The files of app/routes that differ from main; none without git, or on main itself. */
function changedFiles(): string[] {
  try {
    const git = ["diff", "--name-only", "main", "--", "app/routes"];
    return execFileSync("git", git, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .map((path) => path.replace(/^app\//, ""));
  } catch {
    return [];
  }
}

/** Numbers from 0 to 1 in an order that the seed decides (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `PAGES=all` gives every page, a regular expression those whose address it matches; otherwise as above. */
export function drawPages(seed: number, asked = process.env.PAGES): DrawnPage[] {
  const all = ROLES.flatMap((role) => pagesOf(role).map((page) => ({ role, ...page })));
  if (asked === "all") return all;
  if (asked) return all.filter(({ at }) => new RegExp(asked).test(at));
  const changed = new Set(changedFiles());
  const patterns = new Set(
    [...filesOfRoutes()]
      .filter(([, files]) => files.some((file) => changed.has(file)))
      .map(([pattern]) => pattern),
  );
  const random = randomOf(seed);
  const drawn = new Set(
    all
      .map((page) => ({ page, place: random() }))
      .sort((a, b) => a.place - b.place)
      .slice(0, DRAWN)
      .map(({ page }) => page),
  );
  return all.filter((page) => drawn.has(page) || patterns.has(page.entry.route));
}
