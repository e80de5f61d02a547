// The builds and the test projects get every module of node_modules as it is on disk, so that tests run what is shipped.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { loadConfigFromFile, type Plugin, type UserConfig } from "vite";
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

test.each([
  ["pages", WORKER, 250],
  ["Durable Objects", OBJECTS, 20],
])("the worker of the %s has each module of node_modules as it is on disk", (_, folder, atLeast) => {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".js.map"),
  );
  const modules = names.flatMap((name) => {
    const map = JSON.parse(readFileSync(join(folder, name), "utf8")) as {
      sources: string[];
      sourcesContent: string[];
    };
    const pathOf = (source: string) => normalize(join(folder, dirname(name), source));
    return map.sources.map((source, at) => ({ path: pathOf(source), text: map.sourcesContent[at] }));
  });
  const libraries = modules.filter(({ path }) => path.includes("/node_modules/") && existsSync(path));
  expect(libraries.length).toBeGreaterThan(atLeast);
  const edited = libraries.filter(({ path, text }) => readFileSync(path, "utf8") !== text);
  expect(edited.map(({ path }) => path)).toEqual([]);
});
