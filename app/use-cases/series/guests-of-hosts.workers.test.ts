// The switch for guests in a series is each host's own answer: at layout, in the rota, by a change of many dates, and when
// the series gets another host (H-17, R-55, R-86, H-14).
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, setUser, type TestUser, testApp } from "#tests/support/factories";
import { sitIn } from "#tests/support/guests";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import {
  createSeries,
  layOutDays,
  makeRichUser,
  makeSeries,
  nine,
  openOf,
  patchSeries,
  restSeries,
  seriesNow,
} from "#tests/support/series";
import { balanceOf, makeHut, sessionNow, setSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { instant, seconds } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { createFromForm } from "./create-from-form.server";

useRoomClock();
beforeEach(restSeries);
keepBystanders(restSeries);

const event = (id: number) => `/challenge-events/${id}/patch`;
const change = (user: TestUser, id: number, challenge: object, scope: string) =>
  callAs(user, "PATCH", event(id), { challenge, scope });
const guestsOf = async (id: number) => (await openOf(id)).map(({ guestLimit }) => guestLimit);
/** The guests of each date by its host. */
const guestsBy = async (id: number, user: TestUser) =>
  (await openOf(id)).filter(({ ownerId }) => ownerId === user.id).map(({ guestLimit }) => guestLimit);
const templateOf = async (id: number) => (await seriesNow(id))?.template.guestLimit ?? 0;

/** A series whose hosts in turn are its owner and two others, who have given no answer yet. */
async function rota(owner: TestUser, hosts: TestUser[], session: object = {}) {
  const id = await makeSeries(owner, {}, session);
  for (const host of hosts) {
    expect((await callAs(owner, "PUT", `/api/series/${id}/hosts/${host.username}`, {})).status).toBe(200);
    expect((await callAs(host, "POST", `/api/series/${id}/accept-turn`, {})).status).toBe(200);
  }
  return id;
}

test("H-17 R-86 the form with 'Repeats …' gives the guests of its host to every date, and none where it gives none", async () => {
  const user = await makeRichUser();
  const form = { title: "Tea", startedAt: nine(2), isManuallyStarted: false, duration: seconds(3600) };
  const rule = { rule: "FREQ=WEEKLY;INTERVAL=1", timeZone: "UTC" };
  for (const guestLimit of [3, 0]) {
    const app = await appOf(user, instant(Date.now()));
    const made = await createFromForm(app, { ...form, uuid: crypto.randomUUID(), guestLimit, series: rule });
    const id = made.me.series?.id ?? 0;
    expect(await guestsOf(id)).toEqual([guestLimit, guestLimit, guestLimit, guestLimit]);
    await layOutDays(7);
    expect(await guestsOf(id)).toEqual(Array.from({ length: 5 }, () => guestLimit));
  }
});

test("H-17 each layout decides again: no guests while the host's address is unconfirmed or the series private, and at most the limit", async () => {
  const user = await makeUser({ tokens: 90_000 });
  const id = await makeSeries(user, {}, { guest_limit: 5, participant_limit: 8 });
  expect(await guestsOf(id)).toEqual([5, 5, 5, 5]);
  await setUser(user.id, { emailConfirmedAt: null });
  await layOutDays(7);
  await setUser(user.id, { emailConfirmedAt: instant(Date.now()) });
  await layOutDays(14);
  const limit = (value: number) =>
    db
      .update(schema.series)
      .set({ template: sql`json_set(template, '$.participantLimit', ${value})` })
      .where(eq(schema.series.id, id));
  await limit(3);
  await layOutDays(21);
  await limit(8);
  await db.update(schema.series).set({ isPrivate: true }).where(eq(schema.series.id, id));
  await layOutDays(28);
  expect((await guestsOf(id)).slice(4)).toEqual([0, 5, 3, 0]);
});

test("H-17 a series refuses guests at its field or for its host, as a session does", async () => {
  const [user, unconfirmed] = [await makeRichUser(), await makeRichUser()];
  await setUser(unconfirmed.id, { emailConfirmedAt: null });
  const created = async (host: TestUser, session: object) => {
    const { status, body } = await createSeries(host, {}, session);
    return [status, Object.keys(body.fields ?? {})];
  };
  expect(await created(user, { guest_limit: 5, participant_limit: 4 })).toEqual([422, ["guest_limit"]]);
  expect(await created(user, { guest_limit: 5, is_private: 1 })).toEqual([422, ["guest_limit"]]);
  expect(await created(unconfirmed, { guest_limit: 5 })).toEqual([403, []]);
  const [open, own] = [await makeSeries(user, {}, { participant_limit: 4 }), await makeSeries(unconfirmed)];
  const changed = async (host: TestUser, id: number, session: object) => {
    const { status, body } = await patchSeries(host, id, { session });
    return [status, Object.keys(body.fields ?? {}), await templateOf(id)];
  };
  expect(await changed(user, open, { guest_limit: 5 })).toEqual([422, ["guest_limit"], 0]);
  expect(await changed(unconfirmed, own, { guest_limit: 5 })).toEqual([403, [], 0]);
  expect(await changed(user, open, { guest_limit: 4 })).toEqual([200, [], 4]);
  expect(await guestsOf(open)).toEqual([4, 4, 4, 4]);
  // An address that is no longer confirmed takes guests away, and adds none.
  await setUser(user.id, { emailConfirmedAt: null });
  expect(await changed(user, open, { guest_limit: 2 })).toEqual([200, [], 2]);
  expect(await changed(user, open, { guest_limit: 3 })).toEqual([403, [], 2]);
  expect(await changed(user, open, { guest_limit: 0 })).toEqual([200, [], 0]);
});

test("H-17 R-55 in a rota the answer of the series' host holds for that host's dates, and makes nobody else pay", async () => {
  const [owner, ben] = [await makeRichUser(), await makeRichUser()];
  const id = await rota(owner, [ben], { guest_limit: 3, participant_limit: 6 });
  await layOutDays(28);
  expect(new Set(await guestsBy(id, owner))).toEqual(new Set([3]));
  const bens = (await openOf(id)).filter(({ ownerId }) => ownerId === ben.id);
  expect(bens.length).toBeGreaterThan(1);
  expect(bens.map(({ guestLimit }) => guestLimit)).toEqual(bens.map(() => 0));
  const paid = [await balanceOf(owner), await balanceOf(ben)];
  expect((await sitIn(`/sessions/${bens[0]?.id}`, "Ada")).guest).toBeNull();
  expect([await balanceOf(owner), await balanceOf(ben)]).toEqual(paid);
  const [first] = await openOf(id);
  expect((await sitIn(`/sessions/${first?.id}`, "Ada")).guest).not.toBeNull();
  expect([await balanceOf(owner), await balanceOf(ben)]).toEqual([Number(paid[0]) - 100, paid[1]]);
});

test("H-17 an accepted host changes their own answer on the page of the series, for the dates from then on", async () => {
  const [owner, ben, cid] = [await makeRichUser(), await makeRichUser(), await makeRichUser()];
  const id = await rota(owner, [ben, cid], { participant_limit: 6 });
  const path = `/my/series/${id}`;
  const answer = (user: TestUser, form: Record<string, string>) =>
    post(user, path, { intent: "host.accept", isFree: "0", ...form });
  const shown = async (user: TestUser | null) => {
    const page = await visit(user, path);
    const [field] = await page.allWithoutScripts('main input[name="guestLimit"]');
    const [box] = await page.allWithoutScripts('main input[name="takesGuests"]');
    return [box && box.attributes.checked !== undefined, field?.attributes.value];
  };
  await layOutDays(21);
  const before = await guestsOf(id);
  expect(await shown(ben)).toEqual([false, "5"]);
  expect((await answer(ben, { takesGuests: "on", guestLimit: "4" })).status).toBe(302);
  expect((await answer(owner, { takesGuests: "on", guestLimit: "2" })).status).toBe(302);
  expect([await shown(ben), await shown(owner), await shown(cid)]).toEqual([
    [true, "4"],
    [true, "2"],
    [false, "5"],
  ]);
  const refused = await answer(ben, { takesGuests: "on", guestLimit: "7" });
  expect([refused.status, await shown(ben)]).toEqual([422, [true, "4"]]);
  // Sessions that exist keep the answer that they were made with.
  expect(await guestsOf(id)).toEqual(before);
  await layOutDays(56);
  const later = (await openOf(id)).slice(before.length);
  for (const { ownerId, guestLimit } of later)
    expect(guestLimit).toBe(ownerId === ben.id ? 4 : ownerId === owner.id ? 2 : 0);
  expect(new Set(later.map(({ ownerId }) => ownerId)).size).toBe(3);
  // A retry of the first acceptance keeps the answer, and switching off is an answer too.
  await callAs(ben, "POST", `/api/series/${id}/accept-turn`, {});
  expect(await shown(ben)).toEqual([true, "4"]);
  expect((await answer(ben, {})).status).toBe(302);
  expect(await shown(ben)).toEqual([false, "5"]);
  // Nobody else has the form, and the owner of a series without a rota answers with the session.
  const other = await makeSeries(owner);
  expect((await visit(owner, `/my/series/${other}`)).html).not.toContain("may sit in as guests");
  expect((await post(owner, `/my/series/${other}`, { intent: "host.accept", isFree: "0" })).status).toBe(404);
});

test("R-55 H-17 a page from before joining became free changes no answer, and a new acceptance begins without guests", async () => {
  const [owner, ben] = [await makeRichUser(), await makeRichUser()];
  const id = await rota(owner, [ben]);
  const answer = (form: Record<string, string>) =>
    post(ben, `/my/series/${id}`, { intent: "host.accept", ...form });
  await answer({ isFree: "0", takesGuests: "on", guestLimit: "4" });
  await patchSeries(owner, id, { session: { is_free: 1 } });
  expect((await answer({ isFree: "0", takesGuests: "on", guestLimit: "6" })).status).toBe(409);
  expect((await callAs(ben, "POST", `/api/series/${id}/accept-turn`, {})).status).toBe(200);
  expect((await answer({ isFree: "0", takesGuests: "on", guestLimit: "6" })).status).toBe(409);
  await layOutDays(28);
  expect(new Set(await guestsBy(id, ben))).toEqual(new Set([0]));
});

test.each(["later", "all"])(
  "G-10 H-17 a host who changes the guests of %s dates changes their own, each up to its limit, and no other host's",
  async (scope) => {
    const [owner, ben] = [await makeRichUser(), await makeRichUser()];
    const id = await makeSeries(owner, {}, { guest_limit: 1 });
    await callAs(owner, "PUT", `/api/series/${id}/hosts/${ben.username}`, {});
    await callAs(ben, "POST", `/api/series/${id}/accept-turn`, { guest_limit: 3 });
    await layOutDays(14);
    const dates = await openOf(id);
    const bens = dates.filter(({ ownerId }) => ownerId === ben.id).map((date) => date.id);
    const [, two, three] = dates;
    await setSession(three?.id ?? 0, { participantLimit: 2 });
    const changed = await change(owner, two?.id ?? 0, { guest_limit: 5 }, scope);
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    for (const [index, date] of dates.entries()) {
      const own = index === 0 && scope === "later" ? 1 : date === three ? 2 : 5;
      expect((await sessionNow(date.id))?.guestLimit).toBe(bens.includes(date.id) ? 3 : own);
    }
    expect(await templateOf(id)).toBe(5);
    await layOutDays(28);
    expect(new Set((await guestsBy(id, owner)).slice(4))).toEqual(new Set([5]));
    expect(new Set(await guestsBy(id, ben))).toEqual(new Set([3]));
    // The call for the whole series changes the same dates.
    expect((await patchSeries(owner, id, { session: { guest_limit: 4 } })).status).toBe(200);
    expect([new Set(await guestsBy(id, ben)), await templateOf(id)]).toEqual([new Set([3]), 4]);
    // Another field of the same form changes nobody's answer.
    await setSession(two?.id ?? 0, { guestLimit: 0 });
    expect((await change(owner, two?.id ?? 0, { title: "Night pages", guest_limit: 0 }, "all")).status).toBe(
      200,
    );
    expect([await templateOf(id), new Set(await guestsBy(id, ben))]).toEqual([4, new Set([3])]);
  },
);

test("H-17 a super admin who changes a series makes its host pay for no guests on later dates", async () => {
  const [owner, admin] = [await makeRichUser(), await makeUser({ roleId: 10, tokens: 5000 })];
  const id = await makeSeries(owner);
  expect((await patchSeries(admin, id, { session: { guest_limit: 5, title: "Kept tidy" } })).status).toBe(
    200,
  );
  const [first] = await openOf(id);
  await change(admin, first?.id ?? 0, { guest_limit: 5 }, "all");
  expect([first?.title, await templateOf(id)]).toEqual(["Kept tidy", 0]);
  await layOutDays(7);
  expect((await guestsOf(id)).slice(1)).toEqual([0, 0, 0, 0]);
});

test("H-17 a lower limit of a whole series takes places of guests also in private, and from an unconfirmed host", async () => {
  const owner = await makeRichUser();
  const id = await makeSeries(owner, {}, { guest_limit: 5 });
  const [hidden] = await openOf(id);
  await setSession(hidden?.id ?? 0, { isPrivate: true });
  await setUser(owner.id, { emailConfirmedAt: null });
  const limited = await patchSeries(owner, id, { session: { participant_limit: 3 } });
  expect(limited.status, JSON.stringify(limited.body)).toBe(200);
  expect(await guestsOf(id)).toEqual([3, 3, 3, 3]);
});

test("H-14 R-88 H-17 a series that gets another host has that host's own answer", async () => {
  const [gone, heir] = [await makeRichUser(), await makeRichUser()];
  const [answered, silent] = [
    await rota(gone, [heir], { guest_limit: 5 }),
    await rota(gone, [heir], { guest_limit: 5, title: "Evening pages" }),
  ];
  await callAs(heir, "POST", `/api/series/${answered}/accept-turn`, { guest_limit: 2 });
  const due = instant(ROOM_NOW + 1);
  await setUser(gone.id, { deletionDueAt: due });
  await deleteDueAccounts(await testApp({ now: due }));
  for (const [id, guests] of [
    [answered, 2],
    [silent, 0],
  ] as const) {
    expect(await templateOf(id)).toBe(guests);
    // Also without the rota.
    await callAs(heir, "DELETE", `/api/series/${id}/hosts/${heir.username}`);
    await layOutDays(7);
    const own = await guestsBy(id, heir);
    expect([own.length > 0, new Set(own)]).toEqual([true, new Set([guests])]);
  }
});

test("R-88 H-17 a hut's owner who takes over a series takes none of its guests", async () => {
  const [owner, outsider] = [await makeRichUser(), await makeRichUser()];
  const hut = await makeHut(owner, [owner]);
  const id = await makeSeries(outsider, {}, { guest_limit: 5 });
  await db.update(schema.series).set({ hutId: hut.id }).where(eq(schema.series.id, id));
  expect(await templateOf(id)).toBe(5);
  const closed = await callAs(owner, "PATCH", `/groups/${hut.slug}/patch`, {
    hut: { is_private: 1, take_over: 1 },
  });
  expect(closed.status).toBe(200);
  expect([(await seriesNow(id))?.ownerId, await templateOf(id)]).toEqual([owner.id, 0]);
});
