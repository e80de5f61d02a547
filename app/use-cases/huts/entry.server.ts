// Entering a private hut: by its invitation, or by a request that its owner or a moderator answers.
import { runBatch } from "#db/connect.server";
import * as hutEntry from "#db/queries/huts/entry";
import * as huts from "#db/queries/huts/huts";
import { requireConfirmed } from "~/domain/confirmation";
import { AppError, invalid } from "~/domain/errors";
import { INVITATION_OVER, type InvitationScene, REQUEST_DAYS } from "~/domain/huts/huts";
import * as hutRefusals from "~/domain/huts/refusals";
import { hashOfName } from "~/domain/name-hash";
import { subjectOf } from "~/domain/notices/events";
import { allow, canModerateHut, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { DAY, type Instant, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { newInvitation } from "~/use-cases/invitation-links.server";
import { networkOf } from "~/use-cases/network.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { countAttempts, countUse } from "~/use-cases/rate-limits.server";
import { recordOverseen } from "~/use-cases/super-admin-acts.server";
import { hashToken } from "~/use-cases/tokens.server";
import { overseenHutAct, requireHut, showHut } from "./huts.server";

const MAX_OPEN_REQUESTS = 20;

/** A request made before this has expired. */
export const expiredBefore = (now: Instant): Instant => instant(now - REQUEST_DAYS * DAY);

async function requireKeeper(app: App, slug: string) {
  const user = requireUser(app.user);
  await countUse(app, "change-membership", user.id);
  const hut = await requireHut(app, slug);
  allow(canModerateHut(user, hut), hutRefusals.ownerAndModeratorsOnly);
  return { user, hut };
}

/** Creates a new link; the former one becomes invalid. */
export async function renewInvitation(app: App, input: { hut: string }): Promise<{ url: string }> {
  const { user, hut } = await requireKeeper(app, input.hut);
  requireConfirmed(user);
  const { url, ...storedInvitation } = await newInvitation(app);
  const [renewed] = await runBatch(app.db, [
    hutEntry.renewInvitation(app.db, hut.id, { ...storedInvitation, invitedBy: user.id }),
    ...recordOverseen(app, overseenHutAct(app, hut, "hut-changed")),
  ]);
  if ((renewed as unknown[]).length === 0) throw new AppError("CONFLICT", hutRefusals.publicHasNoLink);
  return { url };
}

/** Maximum faces in the scene of an invitation. */
const MAX_FACES = 6;

/**
 * The scene behind a link, for everybody who has it. Opening it joins nothing. INVALID at `code` unless it is a
 * hut's current one.
 */
export async function viewInvitation(
  app: App,
  input: { code: string; session?: number | undefined },
): Promise<InvitationScene> {
  await countAttempts(app, { what: "invitation", by: networkOf(app) });
  const userId = app.user?.id ?? 0;
  const inviteHash = await hashToken(input.code);
  const [[hut], faces, [next], [session]] = await app.db.batch([
    hutEntry.viewInvitedHut(app.db, inviteHash, userId),
    hutEntry.listInvitedFaces(app.db, { inviteHash, userId, now: app.now, limit: MAX_FACES }),
    hutEntry.findNextInvited(app.db, inviteHash, app.now),
    hutEntry.findInvitedSession(app.db, inviteHash, input.session ?? 0),
  ]);
  if (!hut) throw invalid("code", INVITATION_OVER);
  const { slug, role, ...hutFields } = hut;
  return {
    ...hutFields,
    faces: faces.map(({ username }) => username),
    next: session ?? next ?? null,
    isOfSession: session !== undefined,
    path: role === null ? null : `/group/${slug}`,
    picture: hashOfName(slug),
  };
}

/**
 * Makes the user a member. Idempotent. INVALID at `code` unless it is the hut's present one. An unconfirmed account is
 * FORBIDDEN, and the confirmation of its address leads back to the invitation.
 */
export async function acceptInvitation(app: App, input: { code: string; session?: number | undefined }) {
  const user = requireUser(app.user, refusals.signIn);
  await countAttempts(app, { what: "entry", by: user.id });
  const inviteHash = await hashToken(input.code);
  if (!user.isConfirmed)
    await hutEntry.saveAcceptedInvitation(app.db, {
      userId: user.id,
      inviteHash,
      session: input.session ?? null,
      now: app.now,
    });
  requireConfirmed(user);
  const [hut] = await hutEntry.findInvitedHut(app.db, inviteHash);
  if (!hut) throw invalid("code", INVITATION_OVER);
  const cause = newEvent(app, {
    kind: "invitation-used",
    subject: subjectOf("hut", hut.id),
    body: { name: user.username, by: user.id, title: hut.title, path: `/group/${hut.slug}/members` },
  });
  await app.db.batch([
    hutEntry.recordInvitationUsed(app.db, cause, { hutId: hut.id, userId: user.id, now: app.now }),
    huts.insertMember(app.db, hut.id, user, app.now),
    hutEntry.deleteRequest(app.db, hut.id, user.id),
    hutEntry.deleteAcceptedInvitation(app.db, user.id),
    huts.updateMemberCount(app.db, hut.id),
  ]);
  wakeEvents(app, [cause]);
  return showHut(app, await requireHut(app, hut.slug));
}

/** The answer is the same whether or not the hut exists. */
export async function requestEntry(app: App, input: { slug: string }): Promise<void> {
  const user = requireUser(app.user, refusals.signIn);
  requireConfirmed(user);
  await countAttempts(app, { what: "entry", by: user.id });
  await hutEntry.insertRequest(
    app.db,
    { slug: input.slug, userId: user.id, personId: user.personId, now: app.now },
    MAX_OPEN_REQUESTS,
  );
}

/**
 * Accepts or declines a request, as the owner or a moderator. NOT_FOUND when it has expired or was answered, CONFLICT for
 * a person whom a ban or a suspension keeps out; that request stays.
 */
export async function answerRequest(
  app: App,
  input: { hut: string; username: string; isAccepted: boolean },
): Promise<{ username: string; isAccepted: boolean }> {
  const { hut } = await requireKeeper(app, input.hut);
  const [request] = await hutEntry.findRequest(app.db, hut.id, input.username, expiredBefore(app.now));
  if (!request) throw new AppError("NOT_FOUND", hutRefusals.noRequest);
  const { userId } = request;
  const results = await runBatch(app.db, [
    ...(input.isAccepted ? [hutEntry.insertMemberOfRequest(app.db, hut.id, userId, app.now)] : []),
    hutEntry.deleteRequest(
      app.db,
      hut.id,
      userId,
      input.isAccepted ? huts.isMember(hut.id, userId) : undefined,
    ),
    ...recordOverseen(app, overseenHutAct(app, hut, "entry-answered", { userId })),
    huts.updateMemberCount(app.db, hut.id),
    hutEntry.findRequest(app.db, hut.id, input.username, expiredBefore(app.now)),
    huts.findMembership(app.db, hut.id, userId),
  ]);
  const [remaining, members] = results.slice(-2) as [unknown[], unknown[]];
  if (input.isAccepted && members.length === 0)
    throw remaining.length > 0
      ? new AppError("CONFLICT", hutRefusals.cannotEnter)
      : new AppError("NOT_FOUND", hutRefusals.noRequest);
  return { username: input.username, isAccepted: input.isAccepted };
}
