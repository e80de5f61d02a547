// Checks whether this system can run Bothy, and whether node_modules is as the lock file describes it.

const OLDEST_NODE = 20;

/** A sentence for a version of Node on which our commands fail; null for any other. */
export function nodeProblem({ node }) {
  return Number.parseInt(node, 10) >= OLDEST_NODE
    ? null
    : `Node ${OLDEST_NODE} or newer is needed, and this is ${node}. Install one from https://nodejs.org.`;
}

/** A sentence for Windows, where nothing is tested. `isFatal` is true where workerd has no build; null elsewhere. */
export function windowsProblem({ platform, arch }) {
  if (platform !== "win32") return null;
  return arch === "x64"
    ? { isFatal: false, sentence: "Native Windows is not tested. If something fails, use WSL." }
    : { isFatal: true, sentence: `Native Windows on ${arch} cannot run this. Use WSL.` };
}

/**
 * Compares `packages` of package-lock.json with `packages` of node_modules/.package-lock.json, where npm records the
 * installed packages. Packages for other systems are only in the first.
 */
export function isTreeOf(wanted, installed) {
  const isInstalled = ([path, { version, optional, devOptional, link }]) =>
    path === "" ||
    (path in installed ? link || installed[path].version === version : Boolean(optional || devOptional));
  return Object.entries(wanted).every(isInstalled) && Object.keys(installed).every((path) => path in wanted);
}
