// The bounds of an address, checked before any router reads it.

const MANIFEST = "/__manifest";
/** Bytes and segments of the longest path. Both leave room above every address of ours. */
const LONGEST_PATH = 1024;
const MOST_SEGMENTS = 12;
/** Keys of the longest query. Remix writes some of them again one by one, and each writes the whole address. */
const MOST_KEYS = 250;
/** Paths that Remix may match in a request for its manifest; the router needs a third of a millisecond for each. */
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

/** False for a query with too many keys, and for a request for Remix's manifest with a path that no address has. */
export function isAnswerable({ pathname, searchParams }: URL): boolean {
  if (pathname !== MANIFEST) return searchParams.size <= MOST_KEYS;
  return searchParams.getAll("p").every(isMatchable);
}

/** True for a request for the manifest of a page with more links than Remix may match within P3. */
export function asksForManyRoutes({ pathname, searchParams }: URL): boolean {
  if (pathname !== MANIFEST) return false;
  // Remix matches each path and all its beginnings.
  const matched = new Set<string>();
  for (const path of searchParams.getAll("p")) {
    const segments = path.replace(/^\//, "").split("/");
    for (const at of segments.keys()) matched.add(segments.slice(0, at + 1).join("/"));
    if (matched.size > MOST_MATCHES) return true;
  }
  return false;
}

/**
 * The request under its only path, in which no letter that needs no escape has one. Every later decision, such as
 * whether a key counts, then reads the path that the routers match.
 */
export function underOnePath(request: Request): Request {
  if (!request.url.includes("%")) return request;
  const url = new URL(request.url);
  const path = url.pathname.replace(/%[\da-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : code.toUpperCase();
  });
  if (path === url.pathname) return request;
  url.pathname = path;
  return new Request(url, request);
}
