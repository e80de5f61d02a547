// The document title, and the preview of shared links and search results.

import type { MetaDescriptor } from "@remix-run/react";
import { shortened } from "~/domain/beginnings";

type MetaText = {
  title: string;
  /** One or two sentences; only 200 characters are used. */
  description: string;
  /** The title without the product's name after it. */
  isWhole?: boolean;
  more?: readonly MetaDescriptor[];
};

const MOST = 200;

/** The product's name from the root loader; empty if that failed. */
export function appNameIn(matches: readonly { id: string; data?: unknown }[]): string {
  const data = matches.find(({ id }) => id === "root")?.data;
  return data && typeof data === "object" && "appName" in data ? String(data.appName) : "";
}

export function pageMeta(
  { matches }: { matches: readonly { id: string; data?: unknown }[] },
  { title, description, isWhole = false, more = [] }: MetaText,
): MetaDescriptor[] {
  const appName = appNameIn(matches);
  const content = shortened(description, MOST);
  return [
    { title: isWhole || !appName ? title : `${title} · ${appName}` },
    { name: "description", content },
    { property: "og:type", content: "website" },
    { property: "og:title", content: title },
    { property: "og:description", content },
    ...more,
  ];
}
