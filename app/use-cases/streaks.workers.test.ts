// A streak that is longer than the days that home reads.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { dataOf } from "#tests/support/ask";
import { db, makeUser, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { visit } from "#tests/support/visit";
import { dayAt, plusDays } from "~/domain/days";
import { instant } from "~/domain/time";

/** Reaches a new daily goal of the user on each of so many days until yesterday. */
async function withStreak(length: number, user: TestUser | null = null) {
  user ??= await makeUser();
  const { id: goalId } = await makeGoal(user, { title: "Pages", amount: 1000, recurrence: { every: "day" } });
  const today = dayAt(instant(Date.now()), "UTC");
  for (let ago = length; ago > 0; ago--)
    await db
      .insert(schema.goalDays)
      .values({ goalId, userId: user.id, day: plusDays(today, -ago), amount: 1000, logs: 1 });
  await db.update(schema.persons).set({ showsAttended: true }).where(eq(schema.persons.userId, user.id));
  return user;
}

test("Y-03 home says of a longer streak that it is at least as long as the days that home reads", async () => {
  const [long, short] = [await withStreak(60), await withStreak(9)];
  expect((await visit(long, "/")).html).toMatch(/(3[5-9]|4[01])\+ days in a row/);
  expect((await visit(short, "/")).html).toContain("9 days in a row");
});

test("R-77 a profile has the whole length of a long streak", async () => {
  const user = await withStreak(60);
  expect((await dataOf(null, `/api/${user.username}`)).streak).toEqual({
    count: 60,
    unit: "day",
  });
});

test("R-77 of two long streaks a profile shows the longer one, though the other goal is newer", async () => {
  const user = await withStreak(60);
  await withStreak(45, user);
  expect((await dataOf(null, `/api/${user.username}`)).streak.count).toBe(60);
});
