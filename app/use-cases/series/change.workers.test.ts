// Changes of a series in which a session deviates: moved, without a start, hosted by somebody else (G-10 to G-12).
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import {
  iso,
  layOutDays,
  makeSeries,
  nine,
  openOf,
  restSeries,
  seriesNow,
  sessionsOf,
} from "#tests/support/series";
import { balanceOf, join, leave, sessionNow } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import type { Schedule } from "~/domain/schedule/schedule";
import type { RuleTyped } from "~/domain/series/form";
import { DAY, HOUR, instant } from "~/domain/time";
import { changeSeries } from "./change.server";
import { changeRuleByForm } from "./change-rule.server";
import { viewSeriesPage } from "./view.server";

const at = useRoomClock();
const NO_RULE: RuleTyped = {
  every: "WEEKLY",
  interval: "1",
  days: [],
  monthly: "date",
  count: "",
  until: "",
  startedAt: "",
  timeZone: "",
};

keepBystanders(restSeries);

test("G-10 G-11 a rule that still names the day keeps a session that the host moved past its day", async () => {
  const host = await makeUser();
  const id = await makeSeries(host);
  const [first] = await sessionsOf(id);
  const day = first?.seriesDay ?? "";
  const moved = await callAs(host, "PATCH", `/api/series/${id}/days/${day}`, { started_at: iso(nine(6)) });
  expect(moved.status).toBe(200);
  at(nine(4));
  const app = await appOf(host, nine(4));
  await changeSeries(app, { series: id, rule: "FREQ=WEEKLY;COUNT=40" });
  expect(await sessionNow(first?.id ?? 0)).toMatchObject({ closedAt: null, startedAt: nine(6) });
});

test("G-10 G-17 the host of a series changes the code of all its sessions, whoever hosts them", async () => {
  const [owner, ben] = [await makeUser({ tokens: 5000 }), await makeUser({ tokens: 5000 })];
  const id = await makeSeries(owner);
  await callAs(owner, "PUT", `/api/series/${id}/hosts/${ben.username}`, {});
  expect((await callAs(ben, "POST", `/api/series/${id}/accept-turn`, {})).status).toBe(200);
  const night = ROOM_NOW + 8 * DAY;
  at(night);
  await layOutDays();
  const open = (await sessionsOf(id)).filter(({ startedAt }) => (startedAt ?? 0) > night);
  expect(new Set(open.map(({ ownerId }) => ownerId))).toEqual(new Set([owner.id, ben.id]));
  const { status, body } = await callAs(owner, "PATCH", `/api/series/${id}`, {
    series: { session: { join_code: "sesame" } },
  });
  const codes = (await sessionsOf(id))
    .filter(({ startedAt }) => (startedAt ?? 0) > night)
    .map(({ joinCode }) => joinCode);
  expect([status, body.error_code]).toEqual([200, undefined]);
  expect(codes).toEqual(open.map(() => "sesame"));
  expect((await seriesNow(id))?.template.joinCode).toBe("sesame");
});

test("G-10 a rule change after 'this and later' leaves the earlier sessions at their time", async () => {
  const host = await makeUser({ tokens: 9000 });
  const id = await makeSeries(host);
  const [one, two] = await sessionsOf(id);
  const later = await callAs(host, "PATCH", `/challenge-events/${two?.id}/patch`, {
    challenge: { started_at: iso((two?.startedAt ?? 0) + 2 * HOUR) },
    scope: "later",
  });
  expect(later.status).toBe(200);
  const changed = await callAs(host, "PATCH", `/api/series/${id}`, {
    series: { rule: "FREQ=WEEKLY;COUNT=30" },
  });
  expect(changed.status).toBe(200);
  const [after] = await sessionsOf(id);
  expect([after?.id, after?.startedAt]).toEqual([one?.id, one?.startedAt]);
});

