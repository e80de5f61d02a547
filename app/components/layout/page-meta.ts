// What a page is called in the browser's tab, and what a shared link and a search result say of it.
import type { MetaDescriptor } from "@remix-run/react";

type Said = {
  title: string;
  /** One or two sentences, at most 200 characters are kept. */
  description: string;
  /** The title stands alone, without the product's name behind it. */
  isWhole?: boolean;
  more?: readonly MetaDescriptor[];
};

const MOST = 200;

/** The product's name, as the root loader told it; none where that failed. */
export function appNameIn(matches: readonly { id: string; data?: unknown }[]): string {
  const data = matches.find(({ id }) => id === "root")?.data;
  return data && typeof data === "object" && "appName" in data ? String(data.appName) : "";
}

export function pageMeta(
  { matches }: { matches: readonly { id: string; data?: unknown }[] },
  { title, description, isWhole = false, more = [] }: Said,
): MetaDescriptor[] {
  const appName = appNameIn(matches);
  const content = description.length > MOST ? `${description.slice(0, MOST - 1).trimEnd()}…` : description;
  return [
    { title: isWhole || !appName ? title : `${title} · ${appName}` },
    { name: "description", content },
    { property: "og:type", content: "website" },
    { property: "og:title", content: title },
    { property: "og:description", content },
    ...more,
  ];
}
