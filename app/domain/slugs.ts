// Slugs from titles, and the words that URLs reserve. The import command runs it without a bundler, so it imports
// by file name.
import { replaceSpecialLetters } from "./folding.ts";

/** The first path segments of all pages and calls. */
const RESERVED_SEGMENTS = new Set(
  (
    "about account activities api auth books challenge-event challenge-events challenges embed events favorites forgot-password " +
    "get-password-reset get-user goals group groups h huts items local login logout me messages my offline " +
    "post-reset-password practice pricing privacy-policy register reset-password robots.txt sanctum series sessions " +
    "sitemap.xml styleguide subscribe terms-of-service tokens upload uploads webhooks assets fonts icons admin static docs openapi.json " +
    "favicon.svg favicon.ico site.webmanifest social watch build cdn-cgi __manifest health"
  ).split(" "),
);
export const isReservedSegment = (segment: string): boolean => RESERVED_SEGMENTS.has(segment.toLowerCase());

/** Names that suggest an official account, and words that follow /api. Existing accounts keep theirs. */
const RESERVED_USERNAMES = new Set(
  (
    "bothy support moderator root system host blocks challenge-logs docs embed home hut logs notes openapi openapi.json " +
    "paraphrases posts reports search series snippets subscriptions time users"
  ).split(" "),
);
export const isReservedUsername = (username: string): boolean =>
  RESERVED_USERNAMES.has(username.toLowerCase());

/** `/me/persons` is a call, where the page of a hut's items would be (C-16, P-44). */
export const isReservedHutSlug = (slug: string): boolean => slug === "persons";

/** The slug of a title: lower-case letters, digits and dashes, at most 60 characters, never empty. */
export function slugify(title: string): string {
  const plainTitle = title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  const words = replaceSpecialLetters(plainTitle)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return words.slice(0, 60).replace(/-+$/, "") || "untitled";
}
