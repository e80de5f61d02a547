// Reads the built worker: its chunks, their modules, and what loads before the first request.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { gzipSync } from "node:zlib";

const ROOT = join(import.meta.dirname, "../..");
export const WORKER = join(ROOT, "build/server");

const filesOf = (ending: string): string[] =>
  readdirSync(WORKER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));

/** The path of every module in the worker, repeated if a module is in it twice; from the source maps. */
export const modules = (): string[] =>
  filesOf(".js.map").flatMap((name) => {
    const { sources } = JSON.parse(readFileSync(join(WORKER, name), "utf8")) as { sources: string[] };
    return sources.map((source) => relative(ROOT, normalize(join(WORKER, dirname(name), source))));
  });

/** A chunk and all its static imports. */
function closure(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  const text = readFileSync(join(WORKER, name), "utf8");
  for (const [, path = ""] of text.matchAll(/(?:\bfrom|\bimport)\s*"(\.{1,2}\/[^"]+\.js)"/g))
    closure(join(dirname(name), path), known);
  return known;
}

/** The chunks that load before the first request. */
export const startingChunks = (): string[] => [...closure("index.js")];

/** The compressed bytes of those chunks. */
export const startingBytes = (): number =>
  startingChunks().reduce((sum, name) => sum + gzipSync(readFileSync(join(WORKER, name))).length, 0);

/** The chunk that contains a module. */
export const chunkOf = (path: string): string | undefined =>
  filesOf(".js.map")
    .find((name) => {
      const { sources } = JSON.parse(readFileSync(join(WORKER, name), "utf8")) as { sources: string[] };
      return sources.some((source) => normalize(join(WORKER, dirname(name), source)) === join(ROOT, path));
    })
    ?.replace(/\.map$/, "");
