// What is dear to make and asked for again: formats of dates by their locale and zone.

/** What `make` makes for a key, made once. People's browsers choose the keys, so all are forgotten when there are too many. */
export function keptBy<T>(make: (key: string) => T, most = 500): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    const found = kept.get(key);
    if (found !== undefined) return found;
    if (kept.size >= most) kept.clear();
    const made = make(key);
    kept.set(key, made);
    return made;
  };
}
