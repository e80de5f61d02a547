// The table of pages for tests: each page's full path and module.
import type { RouteConfigEntry } from "@remix-run/route-config";
import routeTable from "../../app/routes";

type RouteModule = Record<string, unknown>;
const modules = import.meta.glob<RouteModule>(["../../app/routes/*.{ts,tsx}", "!../../app/routes/*.test.ts"]);

export type PageRoute = { path: string; module: RouteModule };

const pathsOf = (entries: readonly RouteConfigEntry[], above: string): { path: string; file: string }[] =>
  entries.flatMap(({ path, file, children = [] }) => {
    const own = path === undefined ? above : `${above}/${path}`;
    return [{ path: own || "/", file }, ...pathsOf(children, own)];
  });

/** Every page, with `:name` for a parameter of its path. */
export const pageRoutes = (): Promise<PageRoute[]> =>
  Promise.all(
    pathsOf(routeTable as RouteConfigEntry[], "").map(async ({ path, file }) => ({
      path,
      module: (await modules[`../../app/${file}`]?.()) ?? {},
    })),
  );

/** The path with its parameters filled in, `*` included. */
export const filled = (path: string, params: Record<string, string> = {}): string =>
  path.replace(/:(\w+)/g, (_, name) => params[name] ?? "1").replace("*", "somewhere");
