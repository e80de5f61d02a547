// Refusals of buttons and confirmation dialogs, as the page shows them without scripts.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { appOf, db, makeUser, makeUsers, setUser, type TestUser } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { makeHut, makeSession, seatsOf } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { cannotOwn } from "~/domain/huts/refusals";
import { DAY, instant, plusMillis } from "~/domain/time";
import { storeQuickLog } from "~/use-cases/goals/logs.server";
import { markOf } from "~/use-cases/made-for.server";

const NOTICE = "main > .page-refusal";

/** The status of the answer to a form, the sentences above the page, and their links. */
async function answerTo(user: TestUser, path: string, form: Record<string, string>) {
  expect(await (await visit(user, path)).allWithoutScripts(NOTICE), path).toEqual([]);
  const page = await post(user, path, form);
  const notices = await page.allWithoutScripts(NOTICE);
  const links = await page.allWithoutScripts(`${NOTICE} a`);
  return [page.status, notices.map(({ text }) => text).join(), links.map(({ text }) => text)] as const;
}

test("V-12 the page says why a log stays that its dialog was to delete", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const app = await appOf(user);
  const { log } = await storeQuickLog(app, { goalId: goal.id, amount: 10_000 });
  await storeQuickLog(await appOf(user, plusMillis(app.now, 1)), { goalId: goal.id, amount: -8000 });
  for (const path of [`/my/goals/${goal.id}`, `/my/goals/${goal.id}/logs`, "/my/logs"]) {
    const refused = await answerTo(user, path, { intent: "log.delete", log: String(log.id) });
    expect(refused, path).toEqual([422, "Progress cannot go below zero. Please correct the amount.", []]);
  }
  expect(await goalNow(goal.id)).toMatchObject({ amountElapsed: 2000, logsCount: 2 });
});

test("Q-26 R-88 the page says that a hut was not handed over", async () => {
  const [owner, leaving, other] = await makeUsers(3);
  const hut = await makeHut(owner, [owner, leaving, other]);
  await setUser(leaving.id, { deletionDueAt: instant((await appOf(owner)).now + DAY) });
  const path = `/group/${hut.slug}/members`;
  const form = { intent: "hand-over", username: leaving.username };
  expect(await answerTo(owner, path, form)).toEqual([409, cannotOwn, []]);
  const [row] = await db.select({ ownerId: schema.huts.ownerId }).from(schema.huts);
  expect(row?.ownerId).toBe(owner.id);
});

test("U-24 B-12 R-58 the buttons of a goal say why they were refused, and link to more tokens", async () => {
  const poor = await makeUser({ tokens: 0 });
  const goal = await makeGoal(poor);
  const foreignMark = markOf((await appOf(await makeUser())).user) ?? "";
  const complete = { intent: "goal.complete", goal: String(goal.id), stay: "", madeFor: foreignMark };
  for (const path of ["/my/goals", `/my/goals/${goal.id}`]) {
    expect(await answerTo(poor, path, { intent: "log.begin", goal: String(goal.id) }), path).toEqual([
      402,
      expect.stringContaining("out of tokens"),
      ["Buy tokens"],
    ]);
    expect(await answerTo(poor, path, complete), path).toEqual([
      409,
      expect.stringContaining(`You are signed in as ${poor.username} now.`),
      [],
    ]);
  }
  expect(await goalNow(goal.id)).toMatchObject({ logsCount: 0, status: goal.status });
});

test("M-15 R-01 U-09 the page says once why nobody joins, and links to more tokens where the person's own lack", async () => {
  const [host, poor, rich] = [await makeUser(), await makeUser({ tokens: 0 }), await makeUser()];
  const [own, free] = [await makeSession(host), await makeSession(host, { is_free: 1 })];
  await db.update(schema.tokenLots).set({ remaining: 0 }).where(eq(schema.tokenLots.userId, host.id));
  const join = async (user: TestUser, path: string) => {
    const page = await post(user, path, { intent: "join" });
    const [status, ...said] = [page.status, ...(await page.allWithoutScripts("main .notice"))];
    const links = await page.allWithoutScripts("main .notice a");
    return [
      status,
      said.filter(({ text }) => text.includes("out of tokens")).length,
      links.map(({ text }) => text),
    ];
  };
  expect(await join(poor, own.path)).toEqual([402, 1, ["Buy tokens"]]);
  expect(await join(rich, free.path)).toEqual([402, 1, []]);
  expect((await seatsOf(own.id)).concat(await seatsOf(free.id)).map(({ userId }) => userId)).toEqual([
    host.id,
    host.id,
  ]);
});
