// The pages as the worker serves them, built from the sources on the fly: tests read the same HTML as browsers.
import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import type { RouteConfigEntry } from "@remix-run/route-config";
import type { Pages } from "#workers/http";
import routeTable from "../../app/routes";

type RouteModule = Record<string, unknown>;
const modules = import.meta.glob<RouteModule>(["../../app/routes/*.{ts,tsx}", "!../../app/routes/*.test.ts"]);

type Node = { id: string; parentId: string; file: string; path?: string; index?: boolean };
const nodesOf = (entries: readonly RouteConfigEntry[], parentId: string): Node[] =>
  entries.flatMap((entry) => {
    const { file, path, index, children = [] } = entry;
    const id = entry.id ?? file.replace(/\.tsx?$/, "");
    return [
      { id, parentId, file, ...(path === undefined ? {} : { path }), ...(index ? { index } : {}) },
      ...nodesOf(children, id),
    ];
  });

async function build(): Promise<ServerBuild> {
  const nodes = nodesOf(routeTable as RouteConfigEntry[], "root");
  const loaded = await Promise.all(
    nodes.map(async (node) => ({ ...node, module: (await modules[`../../app/${node.file}`]?.()) ?? {} })),
  );
  const root = { id: "root", path: "", file: "root.tsx", module: await import("../../app/root") };
  const all = [root, ...loaded];
  const flags = (module: object) => ({
    hasAction: "action" in module,
    hasLoader: "loader" in module,
    hasErrorBoundary: "ErrorBoundary" in module,
    hasClientAction: false,
    hasClientLoader: false,
  });
  return {
    entry: { module: await import("../../app/entry.server") },
    routes: Object.fromEntries(all.map(({ module, ...node }) => [node.id, { ...node, module }])),
    assets: {
      entry: { module: "/entry.js", imports: [] },
      url: "/manifest.js",
      version: "test",
      routes: Object.fromEntries(
        all.map(({ module, file: _, ...node }) => [
          node.id,
          { ...node, module: `/${node.id}.js`, imports: [], css: [], ...flags(module) },
        ]),
      ),
    },
    publicPath: "/",
    assetsBuildDirectory: "build/client",
    basename: "/",
    mode: "test",
    isSpaMode: false,
    future: {
      v3_singleFetch: true,
      v3_routeConfig: true,
      v3_lazyRouteDiscovery: true,
      v3_fetcherPersist: true,
      v3_relativeSplatPath: true,
      v3_throwAbortReason: true,
      unstable_optimizeDeps: false,
    },
  } as unknown as ServerBuild;
}

export const builtPages: Pages = createRequestHandler(await build(), "production");
