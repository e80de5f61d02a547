// What leaves with a page's data: browsers know people by their usernames, so the database's ids of them stay here.
const LEFT_OUT: ReadonlySet<string> = new Set(["userId", "ownerId"]);

/** A copy of `value` without the ids of people, at any depth. */
export function pageData<T>(value: T): T {
  if (Array.isArray(value)) return value.map(pageData) as T;
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (LEFT_OUT.has(name) ? [] : [[name, pageData(inner)]])),
  ) as T;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
