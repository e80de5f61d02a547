// Huts: create, update, join, leave, attach activities.
import { runBatch } from "#db/connect.server";
import * as activities from "#db/queries/activities/activities";
import { endingsOf } from "#db/queries/endings";
import type { HutRow } from "#db/queries/huts/huts";
import * as huts from "#db/queries/huts/huts";
import * as outsiders from "#db/queries/huts/outsiders";
import { recordAct } from "#db/queries/safety/audit";
import * as sanctions from "#db/queries/safety/sanctions";
import { requireConfirmed } from "~/domain/confirmation";
import { AppError, invalid } from "~/domain/errors";
import { type HutChange, type HutInput, WRONG_SLUG } from "~/domain/huts/huts";
import { HUT_REFUSALS } from "~/domain/huts/refusals";
import { subjectOf } from "~/domain/notices/events";
import { allow, asOrdinary, canManageOwned, canModerateHut, requireUser } from "~/domain/permissions";
import { REFUSALS } from "~/domain/refusals";
import { closedAmong } from "~/domain/safety/sanctions";
import { HOUR } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { takeSteps } from "~/use-cases/ending-steps.server";
import { withFreeSlug } from "~/use-cases/free-slug.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { closeSpectators, notifyRoom } from "~/use-cases/notify-room.server";
import { countChange } from "~/use-cases/rate-limits.server";
import { type OverseenAct, recordOverseen } from "~/use-cases/super-admin-acts.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { requireMayWriteInHut } from "~/use-cases/writing.server";
import { afterClosing, closingOf } from "./closing.server";
import { leavePrivateHut } from "./exits.server";

/** Rooms that hear at once of a hut that changes; others read the record at their next load. */
const OPEN_SESSIONS = 500;
const MAX_ATTEMPTS = 4;

type HutTools = { path: string; isJoined: boolean; canManage: boolean; canModerate: boolean };
export type HutView = Omit<HutRow, "ownerId"> & HutTools;
export const showHut = <Row extends HutRow>(app: App, row: Row): Omit<Row, "ownerId"> & HutTools => {
  const { ownerId: _, ...shown } = row;
  return {
    ...shown,
    path: `/group/${row.slug}`,
    isJoined: row.role !== null,
    canManage: canManageOwned(app.user, row),
    canModerate: canModerateHut(app.user, row),
  };
};

export async function requireHut(app: App, slug: string): Promise<HutRow> {
  const [row] = await huts.findHut(app.db, slug, viewerOf(app), app.now);
  return foundHut(app, row);
}

export function foundHut<Row extends HutRow>(app: App, row: Row | undefined): Row {
  if (!row) throw new AppError("NOT_FOUND", REFUSALS.noHut);
  app.shownThings.push({ of: "huts", id: row.id });
  return row;
}

export async function createHut(app: App, input: HutInput): Promise<HutView> {
  const user = requireUser(app.user, REFUSALS.signIn);
  await app.attempts.take(`huts:${user.id}`, 60, HOUR / 1000);
  if (input.isPrivate) requireConfirmed(user);
  const text = await app.richText.render(input.content);
  const { now: createdAt, now: updatedAt } = app;
  const listTaken = (slugs: readonly string[]) => huts.findHutSlugs(app.db, slugs);
  return withFreeSlug(input.title, listTaken, async (slug) => {
    await app.db.batch([
      ...huts.insertHut(app.db, {
        ...text,
        slug,
        title: input.title,
        isPrivate: input.isPrivate ?? false,
        ownerId: user.id,
        createdAt,
        updatedAt,
      }),
    ]);
    return showHut(app, await requireHut(app, slug));
  });
}

/** /hut/form, for its owner: with what its privacy or its deletion would end. */
export async function viewHutForm(app: App, input: { hut: string }) {
  const user = requireUser(app.user);
  const id = huts.hutIdOf(input.hut);
  const [[row], [outside], [ends]] = await app.db.batch([
    huts.findHut(app.db, input.hut, viewerOf(app), app.now),
    outsiders.countOutsiders(app.db, id),
    huts.countEnds(app.db, id, app.now),
  ]);
  const hut = foundHut(app, row);
  allow(canManageOwned(user, hut), HUT_REFUSALS.ownerChanges);
  const { slug, title, content, isPrivate } = hut;
  return {
    slug,
    title,
    content,
    isPrivate,
    isOwner: hut.ownerId === user.id,
    outside: outside ?? { people: 0, sessions: 0, series: 0 },
    ends: ends ?? { series: 0, ahead: 0, running: 0 },
  };
}