test("G-11 G-12 a session moved past its day stays on the page of its series and in the number that its end cancels", async () => {
  const host = await makeUser({ tokens: 5000 });
  const id = await makeSeries(host);
  const [first] = await sessionsOf(id);
  expect(
    (await callAs(host, "PATCH", `/api/series/${id}/days/${first?.seriesDay}`, { started_at: iso(nine(7)) }))
      .status,
  ).toBe(200);
  at(nine(5));
  const seen = await dataOf(host, `/api/my/series/${id}`);
  expect([JSON.stringify(seen).includes(iso(nine(7))), seen.unstarted]).toEqual([true, 4]);
  const { html } = await visit(host, `/my/series/${id}`);
  expect(html).toContain(`/sessions/${first?.id}`);
  expect(html).toContain("4 sessions that have not begun are");
  await callAs(host, "DELETE", `/api/series/${id}`);
  expect((await sessionsOf(id)).map(({ closedAt }) => closedAt !== null)).toEqual([true, true, true, true]);
});

test("G-12 ending a series cancels a session whose start was taken away", async () => {
  const host = await makeUser({ tokens: 5000 });
  const id = await makeSeries(host);
  const [first] = await sessionsOf(id);
  const patched = await callAs(host, "PATCH", `/challenge-events/${first?.id}/patch`, {
    challenge: { is_manually_started: 1, started_at: null },
  });
  expect(patched.status).toBe(200);
  // Ending the series cancels all that has not begun (G-12).
  expect((await callAs(host, "DELETE", `/api/series/${id}`)).status).toBe(204);
  const open = (await sessionsOf(id)).filter(({ closedAt }) => closedAt === null).map((row) => row.id);
  expect(open).toEqual([]);
});

test("R-44 G-14 a standing seat in a session without a start is returned in full", async () => {
  const [host, guest] = [await makeUser({ tokens: 5000 }), await makeUser()];
  const id = await makeSeries(host, { started_at: iso(nine(27)) });
  await callAs(guest, "PUT", `/api/series/${id}/standing-seat`, {});
  at(ROOM_NOW + 8 * DAY);
  await layOutDays();
  const seats = await db.select().from(schema.participants).where(eq(schema.participants.userId, guest.id));
  expect(seats.length).toBeGreaterThan(0);
  const before = await balanceOf(guest);
  const session = seats[0]?.sessionId ?? 0;
  const patched = await callAs(host, "PATCH", `/challenge-events/${session}/patch`, {
    challenge: { is_manually_started: 1, started_at: null },
  });
  expect(patched.status).toBe(200);
  expect((await leave(guest, session)).status).toBe(200);
  expect(await balanceOf(guest)).toBe(before + 100);
});

test("G-10 a refused change of a series changes nothing", async () => {
  const host = await makeUser({ tokens: 5000 });
  const id = await makeSeries(host, {}, { tasks: [{ title: "Pages" }] });
  const goals = (await sessionsOf(id)).map((row) => row.id);
  const [last] = await db
    .select()
    .from(schema.goals)
    .where(eq(schema.goals.sessionId, goals.at(-1) ?? 0));
  await db
    .update(schema.goals)
    .set({ logsCount: 1 })
    .where(eq(schema.goals.id, last?.id ?? 0));
  const refused = [
    { session: { join_code: "sesame" }, rule: "FREQ=HOURLY" },
    { session: { join_code: "sesame" }, time_zone: "Moon/Sea" },
    { session: { join_code: "sesame", hut_id: 999_999 } },
    { session: { join_code: "sesame", tasks: [{ title: "Others" }] } },
  ];
  for (const series of refused) {
    const { status } = await callAs(host, "PATCH", `/api/series/${id}`, { series });
    expect(status).toBe(422);
    expect((await sessionsOf(id)).map(({ joinCode }) => joinCode)).toEqual(["", "", "", ""]);
    expect((await seriesNow(id))?.template.joinCode ?? "").toBe("");
  }
});

