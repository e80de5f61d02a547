// Entering a private hut: by its invitation, or by a request that its owner or a moderator answers.
import { runBatch } from "#db/connect.server";
import * as hutEntry from "#db/queries/huts/entry";
import * as huts from "#db/queries/huts/huts";
import { AppError, invalid } from "~/domain/errors";
import { INVITATION_OVER, REQUEST_DAYS } from "~/domain/huts/huts";
import { allow, canModerateHut, requireUser } from "~/domain/permissions";
import { requireConfirmed } from "~/domain/safety/safety";
import { DAY, type Instant, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { countAttempts, countChange } from "~/use-cases/rate-limits.server";
import { recordOverseen } from "~/use-cases/super-admin-acts.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { overseenIn, requireHut, showHut } from "./huts.server";

const OPEN_REQUESTS = 20;

/** A request made before this has expired. */
export const expiredBefore = (now: Instant): Instant => instant(now - REQUEST_DAYS * DAY);

async function requireKeeper(app: App, slug: string) {
  const user = requireUser(app.user);
  await countChange(app, user, "membership");
  const hut = await requireHut(app, slug);
  allow(canModerateHut(user, hut), "Only its owner and moderators may do that.");
  return { user, hut };
}

/** Creates a new link, which is shown once; the former one becomes invalid. */
export async function renewInvitation(app: App, input: { hut: string }): Promise<{ url: string }> {
  const { user, hut } = await requireKeeper(app, input.hut);
  requireConfirmed(user);
  const code = newToken();
  const [renewed] = await runBatch(app.db, [
    hutEntry.renewInvitation(app.db, hut.id, await hashToken(code)),
    ...recordOverseen(app, overseenIn(app, hut, "hut-changed")),
  ]);
  if ((renewed as unknown[]).length === 0)
    throw new AppError("CONFLICT", "Everybody may join this hut. Only a private hut has a link.");
  return { url: `${app.settings.origin}/groups/invite#${code}` };
}

/** Makes the user a member; may be repeated. INVALID at `code` unless it is the hut's present one. */
export async function acceptInvitation(app: App, input: { code: string }) {
  const user = requireUser(app.user, "Please sign in to use that feature.");
  requireConfirmed(user);
  await countAttempts(app, { what: "entry", by: user.id });
  const [hut] = await hutEntry.findInvitedHut(app.db, await hashToken(input.code));
  if (!hut) throw invalid("code", INVITATION_OVER);
  await app.db.batch([
    huts.insertMember(app.db, hut.id, user.id, app.now),
    hutEntry.deleteRequest(app.db, hut.id, user.id),
    huts.countMembers(app.db, hut.id),
  ]);
  return showHut(app, await requireHut(app, hut.slug));
}

/** The answer is the same whether or not the hut exists. */
export async function requestEntry(app: App, input: { slug: string }): Promise<void> {
  const user = requireUser(app.user, "Please sign in to use that feature.");
  requireConfirmed(user);
  await countAttempts(app, { what: "entry", by: user.id });
  await hutEntry.insertRequest(app.db, { slug: input.slug, userId: user.id, now: app.now }, OPEN_REQUESTS);
}

/** By the owner or a moderator. NOT_FOUND when it has expired or was answered. */
export async function answerRequest(
  app: App,
  input: { hut: string; username: string; isAccepted: boolean },
): Promise<{ username: string; isAccepted: boolean }> {
  const { hut } = await requireKeeper(app, input.hut);
  const [request] = await hutEntry.findRequest(app.db, hut.id, input.username, expiredBefore(app.now));
  if (!request) throw new AppError("NOT_FOUND", "There is no open request of this person.");
  const { userId } = request;
  await runBatch(app.db, [
    ...(input.isAccepted ? [hutEntry.insertAccepted(app.db, hut.id, userId, app.now)] : []),
    hutEntry.deleteRequest(app.db, hut.id, userId),
    ...recordOverseen(app, overseenIn(app, hut, "entry-answered", { userId })),
    huts.countMembers(app.db, hut.id),
  ]);
  return { username: input.username, isAccepted: input.isAccepted };
}
