// The pages that the edge may keep for visitors, with the query keys that each reads. Any other page is rendered for
// every request, and any other key never reaches these.
import { isEmbed } from "./security-headers";

/** The keys of `ListQuery` without `q`. */
const LIST = ["page", "joined", "templates", "category", "difficulty", "after"];
const PAGING = ["page", "after"];
/** The key that decides whether a page of text has scripts. */
const TEXT = ["expand"];

/** The keys of the frame around each page: the header's search field, and the sign-in dialog. */
export const FRAME = ["q", "auth", "next"];

const STAGE = ["look", "show"];

/** Pages that read no login and set no cookie, because they are the same for everybody (J-08, J-11). */
export const isForEverybody = (path: string): boolean =>
  isEmbed(path) || /^\/(sessions|series)\/[^/]+\/stage$/.test(path);

/** The query keys by the path in app/routes.ts, catch-alls last. */
export const VISITOR_PAGES: Readonly<Record<string, readonly string[]>> = {
  "/": LIST,
  "/events": LIST,
  "/activities": LIST,
  "/challenges/templates": LIST,
  "/activities/:slug": LIST,
  "/groups": LIST,
  "/huts": LIST,
  "/group/:hut": LIST,
  "/group/:hut/sessions": LIST,
  "/group/:hut/activities": LIST,
  "/group/:hut/forum": PAGING,
  "/sessions/:session": [],
  "/sessions/:session/goals": [],
  "/sessions/:session/member-goals": PAGING,
  "/sessions/:session/logs": PAGING,
  "/sessions/:session/hut": PAGING,
  "/sessions/:session/chat": ["before"],
  "/sessions/view/stage": STAGE,
  "/sessions/:session/stage": STAGE,
  "/series/:series/stage": STAGE,
  "/embed/sessions/:session": STAGE,
  "/embed/series/:series": STAGE,
  "/series/:series": PAGING,
  "/books": ["page"],
  "/books/:book": ["page"],
  "/books/:book/snippets/:snippet": [],
  "/terms-of-service": TEXT,
  "/privacy-policy": TEXT,
  "/pricing": TEXT,
  "/subscribe": ["product"],
  "/tokens": [],
  "/:person": ["page"],
  "/:parentItem/:childItem": ["page"],
};
