// The place of a new session or series, and the right to put it there (A-09, P-26, R-87).
import { listSanctionsInHut } from "#db/queries/safety/sanctions";
import * as sessionWrites from "#db/queries/sessions/writes";
import { invalid } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import type { SessionInput } from "~/domain/sessions/input";
import { comesWithActivity, type Place, placeOf } from "~/domain/sessions/place";
import * as sessionRefusals from "~/domain/sessions/refusals";
import type { App } from "~/use-cases/app.server";
import { requireMayWriteInHut, requireMayWriteUnder } from "~/use-cases/writing.server";

type Asked = Pick<
  SessionInput,
  "activityId" | "activitySlug" | "hutId" | "repeatedHutId" | "category" | "isPrivate"
>;
export type Activity = Awaited<ReturnType<typeof sessionWrites.findActivity>>[number];
type HiddenActivity = Awaited<ReturnType<typeof sessionWrites.findHiddenActivity>>[number];
type HutRow = Awaited<ReturnType<typeof sessionWrites.findHutWithMembership>>[number];
type Sanctions = Awaited<ReturnType<typeof listSanctionsInHut>>;

/**
 * The reads of `requirePlace`, for the batch of its caller: the activity, and the hut that is named or inherited.
 * `ownerId`: the host of the series of a date, whose membership suffices.
 */
export const readsOfPlace = (app: App, asked: Asked, ownerId?: number) => {
  const userId = requireUser(app.user).id;
  const activity = asked.activityId ? { id: asked.activityId } : { slug: asked.activitySlug ?? "" };
  const hutId = asked.hutId === undefined ? sessionWrites.hutOfActivity(activity) : (asked.hutId ?? 0);
  return [
    sessionWrites.findActivity(app.db, activity, userId),
    sessionWrites.findHutWithMembership(app.db, hutId, userId, ownerId),
    listSanctionsInHut(app.db, hutId, userId),
    sessionWrites.findHiddenActivity(app.db, activity, userId),
  ] as const;
};

/** A place with its activity; `isHidden` says that it is private, by itself or by its hut. */
export type FoundPlace = Place & { activity: Activity | undefined; isHidden: boolean };

/**
 * INVALID for an unknown activity, and for a hut that the user does not belong to, unless it is inherited and comes with
 * the activity; FORBIDDEN while the user is muted there. A date of a series goes on without an activity that was deleted.
 */
export function requirePlace(
  app: App,
  asked: Asked,
  [[activity], [hut], sanctions, [hiddenActivity]]: readonly [
    Activity[],
    HutRow[],
    Sanctions,
    HiddenActivity[],
  ],
  { isDate = false }: { isDate?: boolean } = {},
): FoundPlace {
  if ((asked.activityId || asked.activitySlug) && !activity && !isDate)
    throw invalid("activitySlug", refusals.noActivity);
  const place = placeOf(asked, activity, hiddenActivity);
  if (place.hutId === null) return { ...place, activity, isHidden: place.isPrivate };
  // The dates of a series and a repeat name the hut in which the first session was.
  const isInherited = isDate || asked.hutId === undefined || asked.hutId === asked.repeatedHutId;
  if (!hut || !isInherited || !comesWithActivity(hut.id, activity)) allowHut(hut);
  requireMayWriteUnder(app, sanctions);
  return { ...place, activity, isHidden: hut?.isPrivate === true };
}

/** INVALID for a hut that the user does not belong to, FORBIDDEN while the user is muted there. */
export async function requireHutToMoveTo(app: App, hutId: number): Promise<void> {
  allowHut((await sessionWrites.findHutWithMembership(app.db, hutId, requireUser(app.user).id))[0]);
  await requireMayWriteInHut(app, hutId);
}

function allowHut(hut: { isMember: boolean } | undefined): void {
  if (!hut) throw invalid("hutId", refusals.noHut);
  if (!hut.isMember) throw invalid("hutId", sessionRefusals.joinHutFirst);
}
