// The address of a series, which outlives its sessions and its names (H-10, H-11, H-14).
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { readByIcal } from "#tests/support/calendars";
import { appOf, db, makeUsers, setUser, testApp } from "#tests/support/factories";
import { drain, emptySpine, spineApp } from "#tests/support/notices";
import { useRoomClock } from "#tests/support/rooms";
import {
  iso,
  layOutDays,
  makeRichUser,
  makeSeries,
  nine,
  openNext,
  openOf,
  patchSeries,
  restSeries,
  seriesPage,
  seriesPath,
} from "#tests/support/series";
import { join, makeHut, makeSession, setSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { HOUR, instant, MINUTE, seconds } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { createSeriesWithFirst } from "./series.server";

const at = useRoomClock();
beforeEach(restSeries);

keepBystanders(restSeries);

test("H-10 next opens the running session, otherwise the next, otherwise one without a start, otherwise the page", async () => {
  const host = await makeRichUser();
  const id = await makeSeries(host);
  const path = await seriesPath(id);
  const opens = async () => {
    const answer = await openNext(null, path);
    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([302, "no-store"]);
    return answer.location;
  };
  const [a, b, c, d] = await openOf(id);
  // Before the first, while it runs, and after its end.
  expect(await opens()).toBe(`/sessions/${a?.id}`);
  at(nine(2) + 30 * MINUTE);
  expect(await opens()).toBe(`/sessions/${a?.id}`);
  at(nine(2) + 2 * HOUR);
  expect(await opens()).toBe(`/sessions/${b?.id}`);
  // After a cancellation of the next one, and after a move behind another.
  await callAs(host, "PATCH", `/api/series/${id}/days/${b?.seriesDay}`, { skip: 1 });
  expect(await opens()).toBe(`/sessions/${c?.id}`);
  await callAs(host, "PATCH", `/api/series/${id}/days/${c?.seriesDay}`, { started_at: iso(nine(22)) });
  expect(await opens()).toBe(`/sessions/${c?.id}`);
  await setSession(c?.id ?? 0, { startedAt: null, endedAt: null, isManuallyStarted: true });
  expect(await opens()).toBe(`/sessions/${d?.id}`);
  await setSession(d?.id ?? 0, { closedAt: instant(Date.now()) });
  expect(await opens()).toBe(`/sessions/${c?.id}`);
  await callAs(host, "DELETE", `/api/series/${id}`);
  expect(await opens()).toBe(path);
});

test("H-10 H-14 the address of week 1 opens the right session in week 12, after a move, a skip, a rota change and another rule", async () => {
  const [host, second] = [await makeRichUser(), await makeRichUser()];
  const id = await makeSeries(host);
  const bystander = await makeSeries(host, {}, { title: "Evening pages" });
  const path = await seriesPath(id);
  const [, two, three] = await openOf(id);
  await callAs(host, "PATCH", `/api/series/${id}/days/${two?.seriesDay}`, { started_at: iso(nine(10)) });
  await callAs(host, "PATCH", `/api/series/${id}/days/${three?.seriesDay}`, { skip: 1 });
  await callAs(host, "PUT", `/api/series/${id}/hosts/${second.username}`, {});
  await callAs(second, "POST", `/api/series/${id}/accept-turn`, { is_free: 0 });
  expect((await patchSeries(host, id, { started_at: iso(nine(5)), rule: "FREQ=WEEKLY" })).status).toBe(200);
  expect((await patchSeries(host, id, { session: { title: "Noon pages" } })).status).toBe(200);
  for (let week = 1; week <= 11; week++) await layOutDays(7 * week);
  at(nine(5 + 7 * 11) - HOUR);
  const target = (await openOf(id)).find(({ startedAt }) => startedAt === nine(5 + 7 * 11));
  expect(target).toBeDefined();
  expect((await openNext(null, path)).location).toBe(`/sessions/${target?.id}`);
  expect((await openOf(id)).map(({ title }) => title)).toContain("Noon pages");
  expect((await openNext(null, await seriesPath(bystander))).location).not.toBe(`/sessions/${target?.id}`);
  const hosts = new Set(
    (await seriesPage(null, id)).dates.map(
      ({ session }: never) => (session as { host: string } | null)?.host,
    ),
  );
  expect(hosts).toEqual(new Set([host.username, second.username, undefined]));
});

test("H-14 a renamed series keeps its old address by a 301, also after a second and third name", async () => {
  const host = await makeRichUser();
  const id = await makeSeries(host);
  const old = await seriesPath(id);
  for (const title of ["Noon pages", "Night pages", "Morning pages"])
    expect((await patchSeries(host, id, { session: { title } })).status).toBe(200);
  expect(await seriesPath(id)).toBe(old);
  await patchSeries(host, id, { session: { title: "Noon pages" } });
  const path = await seriesPath(id);
  expect(path).toMatch(/^\/series\/noon-pages/);
  const moved = await visit(null, `${old}?page=2`);
  expect([moved.status, moved.location]).toEqual([301, `${path}?page=2`]);
  const numbered = await visit(null, `/series/${id}`);
  expect([numbered.status, numbered.location]).toEqual([301, path]);
  expect((await openNext(null, old)).status).toBe(302);
});

test("H-14 two series of one title have two addresses, and no title is the id of another series", async () => {
  const host = await makeRichUser();
  const [a, b] = [await makeSeries(host), await makeSeries(host)];
  expect(await seriesPath(a)).not.toBe(await seriesPath(b));
  const number = await makeSeries(host, {}, { title: String(a) });
  expect(await seriesPath(number)).toMatch(/^\/series\/series-\d+/);
  // The address of a longer title is no address of its beginning.
  const circle = await makeSeries(host, {}, { title: "Crochet night" });
  await patchSeries(host, circle, { session: { title: "Crochet" } });
  expect(await seriesPath(circle)).toBe("/series/crochet");
  expect((await visit(null, `/series/${a}`)).location).toBe(await seriesPath(a));
  // A series may not take an old address of another.
  const old = await seriesPath(a);
  await patchSeries(host, a, { session: { title: "Another name" } });
  const taker = await makeSeries(host);
  expect(await seriesPath(taker)).not.toBe(old);
  expect((await visit(null, old)).location).toBe(await seriesPath(a));
});

test("H-14 a series that the last release made is found by its id", async () => {
  const host = await makeRichUser();
  const id = await makeSeries(host);
  await db.update(schema.series).set({ slug: null }).where(eq(schema.series.id, id));
  await db.delete(schema.seriesSlugs).where(eq(schema.seriesSlugs.seriesId, id));
  expect((await visit(null, `/series/${id}`)).status).toBe(200);
  await patchSeries(host, id, { session: { title: "With a name" } });
  expect((await visit(null, `/series/${id}`)).location).toMatch(/^\/series\/with-a-name/);
});

test("H-14 an ended series keeps its page and says so", async () => {
  const host = await makeRichUser();
  const id = await makeSeries(host);
  await callAs(host, "DELETE", `/api/series/${id}`);
  const page = await visit(null, await seriesPath(id));
  expect(page.status).toBe(200);
  expect(page.html).toContain("This series has ended.");
  expect(await page.texts("main button")).not.toContain("Join every time");
});

test("H-14 R-88 the series of a deleted account goes to the first host of its rota, or ends and keeps its page without the name", async () => {
  const [gone, alone, heir] = [await makeRichUser(), await makeRichUser(), await makeRichUser()];
  const [passed, ended] = [await makeSeries(gone), await makeSeries(alone)];
  await callAs(gone, "PUT", `/api/series/${passed}/hosts/${heir.username}`, {});
  await callAs(heir, "POST", `/api/series/${passed}/accept-turn`, { is_free: 0 });
  const due = instant(Date.now() + 1);
  for (const { id } of [gone, alone]) await setUser(id, { deletionDueAt: due });
  await deleteDueAccounts(await testApp({ now: due }));
  expect((await seriesPage(heir, passed)).series).toMatchObject({ is_mine: 1, has_ended: 0 });
  const page = await visit(null, await seriesPath(ended));
  expect(page.status).toBe(200);
  expect(page.html).toContain("This series has ended.");
  expect(page.html).toContain(`deleted.${alone.id}`);
  expect(page.html).not.toContain(alone.username);
});

test("H-14 the sitemap names public series that go on by their present address", async () => {
  const [keeper, host] = await makeUsers(2);
  const hut = await makeHut(keeper, [keeper, host]);
  const [open, hidden] = [
    await makeSeries(host),
    await makeSeries(host, {}, { hut_id: hut.id, title: "Hidden" }),
  ];
  await callAs(keeper, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  const map = await (await ask("/sitemap.xml")).text();
  expect(map).toContain(`${await seriesPath(open)}<`);
  expect(map).not.toContain(`${await seriesPath(hidden)}<`);
});

test("H-11 the invitation and the calendar entry of a session carry the address of its series, and of no other", async () => {
  const host = await makeRichUser();
  const id = await makeSeries(host, {}, { join_code: "owl" });
  const other = await makeSeries(host, {}, { title: "Evening pages" });
  const single = await makeSession(host, {
    title: "Alone",
    started_at: iso(nine(2)),
    is_manually_started: 0,
  });
  const [first] = await openOf(id);
  const address = `${ORIGIN}${await seriesPath(id)}`;
  expect((await visit(host, `/sessions/${first?.id}/people`)).html).toContain(`${address}#code=owl`);
  const alone = await visit(host, `/sessions/${single.id}/people`);
  expect(alone.html).not.toContain("/series/");
  const [entry] = readByIcal(await (await ask(`/sessions/${first?.id}/calendar.ics`)).text());
  expect(entry?.description).toContain(address);
  const feed = readByIcal(await (await ask(`${await seriesPath(other)}/calendar.ics`)).text());
  expect(feed[0]?.description).toContain(await seriesPath(other));
  const [plain] = readByIcal(await (await ask(`/sessions/${single.id}/calendar.ics`)).text());
  expect(plain?.description).not.toContain("/series/");
});

test("H-09 R-86 a series that is made with its first session has an address of its own, also after a repeat", async () => {
  const host = await makeRichUser();
  const make = async (uuid: string) =>
    createSeriesWithFirst(await appOf(host, instant(Date.now())), {
      rule: "FREQ=WEEKLY",
      timeZone: "UTC",
      session: {
        title: "Morning pages",
        duration: seconds(3600),
        startedAt: nine(2),
        isManuallyStarted: false,
        uuid,
      },
    });
  const [uuid, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const [a, b] = [await make(uuid), await make(other)];
  expect(a.me.series?.address).not.toBe(b.me.series?.address);
  for (const { me } of [a, b]) {
    expect(me.series?.address).toMatch(/^\/series\/morning-pages/);
    expect((await visit(null, me.series?.address ?? "")).status).toBe(200);
  }
  expect((await make(uuid)).me.series?.address).toBe(a.me.series?.address);
});

test("H-11 the mails, digests and pushes of a series and of its sessions carry its address, those of a single session do not", async () => {
  await emptySpine();
  const [host, guest] = [await makeRichUser(), await makeRichUser()];
  const id = await makeSeries(host);
  const single = await makeSession(host, {
    title: "Alone",
    started_at: iso(nine(2)),
    is_manually_started: 0,
  });
  const [first] = await openOf(id);
  for (const session of [first?.id ?? 0, single.id]) await join(guest, session);
  await callAs(host, "PUT", `/api/series/${id}/hosts/${guest.username}`, {});
  for (const session of [first?.id, single.id])
    await callAs(host, "POST", `/challenge-events/${session}/end`, {});
  const { app, mails } = await spineApp(instant(Date.now() + HOUR));
  await drain(app);
  const series = `${app.settings.origin}${await seriesPath(id)}`;
  const address = `All dates of this series: ${series}`;
  const mine = mails.filter(({ to }) => to === guest.email).map(({ text }) => text);
  const about = (word: string) => mine.filter((text) => text.includes(word));
  expect(about("Morning pages").length).toBeGreaterThan(1);
  expect(about("Alone").length).toBeGreaterThan(0);
  for (const text of about("Morning pages")) expect(text).toContain(address);
  for (const text of about("Alone")) expect(text).not.toContain("All dates of this series");

  const lines = [first?.id ?? 0, single.id].map((session) => ({
    kind: "session-cancelled" as const,
    subject: `session:${session}`,
    actorId: null,
    body: { title: `Session ${session}`, path: `/sessions/${session}` },
  }));
  const due = { userId: guest.id, dueAt: app.now, state: "waiting" as const, at: app.now };
  await db
    .insert(schema.deliveries)
    .values([
      { ...due, key: "digest", kind: "digest", subject: "", channel: "mail", body: { lines } },
      ...lines.map((line, n) => ({ ...due, ...line, key: `push ${n}`, channel: "push" as const })),
    ]);
  const endpoint = "https://push.example/a";
  await db.insert(schema.pushSubscriptions).values({
    ...{
      userId: guest.id,
      loginHash: (await appOf(guest)).user?.loginHash ?? "",
      endpoint,
      p256dh: "",
      auth: "",
      createdAt: app.now,
    },
  });
  const pushes: { body: string; series?: string }[] = [];
  app.push = {
    publicKey: "",
    post: async (_browser, { payload }) => {
      pushes.push(JSON.parse(payload));
      return "sent";
    },
  };
  await drain(app);
  const digest = mails.at(-1)?.text ?? "";
  expect(digest.split("All dates of this series:")).toHaveLength(2);
  expect(digest.replaceAll(/\s+/g, " ")).toContain(`/sessions/${first?.id} ${address}`);
  expect(pushes.map((push) => [push.body.split(" was")[0], push.series])).toEqual([
    [`Session ${first?.id}`, series],
    [`Session ${single.id}`, undefined],
  ]);
});
