// Reads the built workers: their chunks, their modules, and what loads before the first request.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { gzipSync } from "node:zlib";

const ROOT = join(import.meta.dirname, "../..");
/** The folders of the worker of the pages, and of that of the Durable Objects. */
export const WORKER = join(ROOT, "build/server");
export const OBJECTS = join(ROOT, "build/objects");

export const filesOf = (ending: string, folder = WORKER): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));

/** The path of every module in the worker, repeated if a module is in it twice; from the source maps. */
export const modules = (folder = WORKER): string[] =>
  filesOf(".js.map", folder).flatMap((name) => {
    const { sources } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { sources: string[] };
    return sources.map((source) => relative(ROOT, normalize(join(folder, dirname(name), source))));
  });

/** A chunk and all its static imports. */
function closure(folder: string, name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  const text = readFileSync(join(folder, name), "utf8");
  for (const [, path = ""] of text.matchAll(/(?:\bfrom|\bimport)\s*"(\.{1,2}\/[^"]+\.js)"/g))
    closure(folder, join(dirname(name), path), known);
  return known;
}

/** The chunks that load before the first request. */
export const startingChunks = (folder = WORKER): string[] => [...closure(folder, "index.js")];

/** The compressed bytes of those chunks. */
export const startingBytes = (folder = WORKER): number =>
  startingChunks(folder).reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);

/** The chunk that contains a module. */
export const chunkOf = (path: string): string | undefined =>
  filesOf(".js.map")
    .find((name) => {
      const { sources } = JSON.parse(readFileSync(join(WORKER, name), "utf8")) as { sources: string[] };
      return sources.some((source) => normalize(join(WORKER, dirname(name), source)) === join(ROOT, path));
    })
    ?.replace(/\.map$/, "");
