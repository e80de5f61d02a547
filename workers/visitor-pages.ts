// The pages that the edge may cache for visitors, with the query keys that each reads. Other keys are removed before the
// page is rendered.
import { isEmbed } from "./security-headers";

/** The keys of `ListQuery` without `q`. */
const LIST_KEYS = ["page", "joined", "templates", "category", "difficulty", "after"];
const PAGING_KEYS = ["page", "after"];
/** The key that opens a dialog. A page of text has scripts only with it, so it has a copy of its own. */
const TEXT_KEYS = ["expand"];

/** The keys that every page reads: those of the header's search field and of the sign-in dialog. */
export const FRAME_KEYS = ["q", "auth", "next"];

/** The keys of the stage and of the embedded card. */
const STAGE_KEYS = ["look", "show"];

/** True for pages that are the same for everybody, and so read no login and set no cookie (J-08, J-11). */
export const isForEverybody = (path: string): boolean =>
  isEmbed(path) || /^\/(sessions|series)\/[^/]+\/stage$/.test(path);

/** The query keys by the path in app/routes.ts, catch-alls last. */
export const VISITOR_PAGES: Readonly<Record<string, readonly string[]>> = {
  "/": LIST_KEYS,
  "/events": LIST_KEYS,
  "/activities": LIST_KEYS,
  "/challenges/templates": LIST_KEYS,
  "/activities/:slug": LIST_KEYS,
  "/groups": LIST_KEYS,
  "/huts": LIST_KEYS,
  "/group/:hut": LIST_KEYS,
  "/group/:hut/sessions": LIST_KEYS,
  "/group/:hut/activities": LIST_KEYS,
  "/group/:hut/forum": PAGING_KEYS,
  "/sessions/:session": [],
  "/sessions/:session/goals": [],
  "/sessions/:session/member-goals": PAGING_KEYS,
  "/sessions/:session/logs": PAGING_KEYS,
  "/sessions/:session/hut": PAGING_KEYS,
  "/sessions/:session/chat": ["before"],
  "/sessions/view/stage": STAGE_KEYS,
  "/sessions/:session/stage": STAGE_KEYS,
  "/series/:series/stage": STAGE_KEYS,
  "/embed/sessions/:session": STAGE_KEYS,
  "/embed/series/:series": STAGE_KEYS,
  "/series/:series": PAGING_KEYS,
  "/books": ["page"],
  "/books/:book": ["page"],
  "/books/:book/snippets/:snippet": [],
  "/terms-of-service": TEXT_KEYS,
  "/privacy-policy": TEXT_KEYS,
  "/pricing": TEXT_KEYS,
  "/subscribe": ["product"],
  "/tokens": [],
  "/:person": ["page"],
  "/:parentItem/:childItem": ["page"],
};
