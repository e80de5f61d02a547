// Redirects to the running or next session of a series, from one address for all dates (H-10).
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { PlaceChoice } from "~/forms/series/series";
import { load } from "~/http/load.server";
import { viewNext } from "~/use-cases/series/page.server";

export async function loader(args: LoaderFunctionArgs) {
  const { path } = await load(args, viewNext, { input: PlaceChoice });
  return redirect(path, { status: 302, headers: { "Cache-Control": "no-store" } });
}

/** Never rendered; only a route with a component answers a missing series with an error page. */
export default function Next() {
  return null;
}
