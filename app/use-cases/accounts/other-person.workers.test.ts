// A user acts as a second person and then as the first again: other people read the name of the person that acted, and
// never the other one, which would tie the two names together.
import { eq, inArray } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { passSeries } from "#db/queries/series/series";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, type TestUser, testApp } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { layOutDays, makeSeries, openOf, restSeries, seriesPage, stand } from "#tests/support/series";
import { endSession, join, leave, makeSession, seatsOf } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { instant, MINUTE } from "~/domain/time";
import { answerRequest, renewInvitation, requestEntry, viewInvitation } from "~/use-cases/huts/entry.server";
import { viewHutMembers } from "~/use-cases/huts/members.server";
import { viewReportTarget } from "~/use-cases/safety/reports.server";
import { acceptTurn } from "~/use-cases/series/rota.server";
import { viewSessionPeople } from "~/use-cases/sessions/people-page.server";
import { viewRecap } from "~/use-cases/sessions/recap.server";

const now = () => instant(Date.now());
const at = useRoomClock();
const nameOf = () => `other-${crypto.randomUUID().slice(0, 8)}`;

type Scene = {
  /** The user, while the second person acts. */
  ada: TestUser;
  /** The name of the second person. */
  name: string;
  ben: TestUser;
  /** The user acts as the first person from here on. */
  switchBack: () => Promise<unknown>;
};

async function setScene(): Promise<Scene> {
  const [ada, ben] = [await makeUser({ tokens: 9000 }), await makeUser({ tokens: 9000 })];
  const name = nameOf();
  await callAs(ada, "POST", "/me/persons", { username: name });
  const switchTo = (username: string) => callAs(ada, "POST", `/me/persons/${username}/switch-to`, {});
  expect((await switchTo(name)).status).toBe(200);
  return { ada, name, ben, switchBack: () => switchTo(ada.username) };
}

const makeHutOf = async (owner: TestUser, isPrivate: 0 | 1) =>
  (await callAs(owner, "POST", "/groups/store", { hut: { title: nameOf(), is_private: isPrivate } })).body
    .hut;
const membersAs = async (user: TestUser, hut: string) =>
  viewHutMembers(await appOf(user, now()), { hut, page: 1 });
const lastOf = async (series: number) => (await openOf(series)).at(-1)?.id ?? 0;
const pagesOf = async (id: number) => [
  await dataOf(null, `/api/sessions/${id}`),
  await dataOf(null, `/api/sessions/${id}/member-goals`),
  (await visit(null, `/sessions/${id}`)).html,
];
const remove = (host: TestUser, id: number, username: string) =>
  callAs(host, "DELETE", `/challenge-events/${id}/participants/${username}`, { keep_out: 1 });
const running = async (host: TestUser, guest: TestUser) => {
  const { id } = await makeSession(host);
  await join(guest, id);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  return id;
};

