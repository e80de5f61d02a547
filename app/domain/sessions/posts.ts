// The rules of posts in a forum: editing and removing. Pure.
import { type Actor, canModerateHut, canRunSession, type HutStanding, type Seat } from "~/domain/permissions";
import { type Instant, MINUTE } from "~/domain/time";

const POST_EDIT_MINUTES = 15;
export const POST_EDIT_OVER = `A post can be edited for ${POST_EDIT_MINUTES} minutes.`;
export const POST_REMOVED = "This post was removed.";

/** only the author edits a post, for 15 minutes. */
export const isPostEditable = (post: { createdAt: Instant }, now: Instant): boolean =>
  now < post.createdAt + POST_EDIT_MINUTES * MINUTE;

/** The forum of a post, with the reader's role in it: a session or a hut. */
export type ForumStanding = { seat: Seat | null } | { hut: HutStanding };

/** moderators of a forum remove the posts of others. */
export const mayModerate = (actor: Actor | null, place: ForumStanding): boolean =>
  "seat" in place ? canRunSession(actor, place.seat) : canModerateHut(actor, place.hut);
