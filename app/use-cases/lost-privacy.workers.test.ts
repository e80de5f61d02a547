// The remains of a deleted private hut, and the name in the notice of an early start.
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { iso, layOutDays, makeSeries, openOf, restSeries, sentencesOf, stand } from "#tests/support/series";
import { join, makeActivity, makeHut, makeSession, sessionNow } from "#tests/support/sessions";
import { DAY } from "~/domain/time";

beforeEach(restSeries);
const dated = (over: object = {}) => ({
  is_manually_started: 0,
  started_at: iso(Date.now() + 2 * DAY),
  ...over,
});
async function privateHut(owner: TestUser, members: TestUser[] = []) {
  const hut = await makeHut(owner, [owner, ...members]);
  const set = { isPrivate: true, userCount: members.length + 1 };
  await db.update(schema.huts).set(set).where(eq(schema.huts.id, hut.id));
  return hut;
}
const deleteHut = (owner: TestUser, slug: string) => callAs(owner, "DELETE", `/groups/${slug}`, { slug });

keepBystanders(restSeries);

test("R-87 Q-25 G-08 the series of a private hut that is deleted ends, its unstarted sessions are cancelled, nothing is public", async () => {
  const host = await makeUser();
  const hut = await privateHut(host);
  const id = await makeSeries(host, {}, { title: "Secret circle", hut_id: hut.id });
  const before = await openOf(id);
  expect(before.length).toBeGreaterThan(0);
  expect(before.every(({ isPrivate }) => isPrivate)).toBe(true);
  await deleteHut(host, hut.slug);
  expect(await openOf(id)).toEqual([]);
  await layOutDays(7);
  expect(await openOf(id)).toEqual([]);
  const list = JSON.stringify((await callAs(null, "GET", "/api/events?q=Secret")).body);
  expect(list).not.toContain("Secret circle");
});

test("Q-25 Q-27 G-13 nobody from outside takes a standing seat in the series of a private hut that was deleted", async () => {
  const [host, outsider] = await makeUsers(2);
  const hut = await privateHut(host);
  const id = await makeSeries(host, {}, { title: "Secret circle", hut_id: hut.id });
  expect((await stand(outsider, id)).status).toBe(404);
  await deleteHut(host, hut.slug);
  expect((await stand(outsider, id)).status).toBe(404);
});

test("Q-25 Q-27 C-70 a session of a private activity is not public after the activity's hut was deleted", async () => {
  const host = await makeUser();
  const hut = await privateHut(host);
  const activity = await makeActivity(host, {
    hutId: hut.id,
    title: "Secret practice",
    content: "Secret words",
  });
  await deleteHut(host, hut.slug);
  const [row] = await db.select().from(schema.activities).where(eq(schema.activities.id, activity.id));
  expect(row?.isPrivate).toBe(true);
  const { id } = await makeSession(host, { challenge_id: activity.id, title: "Next one" });
  expect((await sessionNow(id))?.isPrivate).toBe(true);
});

test("R-65 Q-11 Q-12 the notice of an early start names no person with whom a block exists", async () => {
  const [host, guest] = await makeUsers(2);
  const { id } = await makeSession(host, dated());
  await join(guest, id);
  expect((await callAs(guest, "PUT", `/api/blocks/${host.username}`)).status).toBe(204);
  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  expect((await sentencesOf(guest)).join()).not.toContain(host.username);
});
