// The child process of a mutation run: runs test files of one project until one fails, and prints the first failure.
//   node tests/mutants/turn.mjs PROJECT FILE … --project PROJECT
import { join } from "node:path";
import { createVitest } from "vitest/node";

const root = process.cwd();
const [name, ...tests] = process.argv.slice(2, process.argv.indexOf("--project"));
const vitest = await createVitest("test", {
  config: join(root, "tests/vitest.config.ts"),
  root,
  project: name,
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{}],
});
const [project] = vitest.projects;
const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
  tests.map((test) => project.createSpecification(join(root, test))),
);
const failed = testModules.find((module) => !module.ok());
const test = failed && [...failed.children.allTests("failed")][0];
const [error] = [...(test?.result().errors ?? failed?.errors() ?? []), ...unhandledErrors];
const failure =
  failed || error
    ? {
        file: failed?.relativeModuleId ?? null,
        says: `${test?.fullName ?? "does not load"}: ${error?.message.split("\n")[0]}`,
      }
    : null;
process.stdout.write(`@turn ${JSON.stringify(failure)}\n`);
// A mutant may leave an open handle, which would keep the process alive.
process.exit(0);
