// Series of sessions: creation, layout, money, days, pause and end, standing seats, bans (G-04 to G-15, Q-15).
import { env } from "cloudflare:workers";
import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { appOf, makeUser, type TestUser, testApp } from "#tests/support/factories";
import { drain, noticeRows, spineApp } from "#tests/support/notices";
import { balanceOf, makeHut, makeSession, seatsOf } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { formatDay } from "~/domain/days";
import { writeNotice } from "~/domain/notices/texts";
import { DAY, HOUR, type Instant, instant, MINUTE } from "~/domain/time";
import { leaveSession } from "~/use-cases/sessions/people.server";
import { changeSessions } from "./change.server";
import { layOutSeries } from "./lay-out.server";

const db = connect(env.DB);
const now = () => instant(Date.now());
/** Read once: the tests may run past midnight. */
const TODAY = Math.floor(Date.now() / DAY) * DAY;
/** 09:00 UTC, so many days ahead. */
const inDays = (days: number) => new Date(TODAY + days * DAY + 9 * HOUR);
const SESSION = { title: "Morning pages", duration: 3600 };

async function makeSeries(host: TestUser, over: Record<string, unknown> = {}, session: object = {}) {
  const series = {
    rule: "FREQ=WEEKLY",
    time_zone: "UTC",
    started_at: inDays(2).toISOString(),
    session: { ...SESSION, ...session },
    ...over,
  };
  return callAs(host, "POST", "/api/series", { series });
}
const sessionsOf = (id: number) =>
  db
    .select()
    .from(schema.sessions)
    .where(eq(schema.sessions.seriesId, id))
    .orderBy(asc(schema.sessions.seriesDay));
const openOf = async (id: number) => (await sessionsOf(id)).filter(({ closedAt }) => closedAt === null);
const stand = (user: TestUser, id: number, body: object = {}) =>
  callAs(user, "PUT", `/api/series/${id}/standing-seat`, body);
const night = async (days = 0, limit = 500) =>
  layOutSeries(await testApp({ now: instant(Date.now() + days * DAY) }), limit);
/** The sentences of this user's notices, in order of their causes. */
async function noticesOf(user: TestUser): Promise<string[]> {
  await drain((await spineApp(now())).app);
  const rows = (await noticeRows()).filter(({ userId }) => userId === user.id);
  return rows.sort((a, b) => a.at - b.at).map((row) => writeNotice(row, "UTC").text);
}
const seriesRow = async (id: number) =>
  (await db.select().from(schema.series).where(eq(schema.series.id, id)))[0];

// A night is everybody's: the series of earlier tests rest.
beforeEach(async () => {
  await db.update(schema.series).set({ endedAt: now() });
});

