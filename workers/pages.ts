// The pages as request handlers. Remix gets only the routes that a path matches, and their modules load on first use.
import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import { matchRoutes } from "@remix-run/react";
import { memoiseByKey } from "~/domain/memoise";
import type { Pages } from "./http";

type RouteTree = Parameters<typeof matchRoutes>[0];
type Handler = ReturnType<typeof createRequestHandler>;
type Route = ServerBuild["routes"][string];
type LazyRoute = Omit<Route, "module"> & { module(): Promise<Route["module"]> };
export type LazyBuild = Omit<ServerBuild, "routes"> & { routes: Record<string, LazyRoute> };

const NOT_LOADED = {} as Route["module"];

/**
 * Remix ranks all its routes several times a request. Here the routes of a path are found once, and each set of routes
 * has a handler.
 */
export function createPages(build: LazyBuild): Pages {
  const tree = treeOf(build.routes);
  const matched = (path: string) => (matchRoutes(tree, path) ?? []).map(({ route }) => route.id ?? "");
  const routesOf = memoiseByKey((path) => {
    const own = matched(path);
    const known = [...new Set([...own, ...pathsAbove(path).flatMap(matched)])];
    return { own, known, key: JSON.stringify([own, known]) };
  });
  const handlers = new Map<string, Handler>();
  const handlerOf = (ids: readonly string[], modules: ReadonlyMap<string, Route["module"]>) =>
    createRequestHandler({ ...build, ...only(build, ids, modules) }, "production");
  const manifest = handlerOf(Object.keys(build.routes), new Map());

  return async (request, context) => {
    const path = pathOf(request);
    // It answers with addresses of scripts, and renders nothing.
    if (path === "/__manifest") return manifest(request, context);
    const { own, known, key } = routesOf(path);
    const ready = handlers.get(key);
    if (ready) return ready(request, context);
    // Requests share no promise, because workerd refuses to settle one across them.
    const modules = await Promise.all(
      own.map(async (id) => [id, (await build.routes[id]?.module()) ?? NOT_LOADED] as const),
    );
    const made = handlerOf(known, new Map(modules));
    handlers.set(key, made);
    return made(request, context);
  };
}

/** The path of a page, also when the request asks for its data alone. */
const pathOf = (request: Request): string =>
  new URL(request.url).pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/");

/** The paths above a page. The browser learns their routes with the page, so that it can go back to an index route. */
const pathsAbove = (path: string): string[] => {
  const segments = path.split("/").filter(Boolean);
  return segments.map((_, count) => `/${segments.slice(0, count).join("/")}`);
};

function treeOf(routes: Record<string, LazyRoute>, parentId?: string): RouteTree {
  return Object.values(routes)
    .filter((route) => (route.parentId || undefined) === parentId)
    .map(({ id, path, index, caseSensitive }) =>
      index ? { id, path, caseSensitive, index } : { id, path, caseSensitive, children: treeOf(routes, id) },
    );
}

function only(
  build: LazyBuild,
  ids: readonly string[],
  modules: ReadonlyMap<string, Route["module"]>,
): Pick<ServerBuild, "routes" | "assets"> {
  const kept = new Set(ids);
  // The table's order decides between routes of equal rank.
  const pick = <T>(all: Record<string, T>) => Object.entries(all).filter(([id]) => kept.has(id));
  return {
    routes: Object.fromEntries(
      pick(build.routes).map(([id, route]) => [id, { ...route, module: modules.get(id) ?? NOT_LOADED }]),
    ),
    assets: { ...build.assets, routes: Object.fromEntries(pick(build.assets.routes)) },
  };
}
