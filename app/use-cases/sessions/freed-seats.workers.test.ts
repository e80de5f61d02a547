// Every door that takes a seat away near the start: its news leaves at once.
import { expect, test } from "vitest";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, makeUser, setUser, type TestUser } from "#tests/support/factories";
import { drain, emptySpine, spineApp } from "#tests/support/notices";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { iso } from "#tests/support/series";
import { join, makeHut, makeSession } from "#tests/support/sessions";
import { instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { deliver } from "~/use-cases/deliveries.server";
import { banFromHut } from "~/use-cases/huts/sanctions.server";
import { fanOut } from "~/use-cases/notices/events.server";
import { leaveSession, removeParticipant } from "./people.server";

const at = useRoomClock();
type Seated = { session: number; hut: string; username: string };

const DOORS: [string, (host: App, guest: App, seated: Seated) => Promise<unknown>][] = [
  ["leaving", (_, guest, { session }) => leaveSession(guest, { session })],
  ["a removal", (host, _, { session, username }) => removeParticipant(host, { session, username })],
  [
    "a ban",
    (host, _, { session, username }) => removeParticipant(host, { session, username, isBanned: true }),
  ],
  ["a ban from the hut", (host, _, { hut, username }) => banFromHut(host, { hut, username, isBanned: true })],
];

keepBystanders();

test.each(DOORS)(
  "R-73 the mail of a seat lost near the start, by %s, does not wait for cron",
  async (_, lose) => {
    await emptySpine();
    const [host, guest] = [await makeUser({ tokens: 5000 }), await makeUser()];
    await setUser(guest.id, { emailConfirmedAt: instant(1) });
    const hut = await makeHut(host, [host, guest]);
    const { id } = await makeSession(host, {
      hut_id: hut.id,
      is_manually_started: 0,
      started_at: iso(ROOM_NOW + 10 * MINUTE),
    });
    expect((await join(guest, id)).status).toBe(200);
    await drain((await spineApp(ROOM_NOW)).app);
    const now = instant(ROOM_NOW + 6 * MINUTE);
    at(now);
    const woken: string[] = [];
    const jobs = { wake: async (ids: readonly string[]) => void woken.push(...ids) };
    const as = async (user: TestUser) => ({ ...(await appOf(user)), now, jobs });
    await lose(await as(host), await as(guest), { session: id, hut: hut.slug, username: guest.username });
    const { app, mails } = await spineApp(now);
    const due = (await Promise.all(woken.map((event) => fanOut(app, event)))).flatMap((served) => served.due);
    await deliver(app, due);
    expect(
      mails.filter(({ to }) => to === guest.email).map(({ attachments }) => attachments?.length),
    ).toEqual([1]);
  },
);
