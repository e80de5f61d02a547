// The data of each page as JSON, at the page's address behind /api. It runs the page's own loader.
import type { AppLoadContext, ServerBuild } from "@remix-run/cloudflare";
import { TrieRouter } from "hono/router/trie-router";
import { AppError } from "~/domain/errors";

type Routes = ServerBuild["routes"];
type Loader = NonNullable<Routes[string]["module"]["loader"]>;

const pathOf = (routes: Routes, { path, parentId }: Routes[string]): string => {
  const above = routes[parentId ?? ""];
  return [above && pathOf(routes, above), path].filter(Boolean).join("/");
};

/** Fixed segments come before parameters, because the first match answers. */
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
    const [[loader, raw] = []] = pages.match("GET", url.pathname)[0];
    if (!loader) throw new AppError("NOT_FOUND");
    const params = Object.fromEntries(
      Object.entries(raw ?? {}).map(([name, value]) => [name, decodeURIComponent(String(value))]),
    );
    const pageRequest = new Request(url, { headers: request.headers });
    const run = async () => loader({ request: pageRequest, params, context });
    const answer = await run().catch(refusalOf);
    if (answer instanceof Response) return redirectTo(answer);
    // A page without data has none here either.
    if (answer === null || answer === undefined) throw new AppError("NOT_FOUND");
    return Response.json(answer, { headers: { "Cache-Control": "private, no-store" } });
  };
}

/** A loader also throws redirects, and refuses an unknown address by a status. */
function refusalOf(thrown: unknown): unknown {
  if (thrown instanceof Response && thrown.headers.has("Location")) return thrown;
  const isUnknown =
    thrown instanceof Response || (thrown as { type?: unknown } | null)?.type === "DataWithResponseInit";
  throw isUnknown ? new AppError("NOT_FOUND") : thrown;
}

/** A page that has moved has moved behind /api too. */
function redirectTo(page: Response): Response {
  const location = page.headers.get("Location") ?? "";
  if (!location.startsWith("/")) throw new AppError("NOT_FOUND");
  return new Response(null, { status: page.status, headers: { Location: `/api${location}` } });
}
