// Memoises values that are expensive to create, such as date formats by locale and time zone.

/** Memoises `create` by key. Browsers choose the keys, so a full cache is cleared. */
export function memoiseByKey<T>(create: (key: string) => T, maxKeys = 500): (key: string) => T {
  const cache = new Map<string, T>();
  return (key) => {
    const cachedValue = cache.get(key);
    if (cachedValue !== undefined) return cachedValue;
    if (cache.size >= maxKeys) cache.clear();
    const created = create(key);
    cache.set(key, created);
    return created;
  };
}