describe("a series", () => {
  test("G-04 G-08 creates the sessions of 28 days, each for one join of the host", async () => {
    const host = await makeUser();
    const { status, body } = await makeSeries(host, {}, { content: "Begin.", tasks: [{ title: "Pages" }] });
    expect(status).toBe(201);
    expect(body.path).toBe(`/my/series/${body.series.id}`);
    expect(body.series.words).toContain("at 09:00, UTC");
    const sessions = await sessionsOf(body.series.id);
    expect(sessions.map(({ startedAt }) => startedAt)).toEqual(
      [2, 9, 16, 23].map((days) => inDays(days).getTime()),
    );
    expect(new Set(sessions.map(({ content }) => content))).toEqual(new Set(["Begin."]));
    expect(await balanceOf(host)).toBe(1000 - 400);
    const goals = await db
      .select()
      .from(schema.goals)
      .where(eq(schema.goals.sessionId, sessions[0]?.id ?? 0));
    expect(goals.map(({ title }) => title)).toEqual(["Pages"]);
    const page = await visit(host, body.path);
    expect(page.html).toContain("Next dates");
    expect((await visit(host, "/my/series")).html).toContain("Morning pages");
  });

  test.each([
    [{ rule: "FREQ=YEARLY" }, "rule", "We cannot repeat a session that way."],
    [{ rule: "FREQ=WEEKLY;UNTIL=20200101" }, "rule", "This rule has no date ahead."],
    [{ time_zone: "Europe/Nowhere" }, "time_zone", "We do not know this time zone."],
  ])("G-05 %j is INVALID at its field", async (over, field, sentence) => {
    const { status, body } = await makeSeries(await makeUser(), over);
    expect([status, body.error_code, body.fields[field]]).toEqual([422, "INVALID", [sentence]]);
  });

  test.each([
    ["Europe/Kyiv", "Europe/Kyiv"],
    ["europe/berlin", "Europe/Berlin"],
  ])("G-05 a series keeps the name of the time zone %s as the person chose it", async (chosen, shown) => {
    const host = await makeUser();
    const { body } = await makeSeries(host, { time_zone: chosen });
    expect(body.series).toMatchObject({ time_zone: shown });
    expect(body.series.words).toContain(shown);
    expect((await visit(host, body.path)).html).toContain(shown);
  });

  test("G-05 a template cannot repeat", async () => {
    const { status, body } = await makeSeries(await makeUser({ roleId: 10 }), {}, { is_preset: 1 });
    expect([status, Object.values(body.fields)]).toEqual([422, [["A template cannot repeat."]]]);
  });

  test("G-08 nights that repeat or overlap lay out nothing twice, and each adds its day", async () => {
    const host = await makeUser();
    const { body } = await makeSeries(host, { rule: "FREQ=WEEKLY;COUNT=6" });
    await Promise.all([night(), night(), night()]);
    expect((await sessionsOf(body.series.id)).length).toBe(4);
    await Promise.all([night(3), night(3)]);
    await night(3);
    expect((await sessionsOf(body.series.id)).length).toBe(5);
    expect(await balanceOf(host)).toBe(1000 - 500);
  });

  test("G-08 a night lays out in order of date, up to its limit, and the next one goes on", async () => {
    const [first, second] = [await makeUser(), await makeUser()];
    const one = (await makeSeries(first, { started_at: inDays(3).toISOString() })).body.series.id;
    const two = (await makeSeries(second, { started_at: inDays(2).toISOString() })).body.series.id;
    for (const id of [one, two]) await db.delete(schema.sessions).where(eq(schema.sessions.seriesId, id));
    for (const id of [one, two]) await db.delete(schema.seriesDays).where(eq(schema.seriesDays.seriesId, id));
    for (const id of [one, two])
      await db.update(schema.series).set({ laidUntil: now() }).where(eq(schema.series.id, id));
    expect((await night(0, 3)).laid).toBe(3);
    const days = async (id: number) => (await sessionsOf(id)).length;
    expect([await days(two), await days(one)]).toEqual([2, 1]);
    await night();
    expect([await days(two), await days(one)]).toEqual([4, 4]);
  });

  test("G-08 a night that dies between two sessions is completed by the next", async () => {
    const host = await makeUser();
    const { id } = (await makeSeries(host)).body.series;
    await db.delete(schema.sessions).where(eq(schema.sessions.seriesId, id));
    await db.delete(schema.seriesDays).where(eq(schema.seriesDays.seriesId, id));
    await db.update(schema.series).set({ laidUntil: now() }).where(eq(schema.series.id, id));
    const before = await balanceOf(host);
    for (const kill of [1, 2, 3, 5, 8]) {
      let trips = 0;
      const app = await testApp({ now: now() });
      const dying = wrappedD1(env.DB, {
        one: (_, __, ask) => {
          if (++trips > kill) throw new Error("killed");
          return ask();
        },
        batch: async (_, ask) => {
          if (++trips > kill) throw new Error("killed");
          return ask();
        },
      });
      await layOutSeries({ ...app, db: connect(dying as never) }).catch(() => {});
    }
    await night();
    expect((await openOf(id)).length).toBe(4);
    expect(await balanceOf(host)).toBe(before - 400);
  });

  test("G-09 a host without tokens gets no session, reads why, and the next night tries again", async () => {
    const host = await makeUser({ tokens: 250 });
    const { id } = (await makeSeries(host)).body.series;
    expect((await sessionsOf(id)).length).toBe(2);
    expect((await seriesRow(id))?.problem).toMatch(
      /^Morning pages on .* was not created: you are out of tokens\.$/,
    );
    expect(await balanceOf(host)).toBe(50);
    const unpaid = () => noticesOf(host);
    expect(await unpaid()).toEqual([
      `Morning pages on ${formatDay(instant(inDays(16).getTime()), "UTC")} was not created: you are out of tokens.`,
    ]);
    await night();
    expect(await unpaid()).toHaveLength(1);
    await db
      .update(schema.tokenLots)
      .set({ remaining: 1050, granted: 1250 })
      .where(eq(schema.tokenLots.userId, host.id));
    const rich = await makeUser();
    const other = (await makeSeries(rich)).body.series.id;
    await night();
    expect([(await sessionsOf(id)).length, (await sessionsOf(other)).length]).toEqual([4, 4]);
    expect((await seriesRow(id))?.problem).toBe("");
    expect(await balanceOf(host)).toBe(850);
  });

  test("N-28 the sessions that a series makes at once in a hut are one notice", async () => {
    const [host, member, blocked, stranger] = [
      await makeUser({ tokens: 9000 }),
      await makeUser(),
      await makeUser(),
      await makeUser(),
    ];
    const hut = await makeHut(await makeUser(), [host, member, blocked]);
    await callAs(blocked, "PUT", `/api/blocks/${host.username}`, {});
    const made = await callAs(host, "POST", "/challenge-events", {
      challenge: { ...SESSION, title: "Evening pages", hut_id: hut.id },
    });
    expect(made.status).toBe(201);
    expect(await noticesOf(member)).toEqual(["There is a new session in Hut: Evening pages."]);
    await db.update(schema.notices).set({ readAt: now() }).where(eq(schema.notices.userId, member.id));
    const { id } = (await makeSeries(host, { rule: "FREQ=DAILY" }, { hut_id: hut.id })).body.series;
    expect((await sessionsOf(id)).length).toBeGreaterThan(20);
    expect((await noticesOf(member)).slice(1)).toEqual([
      "There are new sessions in Hut, among them Morning pages.",
    ]);
    for (const other of [host, blocked, stranger]) expect(await noticesOf(other)).toEqual([]);
  });

  test("G-08 a failing series does not stop the others", async () => {
    const [host, other] = [await makeUser(), await makeUser()];
    const hut = await makeHut(await makeUser(), [host]);
    const bad = (await makeSeries(host, {}, { hut_id: hut.id })).body.series.id;
    const good = (await makeSeries(other)).body.series.id;
    await db.delete(schema.hutMembers).where(eq(schema.hutMembers.userId, host.id));
    await night(7);
    expect([(await sessionsOf(bad)).length, (await sessionsOf(good)).length]).toEqual([4, 5]);
    expect((await seriesRow(bad))?.problem).toContain("Please join this hut first.");
    expect(await noticesOf(host)).toEqual([]);
  });

  test("G-11 a day is skipped before and after its layout, and its session is cancelled with refunds", async () => {
    const [host, guest] = [await makeUser(), await makeUser()];
    const { id } = (await makeSeries(host)).body.series;
    const [first] = await sessionsOf(id);
    await callAs(guest, "POST", `/challenge-events/${first?.id}/join`, {});
    const skip = (days: number, body: object = { skip: 1 }) =>
      callAs(host, "PATCH", `/api/series/${id}/days/${inDays(days).toISOString().slice(0, 10)}`, body);
    for (let again = 0; again < 2; again++) await skip(2);
    expect((await skip(30)).status).toBe(200);
    expect((await openOf(id)).length).toBe(3);
    expect([await balanceOf(host), await balanceOf(guest)]).toEqual([1000 - 300, 1000]);
    await night(5);
    expect((await openOf(id)).length).toBe(3);
    expect((await skip(30, { skip: 0 })).status).toBe(200);
    await night(5);
    expect((await openOf(id)).length).toBe(4);
    expect((await skip(3)).status).toBe(404);
    const running = (await openOf(id))[0]?.id;
    await callAs(host, "POST", `/challenge-events/${running}/start`, {});
    expect((await skip(9)).body.message).toBe("This day is over, or its session was cancelled.");
  });

  test("G-11 a day is moved before and after its layout", async () => {
    const host = await makeUser();
    const { id } = (await makeSeries(host)).body.series;
    const move = (days: number, to: number) =>
      callAs(host, "PATCH", `/api/series/${id}/days/${inDays(days).toISOString().slice(0, 10)}`, {
        started_at: inDays(to).toISOString(),
      });
    expect((await move(9, 10)).status).toBe(200);
    expect((await move(30, 29)).status).toBe(200);
    expect((await move(16, 25)).body.fields.started_at).toEqual(["Please move a day by at most a week."]);
    await night(4);
    const starts = (await sessionsOf(id)).map(({ startedAt }) => startedAt);
    expect(starts).toEqual([2, 10, 16, 23, 29].map((days) => inDays(days).getTime()));
  });

  test("G-12 a pause keeps sessions and lays out none; going on lays out no day in the past", async () => {
    const host = await makeUser();
    const { id } = (await makeSeries(host)).body.series;
    const pause = (paused: 0 | 1) => callAs(host, "PATCH", `/api/series/${id}`, { paused });
    expect((await pause(1)).body.series.is_paused).toBe(1);
    await night(10);
    expect((await openOf(id)).length).toBe(4);
    expect((await pause(0)).body.series.is_paused).toBe(0);
    await night(60);
    const days = (await sessionsOf(id)).map(({ startedAt }) => Number(startedAt));
    expect(days.filter((at) => at > inDays(23).getTime() && at <= Date.now() + 60 * DAY)).toEqual([]);
    expect(days.length).toBe(8);
  });

  test("G-12 ending a series cancels its unstarted sessions with refunds, once", async () => {
    const [host, guest] = [await makeUser(), await makeUser()];
    const { id } = (await makeSeries(host)).body.series;
    const [first] = await sessionsOf(id);
    await callAs(guest, "POST", `/challenge-events/${first?.id}/join`, {});
    expect((await visit(host, `/my/series/${id}`)).html).toContain("4 sessions that have not begun are");
    for (let again = 0; again < 2; again++)
      expect((await callAs(host, "DELETE", `/api/series/${id}`)).status).toBe(204);
    await night(3);
    expect(await openOf(id)).toEqual([]);
    expect([await balanceOf(host), await balanceOf(guest)]).toEqual([1000, 1000]);
  });

  test("G-04 a session that has not begun becomes the first of its series", async () => {
    const host = await makeUser();
    const session = await makeSession(host, { is_manually_started: 0, started_at: inDays(2).toISOString() });
    const form = await visit(host, `/my/series?session=${session.id}`);
    expect(form.html).toContain("Make this series");
    expect((await form.all("main ul[aria-label='The next dates'] li")).length).toBe(5);
    const made = await post(host, `/my/series?session=${session.id}`, {
      intent: "create",
      session: String(session.id),
      rule: "FREQ=WEEKLY",
      timeZone: "UTC",
      startedAt: String(inDays(2).getTime()),
    });
    expect(made.status).toBe(302);
    const id = Number(made.location?.split("/").at(-1));
    expect((await sessionsOf(id)).map((one) => one.id)[0]).toBe(session.id);
    expect((await sessionsOf(id)).length).toBe(4);
    expect(await balanceOf(host)).toBe(1000 - 400);
  });

  test("G-06 the form shows the words and dates of the typed rule, and refuses a rule that is not allowed", async () => {
    const host = await makeUser();
    const { id } = await makeSession(host, { is_manually_started: 0, started_at: "2027-06-01T09:00:00Z" });
    const query = (more: string) => visit(host, `/my/series?session=${id}&timeZone=Europe/Berlin&${more}`);
    expect((await query("every=WEEKLY&tu=on&th=on")).html).toContain(
      "Every Tuesday and Thursday at 11:00, Europe/Berlin",
    );
    expect((await query("every=MONTHLY&monthly=weekday&count=3")).html).toContain(
      "on the first Tuesday at 11:00",
    );
    expect((await query("every=DAILY&startedAt=2027-06-05T07:30")).html).toContain(
      "Every day at 07:30, Europe/Berlin",
    );
    expect((await query("every=DAILY&interval=13")).html).toContain("We cannot repeat a session that way.");
  });

  test("G-08 a deleted session is a skipped day", async () => {
    const host = await makeUser();
    const { id } = (await makeSeries(host)).body.series;
    const [first] = await sessionsOf(id);
    expect((await callAs(host, "DELETE", `/challenges/${first?.slug}`)).status).toBeLessThan(300);
    await db.update(schema.series).set({ laidUntil: now() }).where(eq(schema.series.id, id));
    await night();
    expect((await sessionsOf(id)).length).toBe(3);
  });
});

