// Huts: create, update, join, leave, attach activities.
import { runBatch } from "#db/connect.server";
import * as activities from "#db/queries/activities/activities";
import { endingsOf } from "#db/queries/endings";
import { deleteRequest, deleteRequestsOfMembers } from "#db/queries/huts/entry";
import type { HutRow } from "#db/queries/huts/huts";
import * as huts from "#db/queries/huts/huts";
import * as outsiders from "#db/queries/huts/outsiders";
import { recordAct } from "#db/queries/safety/audit";
import * as sanctions from "#db/queries/safety/sanctions";
import { requireConfirmed } from "~/domain/confirmation";
import { AppError, invalid } from "~/domain/errors";
import { type HutChange, type HutInput, WRONG_SLUG } from "~/domain/huts/huts";
import * as hutRefusals from "~/domain/huts/refusals";
import { subjectOf } from "~/domain/notices/events";
import { allow, asOrdinary, canManageOwned, canModerateHut, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { closedAmong } from "~/domain/safety/sanctions";
import { isReservedHutSlug } from "~/domain/slugs";
import type { Instant } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { takeSteps } from "~/use-cases/ending-steps.server";
import { withFreeSlug } from "~/use-cases/free-slug.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { closeSpectators, notifyRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { type OverseenAct, recordOverseen } from "~/use-cases/super-admin-acts.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { requireMayWriteInHut, requireMayWriteUnder } from "~/use-cases/writing.server";
import { afterClosing, readClosing } from "./closing.server";
import { leavePrivateHut } from "./exits.server";

/** At most this many rooms are notified at once of a changed hut. The others read D1 at their next load. */
const MAX_NOTIFIED_ROOMS = 500;
const MAX_ATTEMPTS = 4;

type HutRights = { path: string; isJoined: boolean; canManage: boolean; canModerate: boolean };
export type HutView = Omit<HutRow, "ownerId"> & HutRights;
export const showHut = <Row extends HutRow>(app: App, row: Row): Omit<Row, "ownerId"> & HutRights => {
  const { ownerId: _, ...publicFields } = row;
  return {
    ...publicFields,
    path: `/group/${row.slug}`,
    isJoined: row.role !== null,
    canManage: canManageOwned(app.user, row),
    canModerate: canModerateHut(app.user, row),
  };
};

/** `asOf`: NOT_FOUND for a younger hut, because the slug of a deleted hut is free for the next one. */
export async function requireHut(app: App, slug: string, asOf?: Instant): Promise<HutRow> {
  const [row] = await huts.findHut(app.db, slug, viewerOf(app), app.now);
  return requireFoundHut(app, asOf !== undefined && row && row.createdAt > asOf ? undefined : row);
}

export function requireFoundHut<Row extends HutRow>(app: App, row: Row | undefined): Row {
  if (!row) throw new AppError("NOT_FOUND", refusals.noHut);
  app.shownRecords.push({ of: "huts", id: row.id });
  return row;
}

export async function createHut(app: App, input: HutInput): Promise<HutView> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "huts", user.id);
  if (input.isPrivate) requireConfirmed(user);
  const text = await app.richText.render(input.content);
  const { now: createdAt, now: updatedAt } = app;
  const listTaken = async (slugs: readonly string[]) => [
    ...(await huts.findHutSlugs(app.db, slugs)),
    ...slugs.filter(isReservedHutSlug).map((slug) => ({ slug })),
  ];
  return withFreeSlug(input.title, listTaken, async (slug) => {
    await app.db.batch([
      ...huts.insertHut(app.db, {
        ...text,
        slug,
        title: input.title,
        isPrivate: input.isPrivate ?? false,
        ownerId: user.id,
        personId: user.personId,
        createdAt,
        updatedAt,
      }),
    ]);
    return showHut(app, await requireHut(app, slug));
  });
}

/** The hut's form, with counts of what making it private or deleting it would end. By its owner. */
export async function viewHutForm(app: App, input: { hut: string }) {
  const user = requireUser(app.user);
  const id = huts.hutIdOf(input.hut);
  const [[row], [outsideCounts], [endings]] = await app.db.batch([
    huts.findHut(app.db, input.hut, viewerOf(app), app.now),
    outsiders.countOutsiders(app.db, id),
    huts.countEndingsOfDeletion(app.db, id, app.now),
  ]);
  const hut = requireFoundHut(app, row);
  allow(canManageOwned(user, hut), hutRefusals.ownerChanges);
  const { slug, title, content, isPrivate } = hut;
  return {
    slug,
    title,
    content,
    isPrivate,
    isOwner: hut.ownerId === user.id,
    outside: outsideCounts ?? { people: 0, guests: 0, sessions: 0, series: 0 },
    endings: endings ?? { series: 0, ahead: 0, running: 0 },
  };
}

/** A hut that exists, by its id: for the answer to a create call. */
export async function readHut(app: App, id: number): Promise<HutView> {
  const [hut] = await huts.findHutSlug(app.db, id);
  return showHut(app, await requireHut(app, hut?.slug ?? ""));
}

