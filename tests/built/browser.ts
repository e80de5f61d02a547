// Reads the browser's build: the scripts of each page's first view, and what they weigh.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const CLIENT = join(import.meta.dirname, "../../build/client");
const textOf = (name: string): string => readFileSync(join(CLIENT, name), "utf8");

/** The scripts of the browser that contain a text. */
export const scriptsWith = (text: string): string[] =>
  readdirSync(join(CLIENT, "assets")).filter(
    (name) => name.endsWith(".js") && textOf(`assets/${name}`).includes(text),
  );

/** A script and all its static imports, such as `assets/base-1a2b.js`. */
export function closure(name: string, into = new Set<string>()): Set<string> {
  if (into.has(name)) return into;
  into.add(name);
  for (const [, one] of textOf(name).matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
    closure(`assets/${one}`, into);
  return into;
}

/** The compressed bytes of scripts. */
export const weightOfAll = (names: Iterable<string>, compress: (text: string) => Buffer = gzipSync): number =>
  [...names].reduce((sum, name) => sum + compress(textOf(name)).length, 0);

type Route = { id: string; parentId?: string; module: string; imports?: string[] };
type Manifest = { entry: Pick<Route, "module" | "imports">; routes: Record<string, Route> };

function manifest(): Manifest {
  const text = readdirSync(join(CLIENT, "assets"))
    .filter((name) => /^manifest-.*\.js$/.test(name))
    .map((name) => /^window\.__remixManifest=(.*);$/s.exec(textOf(`assets/${name}`))?.[1])
    .find((found) => found !== undefined);
  return JSON.parse(text ?? "null") as Manifest;
}

/** The scripts of each route's first view, by the route's id: its own, its layouts' and the entry's. */
export function firstViews(): Map<string, Set<string>> {
  const { entry, routes } = manifest();
  const views = Object.values(routes).map(({ id }) => {
    const scripts = new Set<string>();
    const read = ({ module, imports = [] }: Pick<Route, "module" | "imports">) => {
      for (const name of [module, ...imports]) closure(name.slice(1), scripts);
    };
    read(entry);
    for (let route = routes[id]; route; route = routes[route.parentId ?? ""]) read(route);
    return [id, scripts] as const;
  });
  return new Map(views);
}
