// The confirmation of an address by a user who has accepted an invitation before it.
import { findAcceptedInvitation } from "#db/queries/huts/entry";
import { type ConfirmationPage, confirmAddress, viewConfirmation } from "./accounts/confirmations.server";
import type { App } from "./app.server";
import { expiredBefore } from "./huts/entry.server";
import { readInvitationLink } from "./invitation-links.server";

/** The invitation that the user accepted before confirming the address; null without one. */
export type AfterConfirmation = { invitation: { title: string; url: string } | null };

/** Confirms an address, as `confirmAddress` does, and returns the invitation that waited for it. */
export async function confirmInvited(app: App, input: { token: string }): Promise<AfterConfirmation> {
  const { userId } = await confirmAddress(app, input);
  return { invitation: await invitationOf(app, userId) };
}

/**
 * The page of a link. The invitation is on the page of a used link too, because the reader may have confirmed the address
 * on another device.
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
  const [invitation] = await findAcceptedInvitation(app.db, userId, expiredBefore(app.now));
  const url = await readInvitationLink(app, invitation, invitation?.session ?? undefined);
  return invitation && url ? { title: invitation.title, url } : null;
}
