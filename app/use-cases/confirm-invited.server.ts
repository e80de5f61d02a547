// Confirms an address and leads back to the invitation that waited for it.
import { findAcceptedInvitation } from "#db/queries/huts/entry";
import { type ConfirmationPage, confirmAddress, viewConfirmation } from "./accounts/confirmations.server";
import type { App } from "./app.server";
import { expiredBefore } from "./huts/entry.server";
import { readInvitationLink } from "./invitation-links.server";

/** The way on after a confirmed address: the invitation that waited for it, or null. */
export type AfterConfirmation = { invitation: { title: string; url: string } | null };

/** Confirms an address, as `confirmAddress` does, and answers the invitation that was accepted before. */
export async function confirmInvited(app: App, input: { token: string }): Promise<AfterConfirmation> {
  const { userId } = await confirmAddress(app, input);
  return { invitation: await invitationOf(app, userId) };
}

/**
 * The page of a link. A reader who has confirmed already, on another device perhaps, is led to the invitation from a used
 * link as well.
 */
export async function viewConfirmationInvited(
  app: App,
  input: { token: string },
): Promise<ConfirmationPage & AfterConfirmation> {
  const page = await viewConfirmation(app, input);
  const isUsed = input.token !== "" && page.email === null;
  return {
    ...page,
    invitation: isUsed && page.isConfirmed && app.user ? await invitationOf(app, app.user.id) : null,
  };
}

async function invitationOf(app: App, userId: number): Promise<AfterConfirmation["invitation"]> {
  const [accepted] = await findAcceptedInvitation(app.db, userId, expiredBefore(app.now));
  const url = await readInvitationLink(app, accepted);
  return accepted && url ? { title: accepted.title, url } : null;
}
