// The session of a series that runs, or the next one, at one address for all weeks (H-10).
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { PlaceChoice } from "~/forms/series/series";
import { load } from "~/http/load.server";
import { viewNext } from "~/use-cases/series/page.server";

export async function loader(args: LoaderFunctionArgs) {
  const { path } = await load(args, viewNext, { input: PlaceChoice });
  return redirect(path, { status: 302, headers: { "Cache-Control": "no-store" } });
}

/** Never shown. With a component a missing series answers as a page. */
export default function Next() {
  return null;
}
