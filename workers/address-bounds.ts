// Checks the bounds of an address before any router reads it.

const MANIFEST = "/__manifest";
/** Bytes and segments of a path. Every address of ours is shorter. */
const MAX_PATH_BYTES = 1024;
const MAX_SEGMENTS = 12;
/** Keys of a query. Remix removes some keys one by one, and writes the whole address again for each. */
const MAX_KEYS = 250;
/** Paths that Remix may match in a request for its manifest. Its router needs a third of a millisecond for each. */
const MAX_MATCHES = 150;

/** False for a path that is too long, or on which the router of the pages would throw. */
export function isMatchable(pathname: string): boolean {
  if (pathname.length > MAX_PATH_BYTES || pathname.split("/").length - 1 > MAX_SEGMENTS) return false;
  try {
    return !decodeURIComponent(pathname).includes("\\");
  } catch {
    return false;
  }
}

/** False for a query with too many keys, and for a request for Remix's manifest that names a path out of bounds. */
export function isAnswerable({ pathname, searchParams }: URL): boolean {
  if (pathname !== MANIFEST) return searchParams.size <= MAX_KEYS;
  return searchParams.getAll("p").every(isMatchable);
}

/** True for a request for the manifest of a page with more links than Remix may match within P3. */
export function asksForManyRoutes({ pathname, searchParams }: URL): boolean {
  if (pathname !== MANIFEST) return false;
  // Remix matches each path and all its prefixes.
  const matchedPaths = new Set<string>();
  for (const path of searchParams.getAll("p")) {
    const segments = path.replace(/^\//, "").split("/");
    for (const index of segments.keys()) matchedPaths.add(segments.slice(0, index + 1).join("/"));
    if (matchedPaths.size > MAX_MATCHES) return true;
  }
  return false;
}

/**
 * The request with a normalised path, in which only characters that need an escape have one. Every later decision, such as
 * whether a key counts, then reads the path that the routers match.
 */
export function withNormalPath(request: Request): Request {
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
