// Whether node_modules is the tree that the lock file describes. Plain Node 20, like tools.mjs.

/**
 * Compares `packages` of package-lock.json with `packages` of node_modules/.package-lock.json, where npm notes what it
 * has installed. Packages for other systems are in the first alone.
 */
export function isTreeOf(wanted, installed) {
  const isThere = ([path, { version, optional, devOptional, link }]) =>
    path === "" ||
    (path in installed ? link || installed[path].version === version : Boolean(optional || devOptional));
  return Object.entries(wanted).every(isThere) && Object.keys(installed).every((path) => path in wanted);
}
