// The people of a series: blocked people and people who are kept out.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { makeSeries, sessionsOf } from "#tests/support/series";
import { post, visit } from "#tests/support/visit";

const at = useRoomClock();

keepBystanders();

test("Q-12 the holders of standing seats show a blocked person under an alias, as rosters and waiting lists do", async () => {
  const [host, holder] = [await makeUser({ tokens: 5000 }), await makeUser()];
  const id = await makeSeries(host);
  expect((await callAs(holder, "PUT", `/api/series/${id}/standing-seat`, {})).status).toBe(200);
  expect((await callAs(holder, "PUT", `/api/blocks/${host.username}`)).status).toBe(204);
  const seen = await dataOf(host, `/api/my/series/${id}`);
  expect(JSON.stringify(seen)).not.toContain(holder.username);
});

test("Q-12 the list of series does not name a host with whom a block exists", async () => {
  const [host, holder] = [await makeUser({ tokens: 5000 }), await makeUser()];
  const id = await makeSeries(host);
  expect((await callAs(holder, "PUT", `/api/series/${id}/standing-seat`, {})).status).toBe(200);
  expect((await callAs(holder, "PUT", `/api/blocks/${host.username}`)).status).toBe(204);
  const seen = await dataOf(holder, "/api/my/series");
  expect(JSON.stringify(seen)).not.toContain(host.username);
});

test("Q-15 a person who is kept out of a series waits in none of its sessions", async () => {
  const [host, guest, banned] = [await makeUser({ tokens: 9000 }), await makeUser(), await makeUser()];
  const id = await makeSeries(host, {}, { participant_limit: 2 });
  const [one, two] = await sessionsOf(id);
  for (const session of [one, two]) await callAs(guest, "POST", `/challenge-events/${session?.id}/join`, {});
  at(ROOM_NOW + 1000);
  for (const session of [one, two])
    expect((await callAs(banned, "POST", `/challenge-events/${session?.id}/wait`, {})).status).toBe(200);
  const gone = await callAs(host, "DELETE", `/challenge-events/${one?.id}/participants/${banned.username}`, {
    keep_out: 1,
    series: 1,
  });
  expect(gone.status).toBe(204);
  const waits = await db.select().from(schema.waiters).where(eq(schema.waiters.userId, banned.id));
  expect(waits).toEqual([]);
});

test.each([0, 1])(
  "Q-15 Q-29 a ban with series: %i is listed and lifted by the host of the series, with one audit row",
  async (series) => {
    const [host, admin, banned] = [await makeUser({ tokens: 9000 }), await makeUser(), await makeUser()];
    const id = await makeSeries(host);
    const [session, other] = await sessionsOf(id);
    if (!session) throw new Error("no session");
    const event = `/challenge-events/${session.id}`;
    const join = (by: TestUser) => callAs(by, "POST", `${event}/join`, {});
    for (const by of [admin, banned]) await join(by);
    await callAs(host, "PATCH", `${event}/participants/${admin.username}`, { role: 1 });
    const out = { keep_out: 1, series, reason: "Too loud" };
    expect((await callAs(host, "DELETE", `${event}/participants/${banned.username}`, out)).status).toBe(204);
    const listed = async (by: TestUser, of: number) =>
      (await (await visit(by, `/sessions/${of}/people`)).texts('ul[aria-label="Kept out"] li')).join();
    expect(await listed(host, session.id)).toContain(banned.username);
    expect((await listed(host, session.id)).includes("From the whole series")).toBe(series === 1);
    expect((await listed(host, other?.id ?? 0)).includes(banned.username)).toBe(series === 1);
    expect(await listed(admin, session.id)).not.toContain(banned.username);
    for (let n = 0; n < 2; n++) {
      const fields = { intent: "let-in", username: banned.username };
      expect((await post(host, `/sessions/${session.id}/people`, fields)).status).toBe(302);
    }
    expect(await listed(host, session.id)).toBe("");
    expect((await join(banned)).status).toBe(200);
    const acts = await db.select().from(schema.audit).where(eq(schema.audit.userId, banned.id));
    expect(acts.map(({ action }) => action)).toEqual(["banned", "ban-lifted"]);
  },
);

test("Q-15 the host of one date, who does not host its series, sees no ban of the series", async () => {
  const [host, other, banned] = [
    await makeUser({ tokens: 9000 }),
    await makeUser({ tokens: 900 }),
    await makeUser(),
  ];
  const id = await makeSeries(host);
  const [session] = await sessionsOf(id);
  const event = `/challenge-events/${session?.id}`;
  for (const by of [other, banned]) await callAs(by, "POST", `${event}/join`, {});
  const out = { keep_out: 1, series: 1 };
  expect((await callAs(host, "DELETE", `${event}/participants/${banned.username}`, out)).status).toBe(204);
  expect((await callAs(host, "PATCH", `${event}/participants/${other.username}`, { host: 1 })).status).toBe(
    200,
  );
  const page = await visit(other, `/sessions/${session?.id}/people`);
  expect([page.status, page.html.includes(banned.username)]).toEqual([200, false]);
});

test("Q-12 the host moves and removes a hidden person of the rota by the handle, also after others left it", async () => {
  const host = await makeUser({ tokens: 5000 });
  const [early, a, b] = await makeUsers(3);
  const id = await makeSeries(host);
  const on = (who: string, method: string, body?: object) =>
    callAs(host, method, `/api/series/${id}/hosts/${encodeURIComponent(who)}`, body);
  for (const { username } of [early, a, b]) expect((await on(username, "PUT", {})).status).toBe(200);
  for (const user of [a, b])
    expect((await callAs(user, "PUT", `/api/blocks/${host.username}`)).status).toBe(204);
  const rota = async () => (await dataOf(host, `/api/my/series/${id}`)).hosts;
  const page = await rota();
  expect(page.map(({ username }: { username: string }) => username)).toEqual([
    host.username,
    early.username,
    "Participant 3",
    "Participant 4",
  ]);
  const [{ handle: ofHost }, , { handle: ofA }, { handle: ofB }] = page;
  expect(ofHost).toBeUndefined();
  expect((await on(early.username, "DELETE")).status).toBe(204);
  expect((await on(ofB, "PUT", { place: 0 })).status).toBe(200);
  expect((await rota()).map(({ handle }: { handle?: string }) => handle)).toEqual([ofB, undefined, ofA]);
  expect((await on("Participant 3", "DELETE")).status).toBe(204);
  expect(await rota()).toHaveLength(3);
  expect((await on(ofA, "DELETE")).status).toBe(204);
  const left = await db.select().from(schema.rotaHosts).where(eq(schema.rotaHosts.seriesId, id));
  expect(new Set(left.map(({ userId }) => userId))).toEqual(new Set([host.id, b.id]));
});