export async function updateHut(app: App, change: HutChange): Promise<HutView> {
  const user = requireUser(app.user);
  await countUse(app, "change-hut", user.id);
  const row = await requireHut(app, change.slug);
  allow(canManageOwned(user, row), hutRefusals.ownerChanges);
  await requireMayWriteInHut(app, row.id);
  const { title, content, isPrivate = row.isPrivate } = change;
  if (isPrivate && !row.isPrivate) requireConfirmed(user);
  const text = content === undefined ? {} : await app.richText.render(content);
  const columns = { ...text, ...(title === undefined ? {} : { title }), isPrivate, updatedAt: app.now };
  const privacyChange = isPrivate && !row.isPrivate ? await readClosing(app, row, change) : null;
  // Read before the change, so that sessions that leave the hut with their hosts are included.
  const rooms =
    isPrivate === row.isPrivate ? [] : await huts.listOpenSessionsIn(app.db, row.id, MAX_NOTIFIED_ROOMS);
  await runBatch(app.db, [
    ...(privacyChange && change.admitsOutsiders
      ? [outsiders.admitOutsiders(app.db, row.id, app.now), deleteRequestsOfMembers(app.db, row.id)]
      : []),
    ...(privacyChange
      ? [
          ...endingsOf(app.db, "huts", "made-private", privacyChange),
          ...endingsOf(app.db, "sessions", "made-private", privacyChange),
          ...endingsOf(app.db, "series", "made-private", privacyChange),
        ]
      : []),
    huts.updateHut(app.db, row.id, columns),
    ...recordOverseen(
      app,
      overseenHutAct(app, row, "hut-changed", { hasRight: canManageOwned, previous: row.title }),
    ),
    ...(privacyChange ? [huts.updateMemberCount(app.db, row.id)] : []),
  ]);
  if (privacyChange) await afterClosing(app, privacyChange);
  for (const { id } of rooms) notifyRoom(app, id);
  return showHut(app, await requireHut(app, change.slug));
}

/** An act in a hut, for the audit. Acts within the owner's or a moderator's rights are not recorded there. */
export const overseenHutAct = (
  app: App,
  row: HutRow,
  action: OverseenAct["action"],
  options: { hasRight?: typeof canModerateHut; userId?: number; previous?: string } = {},
): OverseenAct => {
  const { hasRight = canModerateHut, ...details } = options;
  const isOwnRight = hasRight(asOrdinary(app.user), row);
  return { action, target: { kind: "hut", id: row.id }, userId: row.ownerId, isOwnRight, ...details };
};

/** Idempotent. FORBIDDEN for a banned user. */
export async function joinHut(app: App, { slug }: { slug: string }): Promise<HutView> {
  const { user, hut } = await requireHutToChange(app, slug);
  await app.db.batch([
    huts.insertMember(app.db, hut.id, user, app.now),
    deleteRequest(app.db, hut.id, user.id, huts.isMember(hut.id, user.id)),
    huts.updateMemberCount(app.db, hut.id),
  ]);
  const joinedHut = await requireHut(app, slug);
  if (joinedHut.role === null) await requireNotBanned(app, joinedHut.id, user.id);
  return showHut(app, joinedHut);
}

/** Idempotent. */
export async function leaveHut(app: App, { slug }: { slug: string }): Promise<HutView> {
  const { user, hut } = await requireHutToChange(app, slug);
  // A member who left a private hut can no longer read it.
  if (hut.isPrivate && hut.ownerId !== user.id)
    return showHut(app, { ...hut, role: null, ...(await leavePrivateHut(app, hut, user.id)) });
  const [, [counts]] = await app.db.batch([
    huts.deleteMember(app.db, hut.id, user.id),
    huts.updateMemberCount(app.db, hut.id),
  ]);
  return showHut(app, { ...hut, role: null, userCount: counts?.userCount ?? 0 });
}

/** The documented call, which leaves with `leave` (C-89). */
export const joinOrLeaveHut = (
  app: App,
  { slug, leave }: { slug: string; leave: boolean },
): Promise<HutView> => (leave ? leaveHut(app, { slug }) : joinHut(app, { slug }));

async function requireHutToChange(app: App, slug: string): Promise<{ user: CurrentUser; hut: HutRow }> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "change-membership", user.id);
  return { user, hut: await requireHut(app, slug) };
}

/** FORBIDDEN with the sentence of the ban that keeps this user out. */
async function requireNotBanned(app: App, hutId: number, userId: number): Promise<void> {
  const key = { scope: "hut", targetId: hutId, userId, kind: "ban" } as const;
  const banSentence = closedAmong(await sanctions.findSanction(app.db, key), app.now);
  if (banSentence !== null) throw new AppError("FORBIDDEN", banSentence);
}

/**
 * Deletes forum, memberships and requests in one batch. Sessions and activities stay. In a private hut its
 * series end and its sessions that have not begun are cancelled first. INVALID at `slug` unless `slug` is the
 * hut's.
 */
