// Tells whether a list's URL leaves rows out.

/** A form also sends its empty fields, which filter nothing. */
export const isFiltered = (query: URLSearchParams, ...names: readonly string[]): boolean =>
  names.some((name) => query.get(name));
