// Erases guests a day after their session (H-21), and frees the seats of guests whose login has expired. Totals that count
// guests stay.
import { runBatch } from "#db/connect.server";
import { deleteOldBans } from "#db/queries/safety/guest-bans";
import * as guests from "#db/queries/sessions/guests";
import * as upkeep from "#db/queries/upkeep";
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
  await runBatch(app.db, [guests.setGuestEnds(app.db, app.now), deleteOldBans(app.db, app.now)]);
  const erasures = await runNextGuests(app, {
    job: "erase-guests",
    limit,
    list: guests.listDueGuests,
    async runRow({ id, guestOf }) {
      await runBatch(app.db, guests.eraseGuest(app.db, id, app.now));
      // The erasure of a room that fails stays listed, and the nightly job tries it again.
      await eraseChat(app, { userId: id, sessionId: guestOf, username: goneGuestName(id) });
    },
  });
  const departures = await runNextGuests(app, {
    job: "free-guest-seats",
    limit,
    list: guests.listSignedOutGuests,
    runRow: (guest) => giveUpGuestSeat(app, guest),
  });
  return {
    erased: erasures.done.length,
    freed: departures.done.length,
    failed: erasures.failed.length + departures.failed.length,
  };
}

type ListedGuest = { id: number; guestOf: number };
type GuestWork = {
  job: string;
  limit: number;
  list: typeof guests.listDueGuests;
  runRow(guest: ListedGuest): Promise<unknown>;
};

/**
 * Works on the next guests in the order of their ids. A full run leaves a mark where the next goes on, so that guests who
 * fail hold up none after them; the run after the last one starts over.
 */
async function runNextGuests(app: App, { job, limit, list, runRow }: GuestWork) {
  const mark = (await upkeep.findMark(app.db, job))[0]?.mark ?? "";
  const listedGuests = await list(app.db, app.now, { after: Number(mark), limit });
  const outcome = await runEachRow(app, listedGuests, { job, nameOf: ({ id }) => id, runRow });
  const nextMark = listedGuests.length < limit ? "" : String(listedGuests.at(-1)?.id ?? "");
  if (nextMark !== mark) await upkeep.setMark(app.db, job, nextMark);
  return outcome;
}
