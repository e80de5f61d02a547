// Creates the handler of the pages from Remix's build. It also answers requests for the routes behind a page's links.
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
    // After a refusal a browser would stop using client-side links, so a page with many links gets all routes.
    if (asksForManyRoutes(url) && url.searchParams.get("version") === version)
      return Response.json(routes, { headers: { "Cache-Control": "public, max-age=31536000, immutable" } });
    return pages(request, context);
  };
}
