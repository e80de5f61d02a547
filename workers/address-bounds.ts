// The bounds of an address, checked before any router reads it.

/** Bytes and segments of the longest path. Both leave room above every address of ours. */
const LONGEST_PATH = 1024;
const MOST_SEGMENTS = 12;
/** Keys of the longest query. Remix writes some of them again one by one, and each writes the whole address. */
const MOST_KEYS = 250;
/** Paths that one request for the manifest has matched; the router needs a fraction of a millisecond for each. */
const MOST_MATCHES = 150;

/** False for a path that no address of ours has: too long, or one on which the router of the pages throws. */
export function isMatchable(pathname: string): boolean {
  if (pathname.length > LONGEST_PATH || pathname.split("/").length - 1 > MOST_SEGMENTS) return false;
  try {
    return !decodeURIComponent(pathname).includes("\\");
  } catch {
    return false;
  }
}

/** False for a query with too many keys, or one that asks Remix's manifest for too many or too long paths. */
export function isAnswerable({ pathname, searchParams }: URL): boolean {
  if (searchParams.size > MOST_KEYS) return false;
  if (pathname !== "/__manifest") return true;
  // Remix matches each path and all its beginnings.
  const matched = new Set<string>();
  for (const path of searchParams.getAll("p")) {
    if (!isMatchable(path)) return false;
    const segments = path.replace(/^\//, "").split("/");
    for (const at of segments.keys()) matched.add(segments.slice(0, at + 1).join("/"));
    if (matched.size > MOST_MATCHES) return false;
  }
  return true;
}