test("R-55 G-17 a series turns free joining on for the sessions that its owner hosts, and off for all", async () => {
  const [owner, ben] = [await makeUser({ tokens: 5000 }), await makeUser({ tokens: 5000 })];
  const id = await makeSeries(owner);
  const [first] = await sessionsOf(id);
  await callAs(ben, "POST", `/challenge-events/${first?.id}/join`, {});
  const handed = await callAs(owner, "PATCH", `/challenge-events/${first?.id}/participants/${ben.username}`, {
    host: 1,
  });
  expect(handed.status).toBe(200);
  const free = async (is_free: 0 | 1) => {
    const { status } = await callAs(owner, "PATCH", `/api/series/${id}`, {
      series: { session: { is_free } },
    });
    expect(status).toBe(200);
    return (await sessionsOf(id)).map(({ isFree }) => isFree);
  };
  expect(await free(1)).toEqual([false, true, true, true]);
  expect(await free(0)).toEqual([false, false, false, false]);
});

test("G-10 the form of a rule, sent as it is, moves no session", async () => {
  const host = await makeUser({ tokens: 9000 });
  const id = await makeSeries(host);
  const [one, two] = await sessionsOf(id);
  const later = { challenge: { started_at: iso((two?.startedAt ?? 0) + 2 * HOUR) }, scope: "later" };
  expect((await callAs(host, "PATCH", `/challenge-events/${two?.id}/patch`, later)).status).toBe(200);
  const moved = { challenge: { started_at: iso(nine(5)) }, scope: "this" };
  expect((await callAs(host, "PATCH", `/challenge-events/${one?.id}/patch`, moved)).status).toBe(200);
  const before = (await sessionsOf(id)).map((row) => [row.id, row.startedAt, row.closedAt]);
  at(nine(4));
  const { typed } =
    (await viewSeriesPage(await appOf(host, nine(4)), { series: id, change: false, typed: NO_RULE })).draft ??
    {};
  const startedAt = instant(Date.parse(`${typed?.startedAt}:00Z`));
  await changeSeries(await appOf(host, nine(4)), {
    series: id,
    rule: "FREQ=WEEKLY",
    timeZone: "UTC",
    startedAt,
  });
  expect((await sessionsOf(id)).slice(0, 4).map((row) => [row.id, row.startedAt, row.closedAt])).toEqual(
    before,
  );
});

test("G-11 G-12 a session without a start stays on the page of its series, and takes a new start there", async () => {
  const host = await makeUser({ tokens: 5000 });
  const id = await makeSeries(host);
  const [first] = await sessionsOf(id);
  const undated = { challenge: { is_manually_started: 1, started_at: null } };
  expect((await callAs(host, "PATCH", `/challenge-events/${first?.id}/patch`, undated)).status).toBe(200);
  at(nine(4));
  const page = await visit(host, `/my/series/${id}`);
  expect([page.html.includes(`/sessions/${first?.id}`), page.html.includes("Without a start")]).toEqual([
    true,
    true,
  ]);
  const day = `/api/series/${id}/days/${first?.seriesDay}`;
  expect((await callAs(host, "PATCH", day, { started_at: iso(nine(6)) })).status).toBe(200);
  expect((await sessionNow(first?.id ?? 0))?.startedAt).toBe(nine(6));
});

test.each([
  ["Q-13", "a mute in", "PATCH", { mute: 1 }],
  ["Q-15", "a ban from", "DELETE", { keep_out: 1 }],
] as const)(
  "%s R-90 %s one session that another hosts does not close the series to its owner",
  async (_, __, method, body) => {
    const [owner, other] = await makeUsers(2);
    const id = await makeSeries(owner);
    const [first] = await openOf(id);
    const event = `/challenge-events/${first?.id}`;
    await join(other, first?.id ?? 0);
    await callAs(owner, "PATCH", `${event}/participants/${other.username}`, { host: 1 });
    expect(
      (await callAs(other, method, `${event}/participants/${owner.username}`, body)).status,
    ).toBeLessThan(300);
    const changed = await callAs(owner, "PATCH", `/api/series/${id}`, { session: { title: "New title" } });
    expect(changed.status).toBe(200);
    expect((await sessionsOf(id)).map(({ title }) => title)).toEqual(
      (await sessionsOf(id)).map(() => "New title"),
    );
    // By itself the session stays closed to them.
    const alone = await callAs(owner, "PATCH", `${event}/patch`, { challenge: { title: "Mine" } });
    expect(alone.status).toBe(403);
  },
);

