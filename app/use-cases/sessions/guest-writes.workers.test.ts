// The block of 100 that a host pays for the lines and logs of a guest (H-20): deleted ones stay counted while they stay
// paid.

import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, type TestUser } from "#tests/support/factories";
import { openHouse, seated } from "#tests/support/guests";
import { useRoomClock } from "#tests/support/rooms";
import { balanceOf, sayIn } from "#tests/support/sessions";
import { GUEST_SENTENCES } from "~/domain/room/guest-names";
import { MINUTE } from "~/domain/time";

useRoomClock();

const REFUSED = [403, GUEST_SENTENCES.written];
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;

/** A running session with two guests, and what its host has paid since the start. */
async function runningHouse() {
  const house = await openHouse();
  const { host, id, path } = house;
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await callAs(host, "POST", event(id, "start"), {});
  const before = await balanceOf(host);
  const logAs = (user: TestUser, uuid: string = crypto.randomUUID()) =>
    callAs(user, "POST", event(id, "logs"), { title: "Two pages", amount: 2, uuid });
  const log = async (times: number) => {
    const ids: number[] = [];
    for (let n = 0; n < times; n++) {
      const { status, body } = await logAs(guest);
      expect(status).toBe(201);
      ids.push(body.log.id);
    }
    return ids;
  };
  return {
    ...house,
    ...{ guest, other, logAs, log },
    paid: async () => before - (await balanceOf(host)),
    drop: (logId: number) => callAs(guest, "DELETE", `/api/challenge-logs/${logId}`),
    /** The status and the sentence of one more log. */
    logMore: async () => {
      const { status, body } = await logAs(guest);
      return status === 201 ? [201] : [status, body.message];
    },
    logsOf: async () => (await db.select().from(schema.logs).where(eq(schema.logs.userId, guest.id))).length,
  };
}

test("H-20 R-75 logs that a guest deletes after ten minutes stay counted, for logs and for lines, and another guest still writes", {
  timeout: 120_000,
}, async () => {
  const { guest, other, id, log, logAs, drop, logMore, paid } = await runningHouse();
  const ids = await log(99);
  vi.setSystemTime(Date.now() + 11 * MINUTE);
  for (const logId of ids) expect((await drop(logId)).status).toBeLessThan(300);
  expect([await logMore(), await logMore()]).toEqual([[201], REFUSED]);
  const line = await sayIn(guest, id);
  expect([line.status, line.body.message]).toEqual(REFUSED);
  expect(await paid()).toBe(100);
  expect([(await logAs(other)).status, (await sayIn(other, id)).status]).toEqual([201, 201]);
});

test("H-20 R-75 a log that a guest deletes within ten minutes counts no more, as its price returns", {
  timeout: 120_000,
}, async () => {
  const { log, drop, logMore, paid } = await runningHouse();
  const [first = 0, second = 0] = await log(100);
  expect(await logMore()).toEqual(REFUSED);
  expect((await drop(first)).status).toBeLessThan(300);
  expect([await paid(), await logMore(), await logMore()]).toEqual([99, [201], REFUSED]);
  vi.setSystemTime(Date.now() + 10 * MINUTE + 1);
  expect((await drop(second)).status).toBeLessThan(300);
  expect([await logMore(), await paid()]).toEqual([REFUSED, 100]);
});

test("H-20 lines that a guest removes stay counted, logs at once are no more than are left, and a repeat answers the first", {
  timeout: 120_000,
}, async () => {
  const { guest, id, logAs, logsOf, logMore, paid } = await runningHouse();
  for (let n = 0; n < 97; n++) {
    const { status, body } = await sayIn(guest, id, `Line ${n}`);
    expect(status).toBe(201);
    const gone = await callAs(guest, "DELETE", `/api/sessions/${id}/messages/${body.message.seq}`);
    expect(gone.status).toBeLessThan(300);
  }
  const block = await paid();
  const uuids = Array.from({ length: 8 }, () => crypto.randomUUID());
  const answers = await Promise.all(uuids.map((uuid) => logAs(guest, uuid)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, 201, 201, 403, 403, 403, 403, 403]);
  expect([await logsOf(), await paid()]).toEqual([3, block + 3]);
  const kept = answers.findIndex(({ status }) => status === 201);
  const again = await logAs(guest, uuids[kept]);
  expect([again.status < 300, again.body.log?.id]).toEqual([true, answers[kept]?.body.log.id]);
  expect([await logMore(), await logsOf(), await paid()]).toEqual([REFUSED, 3, block + 3]);
});
