// The development part of the Vite config: both workers run from their sources inside workerd, with hot replacement.
import { resolve } from "node:path";
import { cloudflare, type PluginConfig } from "@cloudflare/vite-plugin";
import type { Plugin, PluginOption } from "vite";

type Customise = Extract<PluginConfig["config"], (...args: never[]) => unknown>;
type WorkerConfig = Parameters<Customise>[0];

/** The names that the plugin gives the workers of wrangler.toml and workers/objects.toml. */
const PAGES = "bothy_web";
const OBJECTS = "bothy";

const every = ["app/routes/**/*.tsx", "app/root.tsx"];

/** The scripts that workers/local/stage.config.ts builds, and their sources. */
const SCRIPTS: Record<string, string> = {
  "/stage.js": "app/entry.stage.tsx",
  "/embed.js": "app/entry.embed.ts",
};
/** Remix's components expect it; the entry of the site's pages loads it for them. */
const PREAMBLE = "/@id/__x00__virtual:remix/inject-hmr-runtime";
const scriptsFromSources: Plugin = {
  name: "scripts-from-sources",
  configureServer: ({ middlewares }) => {
    middlewares.use((request, answer, next) => {
      const source = SCRIPTS[request.url ?? ""];
      if (source === undefined) return next();
      answer.setHeader("Content-Type", "text/javascript");
      answer.end(`import "${PREAMBLE}";\nimport "/${source}";\n`);
    });
  },
};

/** Libraries are bundled before the first request: one that is found later would bring a second React. */
const bundledFirst: Plugin = {
  name: "bundled-first",
  config: () => ({
    optimizeDeps: { entries: ["app/entry.client.tsx", ...Object.values(SCRIPTS), ...every] },
    environments: {
      [PAGES]: {
        optimizeDeps: {
          entries: ["workers/index.ts", "app/entry.server.tsx", ...every],
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

/** Takes the handler from Remix, which would answer requests in Node instead of workerd. */
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

const TABLES = ["virtual:remix/server-build", "virtual:remix/server-manifest"];
/** A table of routes without its random version. */
export const withoutVersion = (code: string) => code.replace(/(["']?)version\1:\s*(["']).*?\2/g, "");

/**
 * Remix renews its tables of routes only in Vite's own graphs, so the worker's are compared after each change. A change
 * of the routes themselves arrives there later, at no known instant.
 */
const renewedRoutes: Plugin = {
  name: "renewed-routes",
  configureServer(server) {
    const environment = server.environments[PAGES];
    if (!environment) return;
    const known = new Map<string, string>();
    const read = async (id: string) => {
      const resolved = await environment.pluginContainer.resolveId(id);
      const loaded = resolved && (await environment.pluginContainer.load(resolved.id));
      return { resolved, code: withoutVersion(typeof loaded === "string" ? loaded : (loaded?.code ?? "")) };
    };
    const renew = async (path: string) => {
      if (!path.includes("/app/routes/")) return;
      for (const id of TABLES) {
        const { resolved, code } = await read(id);
        const before = known.get(id);
        known.set(id, code);
        if (!resolved || before === undefined || before === code) continue;
        const module = environment.moduleGraph.getModuleById(resolved.id);
        if (module) await environment.reloadModule(module);
      }
    };
    // Vite itself shows the error of a file that cannot be parsed.
    server.watcher.on("all", (_, path) => void renew(path).catch(() => {}));
    const routes = resolve("app/routes.ts");
    server.watcher.on("change", (path) => path === routes && void server.restart());
    for (const id of TABLES)
      void read(id).then(
        ({ code }) => known.set(id, code),
        () => {},
      );
  },
};

/**
 * The plugins of `npm run dev`: those of Remix, and a promise of the workers'. Remix starts a second Vite server from
 * the same file, which skips promises.
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
