// Mutes and bans in a hut: in its forum, and in its sessions. For the owner, moderators and super admins.
import { runBatch } from "#db/connect.server";
import { endingsOf } from "#db/queries/endings";
import * as huts from "#db/queries/huts/huts";
import { type Act, recordAct } from "#db/queries/safety/audit";
import * as sanctions from "#db/queries/safety/sanctions";
import { AppError } from "~/domain/errors";
import * as hutRefusals from "~/domain/huts/refusals";
import { allow, canModerateHut, isSuperAdmin, requireUser } from "~/domain/permissions";
import { USER_ROLE } from "~/domain/roles";
import * as safetyRefusals from "~/domain/safety/refusals";
import { isInForce, type MuteOrder, muteUntil, rankInHut, sanctionRefusal } from "~/domain/safety/sanctions";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { freePlacesInHut } from "./exits.server";
import { requireHut } from "./huts.server";

/** At most this many rooms of a hut's sessions are notified of a mute. */
const MAX_NOTIFIED_ROOMS = 300;

type HutPersonRef = {
  hut: string;
  username: string;
  reason?: string | undefined;
  asOf?: Instant;
  /** A decision on a report sets the sanction. */
  isDecision?: boolean | undefined;
};
/** Only the sanction that was set at that instant is lifted. */
type SetAt = { setAt?: Instant | undefined };

/** Reads the hut and the person; FORBIDDEN unless the user outranks them. The person need not be a member. */
async function readTarget(app: App, input: HutPersonRef) {
  const user = requireUser(app.user);
  const hut = await requireHut(app, input.hut, input.asOf);
  allow(canModerateHut(user, hut), hutRefusals.keepersOnly);
  const [target] = await sanctions.findTarget(app.db, input.username, { hutId: hut.id });
  if (!target) throw new AppError("NOT_FOUND", hutRefusals.noPerson);
  const refusal = sanctionRefusal(
    { userId: user.id, isSuperAdmin: isSuperAdmin(user), rank: rankInHut(hut, user.id, hut.role) },
    {
      userId: target.userId,
      isSuperAdmin: target.roleId === USER_ROLE.superAdmin,
      rank: rankInHut(hut, target.userId, target.roleHere),
    },
  );
  if (refusal !== null) throw new AppError("FORBIDDEN", refusal);
  await countUse(app, "change-sanction", user.id);
  const { reason = "" } = input;
  const actOf = (action: Act["action"]): Act => ({
    at: app.now,
    actorId: user.id,
    action,
    target: { kind: "hut", id: hut.id },
    userId: target.userId,
    reason,
  });
  return { hut, userId: target.userId, personId: target.personId, reason, actOf };
}

/** The rooms that must learn of a person's mute in a hut, or of its end. */
export const listRoomsOfMuted = (app: App, { hutId, userId }: { hutId: number; userId: number }) =>
  sanctions.listSeatsInHut(app.db, hutId, userId, MAX_NOTIFIED_ROOMS);

/**
 * Closes the hut's forum, and the chat and forum of its sessions, to the writing of a person; `mute` 0 lifts the mute.
 */
export async function muteInHut(app: App, input: HutPersonRef & SetAt & { mute: MuteOrder }): Promise<void> {
  const { hut, userId, personId, reason, actOf } = await readTarget(app, input);
  const key = { scope: "hut", targetId: hut.id, userId, kind: "mute" } as const;
  const [, , seats] = await app.db.batch([
    input.mute === 0
      ? sanctions.liftSanction(app.db, key, app.now, sanctions.isSetAt(input.setAt))
      : sanctions.setSanction(app.db, {
          ...key,
          personId,
          until: muteUntil(input.mute, app.now),
          reason,
          now: app.now,
          isDecision: input.isDecision,
        }),
    recordAct(app.db, actOf(input.mute === 0 ? "mute-lifted" : "muted")),
    listRoomsOfMuted(app, { hutId: hut.id, userId }),
  ]);
  for (const { sessionId } of seats) notifyRoom(app, sessionId);
}

/**
 * Bans a person, which ends the membership and every place that they hold in the hut, or lifts the ban. CONFLICT
 * for the hut's owner, whom nobody may keep out.
 */
export async function banFromHut(
  app: App,
  input: HutPersonRef & SetAt & { isBanned: boolean },
): Promise<void> {
  const { hut, userId, personId, reason, actOf } = await readTarget(app, input);
  if (input.isBanned && hut.ownerId === userId) throw new AppError("CONFLICT", safetyRefusals.ownerStays);
  const key = { scope: "hut", targetId: hut.id, userId, kind: "ban" } as const;
  const results = await runBatch(
    app.db,
    input.isBanned
      ? [
          listRoomsOfMuted(app, { hutId: hut.id, userId }),
          sanctions.setSanction(
            app.db,
            { ...key, personId, until: null, reason, now: app.now, isDecision: input.isDecision },
            huts.isNotOwner(hut.id, userId),
          ),
          recordAct(app.db, actOf("banned")),
          ...endingsOf(app.db, "users", "banned", {
            hutId: hut.id,
            isPrivate: hut.isPrivate,
            userId,
            now: app.now,
            leaves: huts.isNotOwner(hut.id, userId),
            condition: huts.isNotOwner(hut.id, userId),
          }),
          sanctions.findSanction(app.db, key),
        ]
      : [
          sanctions.liftSanction(app.db, key, app.now, sanctions.isSetAt(input.setAt)),
          recordAct(app.db, actOf("ban-lifted")),
        ],
  );
  if (!input.isBanned) return;
  const [ban] = results.at(-1) as Awaited<ReturnType<typeof sanctions.findSanction>>;
  // The hut was handed over to the person since the read.
  if (!ban || !isInForce(ban, app.now)) throw new AppError("CONFLICT", safetyRefusals.ownerStays);
  await freePlacesInHut(app, hut, userId);
  if (hut.isPrivate) return;
  // The sessions that have left the hut with their host are no longer under its mutes.
  const seats = results[0] as Awaited<ReturnType<typeof listRoomsOfMuted>>;
  for (const { sessionId } of seats) notifyRoom(app, sessionId);
}