const patchAll = (host: TestUser, id: number | undefined, challenge: object, scope = "all") =>
  callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge, scope });

test.each([0, 3])(
  "G-10 C-71 an end sent for all dates, from date %i, gives each the length",
  async (chosen) => {
    const host = await makeUser({ tokens: 9000 });
    const id = await makeSeries(host);
    const session = (await sessionsOf(id))[chosen];
    const ended_at = iso((session?.startedAt ?? 0) + 1.5 * HOUR);
    expect((await patchAll(host, session?.id, { ended_at })).status).toBe(200);
    const lengths = (await sessionsOf(id)).map(({ startedAt, endedAt }) => (endedAt ?? 0) - (startedAt ?? 0));
    expect(lengths).toEqual([1.5 * HOUR, 1.5 * HOUR, 1.5 * HOUR, 1.5 * HOUR]);
    expect((await seriesNow(id))?.template.duration).toBe(5400);
  },
);

const timers = (b: object) => [
  {
    uuid: "g",
    linked: 0,
    parts: [
      { uuid: "a", title: "A", duration: 900 },
      { uuid: "b", title: "B", duration: 1200, ...b },
    ],
  },
];
const startsOf = (schedule: Schedule | undefined, start: number | null) =>
  schedule?.groups[0]?.parts.map(({ startedAt }) => (startedAt ?? 0) - (start ?? 0));

test.each([0, 3])(
  "G-10 a date of a timer, given on date %i of a series, is that date's own",
  async (chosen) => {
    const host = await makeUser({ tokens: 9000 });
    const id = await makeSeries(host, {}, { parts: timers({}) });
    const session = (await sessionsOf(id))[chosen];
    const dated = timers({ started_at: iso((session?.startedAt ?? 0) + 0.5 * HOUR), duration: 600 });
    expect((await patchAll(host, session?.id, { parts: dated })).status).toBe(200);
    const starts = (await sessionsOf(id)).map(({ schedule, startedAt }) => startsOf(schedule, startedAt));
    expect(starts).toEqual([0, 1, 2, 3].map((date) => [0, date === chosen ? 0.5 * HOUR : 900_000]));
    const lengths = (await sessionsOf(id)).map(({ schedule }) => schedule.groups[0]?.parts[1]?.duration);
    expect(lengths).toEqual([600, 600, 600, 600]);
    expect((await seriesNow(id))?.template.schedule?.groups[0]?.parts[1]?.startedAt).toBe(null);
  },
);

test("G-10 a timer that is again to follow the one before does so on all dates", async () => {
  const host = await makeUser({ tokens: 9000 });
  const id = await makeSeries(host, {}, { parts: timers({}) });
  const sessions = await sessionsOf(id);
  for (const { id: date, startedAt } of sessions.slice(0, 2)) {
    const parts = timers({ started_at: iso((startedAt ?? 0) + 0.5 * HOUR) });
    expect((await patchAll(host, date, { parts }, "this")).status).toBe(200);
  }
  const parts = timers({ start_of: "after_previous_ends", time_from: 0 });
  expect((await patchAll(host, sessions[0]?.id, { parts })).status).toBe(200);
  const starts = (await sessionsOf(id)).map(({ schedule, startedAt }) => startsOf(schedule, startedAt));
  expect(starts).toEqual(Array(4).fill([0, 900_000]));
});

