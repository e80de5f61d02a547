// Filters a page's data: browsers know users by username, so database ids of users stay on the server.
const LEFT_OUT: ReadonlySet<string> = new Set(["userId", "ownerId"]);

/** A copy of `value` without user ids, at any depth. */
export function pageData<T>(value: T): T {
  if (Array.isArray(value)) return value.map(pageData) as T;
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (LEFT_OUT.has(name) ? [] : [[name, pageData(inner)]])),
  ) as T;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
