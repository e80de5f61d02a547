// Checks that the journeys' table of pages has every address of app/routes.ts, and no other.
import { expect, test } from "vitest";
import routes from "../app/routes";
import { drawPages, filesOfRoutes } from "./journeys/drawn-pages";
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

test("the journeys read every route from the text of the table", () => {
  expect([...filesOfRoutes().keys()].sort()).toEqual([...new Set(patternsOf(routes as RouteNode[]))].sort());
  expect(filesOfRoutes().get("/sessions/:session/chat")).toEqual([
    "routes/in-frame.tsx",
    "routes/sessions/session.tsx",
    "routes/sessions/chat.tsx",
  ]);
});

test("a draw of pages is its seed's, has ten pages or more, and another seed draws others", () => {
  const drawn = (seed: number) => drawPages(seed).map(({ role, at }) => `${role} ${at}`);
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
  expect(drawn(1).length).toBeGreaterThanOrEqual(10);
  expect(drawPages(1, "all").length).toBeGreaterThan(150);
});
