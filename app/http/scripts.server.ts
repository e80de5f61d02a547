// Decides which pages have no scripts of the site: a visitor's pages of text and errors, and stages.
import type { EntryContext } from "@remix-run/cloudflare";

/** Query keys of dialogs. An open dialog keeps the focus inside, which needs scripts. */
const DIALOGS = ["auth", "expand"];

/** Pages of text and stages set it as their `handle`. */
const has = (handle: unknown, mark: "isText" | "isStage"): boolean =>
  typeof handle === "object" && handle !== null && mark in handle;

export function isScriptless(remix: EntryContext, url: URL): boolean {
  const { loaderData, errors, matches } = remix.staticHandlerContext;
  const page = remix.routeModules[matches.at(-1)?.route.id ?? ""];
  if (has(page?.handle, "isStage")) return true;
  const root = loaderData.root as { viewer?: unknown } | undefined;
  if (root?.viewer || DIALOGS.some((name) => url.searchParams.has(name))) return false;
  return Boolean(errors) || has(page?.handle, "isText");
}
