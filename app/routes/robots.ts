// /robots.txt, which says what search engines may read.
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { load } from "~/http/load.server";
import { viewRobots } from "~/use-cases/sitemap.server";

export async function loader(args: LoaderFunctionArgs) {
  return new Response(await load(args, viewRobots), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=86400" },
  });
}
