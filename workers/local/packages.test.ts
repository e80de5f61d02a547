// When the commands install again, what the lock file must name for that, and which Node runs them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isTreeOf, nodeProblem } from "./packages.mjs";

const ROOT = join(import.meta.dirname, "../..");
type Package = { version: string; optional?: true; optionalDependencies?: Record<string, string> };
const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
  packages: Record<string, Package>;
};

/** The places in which Node looks for a package that the one at `path` asks for, the nearest first. */
function placesOf(path: string, name: string): string[] {
  const parts = path === "" ? [] : path.split("/node_modules/");
  return [...parts.keys(), parts.length]
    .reverse()
    .map((length) => [...parts.slice(0, length), name].join("/node_modules/"))
    .map((place) => (place.startsWith("node_modules/") ? place : `node_modules/${place}`));
}

test("the lock file resolves every optional dependency, so that each system installs its own binaries", () => {
  const asked = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ path, name })),
  );
  expect(asked.length).toBeGreaterThan(50);
  const missing = asked.filter(({ path, name }) => !placesOf(path, name).some((place) => place in packages));
  expect(missing).toEqual([]);
});

const LOCK = {
  "": { version: "1.0.0" },
  "node_modules/a": { version: "1.2.3" },
  "node_modules/a-mac": { version: "1.2.3", optional: true },
};
test.each([
  ["has every package", { "node_modules/a": { version: "1.2.3" } }, true],
  [
    "has packages of its system too",
    { "node_modules/a": { version: "1.2.3" }, "node_modules/a-mac": { version: "1.2.3" } },
    true,
  ],
  ["lacks a package", {}, false],
  ["has another version", { "node_modules/a": { version: "1.2.4" } }, false],
  [
    "has another version for its system",
    { "node_modules/a": { version: "1.2.3" }, "node_modules/a-mac": { version: "1" } },
    false,
  ],
  [
    "has a package that the lock file lacks",
    { "node_modules/a": { version: "1.2.3" }, "node_modules/b": { version: "1" } },
    false,
  ],
] as const)(
  "the commands take node_modules as it is only when it equals the lock file: it %s",
  (_, tree, isEqual) => {
    expect(isTreeOf(LOCK, tree)).toBe(isEqual);
  },
);

test.each(["20.0.0", "24.9.0"])("Node %s runs our commands", (node) => {
  expect(nodeProblem({ node })).toBeNull();
});
test.each(["18.20.8", "19.9.0"])("Node %s is refused in one sentence", (node) => {
  expect(nodeProblem({ node })).toBe(
    `Node 20 or newer is needed, and this is ${node}. Install one from https://nodejs.org.`,
  );
});
