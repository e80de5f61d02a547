// Decides which pages have no scripts: a visitor's pages of text and errors.
import type { EntryContext } from "@remix-run/cloudflare";

/** Query keys of dialogs. An open dialog keeps the focus inside, which needs scripts. */
const DIALOGS = ["auth", "expand"];

/** Pages of text set it as their `handle`. */
const isText = (handle: unknown): boolean =>
  typeof handle === "object" && handle !== null && "isText" in handle;

export function isScriptless(remix: EntryContext, url: URL): boolean {
  const { loaderData, errors, matches } = remix.staticHandlerContext;
  const root = loaderData.root as { viewer?: unknown } | undefined;
  if (root?.viewer || DIALOGS.some((name) => url.searchParams.has(name))) return false;
  const page = remix.routeModules[matches.at(-1)?.route.id ?? ""];
  return Boolean(errors) || isText(page?.handle);
}