/** A new hut by its id. */
export async function readHut(app: App, id: number): Promise<HutView> {
  const [hut] = await huts.findHutSlug(app.db, id);
  return showHut(app, await requireHut(app, hut?.slug ?? ""));
}

export async function updateHut(app: App, change: HutChange): Promise<HutView> {
  const user = requireUser(app.user);
  await countChange(app, user, "hut");
  const row = await requireHut(app, change.slug);
  allow(canManageOwned(user, row), HUT_REFUSALS.ownerChanges);
  await requireMayWriteInHut(app, row.id);
  const { title, content, isPrivate = row.isPrivate } = change;
  if (isPrivate && !row.isPrivate) requireConfirmed(user);
  const text = content === undefined ? {} : await app.richText.render(content);
  const set = { ...text, ...(title === undefined ? {} : { title }), isPrivate, updatedAt: app.now };
  const closing = isPrivate && !row.isPrivate ? await closingOf(app, row, change) : null;
  // Rooms of sessions that leave the hut with their hosts hear of it too.
  const rooms =
    isPrivate === row.isPrivate ? [] : await huts.listOpenSessionsIn(app.db, row.id, OPEN_SESSIONS);
  await runBatch(app.db, [
    ...(closing && change.admitsOutsiders ? [outsiders.admitOutsiders(app.db, row.id, app.now)] : []),
    ...(closing
      ? [
          ...endingsOf(app.db, "huts", "made-private", closing),
          ...endingsOf(app.db, "sessions", "made-private", closing),
          ...endingsOf(app.db, "series", "made-private", closing),
        ]
      : []),
    huts.updateHut(app.db, row.id, set),
    ...recordOverseen(app, overseenIn(app, row, "hut-changed", { may: canManageOwned, previous: row.title })),
    ...(closing ? [huts.countMembers(app.db, row.id)] : []),
  ]);
  if (closing) await afterClosing(app, closing);
  for (const { id } of rooms) notifyRoom(app, id);
  return showHut(app, await requireHut(app, change.slug));
}

/** An act in a hut, for the audit; what its owner and moderators do anyway needs no row there. */
export const overseenIn = (
  app: App,
  row: HutRow,
  action: OverseenAct["action"],
  more: { may?: typeof canModerateHut; userId?: number; previous?: string } = {},
): OverseenAct => {
  const { may = canModerateHut, ...rest } = more;
  const isOwnRight = may(asOrdinary(app.user), row);
  return { action, target: { kind: "hut", id: row.id }, userId: row.ownerId, isOwnRight, ...rest };
};

/** May be repeated; with `leave` the same call leaves (R-02, C-89). */
export async function joinHut(app: App, input: { slug: string; leave: boolean }): Promise<HutView> {
  const user = requireUser(app.user, REFUSALS.signIn);
  await countChange(app, user, "membership");
  const row = await requireHut(app, input.slug);
  if (input.leave && row.isPrivate && row.ownerId !== user.id)
    // A member who left a private hut can no longer read it.
    return showHut(app, { ...row, role: null, ...(await leavePrivateHut(app, row, user.id)) });
  const change = input.leave
    ? huts.deleteMember(app.db, row.id, user.id)
    : huts.insertMember(app.db, row.id, user.id, app.now);
  const [, [counted]] = await app.db.batch([change, huts.countMembers(app.db, row.id)]);
  if (input.leave) return showHut(app, { ...row, role: null, userCount: counted?.userCount ?? 0 });
  const after = await requireHut(app, input.slug);
  if (after.role === null) await requireLetIn(app, after.id, user.id);
  return showHut(app, after);
}
/** FORBIDDEN with the sentence of the ban that keeps this user out. */
async function requireLetIn(app: App, hutId: number, userId: number): Promise<void> {
  const key = { scope: "hut", targetId: hutId, userId, kind: "ban" } as const;
  const closed = closedAmong(await sanctions.findSanction(app.db, key), app.now);
  if (closed !== null) throw new AppError("FORBIDDEN", closed);
}
export const leaveHut = (app: App, input: { slug: string }) =>
  joinHut(app, { slug: input.slug, leave: true });

