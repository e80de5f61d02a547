// The document title, and the preview of shared links and search results.

import type { MetaDescriptor } from "@remix-run/react";
import { shorten } from "~/domain/beginnings";

type MetaText = {
  title: string;
  /** One or two sentences; only 200 characters are used. */
  description: string;
  /** The title without the product's name after it. */
  isWhole?: boolean;
  more?: readonly MetaDescriptor[];
};

const MAX_DESCRIPTION_CHARS = 200;

type Matches = readonly { id: string; data?: unknown }[];

const textOfRoot = (matches: Matches, name: "appName" | "origin"): string => {
  const data = matches.find(({ id }) => id === "root")?.data as Record<string, unknown> | null | undefined;
  return String(data?.[name] ?? "");
};
/** The product's name from the root loader; empty if the loader failed. */
export const appNameIn = (matches: Matches): string => textOfRoot(matches, "appName");
/** The site's address, from the root loader. */
export const originIn = (matches: Matches): string => textOfRoot(matches, "origin");

export function pageMeta(
  { matches }: { matches: Matches },
  { title, description, isWhole = false, more = [] }: MetaText,
): MetaDescriptor[] {
  const appName = appNameIn(matches);
  const content = shorten(description, MAX_DESCRIPTION_CHARS);
  return [
    { title: isWhole || !appName ? title : `${title} · ${appName}` },
    { name: "description", content },
    { property: "og:type", content: "website" },
    { property: "og:title", content: title },
    { property: "og:description", content },
    ...more,
  ];
}
