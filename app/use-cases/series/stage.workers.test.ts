// The stage of a series: one address that follows from session to session (J-09).
import { evictDurableObject } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import { keepBystanders } from "#tests/support/bystanders";
import { makeUser, type TestUser } from "#tests/support/factories";
import { joinRoom, openLine, stubOf, useRoomClock } from "#tests/support/rooms";
import { layOutDays, makeSeries, nine, openOf, restSeries, seriesNow } from "#tests/support/series";
import { visit } from "#tests/support/visit";
import type { StageData } from "~/components/room/stage-ground";
import { SESSION_STATUS } from "~/domain/sessions/status";
import { HOUR, MINUTE } from "~/domain/time";

const at = useRoomClock();
beforeEach(restSeries);
keepBystanders(restSeries);

const stageAt = async (address: string) => {
  const [place] = await (await visit(null, `${address}/stage`)).all("#stage");
  return (JSON.parse(place?.attributes["data-stage"] ?? "null") as StageData).view;
};

const numeralsOf = async (user: TestUser | null, path: string) =>
  (await visit(user, path)).texts(".timer-face-numerals");

test("J-09 for twelve hours, restarts and a sleep the stage has the times of a participant's page, and follows to the next date", async () => {
  const host = await makeUser({ tokens: 90_000 });
  const id = await makeSeries(host, { rule: "FREQ=DAILY" });
  await layOutDays();
  const address = `/series/${(await seriesNow(id))?.slug}`;
  const [first, second] = await openOf(id);
  if (!first || !second) throw new Error("no sessions");
  const begin = nine(2) - 3 * HOUR;
  const seen: string[] = [];
  let compared = 0;
  for (let minutes = 0; minutes <= 12 * 60; minutes += 20) {
    // The machine sleeps from the eighth hour to the tenth.
    if (minutes > 480 && minutes < 600) continue;
    at(begin + minutes * MINUTE);
    const { stage } = await stageAt(address);
    if (!stage) throw new Error(`nothing after ${minutes} minutes`);
    const { id: shown } = stage.session;
    if (seen.at(-1) !== String(shown)) seen.push(String(shown));
    const [wall, own] = [await openLine(null, shown, {}, "?watch=stage"), await joinRoom(host, shown)];
    const [outside, inside] = [await wall.expect("welcome"), await own.expect("welcome")];
    const timesOf = ({ room }: typeof inside) => [
      room?.status,
      room?.started_at,
      room?.ended_at,
      room?.parts,
    ];
    expect([minutes, ...timesOf(outside)]).toEqual([minutes, ...timesOf(inside)]);
    expect([minutes, outside.now]).toEqual([minutes, inside.now]);
    wall.socket.close();
    own.socket.close();
    if (outside.room?.status === SESSION_STATUS.running) {
      const numerals = await numeralsOf(null, `${address}/stage`);
      expect([minutes, numerals]).toEqual([minutes, await numeralsOf(host, `/sessions/${shown}`)]);
      compared += numerals.length;
    }
    if (minutes % 60 === 0) await evictDurableObject(stubOf(shown), { webSockets: "close" });
    const isOver = Date.now() >= (first.endedAt ?? 0);
    expect([minutes, shown]).toEqual([minutes, isOver ? second.id : first.id]);
  }
  expect(seen).toEqual([String(first.id), String(second.id)]);
  expect(compared).toBeGreaterThan(2);
});

test("J-09 a series without a session at present says so, and an unknown one is NOT_FOUND", async () => {
  const host = await makeUser({ tokens: 90_000 });
  const id = await makeSeries(host, { rule: "FREQ=DAILY;COUNT=1" });
  const address = `/series/${(await seriesNow(id))?.slug}`;
  at(nine(40));
  const rest = await visit(null, `${address}/stage`);
  expect(rest.status).toBe(200);
  expect((await rest.texts("main"))[0]).toContain("The next date is not planned yet.");
  expect((await visit(null, "/series/no-such-series/stage")).status).toBe(404);
});
