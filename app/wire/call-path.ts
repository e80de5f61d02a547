// The URL of a path with parameters.

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
/** An entry of paths.ts. Passed whole, so that a page holds only the paths of its own calls. */
export type CallPath = readonly [Method, string];

/** The path segment of a record that is passed whole (E-24); others are bound by id. */
const BINDINGS: Record<string, "slug" | "username" | "uuid"> = {
  challenge: "slug",
  hut: "slug",
  group: "slug",
  book: "slug",
  person: "username",
  part: "uuid",
};
type BoundRecord = { id?: string | number; slug?: string; username?: string; uuid?: string };
export type PathParams = Record<string, string | number | BoundRecord>;

/**
 * `/sessions/{event}` with `{ event: 10 }` or `{ event: { id: 10 } }` → `/sessions/10`. Throws when a parameter is
 * missing, or is an object without its binding key and id (V-30).
 */
export function callPath(path: string, params: PathParams = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = params[name];
    const key = BINDINGS[name] ?? "id";
    const value = typeof parameter === "object" ? (parameter[key] ?? parameter.id) : parameter;
    if (value !== undefined && value !== "") return encodeURIComponent(String(value));
    throw new Error(
      typeof parameter === "object"
        ? `The route ${path} needs the "${key}" of its parameter "${name}".`
        : `The route ${path} needs the parameter "${name}".`,
    );
  });
}
