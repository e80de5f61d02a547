// The check of the path to which a sign-in or a form redirects. Pure.

/**
 * The local path of a redirect, else `/`. Refuses other origins in every notation (`//x`, `/\x`, `https:`), and the
 * sign-in pages, which would cause a redirect loop.
 */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith("/") || path.length > 2000) return "/";
  // Browsers drop tabs and newlines and read \ as /, so `/\t/x` and `/\x` are other hosts.
  if ([...path].some((letter) => letter <= " " || letter === "\\" || letter === "\u007f")) return "/";
  let url: URL;
  try {
    url = new URL(path, "https://here.invalid");
  } catch {
    return "/";
  }
  if (url.origin !== "https://here.invalid" || /^\/(auth|login|register)(\/|$)/.test(url.pathname))
    return "/";
  url.searchParams.delete("auth");
  const safe = `${url.pathname}${url.search}${url.hash}`;
  return safe.startsWith("//") ? "/" : safe;
}
