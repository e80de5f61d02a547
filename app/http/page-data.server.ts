// Filters a page's data: browsers know users by username, so database ids of users stay on the server.
const LEFT_OUT: ReadonlySet<string> = new Set(["userId", "ownerId"]);

/** A copy of `value` without user ids, at any depth. */
export function pageData<T>(value: T): T {
  if (Array.isArray(value)) return value.map(pageData) as T;
  if (!isPlain(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) if (!LEFT_OUT.has(name)) copy[name] = pageData(value[name]);
  return copy as T;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
