// Answers the data of each page as JSON, at the page's address behind /api. It runs the page's own loader.
import type { AppLoadContext, ServerBuild } from "@remix-run/cloudflare";
import { TrieRouter } from "hono/router/trie-router";
import { AppError } from "~/domain/errors";

type Routes = ServerBuild["routes"];
type Loader = NonNullable<Routes[string]["module"]["loader"]>;

const pathOf = (routes: Routes, { path, parentId }: Routes[string]): string => {
  const parent = routes[parentId ?? ""];
  return [parent && pathOf(routes, parent), path].filter(Boolean).join("/");
};

/** The key by which fixed segments sort before parameters, because the first match answers. */
const sortKey = (path: string) => path.replaceAll(":", "\uffff");

export function createPageTwins(routes: Routes) {
  const pages = new TrieRouter<Loader>();
  Object.values(routes)
    .map((route) => ({ path: pathOf(routes, route), ...route.module }))
    .sort((a, b) => (sortKey(a.path) < sortKey(b.path) ? -1 : 1))
    .forEach(({ path, loader, default: view }) => {
      if (loader && view && !path.includes("*")) pages.add("GET", `/${path}`, loader);
    });

  return async (request: Request, context: AppLoadContext): Promise<Response> => {
    const url = new URL(request.url);
    url.pathname = url.pathname.replace(/^\/api\/?/, "/");
    const [[loader, rawParams] = []] = pages.match("GET", url.pathname)[0];
    if (!loader) throw new AppError("NOT_FOUND");
    const params = Object.fromEntries(
      Object.entries(rawParams ?? {}).map(([name, value]) => [name, decodeURIComponent(String(value))]),
    );
    const pageRequest = new Request(url, { headers: request.headers });
    const run = async () => loader({ request: pageRequest, params, context });
    const answer = await run().catch(redirectOrThrow);
    if (answer instanceof Response) return redirectTo(answer);
    // A page without data has no JSON either.
    if (answer === null || answer === undefined) throw new AppError("NOT_FOUND");
    return Response.json(answer, { headers: { "Cache-Control": "private, no-store" } });
  };
}

/** Returns a redirect that the loader has thrown. Any other response of a loader means an unknown address: NOT_FOUND. */
function redirectOrThrow(thrown: unknown): unknown {
  if (thrown instanceof Response && thrown.headers.has("Location")) return thrown;
  const isUnknownAddress =
    thrown instanceof Response || (thrown as { type?: unknown } | null)?.type === "DataWithResponseInit";
  throw isUnknownAddress ? new AppError("NOT_FOUND") : thrown;
}

/** The page's redirect, to the same address behind /api. */
function redirectTo(page: Response): Response {
  const location = page.headers.get("Location") ?? "";
  if (!location.startsWith("/")) throw new AppError("NOT_FOUND");
  return new Response(null, { status: page.status, headers: { Location: `/api${location}` } });
}
