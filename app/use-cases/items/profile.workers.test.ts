// The public life on a profile, for owner, visitor, stranger and blocked people.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { makeUser, NOW, type TestUser } from "#tests/support/factories";
import { makeHut, makeSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";

const db = connect(env.DB);
const lifeOf = async (of: TestUser, viewer: TestUser | null) => {
  const { serverData } = (await callAs(viewer, "GET", `/api/${of.username}`)).body;
  const titles = (rows: { title: string }[]) => rows.map(({ title }) => title).sort();
  return { sessions: titles(serverData.challengeEvents), huts: titles(serverData.groups) };
};
const change = (id: number, set: Partial<typeof schema.sessions.$inferInsert>) =>
  db.update(schema.sessions).set(set).where(eq(schema.sessions.id, id));

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
  await callAs(host, "POST", `/challenge-events/${joined.id}/join`, {});
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

test("R-77 Q-11 Q-18 a profile shows nothing across a block in either direction, nor of a suspended person", async () => {
  const [host, blocker, blocked] = [await makeUser(), await makeUser(), await makeUser()];
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
