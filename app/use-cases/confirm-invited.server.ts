// Confirms an address and leads back to the invitation that waited for it.
import { findAcceptedInvitation } from "#db/queries/huts/entry";
import { confirmAddress } from "./accounts/confirmations.server";
import type { App } from "./app.server";
import { expiredBefore } from "./huts/entry.server";
import { readInvitationLink } from "./invitation-links.server";

/** The way on after a confirmed address: the invitation that waited for it, or null. */
export type AfterConfirmation = { invitation: { title: string; url: string } | null };

/** Confirms an address, as `confirmAddress` does, and answers the invitation that was accepted before. */
export async function confirmInvited(app: App, input: { token: string }): Promise<AfterConfirmation> {
  const { userId } = await confirmAddress(app, input);
  const [accepted] = await findAcceptedInvitation(app.db, userId, expiredBefore(app.now));
  const url = await readInvitationLink(app, accepted);
  return { invitation: accepted && url ? { title: accepted.title, url } : null };
}
