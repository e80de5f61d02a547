// The builds and the test projects get every module of node_modules as it is on disk, so that tests run what is shipped.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { build, loadConfigFromFile, type Plugin, type Rollup, type UserConfig } from "vite";
import { expect, test } from "vitest";
import { OBJECTS, WORKER } from "./worker";

const ROOT = join(import.meta.dirname, "../..");

async function configsOf(file: string, isSsrBuild: boolean): Promise<UserConfig[]> {
  const env = { command: "build", mode: "production", isSsrBuild } as const;
  const { config } = (await loadConfigFromFile(env, join(ROOT, file))) ?? {};
  const { projects } = (config as { test?: { projects?: UserConfig[] } } | undefined)?.test ?? {};
  return projects ?? [config ?? {}];
}
const CONFIGS = (
  await Promise.all([
    configsOf("remix.config.ts", false),
    configsOf("remix.config.ts", true),
    configsOf("workers/local/objects.config.ts", true),
    configsOf("tests/vitest.config.ts", false),
  ])
).flat();
const pluginsOf = async (config: UserConfig): Promise<Plugin[]> =>
  ((await Promise.all(config.plugins ?? [])).flat(9) as (Plugin | false)[]).filter((one) => one !== false);

/** Plugins of packages; every other plugin is ours. */
const PUBLISHED = /^(?:remix\b|@tailwindcss\/|@cloudflare\/)/;
/** With these a plugin settles what a config says, and touches no module. */
const HARMLESS = new Set(["name", "enforce", "apply", "config", "configResolved", "onwarn"]);

test("our plugins touch no module, in the builds and in the test projects", async () => {
  expect(CONFIGS.length).toBe(6);
  const plugins = (await Promise.all(CONFIGS.map(pluginsOf))).flat();
  const ours = plugins.filter(({ name }) => !PUBLISHED.test(name));
  expect(new Set(ours.map(({ name }) => name))).toEqual(new Set(["worker-entry"]));
  const touching = ours.flatMap((plugin) =>
    Object.keys(plugin)
      .filter((hook) => !HARMLESS.has(hook))
      .map((hook) => `${plugin.name}: ${hook}`),
  );
  expect(touching).toEqual([]);
});

test("no alias takes the place of a package", () => {
  const aliases = CONFIGS.flatMap(({ resolve }) => Object.keys(resolve?.alias ?? {}));
  expect(aliases.length).toBeGreaterThan(0);
  expect(aliases.filter((name) => !/^[~#]/.test(name))).toEqual([]);
});

type SourceMap = { sources: string[]; sourcesContent?: (string | null)[] };
/** The paths of the libraries' modules in maps, and of those whose text is not the file's. */
function librariesIn(maps: { folder: string; map: SourceMap }[]) {
  const modules = maps.flatMap(({ folder, map }) =>
    map.sources.map((source, at) => ({
      path: normalize(join(folder, source)),
      text: map.sourcesContent?.[at],
    })),
  );
  const libraries = modules.filter(({ path }) => path.includes("/node_modules/") && existsSync(path));
  const edited = libraries.filter(({ path, text }) => readFileSync(path, "utf8") !== text);
  return { count: libraries.length, edited: edited.map(({ path }) => path) };
}

test.each([
  ["pages", WORKER, 250],
  ["Durable Objects", OBJECTS, 20],
])("the worker of the %s has each module of node_modules as it is on disk", (_, folder, atLeast) => {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".js.map"),
  );
  const { count, edited } = librariesIn(
    names.map((name) => ({
      folder: join(folder, dirname(name)),
      map: JSON.parse(readFileSync(join(folder, name), "utf8")) as SourceMap,
    })),
  );
  expect(count).toBeGreaterThan(atLeast);
  expect(edited).toEqual([]);
});

// The browser's build is shipped without maps, so it is built here once more, with them and unminified.
test("the pages in the browser have each module of node_modules as it is on disk", async () => {
  const built = (await build({
    root: ROOT,
    configFile: join(ROOT, "remix.config.ts"),
    mode: "production",
    logLevel: "error",
    build: { write: false, minify: false, sourcemap: true },
  })) as Rollup.RollupOutput;
  const chunks = built.output.filter((file) => file.type === "chunk");
  const { count, edited } = librariesIn(
    chunks.flatMap(({ fileName, map }) =>
      map ? [{ folder: join(ROOT, "build/client", dirname(fileName)), map: map as SourceMap }] : [],
    ),
  );
  expect(count).toBeGreaterThan(150);
  expect(edited).toEqual([]);
});
