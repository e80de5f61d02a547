// The public life on a profile, for owner, visitor, stranger and blocked people.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, makeUsers, NOW, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { join, makeHut, makeSession, setSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { HOUR, instant, seconds } from "~/domain/time";
import { storeQuickLog } from "~/use-cases/goals/logs.server";

const lifeOf = async (of: TestUser, viewer: TestUser | null) => {
  const { serverData } = (await callAs(viewer, "GET", `/api/${of.username}`)).body;
  const titles = (rows: { title: string }[]) => rows.map(({ title }) => title).sort();
  return { sessions: titles(serverData.challengeEvents), huts: titles(serverData.groups) };
};
const change = (id: number, set: Partial<typeof schema.sessions.$inferInsert>) => setSession(id, set);

test("R-77 a profile shows the public sessions hosted as that person and public huts, to everybody alike", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const open = await makeHut(host);
  const closed = await makeHut(host);
  await db.update(schema.huts).set({ title: "Open hut" }).where(eq(schema.huts.id, open.id));
  await db
    .update(schema.huts)
    .set({ title: "Closed hut", isPrivate: true })
    .where(eq(schema.huts.id, closed.id));
  const make = async (title: string, set: Partial<typeof schema.sessions.$inferInsert> = {}) => {
    const { id } = await makeSession(host, { title });
    if (Object.keys(set).length > 0) await change(id, set);
    return id;
  };
  const shown = await make("Shown");
  await make("In the open hut", { hutId: open.id });
  await make("Private", { isPrivate: true });
  await make("Coded", { joinCode: "quiet" });
  await make("In the closed hut", { hutId: closed.id });
  await make("Cancelled", { closedAt: NOW, endedAt: NOW });
  const second = await make("As a second person");
  const [alias] = await db
    .insert(schema.persons)
    .values({ userId: host.id, username: `alias-${host.id}`, createdAt: NOW })
    .returning();
  await db
    .update(schema.participants)
    .set({ personId: alias?.id ?? 0 })
    .where(eq(schema.participants.sessionId, second));
  const joined = await makeSession(guest, { title: "Only joined" });
  await join(host, joined.id);
  const life = { sessions: ["In the open hut", "Shown"], huts: ["Open hut"] };
  for (const viewer of [null, guest, host]) expect(await lifeOf(host, viewer)).toEqual(life);
  expect(await lifeOf({ ...host, username: `alias-${host.id}` }, null)).toEqual({
    sessions: ["As a second person"],
    huts: [],
  });
  const page = await visit(null, `/${host.username}`);
  expect(page.html).toContain(`/sessions/${shown}`);
  for (const hidden of ["Private", "Coded", "Closed hut", "In the closed hut", "Cancelled"])
    expect(page.html).not.toContain(hidden);
});

test("R-77 a profile lists the next session first, then those without a start, then the latest that ended", async () => {
  const host = await makeUser();
  const at = (hours: number) => instant(Date.now() + hours * HOUR);
  const make = async (title: string, set: Partial<typeof schema.sessions.$inferInsert>) =>
    change((await makeSession(host, { title })).id, set);
  const over = (hours: number) => ({
    startedAt: at(hours),
    endedAt: at(hours + 1),
    closedAt: at(hours + 1),
    recap: { people: [] } as never,
  });
  await make("Tomorrow", { startedAt: at(24), endedAt: at(25) });
  await make("Yesterday", over(-24));
  await make("Soon", { startedAt: at(1), endedAt: at(2) });
  await make("By hand", { startedAt: null, endedAt: null });
  await make("Last week", over(-168));
  await make("Now", { startedAt: at(-1), endedAt: at(1) });
  const { challengeEvents } = (await callAs(null, "GET", `/api/${host.username}`)).body.serverData;
  expect(challengeEvents.map(({ title }: { title: string }) => title)).toEqual([
    "Now",
    "Soon",
    "Tomorrow",
    "By hand",
    "Yesterday",
    "Last week",
  ]);
});

test("R-77 Q-11 Q-18 a profile shows nothing across a block in either direction, nor of a suspended person", async () => {
  const [host, blocker, blocked] = await makeUsers(3);
  await makeSession(host, { title: "Shown" });
  await makeHut(host);
  await callAs(blocker, "PUT", `/api/blocks/${host.username}`, {});
  await callAs(host, "PUT", `/api/blocks/${blocked.username}`, {});
  const nothing = { sessions: [], huts: [] };
  expect(await lifeOf(host, blocker)).toEqual(nothing);
  expect(await lifeOf(host, blocked)).toEqual(nothing);
  expect((await lifeOf(host, null)).sessions).toEqual(["Shown"]);
  await db.insert(schema.sanctions).values({
    scope: "site",
    targetId: 0,
    userId: host.id,
    kind: "ban",
    until: null,
    reason: "",
    createdAt: NOW,
  });
  for (const viewer of [null, await makeUser()]) expect(await lifeOf(host, viewer)).toEqual(nothing);
});

test("R-77 attended sessions and the streak show once the person switches them on, and only public ones", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const come = async (
    title: string,
    set: Partial<typeof schema.sessions.$inferInsert> = {},
    by: TestUser = host,
  ) => {
    const { id } = await makeSession(by, { title });
    if (by !== guest) await join(guest, id);
    if (Object.keys(set).length > 0) await change(id, set);
    const row = { userId: guest.id, sessionId: id, startedAt: NOW, seconds: seconds(60), hasCome: true };
    await db.insert(schema.attendance).values(row);
    return id;
  };
  const shown = await come("Came to this");
  await come("Private one", { isPrivate: true });
  await come("Hosted it", {}, guest);
  const missed = await come("Did not come");
  await db.update(schema.attendance).set({ hasCome: false }).where(eq(schema.attendance.sessionId, missed));
  const goal = await makeGoal(guest, { title: "Secret goal", amount: 1000, recurrence: { every: "day" } });
  await storeQuickLog(await appOf(guest, instant(Date.now())), { goalId: goal.id, amount: 1000, status: 2 });
  const life = async (viewer: TestUser | null) => {
    const { attended, streak } = await dataOf(viewer, `/api/${guest.username}`);
    return { attended: attended.map(({ id }: { id: number }) => id), streak };
  };
  const nothing = { attended: [], streak: null };
  for (const viewer of [null, host, guest]) expect(await life(viewer)).toEqual(nothing);

  const turn = (user: TestUser, isShown: string) =>
    post(user, "/account", { intent: "show-attended", person: guest.username, isShown });
  expect((await visit(guest, "/account")).html).toContain("hides attended sessions and the streak");
  await turn(host, "1");
  expect(await life(null)).toEqual(nothing);
  await turn(guest, "1");
  for (const viewer of [null, host, guest])
    expect(await life(viewer)).toEqual({ attended: [shown], streak: { count: 1, unit: "day" } });
  const page = (await visit(null, `/${guest.username}`)).html;
  expect(page).toContain("Came to this");
  expect(page).toContain("1 day in a row");
  for (const hidden of ["Secret goal", "Private one", "Did not come"]) expect(page).not.toContain(hidden);
  await callAs(guest, "PUT", `/api/blocks/${host.username}`, {});
  expect(await life(host)).toEqual(nothing);
  await turn(guest, "0");
  expect(await life(null)).toEqual(nothing);
});
