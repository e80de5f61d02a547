// Huts: the schemas of their input, their limits, and the data of their pages. Pure.
import { z } from "zod";
import { choiceIn } from "~/domain/number-fields";
import type { HutRole } from "~/domain/roles";
import { MUTE_ORDERS, REASON_LENGTH } from "~/domain/safety/sanctions";
import { manyLines, oneLine } from "~/domain/text-fields";
import type { Instant } from "~/domain/time";

const title = oneLine("Please give the hut a name.")
  .min(1, "Please give the hut a name.")
  .max(100, "Please keep the name under 100 characters.");
const content = manyLines().max(200_000, "Please keep the description under 200,000 characters.");

export const HutInput = z.object({
  title,
  content: content.default(""),
  isPrivate: z.boolean().optional(),
});
export type HutInput = z.output<typeof HutInput>;
export const HutChange = z.object({
  slug: oneLine(),
  title: title.optional(),
  content: content.optional(),
  isPrivate: z.boolean().optional(),
  /** Makes members of the people outside who hold something in a hut that becomes private. */
  admitsOutsiders: z.boolean().optional(),
  /** Makes the hut's owner the host of the sessions and series of people who stay outside. */
  takesOver: z.boolean().optional(),
});
export type HutChange = z.output<typeof HutChange>;

/** Maximum number of moderators of a hut. */
export const MAX_MODERATORS = 20;
export const TOO_MANY_MODERATORS = `A hut has at most ${MAX_MODERATORS} moderators.`;

const role = choiceIn([0, 1], "Please choose 0 (member) or 1 (moderator).");
export const MemberChange = z.object({
  hut: oneLine(),
  username: oneLine().min(1, "Please give a name.").max(60, "Please give a name."),
  role: role.optional(),
  isOwner: z.boolean().optional(),
  mute: z.literal([...MUTE_ORDERS], "Please choose 300, 1800, 1 (no end) or 0 (lift).").optional(),
  isBanned: z.boolean().optional(),
  reason: manyLines().trim().max(REASON_LENGTH).optional(),
});
export type MemberChange = z.output<typeof MemberChange>;

/** A member, as the owner and moderators of the hut see them. */
export type HutMember = {
  username: string;
  role: HutRole;
  isOwner: boolean;
  /** Null for a person who is not a member. */
  joinedAt: Instant | null;
};

/** An open request to enter a private hut expires after so many days. */
export const REQUEST_DAYS = 30;
export const INVITATION_OVER = "This invitation is not valid any more. Please ask for a new link.";
export const REQUEST_SENT =
  "If there is a private hut with this address, its owner and moderators see your request now.";
export const WRONG_SLUG = "Please type the hut's address as it stands here.";

/** An invitation as its page shows it, to members and outsiders. */
export type InvitationScene = {
  title: string;
  summary: string;
  userCount: number;
  faces: string[];
  /** The maker of the link; null where the account was deleted, or a block hides it. */
  by: string | null;
  /** The session that the link invites to, otherwise the hut's next one with a date. */
  next: { title: string; startedAt: Instant | null } | null;
  /** The link invites to that session, which only members see. */
  isOfSession: boolean;
  /** Set for a member, who is inside already. */
  path: string | null;
  /** The number that the hut's picture is drawn from. */
  picture: number;
};

/** People outside a hut who hold something in it, the guests among them, and the sessions and series that some of them host. */
export type Outside = { people: number; guests: number; sessions: number; series: number };
/** The member's series in a private hut, and their sessions that have not begun: leaving ends them. */
export type HostedInHut = { sessions: number; series: number; titles: string[] };
/** The things that the deletion of a private hut ends. */
export type HutEndings = { series: number; ahead: number; running: number };

type HutOption = { id: number; slug: string; title: string };
/** The huts that a form offers, with the one that the thing is in, so that saving the form keeps it (P-25, P-27). */
export const withPresentHut = (
  huts: readonly HutOption[],
  { hutId, hutSlug, hutTitle }: { hutId: number | null; hutSlug: string | null; hutTitle: string | null },
): HutOption[] =>
  hutId === null || huts.some(({ id }) => id === hutId)
    ? [...huts]
    : [{ id: hutId, slug: hutSlug ?? "", title: hutTitle ?? "A private hut" }, ...huts];
