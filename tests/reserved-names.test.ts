// Usernames are part of addresses, so none may equal the first segment of a page or a call.
import { expect, test } from "vitest";
import { usernameRule } from "~/domain/accounts/rules";
import routes from "../app/routes";
import { everyCall } from "./support/every-call";

type RouteNode = { path?: string; children?: RouteNode[] };

/** Fixed first segments of this level, and of everything below a layout. */
const firstOf = (nodes: readonly RouteNode[]): string[] =>
  nodes.flatMap((node) => (node.path ? [node.path] : firstOf(node.children ?? [])));

const segmentOf = (path: string) => path.split("/").filter(Boolean)[0] ?? "";
const isFixed = (segment: string) => segment !== "" && !/^[:*{]/.test(segment);
const calls = Object.values(everyCall);

test("R-72 X-09 every word that follows /api is refused as a username", () => {
  const words = calls
    .filter(({ path }) => path.startsWith("/api/"))
    .map(({ path }) => path.split("/")[2] ?? "")
    .filter((word) => isFixed(word) && word.length >= 3);
  expect(new Set(words).size).toBeGreaterThan(10);
  for (const word of [...words, "docs"])
    expect(usernameRule(word, {}), word).toBe("This username is taken. Please choose another.");
});

test("X-09 every route's first segment is refused as a username", () => {
  const segments = [...firstOf(routes as RouteNode[]), ...calls.map(({ path }) => path)]
    .map(segmentOf)
    .filter(isFixed);
  const named = [...new Set(segments)].filter((name) => name.length >= 3 && /^[\w-]+$/.test(name));
  expect(named.length).toBeGreaterThan(20);
  for (const name of named) {
    expect(usernameRule(name, {}), name).toBe("This username is taken. Please choose another.");
    expect(usernameRule(name.toUpperCase(), {}), name).toBe("This username is taken. Please choose another.");
  }
});