describe("a change of a series", () => {
  const change = (user: TestUser, id: number, challenge: object, scope?: string) =>
    callAs(user, "PATCH", `/challenge-events/${id}/patch`, { challenge, ...(scope ? { scope } : {}) });
  const titles = async (id: number) => (await openOf(id)).map(({ title }) => title);
  const starts = async (id: number) => (await openOf(id)).map(({ startedAt }) => Number(startedAt));
  const days = (...list: number[]) => list.map((day) => inDays(day).getTime());

  test("G-10 applies to this session, to this and later ones, or to all upcoming, and new ones follow", async () => {
    const host = await makeUser();
    const { id } = (await makeSeries(host)).body.series;
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
    await night(7);
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
    expect(
      (await change(host, first, { participant_limit: 1 }, "all")).body.fields.participant_limit,
    ).toEqual(["There are 2 participants already."]);
    expect((await seriesRow(id))?.template.participantLimit).toBe(4);
  });

  test("G-10 sessions that have begun, ended or been cancelled never change", async () => {
    const host = await makeUser();
    const { id } = (await makeSeries(host, { rule: "FREQ=DAILY;COUNT=5" })).body.series;
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
    const { id } = (await makeSeries(host)).body.series;
    const [first, second] = (await sessionsOf(id)).map((session) => session.id) as [number, number];
    const later = (day: number, hours: number) =>
      new Date(inDays(day).getTime() + hours * HOUR).toISOString();
    await change(host, second, { started_at: later(9, 5) });
    expect((await change(host, first, { started_at: later(2, 2) }, "all")).status).toBe(200);
    const [a, b, c, d] = days(2, 9, 16, 23) as [number, number, number, number];
    expect(await starts(id)).toEqual([a + 2 * HOUR, b + 5 * HOUR, c + 2 * HOUR, d + 2 * HOUR]);
    await night(7);
    expect((await starts(id)).at(-1)).toBe(inDays(30).getTime() + 2 * HOUR);
    const other = await change(host, first, { started_at: later(3, 0) }, "all");
    expect(other.body.fields.started_at).toEqual([
      "Another day needs another rule: please change it on the page of the series.",
    ]);
  });

  test("G-10 another time of day leaves a session whose new start has passed", async () => {
    const host = await makeUser();
    const { id } = (await makeSeries(host)).body.series;
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
    const { id } = (await makeSeries(host)).body.series;
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
    const { id } = (await makeSeries(host)).body.series;
    const before = (await sessionsOf(id)).map((session) => session.id);
    for (const session of before) await callAs(guest, "POST", `/challenge-events/${session}/join`, {});
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
      `/my/series/${id}?change=on&every=DAILY&interval=3&startedAt=${inDays(3).toISOString().slice(0, 16)}&timeZone=UTC`,
    );
    expect(page.html).toContain("Every 3 days at 09:00, UTC");
    const saved = await post(host, `/my/series/${id}`, {
      intent: "rule",
      rule: "FREQ=DAILY;INTERVAL=7",
      timeZone: "UTC",
      startedAt: String(inDays(9).getTime() + HOUR),
    });
    expect(saved.status).toBe(302);
    expect(await starts(id)).toEqual(days(9, 16, 23).map((at) => at + HOUR));
  });
});

