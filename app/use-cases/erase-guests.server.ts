// Erases guests a day after their session (H-21), and frees the seats of guests whose login has expired. Totals that count
// guests stay.
import { runBatch } from "#db/connect.server";
import * as guests from "#db/queries/sessions/guests";
import { goneGuestName } from "~/domain/room/guest-names";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import { giveUpGuestSeat } from "~/use-cases/guest-logins.server";
import { eraseChat } from "~/use-cases/room/chat-erasures.server";

/**
 * Every five minutes, erases everything of guests whose session has been over for a day (H-21), and frees the seats that
 * no login can use any more. At most `limit` of each. Idempotent.
 */
export async function eraseGuests(
  app: App,
  limit = 50,
): Promise<{ erased: number; freed: number; failed: number }> {
  await runBatch(app.db, [guests.setGuestEnds(app.db, app.now), guests.deleteOldBans(app.db, app.now)]);
  const dueGuests = await guests.listDueGuests(app.db, app.now, limit);
  const erasures = await runEachRow(app, dueGuests, {
    job: "erase-guests",
    nameOf: ({ id }) => id,
    async runRow({ id, guestOf }) {
      await runBatch(app.db, guests.eraseGuest(app.db, id, app.now));
      // The erasure of a room that fails stays listed, and the nightly job tries it again.
      await eraseChat(app, { userId: id, sessionId: guestOf, username: goneGuestName(id) });
    },
  });
  const signedOutGuests = await guests.listSignedOutGuests(app.db, app.now, limit);
  const departures = await runEachRow(app, signedOutGuests, {
    job: "erase-guests",
    nameOf: ({ id }) => id,
    runRow: (guest) => giveUpGuestSeat(app, guest),
  });
  return {
    erased: erasures.done.length,
    freed: departures.done.length,
    failed: erasures.failed.length + departures.failed.length,
  };
}