/** Each act as the second person, and then what others read of it as JSON. */
const ACTS: Record<string, (scene: Scene) => Promise<unknown[]>> = {
  "the creator of a session": async ({ ada, switchBack }) => {
    const { id } = await makeSession(ada, { tasks: [{ title: "Pages", amount: 3 }] });
    await switchBack();
    return pagesOf(id);
  },
  "the creator in a report of a session": async ({ ada, ben, switchBack }) => {
    const { id } = await makeSession(ada);
    await switchBack();
    return [await viewReportTarget(await appOf(ben), { kind: "session", id: String(id) })];
  },
  "the host of a series, and of the dates laid out later": async ({ ada, ben, switchBack }) => {
    const series = await makeSeries(ada);
    await stand(ben, series);
    await switchBack();
    await layOutDays(7);
    return [
      await seriesPage(null, series),
      await dataOf(ben, `/api/my/series/${series}`),
      ...(await pagesOf(await lastOf(series))),
    ];
  },
  "a standing seat": async ({ ada, ben, switchBack }) => {
    const series = await makeSeries(ben);
    await stand(ada, series);
    await switchBack();
    await layOutDays(7);
    return [await dataOf(ben, `/api/my/series/${series}`), ...(await pagesOf(await lastOf(series)))];
  },
  "a turn to host": async ({ ada, name, ben, switchBack }) => {
    const series = await makeSeries(ben);
    expect((await callAs(ben, "PUT", `/api/series/${series}/hosts/${name}`, {})).status).toBe(200);
    await switchBack();
    await acceptTurn(await appOf(ada, now()), { series });
    await layOutDays(7);
    return [await dataOf(ben, `/api/my/series/${series}`), ...(await pagesOf(await lastOf(series)))];
  },
  "a series that a host in turn takes over": async ({ ada, name, ben, switchBack }) => {
    const series = await makeSeries(ben);
    await callAs(ben, "PUT", `/api/series/${series}/hosts/${name}`, {});
    await switchBack();
    await db.batch([
      passSeries(db, { id: series, from: ben.id, to: ada.id, keepsFree: true, keepsCall: true, now: now() }),
    ]);
    await callAs(ada, "DELETE", `/api/series/${series}/hosts/${ben.username}`);
    await layOutDays(7);
    return [await dataOf(ada, `/api/my/series/${series}`), ...(await pagesOf(await lastOf(series)))];
  },
  "the owner of a hut who takes a series and its dates over": async ({ ada, name, ben, switchBack }) => {
    await switchBack();
    const { slug, id: hut_id } = await makeHutOf(ada, 0);
    await callAs(ada, "POST", `/me/persons/${name}/switch-to`, {});
    await callAs(ben, "POST", `/groups/${slug}/join`, {});
    const series = await makeSeries(ben, {}, { hut_id });
    expect((await callAs(ben, "PUT", `/api/series/${series}/hosts/${name}`, {})).status).toBe(200);
    await callAs(ben, "DELETE", `/groups/${slug}/leave`);
    await switchBack();
    const closed = { hut: { is_private: 1, take_over: 1 } };
    expect((await callAs(ada, "PATCH", `/groups/${slug}/patch`, closed)).status).toBe(200);
    return [await dataOf(ada, `/api/my/series/${series}`), await seatsOf(await lastOf(series))];
  },
  "the owner of an activity": async ({ ada, switchBack }) => {
    const challenge = { title: "Heron", duration: 1800, tasks: [{ title: "Pages", amount: 3 }] };
    const { body } = await callAs(ada, "POST", "/challenges", { challenge });
    await switchBack();
    return [await dataOf(null, `/api/activities/${body.challenge.slug}`)];
  },
  "the owner of a hut": async ({ ada, ben, switchBack }) => {
    const { slug } = await makeHutOf(ada, 0);
    await callAs(ben, "POST", `/groups/${slug}/join`, {});
    await callAs(ada, "PATCH", `/groups/${slug}/members/${ben.username}`, { role: 1 });
    await switchBack();
    expect((await visit(null, `/${ada.username}`)).html).not.toContain(slug);
    return [await membersAs(ben, slug), await viewReportTarget(await appOf(ben), { kind: "hut", id: slug })];
  },
  "the owner of a hut who takes a running session over": async ({ ada, ben, switchBack }) => {
    const { slug, id: hut_id } = await makeHutOf(ada, 1);
    await requestEntry(await appOf(ben, now()), { slug });
    await answerRequest(await appOf(ada, now()), { hut: slug, username: ben.username, isAccepted: true });
    const { id } = await makeSession(ben, { hut_id });
    await callAs(ben, "POST", `/challenge-events/${id}/start`, {});
    await switchBack();
    const ban = await callAs(ada, "PATCH", `/groups/${slug}/members/${ben.username}`, { ban: 1 });
    expect(ban.status).toBe(200);
    return [await dataOf(ada, `/api/sessions/${id}`)];
  },
  "a member of a hut": async ({ ada, ben, switchBack }) => {
    const { slug } = await makeHutOf(ben, 0);
    await callAs(ada, "POST", `/groups/${slug}/join`, {});
    await switchBack();
    return [await membersAs(ben, slug)];
  },
  "a person who asks to enter a hut": async ({ ada, ben, switchBack }) => {
    const { slug } = await makeHutOf(ben, 1);
    await requestEntry(await appOf(ada, now()), { slug });
    await switchBack();
    return [await membersAs(ben, slug)];
  },
  "a person who was let into a hut": async ({ ada, name, ben, switchBack }) => {
    const { slug } = await makeHutOf(ben, 1);
    await requestEntry(await appOf(ada, now()), { slug });
    await switchBack();
    await answerRequest(await appOf(ben, now()), { hut: slug, username: name, isAccepted: true });
    return [await membersAs(ben, slug)];
  },
  "a person whom a hut took in as it became private": async ({ ada, ben, switchBack }) => {
    const { slug, id: hut_id } = await makeHutOf(ben, 0);
    const { id } = await makeSession(ben, { hut_id });
    await join(ada, id);
    await switchBack();
    await callAs(ben, "PATCH", `/groups/${slug}/patch`, { hut: { is_private: 1, admit_outsiders: 1 } });
    return [await membersAs(ben, slug)];
  },
  "the maker of an invitation": async ({ ada, switchBack }) => {
    const { slug } = await makeHutOf(ada, 1);
    const { url } = await renewInvitation(await appOf(ada, now()), { hut: slug });
    await switchBack();
    const code = new URL(url).hash.slice(1);
    return [await viewInvitation(await testApp({ now: now() }), { code })];
  },
  "a person whom a session keeps out": async ({ ada, name, ben, switchBack }) => {
    const { id } = await makeSession(ben);
    await join(ada, id);
    await switchBack();
    expect((await remove(ben, id, name)).status).toBe(204);
    return [(await viewSessionPeople(await appOf(ben, now()), { session: id })).bans];
  },
  "a person who left a session that ran": async ({ ada, ben, switchBack }) => {
    const id = await running(ben, ada);
    await switchBack();
    at(ROOM_NOW + 10 * MINUTE);
    await leave(ada, id);
    at(ROOM_NOW + 20 * MINUTE);
    await endSession(ben, id);
    const fileOf = async (file: string) => (await visit(ben, `/sessions/${id}/${file}`)).html;
    return [
      (await viewRecap(await appOf(ben, now()), { session: id })).recap,
      await fileOf("attendance.csv"),
      await fileOf("recap.csv"),
      await fileOf("recap.markdown"),
    ];
  },
};

