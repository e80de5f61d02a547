// The pages: Remix's handler, which also answers a browser that asks for the routes behind a page's links.
import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import { asksForManyRoutes } from "./address-bounds";
import type { Pages } from "./doors";
import { createPageTwins } from "./page-twin";

export function createPages(build: ServerBuild, mode: string | undefined): Pages {
  const pages = createRequestHandler(build, mode);
  const pageData = createPageTwins(build.routes);
  const { version, routes } = build.assets;
  return async (request, context) => {
    if (context.isJson) return pageData(request, context);
    const url = new URL(request.url);
    // A browser gives up on all its links after a refusal, so a page with many links gets every route, unmatched.
    if (asksForManyRoutes(url) && url.searchParams.get("version") === version)
      return Response.json(routes, { headers: { "Cache-Control": "public, max-age=31536000, immutable" } });
    return pages(request, context);
  };
}
