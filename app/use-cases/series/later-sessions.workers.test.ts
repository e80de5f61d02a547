import { beforeEach, expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, makeUser, type TestUser } from "#tests/support/factories";
import {
  createSeries,
  iso,
  layOutDays,
  nine,
  openOf,
  restSeries,
  seriesNow,
  sessionsOf,
} from "#tests/support/series";
import { balanceOf, join, makeSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { HOUR, instant } from "~/domain/time";
import { changeSessions } from "./change.server";

beforeEach(restSeries);

const change = (user: TestUser, id: number, challenge: object, scope?: string) =>
  callAs(user, "PATCH", `/challenge-events/${id}/patch`, { challenge, ...(scope ? { scope } : {}) });
const titles = async (id: number) => (await openOf(id)).map(({ title }) => title);
const starts = async (id: number) => (await openOf(id)).map(({ startedAt }) => Number(startedAt));
const days = (...list: number[]): number[] => list.map((day) => nine(day));

keepBystanders(restSeries);

test("G-10 applies to this session, to this and later ones, or to all upcoming, and new ones follow", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host)).body.series;
  const [first, second, third] = (await sessionsOf(id)).map((session) => session.id) as [
    number,
    number,
    number,
  ];
  expect((await change(host, second, { title: "One" })).status).toBe(200);
  expect(await titles(id)).toEqual(["Morning pages", "One", "Morning pages", "Morning pages"]);
  expect(
    (await change(host, third, { title: "Later", meeting_link: "https://a.example" }, "later")).status,
  ).toBe(200);
  expect(await titles(id)).toEqual(["Morning pages", "One", "Later", "Later"]);
  await layOutDays(7);
  expect((await openOf(id)).at(-1)).toMatchObject({ title: "Later", meetingLink: "https://a.example" });
  // A field that the change leaves as it is in this session stays in the others.
  expect(
    (await change(host, first, { title: "Morning pages", prompt: "Go.", participant_limit: 4 }, "all"))
      .status,
  ).toBe(200);
  expect(await titles(id)).toEqual(["Morning pages", "One", "Later", "Later", "Later"]);
  expect((await openOf(id)).map(({ prompt, participantLimit }) => [prompt, participantLimit])).toEqual(
    Array.from({ length: 5 }, () => ["Go.", 4]),
  );
  await callAs(await makeUser(), "POST", `/challenge-events/${third}/join`, {});
  expect((await change(host, first, { participant_limit: 1 }, "all")).body.fields.participant_limit).toEqual([
    "There are 2 participants already.",
  ]);
  expect((await seriesNow(id))?.template.participantLimit).toBe(4);
});

test("G-10 sessions that have begun, ended or been cancelled never change", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host, { rule: "FREQ=DAILY;COUNT=5" })).body.series;
  const [begun, ended, cancelled, open] = (await sessionsOf(id)).map((session) => session.id) as number[];
  await callAs(host, "POST", `/challenge-events/${begun}/start`, {});
  await callAs(host, "POST", `/challenge-events/${ended}/start`, {});
  for (const session of [ended, cancelled])
    await callAs(host, "POST", `/challenge-events/${session}/end`, {});
  expect((await change(host, begun ?? 0, { title: "New" }, "all")).body.error_code).toBe("CONFLICT");
  expect((await change(host, open ?? 0, { title: "New" }, "all")).status).toBe(200);
  expect((await sessionsOf(id)).map(({ title }) => title)).toEqual([
    ...Array.from({ length: 3 }, () => "Morning pages"),
    "New",
    "New",
  ]);
});

test("G-10 another time of day moves the other sessions, but not a day that the host moved", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host)).body.series;
  const [first, second] = (await sessionsOf(id)).map((session) => session.id) as [number, number];
  const later = (day: number, hours: number) => new Date(nine(day) + hours * HOUR).toISOString();
  await change(host, second, { started_at: later(9, 5) });
  expect((await change(host, first, { started_at: later(2, 2) }, "all")).status).toBe(200);
  const [a, b, c, d] = days(2, 9, 16, 23) as [number, number, number, number];
  expect(await starts(id)).toEqual([a + 2 * HOUR, b + 5 * HOUR, c + 2 * HOUR, d + 2 * HOUR]);
  await layOutDays(7);
  expect((await starts(id)).at(-1)).toBe(nine(30) + 2 * HOUR);
  const other = await change(host, first, { started_at: later(3, 0) }, "all");
  expect(other.body.fields.started_at).toEqual([
    "Another day needs another rule: please change it on the page of the series.",
  ]);
});

test("G-10 a day that was moved back to the time of the rule moves with the others", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host)).body.series;
  const [first, second] = (await sessionsOf(id)).map((session) => session.id) as [number, number];
  const later = (day: number, hours: number) => new Date(nine(day) + hours * HOUR).toISOString();
  for (const hours of [5, 0]) await change(host, second, { started_at: later(9, hours) });
  const path = `/api/series/${id}/days/${new Date(nine(16)).toISOString().slice(0, 10)}`;
  for (const hours of [5, 0])
    expect((await callAs(host, "PATCH", path, { started_at: later(16, hours) })).status).toBe(200);
  expect((await change(host, first, { started_at: later(2, 2) }, "all")).status).toBe(200);
  const [a, b, c, d] = days(2, 9, 16, 23) as [number, number, number, number];
  expect(await starts(id)).toEqual([a, b, c, d].map((at) => at + 2 * HOUR));
  // A moved day from which the time of all is changed follows the rule too.
  await change(host, second, { started_at: later(9, 5) });
  expect((await change(host, second, { started_at: later(9, 3) }, "all")).status).toBe(200);
  expect((await change(host, first, { started_at: later(2, 4) }, "all")).status).toBe(200);
  expect(await starts(id)).toEqual([a, b, c, d].map((at) => at + 4 * HOUR));
});

