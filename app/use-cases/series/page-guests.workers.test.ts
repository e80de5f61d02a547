// Guests by the link of a series: the form on its page, the code, the full session and the way back (H-11, H-13, H-18).
import { beforeEach, expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { edgeSite } from "#tests/support/edge";
import type { TestUser } from "#tests/support/factories";
import { seated, sitIn } from "#tests/support/guests";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { makeRichUser, makeSeries, openNext, openOf, restSeries, seriesPath } from "#tests/support/series";
import { balanceOf, join, leave, makeHut, sessionNow, setSession } from "#tests/support/sessions";
import { post, type Visited, visit } from "#tests/support/visit";
import { SECOND } from "~/domain/time";

const at = useRoomClock();
beforeEach(restSeries);

keepBystanders(restSeries);

const FULL = "This session is full and is not accepting additional participants.";

/** A series whose next date takes five guests. */
async function openSeries(session: Record<string, unknown> = {}) {
  const host = await makeRichUser();
  const id = await makeSeries(host, {}, session);
  const [date] = await openOf(id);
  if (!date) throw new Error("no date");
  await setSession(date.id, { guestLimit: 5 });
  return { host, id, date: date.id, path: `/sessions/${date.id}`, address: await seriesPath(id) };
}

/** The form "Sit in" of a page, by the address that it posts to and its fields; null where there is none. */
async function formOf(page: Visited) {
  if (!page.html.includes("or sit in as a guest")) return null;
  const forms = await page.allWithoutScripts("main form");
  const form = forms.find(({ text }) => text.includes("or sit in as a guest"));
  const action = form?.attributes.action ?? "";
  const inputs = await page.allWithoutScripts(`main form[action="${action}"] input`);
  return { action, fields: inputs.map(({ attributes }) => attributes.name) };
}

test("H-11 H-18 the link of a series whose next date takes guests shows a visitor M-28 and, below Join, the form of a guest", async () => {
  const { host, date, path, address } = await openSeries();
  expect((await visit(host, `${path}/people`)).html).toContain(`${address}`);
  const page = await visit(null, address);
  const form = await formOf(page);
  expect(form).toEqual({ action: path, fields: expect.arrayContaining(["intent", "name"]) });
  expect(form?.fields).not.toContain("joinCode");
  const { html } = page;
  expect(html).toContain("Please login or create an account to join a session");
  expect(html.indexOf(">Join<")).toBeLessThan(html.indexOf("or sit in as a guest"));
  const paid = await balanceOf(host);
  const guest = await seated(form?.action ?? "", "Ada");
  expect(guest.username).toBe("~Ada");
  expect([await balanceOf(host), (await sessionNow(date))?.participantsCount]).toEqual([paid - 100, 2]);
});

test("H-13 H-18 the code of a coded series is a second field of the guest without JavaScript, and none without it", async () => {
  const { date, path, address } = await openSeries({ join_code: "owl" });
  const form = await formOf(await visit(null, address));
  expect(form).toEqual({ action: path, fields: expect.arrayContaining(["name", "joinCode"]) });
  const refused = await sitIn(path, "Ada", { joinCode: "cat" });
  expect([refused.answer.status, refused.guest]).toEqual([403, null]);
  // The answer is the page of the date, with the name as typed.
  expect(refused.answer.html).toContain('value="Ada"');
  await seated(path, "Ada", { joinCode: "owl" });
  expect((await sessionNow(date))?.participantsCount).toBe(2);
});

test("H-17 H-18 the page of a series offers no seat to guests where its next date has none, nor to a person who is signed in", async () => {
  const { host, date, address } = await openSeries();
  const offered = async (user: TestUser | null) => (await formOf(await visit(user, address))) !== null;
  expect([await offered(null), await offered(host), await offered(await makeRichUser())]).toEqual([
    true,
    false,
    false,
  ]);
  await setSession(date, { guestLimit: 1 });
  await seated(`/sessions/${date}`, "Ada");
  expect(await offered(null)).toBe(false);
  await setSession(date, { guestLimit: 2 });
  expect(await offered(null)).toBe(true);
  // A later date that takes guests opens no form for the next.
  await setSession(date, { guestLimit: 0 });
  expect(await offered(null)).toBe(false);
  const [, two] = await openOf((await sessionNow(date))?.seriesId ?? 0);
  await setSession(two?.id ?? 0, { guestLimit: 5 });
  expect(await offered(null)).toBe(false);
});

test("H-17 a date in a private hut keeps its number of guests, and the page of its series offers members no form", async () => {
  const { host, id, date, address } = await openSeries();
  const hut = await makeHut(host, [host]);
  await callAs(host, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  expect(
    (await callAs(host, "PATCH", `/api/series/${id}`, { series: { session: { hut_id: hut.id } } })).status,
  ).toBe(200);
  expect(await sessionNow(date)).toMatchObject({ isPrivate: true, guestLimit: 5 });
  expect((await visit(null, address)).status).toBe(404);
  expect(await formOf(await visit(host, address))).toBeNull();
});

test("H-18 M-29 the page of a series says that its next date is full, with no form of guests, until a seat is free", async () => {
  const { host, date, address } = await openSeries({ participant_limit: 2 });
  await setSession(date, { guestLimit: 2 });
  const member = await makeRichUser();
  expect((await visit(null, address)).html).not.toContain(FULL);
  await join(member, date);
  const page = await visit(null, address);
  expect([page.html.includes(FULL), await formOf(page)]).toEqual([true, null]);
  expect(await page.links("main")).toMatchObject({ "See the session": `/sessions/${date}` });
  for (const user of [host, member]) expect((await visit(user, address)).html).not.toContain(FULL);
  await leave(member, date);
  const free = await visit(null, address);
  expect([free.html.includes(FULL), (await formOf(free)) !== null]).toEqual([false, true]);
});

test("H-19 the link of a series leads its guest to the session, with or without a seat, and no guest of another", async () => {
  const { id, path, address, date } = await openSeries();
  const other = await openSeries();
  const guest = await seated(path, "Ada");
  const ways = async () => [
    (await visit(guest, address)).location,
    (await visit(guest, `/series/${id}`)).location,
    (await openNext(guest, address)).location,
  ];
  expect(await ways()).toEqual([path, path, path]);
  // The guest of a date that is no longer the next one is led to their own.
  const [, two] = await openOf(other.id);
  await setSession(two?.id ?? 0, { guestLimit: 5 });
  const later = await seated(`/sessions/${two?.id}`, "Bo");
  expect((await visit(later, other.address)).location).toBe(`/sessions/${two?.id}`);
  for (const closed of [other.address, `${other.address}/next`, "/series/no-such-series"])
    expect([closed, (await visit(guest, closed)).status]).toEqual([closed, 403]);
  await leave(guest, date);
  expect(await ways()).toEqual([path, path, path]);
  expect(await (await visit(guest, path)).texts("main button")).toContain("Join");
  // The page and its forms stay closed.
  expect((await post(guest, address, { intent: "join", session: String(date) })).status).toBe(403);
  expect((await callAs(guest, "GET", `/api${address}`)).status).toBe(403);
});

test("E1 H-18 the copy at the edge has the form of guests within 30 seconds after the host switches, and nothing of a browser", async () => {
  const { host, date, path, address } = await openSeries();
  await setSession(date, { guestLimit: 0 });
  const { get } = edgeSite();
  const shown = async (headers: Record<string, string> = {}) => {
    const { html, state } = await get(address, headers);
    return [state, html.includes("or sit in as a guest")];
  };
  const switchGuests = async (guest_limit: number) => {
    const changed = await callAs(host, "PATCH", `/challenge-events/${date}/patch`, {
      challenge: { guest_limit },
    });
    expect(changed.status).toBe(200);
  };
  expect(await shown()).toEqual(["miss", false]);
  await switchGuests(5);
  expect(await shown()).toEqual(["hit; age=0", false]);
  at(ROOM_NOW + 31 * SECOND);
  expect(await shown({ Cookie: "XSRF-TOKEN=abcdefghijklmnopqrstuvwxyz0123456789abcdefg" })).toEqual([
    "miss",
    true,
  ]);
  // Another browser gets the copy without the token, the name or the login of the first.
  await seated(path, "Wilhelmina");
  const copy = await get(address);
  expect([copy.state, copy.html.includes("or sit in as a guest")]).toEqual(["hit; age=0", true]);
  for (const mark of ["abcdefghijklmnopqrstuvwxyz0123456789", "Wilhelmina"])
    expect(copy.html).not.toContain(mark);
  // A form of an old copy is refused by the session itself.
  await switchGuests(0);
  expect(await shown()).toEqual(["hit; age=0", true]);
  const late = await sitIn(path, "Bo");
  expect([late.answer.status, late.guest]).toEqual([401, null]);
  at(ROOM_NOW + 62 * SECOND);
  expect(await shown()).toEqual(["miss", false]);
});

test("E1 a coded series whose next date takes guests has no copy at the edge", async () => {
  const { address } = await openSeries({ join_code: "owl" });
  const { get } = edgeSite();
  await get(address);
  const { html, state } = await get(address);
  expect([state, html.includes("or sit in as a guest")]).toEqual([null, true]);
});
