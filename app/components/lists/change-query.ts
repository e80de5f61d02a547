// Changes the query of a list's URL.

/** An empty value removes its parameter, and the list begins at its first page again. */
export function changeQuery(query: URLSearchParams, change: Record<string, string>): string {
  const next = new URLSearchParams(query);
  next.delete("page");
  next.delete("after");
  for (const [name, value] of Object.entries(change))
    value === "" ? next.delete(name) : next.set(name, value);
  return `?${next}`;
}
