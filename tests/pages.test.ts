// Checks that the journeys' table of pages has every address of app/routes.ts, and no other.
import { expect, test } from "vitest";
import routes from "../app/routes";
import { entries } from "./journeys/pages";

type RouteNode = { path?: string; index?: boolean; file: string; children?: RouteNode[] };

const patternsOf = (nodes: readonly RouteNode[], above = ""): string[] =>
  nodes.flatMap((node) => {
    const own = node.path ? `${above}/${node.path}` : above;
    const below = node.children ? patternsOf(node.children, own) : [];
    return node.path || node.index ? [own || "/", ...below] : below;
  });

test("every route has an entry in the table of tested pages, and every entry a route", () => {
  const patterns = [...new Set(patternsOf(routes as RouteNode[]))];
  expect(entries.map(({ route }) => route).sort()).toEqual(patterns.sort());
});