beforeEach(restSeries);
keepBystanders(restSeries);

test.each(Object.entries(ACTS))(
  "A-12 %s has the name of the person that acted, and no other",
  async (_, act) => {
    const scene = await setScene();
    const shown = (await act(scene)).map((read) => JSON.stringify(read));
    const named = shown.map((text) => [text.includes(scene.name), text.includes(scene.ada.username)]);
    expect(named).toEqual(shown.map(() => [true, false]));
  },
);

test("A-05 A-12 the creator keeps the key and may not report the session, whichever person acts", async () => {
  const { ada, ben, switchBack } = await setScene();
  const { id, path } = await makeSession(ada);
  await join(ben, id);
  await switchBack();
  const handOver = await callAs(ada, "PATCH", `/challenge-events/${id}/participants/${ben.username}`, {
    host: 1,
  });
  expect(handOver.status).toBe(200);
  const page = async (user: TestUser) => {
    const { html } = await visit(user, path);
    return [html.includes("Session builder"), html.includes("/account/report/session/")];
  };
  expect([await page(ada), await page(ben)]).toEqual([
    [true, false],
    [true, true],
  ]);
  await leave(ada, id);
  expect([await page(ada), await page(ben)]).toEqual([
    [false, false],
    [false, true],
  ]);
  const shown = JSON.stringify(await dataOf(null, `/api/sessions/${id}`));
  expect(shown).not.toContain(ada.username);
});