/** The form of the rule, sent with these changes of what it shows. */
async function sendRule(
  host: TestUser,
  id: number,
  change: (typed: RuleTyped) => Partial<RuleTyped> = () => ({}),
) {
  const app = await appOf(host, instant(Date.now()));
  const { draft } = await viewSeriesPage(app, { series: id, change: false, typed: NO_RULE });
  const typed = draft?.typed ?? NO_RULE;
  await changeRuleByForm(app, { series: id, typed: { ...typed, ...change(typed) } });
}
const startsNow = async (id: number) => {
  await layOutDays(40);
  return (await openOf(id)).map(({ startedAt }) => startedAt);
};

test("G-05 G-10 the number of sessions counts from the first start that the form shows", async () => {
  const host = await makeUser({ tokens: 9000 });
  const id = await makeSeries(host, { rule: "FREQ=WEEKLY;COUNT=6" });
  at(nine(11));
  await sendRule(host, id);
  expect((await seriesNow(id))?.rule).toBe("FREQ=WEEKLY;COUNT=4");
  await sendRule(host, id, ({ startedAt }) => ({ startedAt: startedAt.replace("09:00", "10:00") }));
  const days = [2, 9, 16, 23, 30, 37].map((day) => nine(day) + (day > 11 ? HOUR : 0));
  expect(await startsNow(id)).toEqual(days);
});

test.each([
  ["at the time of the last start", 23, 0],
  ["before the start on its day", 30, -HOUR],
] as const)("G-05 G-10 a rule until an instant %s keeps its end", async (_, day, offset) => {
  const host = await makeUser({ tokens: 9000 });
  const until = iso(nine(day) + offset).replace(/[-:]|\.\d{3}/g, "");
  const id = await makeSeries(host, { rule: `FREQ=WEEKLY;UNTIL=${until}` });
  at(nine(11));
  await sendRule(host, id);
  expect(await startsNow(id)).toEqual([nine(2), nine(9), nine(16), nine(23)]);
});

test("G-05 G-10 another time leaves a rule its days that the form does not show", async () => {
  const host = await makeUser({ tokens: 9000 });
  const id = await makeSeries(host, { rule: "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", started_at: iso(nine(2)) });
  const before = (await openOf(id)).map(({ id }) => id);
  await sendRule(host, id, ({ startedAt }) => ({ startedAt: startedAt.replace("09:00", "10:00") }));
  expect((await openOf(id)).map(({ id }) => id)).toEqual(before);
  expect((await seriesNow(id))?.rule).toBe("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR");
});

test("G-10 G-11 a rule saved as it is keeps today's session that its host moved to later today", async () => {
  const host = await makeUser({ tokens: 9000 });
  const id = await makeSeries(host);
  const [first] = await sessionsOf(id);
  const moved = { challenge: { started_at: iso(nine(2) + 6 * HOUR) }, scope: "this" };
  expect((await callAs(host, "PATCH", `/challenge-events/${first?.id}/patch`, moved)).status).toBe(200);
  at(nine(2) + HOUR);
  await sendRule(host, id);
  expect(await sessionNow(first?.id ?? 0)).toMatchObject({ closedAt: null, startedAt: nine(2) + 6 * HOUR });
});

test.each(["this", "all"])(
  "C-71 T-08 G-10 an end that comes with the length as it was sets it, for %s",
  async (scope) => {
    const host = await makeUser({ tokens: 9000 });
    const id = await makeSeries(host);
    const [first] = await sessionsOf(id);
    const ended_at = iso((first?.startedAt ?? 0) + 2 * HOUR);
    expect((await patchAll(host, first?.id, { duration: 3600, ended_at }, scope)).status).toBe(200);
    const lengths = (await sessionsOf(id)).map(({ duration }) => duration);
    expect(lengths).toEqual([0, 1, 2, 3].map((date) => (scope === "all" || date === 0 ? 7200 : 3600)));
    expect((await seriesNow(id))?.template.duration).toBe(scope === "all" ? 7200 : 3600);
    // A new length comes before an end.
    const both = { duration: 1800, ended_at: iso((first?.startedAt ?? 0) + 3 * HOUR) };
    expect((await patchAll(host, first?.id, both, scope)).status).toBe(200);
    expect((await sessionNow(first?.id ?? 0))?.duration).toBe(1800);
  },
);

