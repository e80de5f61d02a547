// The people of a hut: members, moderators, and handing it over.
import { runBatch } from "#db/connect.server";
import { endingsOf } from "#db/queries/endings";
import * as hutEntry from "#db/queries/huts/entry";
import * as huts from "#db/queries/huts/huts";
import { recordAct } from "#db/queries/safety/audit";
import { listBans } from "#db/queries/safety/sanctions";
import { AppError, invalid } from "~/domain/errors";
import { type HutMember, type MemberChange, TOO_MANY_MODERATORS } from "~/domain/huts/huts";
import * as hutRefusals from "~/domain/huts/refusals";
import { shownRows } from "~/domain/list-pages";
import { allow, canManageOwned, canModerateHut, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { HUT_ROLE } from "~/domain/roles";
import type { App } from "~/use-cases/app.server";
import { readInvitationLink } from "~/use-cases/invitation-links.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { qrOf } from "~/use-cases/qr.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { expiredBefore } from "./entry.server";
import { requireFoundHut, requireHut, showHut } from "./huts.server";
import { banFromHut, listRoomsOfMuted, muteInHut } from "./sanctions.server";

/** Requests that the page shows. Others appear once these are answered. */
const MAX_SHOWN_REQUESTS = 50;
/** Banned people that the page lists. */
const MAX_LISTED_BANS = 100;

const showMember = (row: huts.MemberRow, ownerId: number): HutMember => ({
  username: row.username,
  role: row.role,
  isOwner: row.userId === ownerId,
  joinedAt: row.joinedAt,
});

/**
 * Changes a role or hands the hut over, for the owner and super admins; mutes or bans, for moderators as well.
 * INVALID for two of these at once.
 */
export async function changeMember(app: App, change: MemberChange): Promise<HutMember> {
  const user = requireUser(app.user);
  const { hut: slug, username, mute, isBanned, reason } = change;
  const changes = [change.role ?? change.isOwner, mute, isBanned].filter((one) => one !== undefined);
  if (changes.length > 1) throw invalid(mute === undefined ? "ban" : "mute", hutRefusals.oneChange);
  if (isBanned !== undefined) await banFromHut(app, { hut: slug, username, isBanned, reason });
  else if (mute !== undefined) await muteInHut(app, { hut: slug, username, mute, reason });
  if ((isBanned ?? mute) !== undefined) return readMember(app, change);
  await countUse(app, "change-membership", user.id);
  const hut = await requireHut(app, change.hut);
  allow(canManageOwned(user, hut), refusals.ownerOnly);
  const [member] = await huts.findMember(app.db, hut.id, change.username);
  if (!member) throw new AppError("NOT_FOUND", hutRefusals.notMember);
  const isOwner = member.userId === hut.ownerId;
  if (change.isOwner === false && isOwner) throw new AppError("CONFLICT", hutRefusals.needsOwner);
  if (change.isOwner && !isOwner) {
    const handover = { hutId: hut.id, from: hut.ownerId, to: member.userId, now: app.now };
    const [formerOwner] = await huts.findOwnerName(app.db, hut.id);
    const results = (await runBatch(app.db, [
      huts.handOverHut(app.db, handover),
      recordAct(app.db, {
        at: app.now,
        actorId: user.id,
        action: "owner-changed",
        target: { kind: "hut", id: hut.id },
        userId: member.userId,
        previous: formerOwner?.username,
      }),
      ...endingsOf(app.db, "huts", "handed-over", handover),
      listRoomsOfMuted(app, { hutId: hut.id, userId: member.userId }),
    ])) as unknown[][];
    if (results[0]?.length === 0) throw new AppError("CONFLICT", hutRefusals.cannotOwn);
    for (const { sessionId } of results.at(-1) as { sessionId: number }[]) notifyRoom(app, sessionId);
    return showMember({ ...member, role: HUT_ROLE.member }, member.userId);
  }
  const { role = member.role } = change;
  if (role === member.role) return showMember(member, hut.ownerId);
  if (isOwner) throw new AppError("CONFLICT", hutRefusals.ownerIsModerator);
  const [[changed]] = await app.db.batch([
    huts.setMemberRole(app.db, hut.id, member.userId, role),
    recordAct(app.db, {
      at: app.now,
      actorId: user.id,
      action: "role-changed",
      target: { kind: "hut", id: hut.id },
      userId: member.userId,
      previous: member.role === HUT_ROLE.moderator ? "moderator" : "member",
    }),
  ]);
  if (!changed)
    throw new AppError("CONFLICT", role === HUT_ROLE.moderator ? TOO_MANY_MODERATORS : hutRefusals.notMember);
  return showMember({ ...member, ...changed }, hut.ownerId);
}

/** The person as the call answers them. A banned person is no member, and has no date of joining. */
async function readMember(app: App, { hut: slug, username }: MemberChange): Promise<HutMember> {
  const hut = await requireHut(app, slug);
  const [member] = await huts.findMember(app.db, hut.id, username);
  return member
    ? showMember(member, hut.ownerId)
    : { username, role: HUT_ROLE.member, isOwner: false, joinedAt: null };
}

/** /group/{slug}/members, for owner, moderators and super admins. */
export async function viewHutMembers(app: App, input: { hut: string; page: number }) {
  const user = requireUser(app.user);
  const paging = { page: input.page, perPage: app.settings.perPage };
  const id = huts.hutIdOf(input.hut);
  const [[row], [owner], moderators, members, requests, bans, [invitation]] = await app.db.batch([
    huts.findHut(app.db, input.hut, viewerOf(app), app.now),
    huts.findOwnerName(app.db, id),
    huts.listModerators(app.db, id),
    huts.listPlainMembers(app.db, id, paging),
    hutEntry.listRequests(app.db, id, expiredBefore(app.now), MAX_SHOWN_REQUESTS),
    listBans(app.db, "hut", id, app.now, MAX_LISTED_BANS),
    hutEntry.findInvitation(app.db, id),
  ]);
  const hut = requireFoundHut(app, row);
  allow(canModerateHut(user, hut), hutRefusals.ownerAndModeratorsSee);
  const link = hut.isPrivate ? await readInvitationLink(app, invitation) : null;
  const showMemberOfHut = (member: huts.MemberRow) => showMember(member, hut.ownerId);
  return {
    ...paging,
    hut: showHut(app, hut),
    owner: owner?.username ?? "",
    requests: requests.map(({ username, createdAt }) => ({ username, createdAt })),
    moderators: moderators.map(showMemberOfHut),
    members: shownRows(members, paging).map(showMemberOfHut),
    bans,
    invitation: {
      link: link === null ? null : { url: link, qr: await qrOf(link) },
      /** A link exists, though its sealed code may be missing or unreadable. */
      exists: Boolean(invitation?.hash),
      by: invitation?.by ?? null,
    },
    hasNext: members.length > paging.perPage,
  };
}
