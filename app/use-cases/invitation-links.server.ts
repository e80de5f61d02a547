// The link of a private hut's invitation: its code is stored as a hash, and sealed for its owner and moderators (R-82).
import type { App } from "./app.server";
import { hashToken, newToken } from "./tokens.server";

const linkOf = (app: App, code: string, session?: number): string =>
  `${app.settings.origin}/groups/invite${session === undefined ? "" : `?session=${session}`}#${code}`;
/** A sealed code opens only for its own link. */
const sealContextOf = (inviteHash: string): string => `invitation ${inviteHash}`;

/** A new link, and the columns that store it. */
export async function newInvitation(app: App) {
  const code = newToken();
  const inviteHash = await hashToken(code);
  const inviteSealed = (await app.vault?.seal(code, sealContextOf(inviteHash))) ?? null;
  return { url: linkOf(app, code), inviteHash, inviteSealed };
}

type StoredInvitation = { hash: string | null; sealed: string | null };
/** The stored link, into the hut or to a session in it; null for one that can only be renewed. */
export async function readInvitationLink(
  app: App,
  invitation: StoredInvitation | undefined,
  session?: number,
): Promise<string | null> {
  if (!invitation?.hash || !invitation.sealed) return null;
  const code = await app.vault?.open(invitation.sealed, sealContextOf(invitation.hash));
  return code ? linkOf(app, code, session) : null;
}
