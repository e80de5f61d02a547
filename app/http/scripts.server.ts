// Decides which pages have no scripts of the site: a visitor's pages of text and errors, stages, and the page that logs
// by one press.
import type { EntryContext } from "@remix-run/cloudflare";

/** Query keys of dialogs. An open dialog keeps the focus inside, which needs scripts. */
const DIALOGS = ["auth", "expand"];

/** A page without scripts has a mark in its `handle`; `isText` counts only for visitors. */
const hasMark = (handle: unknown, mark: "isText" | "isStage" | "isPlain"): boolean =>
  typeof handle === "object" && handle !== null && mark in handle;

export function isScriptless(remix: EntryContext, url: URL): boolean {
  const { loaderData, errors, matches } = remix.staticHandlerContext;
  const page = remix.routeModules[matches.at(-1)?.route.id ?? ""];
  if (hasMark(page?.handle, "isStage") || hasMark(page?.handle, "isPlain")) return true;
  const root = loaderData.root as { viewer?: unknown } | undefined;
  if (root?.viewer || DIALOGS.some((name) => url.searchParams.has(name))) return false;
  return Boolean(errors) || hasMark(page?.handle, "isText");
}