test("G-06 G-10 G-11 a rule saved as it is keeps the days before one that its host moved ahead of them", async () => {
  const host = await makeUser({ tokens: 9000 });
  const id = await makeSeries(host, { rule: "FREQ=DAILY;COUNT=10" });
  const third = (await sessionsOf(id))[2];
  const moved = { challenge: { started_at: iso(nine(2) - HOUR) }, scope: "this" };
  expect((await callAs(host, "PATCH", `/challenge-events/${third?.id}/patch`, moved)).status).toBe(200);
  const before = (await sessionsOf(id)).map((row) => [row.id, row.startedAt, row.closedAt]);
  await sendRule(host, id);
  expect((await sessionsOf(id)).map((row) => [row.id, row.startedAt, row.closedAt])).toEqual(before);
  expect((await seriesNow(id))?.rule).toBe("FREQ=DAILY;COUNT=10");
});

const DATELESS = { relative_dates: 0, started_at: null };
const endsOf = async (id: number) =>
  (await sessionsOf(id)).map(({ schedule, startedAt, endedAt }) => [
    schedule.groups[0]?.parts[1]?.startedAt,
    (endedAt ?? 0) - (startedAt ?? 0),
  ]);

test.each([0, 3000])(
  "V-22 G-08 G-10 a timer of %i seconds without a date has none on any date of its series",
  async (duration) => {
    const host = await makeUser({ tokens: 9000 });
    const id = await makeSeries(host, {}, { parts: timers({ ...DATELESS, duration }) });
    expect(await endsOf(id)).toEqual(Array(4).fill([null, HOUR]));
    const [first] = await sessionsOf(id);
    const title = { title: "Another name" };
    expect((await patchAll(host, first?.id, title)).status).toBe(200);
    expect((await callAs(host, "PATCH", `/api/series/${id}`, { session: title })).status).toBe(200);
    at(ROOM_NOW + 8 * DAY);
    await layOutDays();
    expect((await seriesNow(id))?.stop).toBe(null);
    expect(await endsOf(id)).toEqual(Array(5).fill([null, HOUR]));
  },
);

test("T-06 G-10 a timer's date that is cleared for all dates is cleared on each", async () => {
  const host = await makeUser({ tokens: 9000 });
  const id = await makeSeries(host, {}, { parts: timers({}) });
  const [first] = await sessionsOf(id);
  expect((await patchAll(host, first?.id, { parts: timers(DATELESS) })).status).toBe(200);
  expect(await endsOf(id)).toEqual(Array(4).fill([null, HOUR]));
});

test("G-10 T-06 another title for all dates, sent with the timers as they were read, keeps the plan of another date", async () => {
  const host = await makeUser({ tokens: 9000 });
  const id = await makeSeries(host, {}, { parts: timers({}) });
  const [first, second] = await sessionsOf(id);
  if (!first || !second) throw new Error("no dates");
  const own = { challenge: { parts: timers({ duration: 900 }) }, scope: "this" };
  expect((await callAs(host, "PATCH", `/challenge-events/${second.id}/patch`, own)).status).toBe(200);
  const part = first.schedule.groups[0]?.parts[1]?.id;
  expect((await callAs(host, "PATCH", `/challenges/${first.slug}/parts/${part}`, DATELESS)).status).toBe(200);
  const { session } = await dataOf(host, `/api/sessions/${first.id}`);
  expect((await patchAll(host, first.id, { title: "Another name", parts: session.parts })).status).toBe(200);
  const rows = await sessionsOf(id);
  expect(rows.map(({ title }) => title)).toEqual(Array(4).fill("Another name"));
  expect(rows.map(({ schedule }) => schedule.groups[0]?.parts[1]?.duration)).toEqual([
    first.schedule.groups[0]?.parts[1]?.duration,
    900,
    first.schedule.groups[0]?.parts[1]?.duration,
    first.schedule.groups[0]?.parts[1]?.duration,
  ]);
});