/**
 * Forum, memberships and requests go in one batch; what was in the hut stays. In a private hut its series end and its
 * sessions that have not begun are cancelled first. INVALID at `slug` unless it is the hut's.
 */
export async function deleteHut(
  app: App,
  input: { hut: string; slug: string; reason?: string | undefined },
): Promise<void> {
  const user = requireUser(app.user);
  await countChange(app, user, "hut");
  const row = await requireHut(app, input.hut);
  allow(canManageOwned(user, row), HUT_REFUSALS.ownerDeletes);
  if (input.slug.trim() !== row.slug) throw invalid("slug", WRONG_SLUG);
  const gone = newEvent(app, {
    kind: "hut-deleted",
    subject: subjectOf("hut", row.id),
    body: { title: row.title },
  });
  const when = huts.isQuiet(row.id, app.now);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (row.isPrivate) await takeSteps(app, "huts", "deleted", { hutId: row.id });
    const watched = row.isPrivate ? await huts.listOpenSessionsIn(app.db, row.id, OPEN_SESSIONS) : [];
    const ending = endingsOf(app.db, "huts", "deleted", { hutId: row.id, by: user.id, gone, when });
    const results = (await runBatch(app.db, [
      ...ending,
      huts.deleteHut(app.db, row.id, when),
      recordAct(app.db, {
        at: app.now,
        actorId: user.id,
        action: "hut-deleted",
        target: { kind: "hut", id: row.id },
        userId: row.ownerId,
        reason: input.reason,
        previous: row.slug,
      }),
    ])) as unknown[][];
    if (results[ending.length]?.length === 0) {
      const [present] = await huts.findHutSlug(app.db, row.id);
      // Another request has deleted it; otherwise somebody made a session in it meanwhile.
      if (!present) return;
      continue;
    }
    wakeEvents(app, [gone]);
    for (const { id } of watched) closeSpectators(app, id);
    return;
  }
  throw new AppError("CONFLICT", HUT_REFUSALS.changing);
}

/** By the hut's owner, or by the activity's owner who is a member. */
export async function attachActivity(
  app: App,
  input: { hut: string; activity: string; isAttached: boolean },
): Promise<HutView> {
  const user = requireUser(app.user);
  await countChange(app, user, "attachment");
  const [[hut], [activity]] = await Promise.all([
    huts.findHut(app.db, input.hut, viewerOf(app), app.now),
    activities.findActivity(app.db, input.activity, viewerOf(app)),
  ]);
  if (!hut) throw new AppError("NOT_FOUND", REFUSALS.noHut);
  if (!activity) throw new AppError("NOT_FOUND", REFUSALS.noActivity);
  const isOwn = canManageOwned(user, activity);
  const belongs = hut.role !== null || canManageOwned(user, hut);
  // A private hut would hide an activity from its owner, if that owner is not a member.
  allow(
    hut.isPrivate && input.isAttached ? isOwn && belongs : canManageOwned(user, hut) || (isOwn && belongs),
    HUT_REFUSALS.ownerOrActivityOwner,
  );
  const plain = asOrdinary(user);
  const act: OverseenAct = {
    action: "activity-changed",
    target: { kind: "activity", id: activity.id },
    userId: activity.ownerId,
    isOwnRight: canManageOwned(plain, hut) || (canManageOwned(plain, activity) && hut.role !== null),
    previous: activity.hutTitle ?? "",
  };
  if (input.isAttached || activity.hutId === hut.id)
    await runBatch(app.db, [
      huts.setActivityHut(app.db, activity.id, input.isAttached ? hut.id : null),
      ...recordOverseen(app, act),
    ]);
  return showHut(app, await requireHut(app, input.hut));
}