describe("a rota", () => {
  const host = (user: TestUser, id: number, method: "PUT" | "DELETE", name: string, body: object = {}) =>
    callAs(user, method, `/api/series/${id}/hosts/${name}`, method === "PUT" ? body : undefined);
  const accept = (user: TestUser, id: number) => callAs(user, "POST", `/api/series/${id}/accept-turn`, {});
  const hostsOf = async (id: number) => (await openOf(id)).map(({ ownerId }) => ownerId);
  const rotaOf = async (user: TestUser, id: number) =>
    (await callAs(user, "GET", `/api/my/series/${id}`)).body.serverData.hosts.map(
      (one: { username: string; is_accepted: number }) => [one.username, one.is_accepted],
    );

  test("G-17 invited people accept first; then each session takes the next host, who pays; one without tokens is passed over", async () => {
    const [owner, ben, cid] = [await makeUser(), await makeUser(), await makeUser({ tokens: 100 })];
    const { id } = (await makeSeries(owner)).body.series;
    for (let again = 0; again < 2; again++)
      expect((await host(owner, id, "PUT", ben.username)).status).toBe(200);
    expect(await rotaOf(owner, id)).toEqual([
      [owner.username, 1],
      [ben.username, 0],
    ]);
    await host(owner, id, "PUT", cid.username);
    expect(await noticesOf(ben)).toEqual([`${owner.username} asks you to host Morning pages in turn.`]);
    expect(await rotaOf(owner, id)).toEqual([
      [owner.username, 1],
      [ben.username, 0],
      [cid.username, 0],
    ]);
    // Without an answer the host of the series goes on.
    await night(7);
    expect(await hostsOf(id)).toEqual(Array.from({ length: 5 }, () => owner.id));
    for (let again = 0; again < 2; again++)
      for (const user of [ben, cid]) expect((await accept(user, id)).status).toBe(200);
    for (const days of [14, 21, 28, 35, 42]) await night(days);
    expect((await hostsOf(id)).slice(5)).toEqual([ben.id, cid.id, owner.id, ben.id, owner.id]);
    expect(await Promise.all([owner, ben, cid].map(balanceOf))).toEqual([1000 - 700, 800, 0]);
    const [session] = (await openOf(id)).slice(5);
    expect((await seatsOf(session?.id ?? 0)).map(({ userId, isHost }) => [userId, isHost])).toEqual([
      [ben.id, true],
    ]);
    // The host of the series still changes all of its sessions.
    const all = await callAs(owner, "PATCH", `/api/series/${id}`, {
      series: { session: { title: "Pages" } },
    });
    expect(all.status).toBe(200);
    expect(new Set((await openOf(id)).map(({ title }) => title))).toEqual(new Set(["Pages"]));
  });

  test("G-17 the host orders and removes; invited people decline, hosts leave, and nobody else sees the rota", async () => {
    const [owner, ben, cid, stranger] = [
      await makeUser(),
      await makeUser(),
      await makeUser(),
      await makeUser(),
    ];
    const { id } = (await makeSeries(owner)).body.series;
    for (const user of [ben, cid]) await host(owner, id, "PUT", user.username);
    await host(owner, id, "PUT", cid.username, { place: 0 });
    const names = async (user = owner) => (await rotaOf(user, id)).map(([name]: [string]) => name);
    expect(await names()).toEqual([cid.username, owner.username, ben.username]);
    expect((await host(ben, id, "PUT", stranger.username)).body.error_code).toBe("FORBIDDEN");
    expect((await host(ben, id, "DELETE", cid.username)).body.error_code).toBe("FORBIDDEN");
    expect([
      (await accept(stranger, id)).status,
      (await accept(stranger, 1e9)).status,
      (await host(stranger, id, "DELETE", ben.username)).status,
    ]).toEqual([404, 404, 404]);
    const alone = (await makeSeries(owner)).body.series.id;
    expect((await accept(owner, alone)).status).toBe(404);
    const page = await visit(cid, `/my/series/${id}`);
    expect(page.html).toContain(`${owner.username} asks you to host this series in turn.`);
    expect((await visit(cid, "/my/series")).html).toContain("Morning pages");
    expect((await post(cid, `/my/series/${id}`, { intent: "host.accept" })).status).toBeLessThan(400);
    expect(await names(cid)).toEqual([cid.username, owner.username, ben.username]);
    expect(
      (await post(ben, `/my/series/${id}`, { intent: "host.leave", username: ben.username })).status,
    ).toBe(302);
    for (let again = 0; again < 2; again++)
      expect((await host(owner, id, "DELETE", cid.username)).status).toBe(204);
    expect(await names()).toEqual([owner.username]);
    expect((await callAs(ben, "GET", `/api/my/series/${id}`)).status).toBe(404);
  });

  test("G-17 G-09 when no host in turn has tokens, the host of the series reads it", async () => {
    const [owner, ben] = [await makeUser({ tokens: 400 }), await makeUser({ tokens: 0 })];
    const { id } = (await makeSeries(owner)).body.series;
    await host(owner, id, "PUT", ben.username);
    await accept(ben, id);
    for (const days of [7, 8]) await night(days);
    const sentence = `Morning pages on ${formatDay(instant(inDays(30).getTime()), "UTC")} was not created: no host in turn could make it.`;
    expect([await noticesOf(owner), (await seriesRow(id))?.problem]).toEqual([[sentence], sentence]);
    expect(await balanceOf(ben)).toBe(0);
  });

  test("G-17 a failure that is no refusal of a host passes the turn to nobody", async () => {
    const [owner, ben] = [await makeUser(), await makeUser()];
    const { id } = (await makeSeries(owner)).body.series;
    await host(owner, id, "PUT", ben.username);
    await accept(ben, id);
    const newId = () => {
      throw new Error("killed");
    };
    await layOutSeries({ ...(await testApp({ now: instant(Date.now() + 7 * DAY) })), newId });
    expect((await hostsOf(id)).length).toBe(4);
    expect((await seriesRow(id))?.problem).toContain("was not created: Something went wrong");
  });

  test("G-17 a rota has at most 10 people; unknown people and people with a block cannot be invited", async () => {
    const owner = await makeUser();
    const { id } = (await makeSeries(owner)).body.series;
    const people = await Promise.all(Array.from({ length: 11 }, () => makeUser()));
    const [blocking, last, ...others] = people as [TestUser, TestUser, ...TestUser[]];
    await callAs(blocking, "PUT", `/api/blocks/${owner.username}`, {});
    const invited = async (name: string) => (await host(owner, id, "PUT", name)).body.error_code;
    expect([await invited(blocking.username), await invited("nobody-at-all")]).toEqual([
      "NOT_FOUND",
      "NOT_FOUND",
    ]);
    for (const { username } of others) expect(await invited(username)).toBeUndefined();
    expect(await invited(last.username)).toBe("CONFLICT");
  });
});

