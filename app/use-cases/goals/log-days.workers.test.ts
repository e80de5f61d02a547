// The day of a log, and the cursors of lists of logs, through calls and forms.
import { expect, test } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, makeUser } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { viewGoal } from "~/use-cases/my.server";
import { storeQuickLog } from "./logs.server";

test("C-41 a log moves to another day, with what it counts, and the totals stay", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { amount: 1000, recurrence: { every: "day" } });
  const app = await appOf(user);
  const { log } = await storeQuickLog(app, { goalId: goal.id, day: "2026-11-21", amount: 3000 });
  await storeQuickLog(app, { goalId: goal.id, day: "2026-11-20", amount: 1000 });
  const patch = (body: object) => callAs(user, "PATCH", `/api/challenge-logs/${log.id}/update`, body);
  const moved = await patch({ day: "2026-11-20", amount: 2 });
  expect([moved.status, moved.body.log.day]).toEqual([200, "2026-11-20"]);
  const daysNow = async () =>
    (await viewGoal(app, { goal: goal.id })).days.map(({ day, amount, logs }) => [day, amount, logs]);
  expect(await daysNow()).toEqual([
    ["2026-11-20", 3000, 2],
    ["2026-11-21", 0, 0],
  ]);
  expect(await goalNow(goal.id)).toMatchObject({ amountElapsed: 3000, logsCount: 2 });
  for (const day of [null, "2030-01-04", "soon"]) {
    const refused = await patch({ day });
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ["day"]]);
  }
  expect((await daysNow())[0]).toEqual(["2026-11-20", 3000, 2]);
});

test("R-96 a log that comes between two answers is in neither twice, and the last answer has no cursor", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const log = async (title: string) => storeQuickLog(await appOf(user), { goalId: goal.id, title });
  for (const title of ["a", "b", "c", "d", "e"]) await log(title);
  for (const path of ["/api/my/logs", `/api/my/goals/${goal.id}/logs`]) {
    const read = async (after?: string) => {
      const { logs, next } = await dataOf(user, `${path}?limit=2${after ? `&after=${after}` : ""}`);
      return { titles: logs.map(({ title }: { title: string }) => title), next };
    };
    const first = await read();
    await log("new");
    const second = await read(first.next);
    const third = await read(second.next);
    expect([...first.titles, ...second.titles, ...third.titles].slice(-5)).toEqual(["e", "d", "c", "b", "a"]);
    expect(third.next).toBeNull();
  }
  const { logs, next } = await dataOf(user, "/api/my/logs");
  expect([logs.length, next]).toEqual([7, undefined]);
  for (const limit of ["0", "101", "x"])
    expect((await callAs(user, "GET", `/api/my/logs?limit=${limit}`)).status).toBe(422);
});