test("G-17 A-12 a host in turn leaves the rota as another person than the one who was invited", async () => {
  const { ada, name, ben, switchBack } = await setScene();
  const series = await makeSeries(ben);
  await callAs(ben, "PUT", `/api/series/${series}/hosts/${name}`, {});
  await switchBack();
  const hosts = async () =>
    (await dataOf(ben, `/api/my/series/${series}`)).hosts.map(({ username }: TestUser) => username);
  expect(await hosts()).toEqual([ben.username, name]);
  expect((await callAs(ada, "DELETE", `/api/series/${series}/hosts/${ada.username}`)).status).toBe(204);
  expect(await hosts()).toEqual([ben.username]);
});

test("A-12 G-13 a standing seat that the last release inserted seats the person as whom the user acts", async () => {
  const { ada, name, ben, switchBack } = await setScene();
  const series = await makeSeries(ben);
  await stand(ada, series);
  await switchBack();
  await db
    .update(schema.standingSeats)
    .set({ personId: null })
    .where(eq(schema.standingSeats.seriesId, series));
  await layOutDays(7);
  const names = (await seatsOf(await lastOf(series))).map(({ username }) => username);
  expect(names).toContain(ada.username);
  expect(names).not.toContain(name);
});

test("A-12 rows of the last release keep their user's name in later dates after a switch, and others' rows stay", async () => {
  const [ada, ben] = [await makeUser({ tokens: 9000 }), await makeUser({ tokens: 9000 })];
  const [own, theirs, shared] = [await makeSeries(ada), await makeSeries(ben), await makeSeries(ben)];
  await stand(ada, theirs);
  await callAs(ben, "PUT", `/api/series/${shared}/hosts/${ada.username}`, {});
  await acceptTurn(await appOf(ada, now()), { series: shared });
  const tables = [schema.series, schema.standingSeats, schema.rotaHosts];
  for (const table of tables)
    await db
      .update(table)
      .set({ personId: null })
      .where(inArray(table.personId, [ada.personId, ben.personId]));
  const name = nameOf();
  await callAs(ada, "POST", "/me/persons", { username: name });
  for (const username of [name, ada.username, name])
    expect((await callAs(ada, "POST", `/me/persons/${username}/switch-to`, {})).status).toBe(200);
  await layOutDays(7);
  for (const id of [own, theirs, shared]) {
    const shown = JSON.stringify([
      await dataOf(ben, `/api/my/series/${id}`),
      await Promise.all((await openOf(id)).map(async (session) => await seatsOf(session.id))),
    ]);
    expect([id, shown.includes(ada.username), shown.includes(name)]).toEqual([id, true, false]);
  }
  const rows = await Promise.all(tables.map(async (table) => await db.select().from(table)));
  const personIds = (userId: number) =>
    rows
      .flat()
      .flatMap((row) => (("ownerId" in row ? row.ownerId : row.userId) === userId ? [row.personId] : []));
  expect(personIds(ada.id)).toEqual([ada.personId, ada.personId, ada.personId]);
  expect(personIds(ben.id)).toEqual([null, null, null]);
});

test("A-12 G-17 a series that the last release handed over has its host's own name", async () => {
  const { ada, name, ben } = await setScene();
  const series = await makeSeries(ada);
  await db.update(schema.series).set({ ownerId: ben.id }).where(eq(schema.series.id, series));
  await layOutDays(7);
  const shown = JSON.stringify([
    await dataOf(ben, `/api/my/series/${series}`),
    await seatsOf(await lastOf(series)),
  ]);
  expect([shown.includes(ben.username), shown.includes(name)]).toEqual([true, false]);
});
