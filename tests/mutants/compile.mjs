// Compiles every mutant of a file into it, switched by number, so that mutants change without a reload.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { allMutants, loopsOf } from "./find.mjs";

/**
 * `a < b` becomes `($is(7) ? (a <= b) : (a < b))`. A mutated copy contains the plain text of its inner expressions;
 * the last branch contains their switches.
 */
export function compile(text, mutants, loops) {
  const sites = new Map();
  for (const mutant of mutants) {
    const key = `${mutant.siteStart}-${mutant.siteEnd}`;
    const site = sites.get(key) ?? { start: mutant.siteStart, end: mutant.siteEnd, mutants: [] };
    site.mutants.push(mutant);
    sites.set(key, site);
  }
  const ordered = [...sites.values()].sort((a, b) => a.start - b.start || b.end - a.end);
  let next = 0;
  const plain = (from, to) => {
    let written = "";
    let at = from;
    const marks = loops
      .flatMap(({ at: start, end }) =>
        end === undefined
          ? [{ at: start, text: " $loop();" }]
          : [
              { at: start, text: "{ $loop(); " },
              { at: end, text: " }" },
            ],
      )
      .filter(({ at: mark }) => mark > from && mark <= to)
      .sort((a, b) => a.at - b.at);
    for (const mark of marks) {
      written += text.slice(at, mark.at) + mark.text;
      at = mark.at;
    }
    return written + text.slice(at, to);
  };
  const write = (from, to) => {
    let written = "";
    let at = from;
    while (next < ordered.length && ordered[next].start < to) {
      const site = ordered[next++];
      written += plain(at, site.start);
      const inside = write(site.start, site.end);
      const cases = site.mutants.map(({ id, written: change }) => `$is(${id}) ? (${change}) : `).join("");
      written += `(${cases}(${inside}))`;
      at = site.end;
    }
    return written + plain(at, to);
  };
  return write(0, text.length);
}

/**
 * The Vite plugin; it runs before TypeScript is compiled away.
 * @param {string} root
 * @returns {import("vite").Plugin}
 */
export function mutantsPlugin(root) {
  const byPath = new Map();
  for (const [id, mutant] of allMutants(root).entries())
    byPath.set(mutant.path, [...(byPath.get(mutant.path) ?? []), { ...mutant, id }]);
  const switchFile = join(root, "tests/mutants/switch.ts");
  return {
    name: "mutants",
    enforce: "pre",
    transform(_code, id) {
      const path = relative(root, id.split("?")[0]);
      const mutants = byPath.get(path);
      if (!mutants) return null;
      const text = readFileSync(join(root, path), "utf8");
      const orm = mutants.some(({ kind }) => kind === "drizzle")
        ? `import * as $orm from "drizzle-orm";`
        : "";
      const head = `import { is as $is, loop as $loop } from ${JSON.stringify(switchFile)};${orm}`;
      return { code: head + compile(text, mutants, loopsOf(path, text)), map: null };
    },
  };
}