describe("a standing seat", () => {
  const seatsIn = async (id: number) =>
    Promise.all(
      (await openOf(id)).map(async (session) => (await seatsOf(session.id)).map(({ userId }) => userId)),
    );

  test("G-13 G-14 is taken in each layout, in order of since, up to the limit, for a token each", async () => {
    const [host, ...guests] = [await makeUser(), await makeUser(), await makeUser(), await makeUser()];
    const { id } = (await makeSeries(host, {}, { participant_limit: 3 })).body.series;
    for (const guest of guests) expect((await stand(guest, id)).body).toEqual({ is_standing: 1 });
    await night(7);
    const last = (await seatsIn(id)).at(-1);
    expect(last).toEqual(expect.arrayContaining([host.id, guests[0]?.id, guests[1]?.id]));
    expect(last?.length).toBe(3);
    const [a, b, c] = guests as [TestUser, TestUser, TestUser];
    expect([await balanceOf(a), await balanceOf(b), await balanceOf(c)]).toEqual([900, 900, 1000]);
    const [session] = (await openOf(id)).slice(-1);
    expect(session?.participantsCount).toBe(3);
  });

  test("G-14 the host pays the standing seats of a free session, as far as the tokens reach", async () => {
    const [host, ...guests] = [
      await makeUser({ tokens: 640 }),
      await makeUser(),
      await makeUser(),
      await makeUser(),
    ];
    const { id } = (await makeSeries(host, {}, { is_free: 1 })).body.series;
    for (const guest of guests) await stand(guest, id);
    // Split over two lots: 140 and 60 pay the host's own join and one seat.
    await night(7);
    expect(await balanceOf(host)).toBe(40);
    expect((await seatsIn(id)).at(-1)?.length).toBe(2);
    for (const guest of guests) expect(await balanceOf(guest)).toBe(1000);
  });

  test("G-14 a lot that a seat uses up takes no part in the next seat", async () => {
    const host = await makeUser({ tokens: 600 });
    await db.insert(schema.tokenLots).values({
      userId: host.id,
      kind: "purchased" as const,
      granted: 300,
      remaining: 300,
      reference: `test:${host.id}:second`,
      createdAt: now(),
    });
    const { id } = (await makeSeries(host, {}, { is_free: 1 })).body.series;
    for (const guest of [await makeUser(), await makeUser()]) await stand(guest, id);
    await night(7);
    expect((await seatsIn(id)).at(-1)?.length).toBe(3);
    const entries = await db
      .select()
      .from(schema.tokenEntries)
      .where(eq(schema.tokenEntries.userId, host.id));
    expect(entries.filter(({ amount }) => amount === 0)).toEqual([]);
    expect(await balanceOf(host)).toBe(
      900 + entries.reduce((sum, { amount }) => sum + Math.min(amount, 0), 0),
    );
  });

  test("G-14 a lot that expires at the night's moment pays for no seat", async () => {
    const [host, guest] = [await makeUser(), await makeUser({ tokens: 0 })];
    const { id } = (await makeSeries(host)).body.series;
    await stand(guest, id);
    const moment = instant(Date.now() + 7 * DAY);
    await db.insert(schema.tokenLots).values({
      userId: guest.id,
      kind: "purchased" as const,
      granted: 500,
      remaining: 500,
      reference: `test:${guest.id}:expiring`,
      createdAt: now(),
      expiresAt: moment,
    });
    await layOutSeries(await testApp({ now: moment }), 500);
    expect((await seatsIn(id)).at(-1)).toEqual([host.id]);
  });

  test("G-14 a payment over several lots adds up", async () => {
    const [host, guest] = [await makeUser(), await makeUser({ tokens: 30 })];
    const lots = [1, 2, 3].map((n) => ({
      userId: guest.id,
      kind: "purchased" as const,
      granted: 45,
      remaining: 45,
      reference: `test:${guest.id}:${n}`,
      createdAt: now(),
    }));
    for (const lot of lots) await db.insert(schema.tokenLots).values(lot);
    const { id } = (await makeSeries(host)).body.series;
    await stand(guest, id);
    await night(7);
    expect(await balanceOf(guest)).toBe(65);
    expect((await seatsIn(id)).at(-1)).toContain(guest.id);
  });

  test("R-44 G-14 giving up returns the token until 24 hours before the start, and later nothing", async () => {
    const [host, guest] = [await makeUser(), await makeUser()];
    const { id } = (await makeSeries(host)).body.series;
    await stand(guest, id);
    await night(7);
    const [session] = (await openOf(id)).slice(-1);
    const leave = () => callAs(guest, "POST", `/api/challenge-events/${session?.id}/leave`, {});
    expect(await balanceOf(guest)).toBe(900);
    await db
      .update(schema.sessions)
      .set({ startedAt: instant(Date.now() + 23 * HOUR), endedAt: instant(Date.now() + 24 * HOUR) })
      .where(eq(schema.sessions.id, session?.id ?? 0));
    await db.update(schema.series).set({ laidUntil: now() }).where(eq(schema.series.id, id));
    await leave();
    expect(await balanceOf(guest)).toBe(900);
    await night(14);
    const [next] = (await openOf(id)).slice(-1);
    expect(await balanceOf(guest)).toBe(800);
    for (let again = 0; again < 2; again++)
      await callAs(guest, "POST", `/api/challenge-events/${next?.id}/leave`, {});
    expect(await balanceOf(guest)).toBe(900);
  });

  test("R-44 a standing seat given up exactly 24 hours before the start returns its token, and a millisecond later nothing", async () => {
    const [host, early, late] = [await makeUser(), await makeUser(), await makeUser()];
    const { id } = (await makeSeries(host)).body.series;
    for (const guest of [early, late]) await stand(guest, id);
    await night(7);
    const session = (await openOf(id)).at(-1);
    const leaveBefore = async (user: TestUser, ms: number) =>
      leaveSession(await appOf(user, instant((session?.startedAt ?? 0) - ms)), { session: session?.id ?? 0 });
    await leaveBefore(early, DAY);
    await leaveBefore(late, DAY - 1);
    expect(await Promise.all([early, late].map(balanceOf))).toEqual([1000, 900]);
  });

  test("G-16 R-64 a start moved by more than 15 minutes asks the holders: they keep the seat, or give it up for its token", async () => {
    const [host, ...guests] = await Promise.all([1, 2, 3, 4].map(() => makeUser()));
    const [keeper, leaver, silent] = guests as [TestUser, TestUser, TestUser];
    const { id } = (await makeSeries(host as TestUser)).body.series;
    for (const guest of guests) await stand(guest, id);
    await night(7);
    const session = (await openOf(id)).at(-1)?.id ?? 0;
    const path = `/challenge-events/${session}`;
    const other = await makeUser();
    await callAs(other, "POST", `${path}/join`, {});
    const startsAt = (time: number) =>
      callAs(host as TestUser, "PATCH", `${path}/patch`, {
        challenge: { started_at: new Date(time).toISOString() },
      });
    // Within a day of the start the rule of 24 hours returns nothing.
    const before = Date.now() + 10 * HOUR;
    await startsAt(before);
    await db.update(schema.participants).set({ askedAt: null });
    await startsAt(before + 15 * MINUTE);
    const asks = async (user: TestUser) =>
      (await visit(user, `/sessions/${session}`)).html.includes("Keep my seat");
    expect(await asks(leaver)).toBe(false);
    await startsAt(before + 30 * MINUTE + 1000);
    expect(await Promise.all([...guests, other].map(asks))).toEqual([true, true, true, false]);
    expect((await noticesOf(leaver)).at(-1)).toMatch(
      /^Morning pages moved to .*\. You may give up your seat/,
    );
    expect((await noticesOf(other)).at(-1)).toMatch(/^Morning pages moved to [^.]*\.$/);
    const leave = (user: TestUser) => callAs(user, "POST", `/api${path}/leave`, {});
    for (let again = 0; again < 2; again++)
      expect((await callAs(keeper, "POST", `${path}/keep-seat`, {})).status).toBe(200);
    expect((await callAs(await makeUser(), "POST", `${path}/keep-seat`, {})).body.error_code).toBe(
      "FORBIDDEN",
    );
    for (let again = 0; again < 2; again++) for (const user of [keeper, leaver, other]) await leave(user);
    expect(await Promise.all([keeper, leaver, silent, other].map(balanceOf))).toEqual([900, 1000, 900, 1000]);
    expect((await seatsOf(session)).map(({ userId }) => userId)).toContain(silent.id);
    // Less than an hour before the start the question is closed.
    await startsAt(Date.now() + 59 * MINUTE);
    expect(await asks(silent)).toBe(false);
    await leave(silent);
    expect(await balanceOf(silent)).toBe(900);
  });

  test("G-16 R-65 a reset that takes the start away asks the holders too", async () => {
    const [host, holder] = [await makeUser(), await makeUser()];
    const { id } = (await makeSeries(host)).body.series;
    await stand(holder, id);
    await night(7);
    const [session] = (await openOf(id)).slice(-1);
    const admin = await makeUser({ roleId: 10 });
    expect((await callAs(admin, "POST", `/challenges/${session?.slug}/reset`, {})).status).toBe(200);
    expect((await noticesOf(holder)).at(-1)).toMatch(/has no date any more.* give up your seat/);
  });

  test("G-15 three sessions in a row without tokens end the standing seat", async () => {
    const [host, guest] = [await makeUser({ tokens: 5000 }), await makeUser({ tokens: 150 })];
    const { id } = (await makeSeries(host, { rule: "FREQ=DAILY;COUNT=33" })).body.series;
    await stand(guest, id);
    const held = async () =>
      (await db.select().from(schema.standingSeats).where(eq(schema.standingSeats.seriesId, id)))[0]?.skips;
    await night(1);
    expect([await held(), await balanceOf(guest)]).toEqual([0, 50]);
    await night(2);
    await night(3);
    expect(await held()).toBe(2);
    expect(await noticesOf(guest)).toHaveLength(2);
    await night(4);
    expect(await held()).toBeUndefined();
    const notices = await noticesOf(guest);
    expect(notices).toHaveLength(4);
    const skipped = (await sessionsOf(id)).slice(-3);
    for (const [at, { startedAt }] of skipped.entries())
      expect(notices[at]).toBe(
        `No seat in Morning pages on ${formatDay(startedAt as Instant, "UTC")}: you are out of tokens.`,
      );
    expect(notices[3]).toBe(
      "You no longer join Morning pages every time: you were out of tokens three times in a row.",
    );
    expect(await noticesOf(host)).toEqual([]);
    expect(await balanceOf(guest)).toBe(50);
  });

  test("G-13 needs the join code, is kept by a retry, and ends", async () => {
    const [host, guest] = [await makeUser(), await makeUser()];
    const { id } = (await makeSeries(host, {}, { join_code: "quiet" })).body.series;
    expect((await stand(guest, id)).body.error_code).toBe("WRONG_CODE");
    expect((await stand(guest, id, { join_code: "loud" })).body.error_code).toBe("WRONG_CODE");
    expect((await stand(guest, id, { join_code: "quiet" })).status).toBe(200);
    expect((await stand(guest, id)).status).toBe(200);
    expect((await stand(host, id)).body.error_code).toBe("CONFLICT");
    const holders = async (user: TestUser) =>
      (await callAs(user, "GET", `/api/my/series/${id}`)).body.serverData.holders;
    expect(await holders(guest)).toEqual([]);
    expect(await holders(host)).toMatchObject([{ username: guest.username }]);
    const drop = () => callAs(guest, "DELETE", `/api/series/${id}/standing-seat`);
    expect([(await drop()).status, (await drop()).status]).toEqual([204, 204]);
    expect((await callAs(guest, "GET", `/api/my/series/${id}`)).status).toBe(404);
  });

  test("Q-15 a ban from the series ends seats and standing seat, and no layout seats the person again", async () => {
    const [host, guest] = [await makeUser(), await makeUser()];
    const { id } = (await makeSeries(host)).body.series;
    await stand(guest, id);
    const [first, second] = await openOf(id);
    for (const session of [first, second])
      await callAs(guest, "POST", `/challenge-events/${session?.id}/join`, {});
    const ban = await callAs(
      host,
      "DELETE",
      `/challenge-events/${first?.id}/participants/${guest.username}`,
      {
        keep_out: 1,
        series: 1,
      },
    );
    expect(ban.status).toBe(204);
    expect(await balanceOf(guest)).toBe(1000);
    for (const session of [first, second])
      expect((await callAs(guest, "POST", `/challenge-events/${session?.id}/join`, {})).body.message).toBe(
        "The host has closed this session to you.",
      );
    expect((await stand(guest, id)).body.error_code).toBe("FORBIDDEN");
    // A standing seat taken just before the ban is not laid out either.
    await db.insert(schema.standingSeats).values({ seriesId: id, userId: guest.id, since: now() });
    await night(7);
    expect((await seatsIn(id)).flat()).not.toContain(guest.id);
    const lift = `/challenge-events/${first?.id}/bans/${guest.username}`;
    expect((await callAs(host, "DELETE", lift)).status).toBe(204);
    expect((await callAs(guest, "POST", `/challenge-events/${second?.id}/join`, {})).status).toBe(200);
  });

  test("C2 an occurrence writes at most 17 rows, its standing seats apart", async () => {
    const host = await makeUser();
    await makeSeries(host);
    const written = { sessions: 0, marks: 0 };
    const rowsOf = (results: readonly { meta: D1Meta }[]) =>
      results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
    const counting = wrappedD1(env.DB, {
      one: async (statement, asked) => {
        const all = await statement.all<Record<string, unknown>>();
        written.marks += rowsOf([all]);
        return asked === "raw" ? all.results.map((row) => Object.values(row)) : all;
      },
      batch: async (_, ask) => {
        const results = await ask();
        // The layout's batch is the one of the session; the mark is a batch of its own.
        written[results.length === 1 ? "marks" : "sessions"] += rowsOf(results);
        return results;
      },
    });
    const app = await testApp({ now: instant(Date.now() + 7 * DAY) });
    const { laid } = await layOutSeries({ ...app, db: connect(counting as never) });
    expect(laid).toBe(1);
    expect(written.sessions).toBeLessThanOrEqual(17);
    // Once a night for each series, with its index.
    expect(written.marks).toBeLessThanOrEqual(3);
  });
});