export async function deleteHut(
  app: App,
  input: { hut: string; slug: string; reason?: string | undefined; asOf?: Instant },
): Promise<void> {
  const user = requireUser(app.user);
  await countUse(app, "change-hut", user.id);
  const row = await requireHut(app, input.hut, input.asOf);
  allow(canManageOwned(user, row), hutRefusals.ownerDeletes);
  if (input.slug.trim() !== row.slug) throw invalid("slug", WRONG_SLUG);
  const deletedEvent = newEvent(app, {
    kind: "hut-deleted",
    subject: subjectOf("hut", row.id),
    body: { title: row.title },
  });
  const onlyIfQuiet = huts.isQuiet(row.id, app.now);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (row.isPrivate) await takeSteps(app, "huts", "deleted", { hutId: row.id });
    const ending = endingsOf(app.db, "huts", "deleted", {
      hutId: row.id,
      by: user.id,
      deletedEvent,
      condition: onlyIfQuiet,
    });
    const [openSessions = [], ...results] = (await runBatch(app.db, [
      huts.listOpenSessionsIn(app.db, row.id, MAX_NOTIFIED_ROOMS),
      ...ending,
      huts.deleteHut(app.db, row.id, onlyIfQuiet),
      recordAct(app.db, {
        at: app.now,
        actorId: user.id,
        action: "hut-deleted",
        target: { kind: "hut", id: row.id },
        userId: row.ownerId,
        reason: input.reason,
        previous: row.slug,
      }),
    ])) as { id: number }[][];
    // The hut's own deletion follows the endings.
    const deleted = results[ending.length];
    if (deleted?.length === 0) {
      const [hutSlug] = await huts.findHutSlug(app.db, row.id);
      // Another request has deleted it; otherwise a new session blocks the deletion, so try again.
      if (!hutSlug) return;
      continue;
    }
    wakeEvents(app, [deletedEvent]);
    for (const { id } of openSessions) {
      // The hut's mutes have ended.
      notifyRoom(app, id);
      if (row.isPrivate) closeSpectators(app, id);
    }
    return;
  }
  throw new AppError("CONFLICT", hutRefusals.changing);
}

type HutActivity = { hut: string; activity: string };

/**
 * Attaches an activity, by the hut's owner, or by the activity's owner who is a member. Only its owner publishes a
 * private one.
 */
export async function attachActivity(app: App, input: HutActivity): Promise<HutView> {
  const { hut, activity, isOwn, isInside, mayManage, hutSanctions, act } = await readAttachment(app, input);
  // A private hut would hide an activity from its owner, if that owner is not a member. A public hut would publish a
  // private activity, which is for its owner to decide.
  if (hut.isPrivate || activity.isPrivate)
    allow(isOwn && isInside, hut.isPrivate ? hutRefusals.privateTakesOwn : hutRefusals.ownerAttachesPrivate);
  else allow(mayManage, hutRefusals.ownerOrActivityOwner);
  requireMayWriteUnder(app, hutSanctions);
  await runBatch(app.db, [
    huts.attachActivity(app.db, activity.id, hut.id, { onlyIfPublic: !isOwn }),
    ...recordOverseen(app, act),
  ]);
  return showHut(app, await requireHut(app, input.hut));
}

/** Detaches an activity, by the hut's owner, or by the activity's owner who is a member. Idempotent. */
export async function detachActivity(app: App, input: HutActivity): Promise<HutView> {
  const { user, hut, activity, mayManage, act } = await readAttachment(app, input);
  allow(mayManage, hutRefusals.ownerOrActivityOwner);
  if (activity.hutId === hut.id)
    await runBatch(app.db, [
      ...huts.detachActivity(app.db, activity.id, hut.id, {
        staysPrivate: activity.isPrivate && activity.ownerId !== user.id,
      }),
      ...recordOverseen(app, act),
    ]);
  return showHut(app, await requireHut(app, input.hut));
}

/** The hut and the activity, with the user's rights over both. Counts a `change-attachment`. */
async function readAttachment(app: App, input: HutActivity) {
  const user = requireUser(app.user);
  await countUse(app, "change-attachment", user.id);
  const [[hut], [activity], hutSanctions] = await app.db.batch([
    huts.findHut(app.db, input.hut, viewerOf(app), app.now),
    activities.findActivity(app.db, input.activity, viewerOf(app)),
    sanctions.listSanctionsInHut(app.db, huts.hutIdOf(input.hut), user.id),
  ]);
  if (!hut) throw new AppError("NOT_FOUND", refusals.noHut);
  if (!activity) throw new AppError("NOT_FOUND", refusals.noActivity);
  const isOwn = canManageOwned(user, activity);
  const isInside = hut.role !== null || canManageOwned(user, hut);
  const withoutSuperAdmin = asOrdinary(user);
  const act: OverseenAct = {
    action: "activity-changed",
    target: { kind: "activity", id: activity.id },
    userId: activity.ownerId,
    isOwnRight:
      canManageOwned(withoutSuperAdmin, hut) ||
      (canManageOwned(withoutSuperAdmin, activity) && hut.role !== null),
    previous: activity.hutTitle ?? "",
  };
  const mayManage = canManageOwned(user, hut) || (isOwn && isInside);
  return { user, hut, activity, isOwn, isInside, mayManage, hutSanctions, act };
}
