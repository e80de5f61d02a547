// The end of a stay in a hut, by a ban or by leaving a private hut, and the notified rooms of a hut that becomes
// private or is deleted. The table of endings says what ends.
import { runBatch } from "#db/connect.server";
import { endingsOf } from "#db/queries/endings";
import * as exits from "#db/queries/huts/exits";
import * as huts from "#db/queries/huts/huts";
import { AppError } from "~/domain/errors";
import * as hutRefusals from "~/domain/huts/refusals";
import type { App } from "~/use-cases/app.server";
import { takeSteps } from "~/use-cases/ending-steps.server";
import { closeSpectators, notifyRoom } from "~/use-cases/notify-room.server";

type Hut = { id: number; ownerId: number; isPrivate: boolean };

const MAX_ATTEMPTS = 4;
/** At most this many rooms are notified at once of a person who may not watch any more. */
const MAX_NOTIFIED_ROOMS = 200;

/**
 * Takes every place in the hut's sessions from a banned person. Idempotent, so that a second ban finishes after a
 * crash.
 */
export async function freePlacesInHut(app: App, hut: Hut, userId: number): Promise<void> {
  const stay = { hutId: hut.id, isPrivate: hut.isPrivate, userId };
  await takeSteps(app, "users", "banned", { ...stay, keepsRunning: false });
  for (const { id } of await exits.listEndedSessions(app.db, stay, MAX_NOTIFIED_ROOMS)) notifyRoom(app, id);
  if (hut.isPrivate) await closeSpectatorsOfHut(app, hut);
}

/**
 * Leaves a private hut; seats in running sessions stay until their end. The membership ends last, once the person holds
 * no place in sessions ahead, so that an interrupted leave can be retried.
 */
export async function leavePrivateHut(app: App, hut: Hut, userId: number): Promise<{ userCount: number }> {
  const stay = { hutId: hut.id, isPrivate: hut.isPrivate, userId };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await takeSteps(app, "users", "left", { ...stay, keepsRunning: true });
    const results = await runBatch(app.db, [
      ...endingsOf(app.db, "users", "left", {
        ...stay,
        now: app.now,
        leaves: exits.holdsNothingAhead(stay, app.now),
        condition: huts.isNoMember(hut.id, userId),
      }),
      huts.updateMemberCount(app.db, hut.id),
      huts.findMembership(app.db, hut.id, userId),
    ]);
    const [[counts], members] = results.slice(-2) as [{ userCount: number }[], unknown[]];
    if (members.length > 0) continue;
    // The series that the person hosted have ended now.
    await takeSteps(app, "users", "left", { ...stay, keepsRunning: true });
    await closeSpectatorsOfHut(app, hut);
    return { userCount: counts?.userCount ?? 0 };
  }
  throw new AppError("CONFLICT", hutRefusals.changing);
}

/**
 * Spectators of a private hut's sessions have no name in the room, so all are disconnected and their rights checked
 * again.
 */
async function closeSpectatorsOfHut(app: App, { id }: { id: number }): Promise<void> {
  for (const session of await huts.listOpenSessionsIn(app.db, id, MAX_NOTIFIED_ROOMS))
    closeSpectators(app, session.id);
}
