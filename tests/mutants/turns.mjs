// The child process of a mutation run: vitest stays loaded and runs the plan, with a worker per run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest } from "vitest/node";

const root = process.cwd();
const { runs, count } = JSON.parse(readFileSync(process.env.MUTANT_PLAN, "utf8"));
const say = (line) => process.stdout.write(`${line}\n`);
const firstLines = ({ message }) => message.split("\n").slice(0, 3).join(" ");

const vitest = await createVitest("test", {
  config: join(root, "tests/mutants/vitest.config.ts"),
  root,
  watch: false,
  reporters: [
    {
      onUserConsoleLog({ content }) {
        for (const line of content.split("\n")) if (line.startsWith("@mutants ")) say(line);
      },
      onTestModuleEnd(file) {
        for (const error of file.errors()) say(`@error ${file.relativeModuleId}: ${firstLines(error)}`);
      },
      onTestRunEnd(_files, errors) {
        for (const error of errors) say(`@error ${firstLines(error)}`);
      },
    },
  ],
});
const [project] = vitest.projects;
let first = 0;
for (const turns of runs) {
  project.provide("mutantRun", { turns, first, count });
  await vitest.runTestSpecifications(turns.map(({ test }) => project.createSpecification(join(root, test))));
  first += turns.length;
}
say("@mutants end");
// A mutant may leave an open handle, which would keep the process alive.
process.exit(0);
