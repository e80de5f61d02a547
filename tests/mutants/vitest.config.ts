// The projects of tests/vitest.config.ts with every mutant compiled in; the runner chooses the tests.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from "vitest/config";
import type { TestSpecification } from "vitest/node";
import tests from "../vitest.config";
import { mutantsPlugin } from "./compile.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const setup = fileURLToPath(new URL("./setup.ts", import.meta.url));
const { project: name } = JSON.parse(readFileSync(String(process.env.MUTANT_PLAN), "utf8"));

/** Runs test files in the order of the plan. */
class AsPlanned {
  sort = async (specs: TestSpecification[]) => specs;
  shard = async (specs: TestSpecification[]) => specs;
}

export default defineConfig(async (env): Promise<ViteUserConfig> => {
  const config = await tests(env);
  const projects = (config.test?.projects ?? []) as TestProjectInlineConfiguration[];
  const project = projects.find(({ test }) => test?.name === name);
  if (!project) throw new Error(`No project is called ${name}.`);
  return {
    ...config,
    test: {
      ...config.test,
      // One worker runs all files in sequence and keeps the loaded modules.
      maxWorkers: 1,
      sequence: { sequencer: AsPlanned },
      projects: [
        {
          ...project,
          plugins: [mutantsPlugin(root), ...(project.plugins ?? [])],
          test: {
            ...project.test,
            isolate: false,
            maxWorkers: 1,
            setupFiles: [setup, ...[project.test?.setupFiles ?? []].flat()],
            sequence: { setupFiles: "list" },
            testTimeout: 60_000,
            hookTimeout: 60_000,
          },
        },
      ],
    },
  };
});
