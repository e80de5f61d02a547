// The development part of the Vite config: both workers run from their sources inside workerd, with hot replacement.
import { resolve } from "node:path";
import { cloudflare, type PluginConfig } from "@cloudflare/vite-plugin";
import type { Plugin, PluginOption } from "vite";

type Customise = Extract<PluginConfig["config"], (...args: never[]) => unknown>;
type WorkerConfig = Parameters<Customise>[0];

/** The names that the plugin gives the workers of wrangler.toml and workers/objects.toml. */
const PAGES = "bothy_web";
const OBJECTS = "bothy";

/** The modules of all pages. */
const PAGE_MODULES = ["app/routes/**/*.tsx", "app/root.tsx"];

/** The scripts that workers/local/stage.config.ts builds, and their sources. */
const SCRIPTS: Record<string, string> = {
  "/stage.js": "app/entry.stage.tsx",
  "/embed.js": "app/entry.embed.ts",
};
/** The script of hot replacement, which Remix's components need. A page of the site loads it by itself. */
const HOT_REPLACEMENT = "/@id/__x00__virtual:remix/inject-hmr-runtime";
/** Serves the scripts from their sources. */
const scriptsFromSources: Plugin = {
  name: "scripts-from-sources",
  configureServer: ({ middlewares }) => {
    middlewares.use((request, answer, next) => {
      const source = SCRIPTS[request.url ?? ""];
      if (source === undefined) return next();
      answer.setHeader("Content-Type", "text/javascript");
      answer.end(`import "${HOT_REPLACEMENT}";\nimport "/${source}";\n`);
    });
  },
};

/** Bundles all libraries before the first request, because a library bundled later would bring a second React. */
const bundledFirst: Plugin = {
  name: "bundled-first",
  config: () => ({
    optimizeDeps: { entries: ["app/entry.client.tsx", ...Object.values(SCRIPTS), ...PAGE_MODULES] },
    environments: {
      [PAGES]: {
        optimizeDeps: {
          entries: ["workers/index.ts", "app/entry.server.tsx", ...PAGE_MODULES],
          // Remix's compiler adds this import to every component.
          include: ["react/jsx-dev-runtime"],
        },
      },
      [OBJECTS]: { optimizeDeps: { entries: ["workers/objects.ts"] } },
    },
  }),
};

/** The configuration with the sources as its entry, and without the settings of the build. */
const forDev = (main: string) => (config: Partial<WorkerConfig> & Record<string, unknown>) => {
  const { LOCAL_VARS = "{}" } = process.env;
  Object.assign(config, {
    main: resolve(main),
    no_bundle: undefined,
    base_dir: undefined,
    find_additional_modules: undefined,
    rules: [],
    vars: { ...config.vars, ...JSON.parse(LOCAL_VARS) },
  });
};

/** Removes Remix's request handler, which would answer requests in Node instead of workerd. */
const withoutHandler = (plugin: Plugin): Plugin => {
  const { configureServer } = plugin;
  if (plugin.name !== "remix" || typeof configureServer !== "function") return plugin;
  return {
    ...plugin,
    async configureServer(server) {
      await configureServer.call(this, server);
    },
  };
};

/** The modules of Remix that contain the table of routes. */
const ROUTE_TABLES = ["virtual:remix/server-build", "virtual:remix/server-manifest"];
/** The code of a table of routes without its random version. */
export const withoutVersion = (code: string) => code.replace(/(["']?)version\1:\s*(["']).*?\2/g, "");

/**
 * Reloads the worker's tables of routes when a change of a route has changed them, because Remix does so only in Vite's
 * own graphs. After a change of app/routes.ts the server restarts, because the tables change later, at an unknown instant.
 */
const renewedRoutes: Plugin = {
  name: "renewed-routes",
  configureServer(server) {
    const environment = server.environments[PAGES];
    if (!environment) return;
    const lastCode = new Map<string, string>();
    const readTable = async (id: string) => {
      const resolved = await environment.pluginContainer.resolveId(id);
      const loaded = resolved && (await environment.pluginContainer.load(resolved.id));
      return { resolved, code: withoutVersion(typeof loaded === "string" ? loaded : (loaded?.code ?? "")) };
    };
    const renew = async (path: string) => {
      if (!path.includes("/app/routes/")) return;
      for (const id of ROUTE_TABLES) {
        const { resolved, code } = await readTable(id);
        const previousCode = lastCode.get(id);
        lastCode.set(id, code);
        if (!resolved || previousCode === undefined || previousCode === code) continue;
        const module = environment.moduleGraph.getModuleById(resolved.id);
        if (module) await environment.reloadModule(module);
      }
    };
    // Ignored, because Vite itself shows the error of a file that cannot be parsed.
    server.watcher.on("all", (_, path) => void renew(path).catch(() => {}));
    const routes = resolve("app/routes.ts");
    server.watcher.on("change", (path) => path === routes && void server.restart());
    for (const id of ROUTE_TABLES)
      void readTable(id).then(
        ({ code }) => lastCode.set(id, code),
        () => {},
      );
  },
};

/**
 * The plugins of `npm run dev`: those of Remix, and a promise of those of the workers. Remix starts a second Vite server
 * from the same configuration, and that server ignores promises.
 */
export const devServer = (pages: Plugin[]): PluginOption[] => [
  pages.map(withoutHandler),
  Promise.resolve().then(() => [
    scriptsFromSources,
    bundledFirst,
    renewedRoutes,
    ...cloudflare({
      configPath: resolve("wrangler.toml"),
      config: forDev("workers/index.ts") as never,
      auxiliaryWorkers: [
        { configPath: resolve("workers/objects.toml"), config: forDev("workers/objects.ts") as never },
      ],
      persistState: { path: resolve(process.env.DATA_DIR ?? ".data") },
      inspectorPort: false,
      remoteBindings: false,
    }),
  ]),
];
