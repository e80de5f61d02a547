// The table of pages for tests: each page's full path and module.
import type { ServerBuild } from "@remix-run/cloudflare";
import { routes } from "./pages";

type Route = ServerBuild["routes"][string];

const pathOf = ({ path, parentId }: Route): string => {
  const above = routes[parentId ?? ""];
  return [above && pathOf(above), path].filter(Boolean).join("/");
};

/** Every page, with `:name` for a parameter of its path. */
export const pageRoutes = () =>
  Object.values(routes)
    .filter(({ id }) => id !== "root")
    .map((route) => ({ path: `/${pathOf(route)}`, module: route.module }));

/** The path with its parameters filled in, `*` included. */
export const filled = (path: string, params: Record<string, string> = {}): string =>
  path.replace(/:(\w+)/g, (_, name) => params[name] ?? "1").replace("*", "somewhere");