test("G-10 R-15 a change by the slug of a session reaches its series as one by its id does", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host)).body.series;
  const [first, second] = await sessionsOf(id);
  const bySlug = (slug: string, body: object) => callAs(host, "PATCH", `/challenges/${slug}`, body);
  const all = { challenge: { title: "Evening pages" }, scope: "all" };
  expect((await bySlug(first?.slug ?? "", all)).status).toBe(200);
  expect(new Set(await titles(id))).toEqual(new Set(["Evening pages"]));
  const started_at = new Date(nine(9) + 5 * HOUR).toISOString();
  expect((await bySlug(second?.slug ?? "", { challenge: { started_at } })).status).toBe(200);
  await change(host, first?.id ?? 0, { started_at: new Date(nine(2) + 2 * HOUR).toISOString() }, "all");
  expect((await starts(id))[1]).toBe(nine(9) + 5 * HOUR);
  const stale = { challenge: { title: "Stale" }, updated_at: new Date(nine(0)).toISOString() };
  expect((await bySlug(first?.slug ?? "", stale)).status).toBe(409);
});

test("G-10 another time of day leaves a session whose new start has passed", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host)).body.series;
  const second = (await sessionsOf(id))[1]?.id ?? 0;
  const [a, b, c, d] = days(2, 9, 16, 23) as [number, number, number, number];
  const startedAt = instant(b - 2 * HOUR);
  // 08:00 on the first day: its session begins at 09:00, and 07:00 is over.
  const app = await appOf(host, instant(a - HOUR));
  await changeSessions(app, { session: second, startedAt, scope: "all" });
  expect(await starts(id)).toEqual([a, startedAt, c - 2 * HOUR, d - 2 * HOUR]);
});

test("G-10 is for the host of the series; a session outside a series has no others", async () => {
  const [host, admin] = [await makeUser(), await makeUser()];
  const { id } = (await createSeries(host)).body.series;
  const [first] = await sessionsOf(id);
  await callAs(admin, "POST", `/challenge-events/${first?.id}/join`, {});
  await callAs(host, "PATCH", `/challenge-events/${first?.id}/participants/${admin.username}`, { role: 1 });
  expect((await change(admin, first?.id ?? 0, { title: "Mine" }, "all")).body.error_code).toBe("FORBIDDEN");
  const single = await makeSession(host);
  expect((await change(host, single.id, { title: "Mine" }, "later")).body.error_code).toBe("CONFLICT");
  expect((await change(host, single.id, { title: "Mine" }, "never")).body.fields.scope).toEqual([
    "Please choose this, later or all.",
  ]);
  expect((await titles(id)).includes("Mine")).toBe(false);
  const form = await visit(host, `/events/${first?.id}/update?scope=all`);
  expect(await form.all('input[name="scope"]')).toHaveLength(3);
  expect(await form.all('input[name="scope"][value="all"][checked]')).toHaveLength(1);
  expect(await (await visit(admin, `/events/${first?.id}/update`)).all('input[name="scope"]')).toEqual([]);
});

test("G-10 another rule keeps the days that it names, and cancels the others with refunds, once", async () => {
  const [host, guest] = [await makeUser({ tokens: 10_000 }), await makeUser()];
  const { id } = (await createSeries(host)).body.series;
  const before = (await sessionsOf(id)).map((session) => session.id);
  for (const session of before) await join(guest, session);
  const patch = (series: object) => callAs(host, "PATCH", `/api/series/${id}`, { series });
  for (let again = 0; again < 2; again++)
    expect((await patch({ rule: "FREQ=WEEKLY;INTERVAL=2" })).body.series.words).toContain("Every 2 weeks");
  expect(await starts(id)).toEqual(days(2, 16));
  expect([await balanceOf(host), await balanceOf(guest)]).toEqual([9800, 800]);
  // The first rule makes the cancelled days again, and those that stayed are the same sessions.
  await patch({ rule: "FREQ=WEEKLY", session: { title: "Evening pages" } });
  expect(await starts(id)).toEqual(days(2, 9, 16, 23));
  const after = await openOf(id);
  expect(after.map((session) => before.includes(session.id))).toEqual([true, false, true, false]);
  expect(await titles(id)).toEqual(Array.from({ length: 4 }, () => "Evening pages"));
  expect((await patch({ rule: "FREQ=YEARLY" })).body.fields.rule).toEqual([
    "We cannot repeat a session that way.",
  ]);
  expect((await patch({})).body.error_code).toBe("INVALID");
  const page = await visit(
    host,
    `/my/series/${id}?change=on&every=DAILY&interval=3&startedAt=${iso(nine(3)).slice(0, 16)}&timeZone=UTC`,
  );
  expect(page.html).toContain("Every 3 days at 09:00, UTC");
  const saved = await post(host, `/my/series/${id}`, {
    intent: "rule",
    every: "DAILY",
    interval: "7",
    timeZone: "UTC",
    startedAt: iso(nine(9) + HOUR).slice(0, 16),
  });
  expect(saved.status).toBe(302);
  expect(await starts(id)).toEqual(days(9, 16, 23).map((at) => at + HOUR));
});
