// A series of sessions: its creation, its layout and what that costs, its days, its pause and its end (G-04 to G-12).
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, testApp } from "#tests/support/factories";
import {
  createSeries,
  iso,
  layOutDays,
  nine,
  openOf,
  restSeries,
  sentencesOf,
  seriesNow,
  sessionsOf,
} from "#tests/support/series";
import { balanceOf, makeHut, makeSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { formatDay } from "~/domain/days";
import { DAY, HOUR, instant, seconds } from "~/domain/time";
import { createFromForm } from "./create-from-form.server";
import { layOutSeries } from "./lay-out.server";

const now = () => instant(Date.now());
beforeEach(restSeries);

keepBystanders(restSeries);

test("G-04 G-08 creates the sessions of 28 days, each for one join of the host", async () => {
  const host = await makeUser();
  const { status, body } = await createSeries(host, {}, { content: "Begin.", tasks: [{ title: "Pages" }] });
  expect(status).toBe(201);
  expect(body.path).toBe(`/my/series/${body.series.id}`);
  expect(body.series.words).toContain("at 09:00, UTC");
  const sessions = await sessionsOf(body.series.id);
  expect(sessions.map(({ startedAt }) => startedAt)).toEqual([2, 9, 16, 23].map((days) => nine(days)));
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
  const { status, body } = await createSeries(await makeUser(), over);
  expect([status, body.error_code, body.fields[field]]).toEqual([422, "INVALID", [sentence]]);
});

test.each([
  ["Europe/Kyiv", "Europe/Kyiv"],
  ["europe/berlin", "Europe/Berlin"],
])("G-05 a series keeps the name of the time zone %s as the person chose it", async (chosen, shown) => {
  const host = await makeUser();
  const { body } = await createSeries(host, { time_zone: chosen });
  expect(body.series).toMatchObject({ time_zone: shown });
  expect(body.series.words).toContain(shown);
  expect((await visit(host, body.path)).html).toContain(shown);
});

test("G-05 a template cannot repeat", async () => {
  const { status, body } = await createSeries(await makeUser({ roleId: 10 }), {}, { is_preset: 1 });
  expect([status, Object.values(body.fields)]).toEqual([422, [["A template cannot repeat."]]]);
});

test("G-08 nights that repeat or overlap lay out nothing twice, and each adds its day", async () => {
  const host = await makeUser();
  const { body } = await createSeries(host, { rule: "FREQ=WEEKLY;COUNT=6" });
  await Promise.all([layOutDays(), layOutDays(), layOutDays()]);
  expect((await sessionsOf(body.series.id)).length).toBe(4);
  await Promise.all([layOutDays(3), layOutDays(3)]);
  await layOutDays(3);
  expect((await sessionsOf(body.series.id)).length).toBe(5);
  expect(await balanceOf(host)).toBe(1000 - 500);
});

test("G-08 a night lays out in order of date, up to its limit, and the next one goes on", async () => {
  const [first, second] = [await makeUser(), await makeUser()];
  const one = (await createSeries(first, { started_at: iso(nine(3)) })).body.series.id;
  const two = (await createSeries(second, { started_at: iso(nine(2)) })).body.series.id;
  for (const id of [one, two]) await db.delete(schema.sessions).where(eq(schema.sessions.seriesId, id));
  for (const id of [one, two]) await db.delete(schema.seriesDays).where(eq(schema.seriesDays.seriesId, id));
  for (const id of [one, two])
    await db.update(schema.series).set({ laidUntil: now() }).where(eq(schema.series.id, id));
  expect((await layOutDays(0, 3)).created).toBe(3);
  const days = async (id: number) => (await sessionsOf(id)).length;
  expect([await days(two), await days(one)]).toEqual([2, 1]);
  await layOutDays();
  expect([await days(two), await days(one)]).toEqual([4, 4]);
});

test("G-08 a night that dies between two sessions is completed by the next", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host)).body.series;
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
  await layOutDays();
  expect((await openOf(id)).length).toBe(4);
  expect(await balanceOf(host)).toBe(before - 400);
});

test("G-09 a host without tokens gets no session, reads why, and the next night tries again", async () => {
  const host = await makeUser({ tokens: 250 });
  const { id } = (await createSeries(host)).body.series;
  expect((await sessionsOf(id)).length).toBe(2);
  expect((await seriesNow(id))?.stop).toEqual({ code: "unpaid", at: nine(16) });
  expect((await dataOf(host, `/api/my/series/${id}`)).series.problem).toBe(
    `Morning pages on ${formatDay(nine(16), "UTC")} was not created: you are out of tokens.`,
  );
  expect(await balanceOf(host)).toBe(50);
  const unpaid = () => sentencesOf(host);
  expect(await unpaid()).toEqual([
    `Morning pages on ${formatDay(nine(16), "UTC")} was not created: you are out of tokens.`,
  ]);
  await layOutDays();
  expect(await unpaid()).toHaveLength(1);
  await db
    .update(schema.tokenLots)
    .set({ remaining: 1050, granted: 1250 })
    .where(eq(schema.tokenLots.userId, host.id));
  const rich = await makeUser();
  const other = (await createSeries(rich)).body.series.id;
  await layOutDays();
  expect([(await sessionsOf(id)).length, (await sessionsOf(other)).length]).toEqual([4, 4]);
  expect((await seriesNow(id))?.stop).toBeNull();
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
    challenge: { duration: 3600, title: "Evening pages", hut_id: hut.id },
  });
  expect(made.status).toBe(201);
  expect(await sentencesOf(member)).toEqual(["There is a new session in Hut: Evening pages."]);
  await db.update(schema.notices).set({ readAt: now() }).where(eq(schema.notices.userId, member.id));
  const { id } = (await createSeries(host, { rule: "FREQ=DAILY" }, { hut_id: hut.id })).body.series;
  expect((await sessionsOf(id)).length).toBeGreaterThan(20);
  expect((await sentencesOf(member)).slice(1)).toEqual([
    "There are new sessions in Hut, among them Morning pages.",
  ]);
  for (const other of [host, blocked, stranger]) expect(await sentencesOf(other)).toEqual([]);
});

test("G-08 a failing series does not stop the others", async () => {
  const [host, other] = [await makeUser(), await makeUser()];
  const hut = await makeHut(await makeUser(), [host]);
  const bad = (await createSeries(host, {}, { hut_id: hut.id })).body.series.id;
  const good = (await createSeries(other)).body.series.id;
  await db.delete(schema.hutMembers).where(eq(schema.hutMembers.userId, host.id));
  await layOutDays(7);
  expect([(await sessionsOf(bad)).length, (await sessionsOf(good)).length]).toEqual([4, 5]);
  expect((await seriesNow(bad))?.stop).toMatchObject({
    code: "refused",
    reason: expect.stringContaining("Please join this hut first."),
  });
  expect(await sentencesOf(host)).toEqual([]);
});

test("G-11 a day is skipped before and after its layout, and its session is cancelled with refunds", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = (await createSeries(host)).body.series;
  const [first] = await sessionsOf(id);
  await callAs(guest, "POST", `/challenge-events/${first?.id}/join`, {});
  const skip = (days: number, body: object = { skip: 1 }) =>
    callAs(host, "PATCH", `/api/series/${id}/days/${iso(nine(days)).slice(0, 10)}`, body);
  for (let again = 0; again < 2; again++) await skip(2);
  expect((await skip(30)).status).toBe(200);
  expect((await openOf(id)).length).toBe(3);
  expect([await balanceOf(host), await balanceOf(guest)]).toEqual([1000 - 300, 1000]);
  await layOutDays(5);
  expect((await openOf(id)).length).toBe(3);
  expect((await skip(30, { skip: 0 })).status).toBe(200);
  await layOutDays(5);
  expect((await openOf(id)).length).toBe(4);
  expect((await skip(3)).status).toBe(404);
  const running = (await openOf(id))[0]?.id;
  await callAs(host, "POST", `/challenge-events/${running}/start`, {});
  expect((await skip(9)).body.message).toBe("This day is over, or its session was cancelled.");
});

test("G-11 a day is moved before and after its layout", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host)).body.series;
  const move = (days: number, to: number) =>
    callAs(host, "PATCH", `/api/series/${id}/days/${iso(nine(days)).slice(0, 10)}`, {
      started_at: iso(nine(to)),
    });
  expect((await move(9, 10)).status).toBe(200);
  expect((await move(30, 29)).status).toBe(200);
  expect((await move(16, 25)).body.fields.started_at).toEqual(["Please move a day by at most a week."]);
  await layOutDays(4);
  const starts = (await sessionsOf(id)).map(({ startedAt }) => startedAt);
  expect(starts).toEqual([2, 10, 16, 23, 29].map((days) => nine(days)));
});

test("G-12 a pause keeps sessions and lays out none; going on lays out no day in the past", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host)).body.series;
  const pause = (paused: 0 | 1) => callAs(host, "PATCH", `/api/series/${id}`, { paused });
  expect((await pause(1)).body.series.is_paused).toBe(1);
  await layOutDays(10);
  expect((await openOf(id)).length).toBe(4);
  expect((await pause(0)).body.series.is_paused).toBe(0);
  await layOutDays(60);
  const days = (await sessionsOf(id)).map(({ startedAt }) => Number(startedAt));
  expect(days.filter((at) => at > nine(23) && at <= Date.now() + 60 * DAY)).toEqual([]);
  expect(days.length).toBe(8);
});

test("G-12 ending a series cancels its unstarted sessions with refunds, once", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = (await createSeries(host)).body.series;
  const [first] = await sessionsOf(id);
  await callAs(guest, "POST", `/challenge-events/${first?.id}/join`, {});
  expect((await visit(host, `/my/series/${id}`)).html).toContain("4 sessions that have not begun are");
  for (let again = 0; again < 2; again++)
    expect((await callAs(host, "DELETE", `/api/series/${id}`)).status).toBe(204);
  await layOutDays(3);
  expect(await openOf(id)).toEqual([]);
  expect([await balanceOf(host), await balanceOf(guest)]).toEqual([1000, 1000]);
});

test("G-04 a session that has not begun becomes the first of its series", async () => {
  const host = await makeUser();
  const session = await makeSession(host, { is_manually_started: 0, started_at: iso(nine(2)) });
  const form = await visit(host, `/my/series?session=${session.id}`);
  expect(form.html).toContain("Make this series");
  expect((await form.all("main ul[aria-label='The next dates'] li")).length).toBe(5);
  const made = await post(host, `/my/series?session=${session.id}`, {
    intent: "create",
    session: String(session.id),
    every: "WEEKLY",
    timeZone: "UTC",
    startedAt: iso(nine(2)).slice(0, 16),
  });
  expect(made.status).toBe(302);
  const id = Number(made.location?.split("/").at(-1));
  expect((await sessionsOf(id)).map((one) => one.id)[0]).toBe(session.id);
  expect((await sessionsOf(id)).length).toBe(4);
  expect(await balanceOf(host)).toBe(1000 - 400);
});

test.each(["count", "until"])("R-86 an end by %s counts without its dates being shown", async (end) => {
  const host = await makeUser();
  const session = await makeSession(host, { is_manually_started: 0, started_at: iso(nine(2)) });
  const fields = {
    intent: "create",
    session: String(session.id),
    every: "WEEKLY",
    timeZone: "UTC",
    startedAt: iso(nine(2)).slice(0, 16),
    ...(end === "count" ? { count: "3" } : { until: iso(nine(17)).slice(0, 10) }),
  };
  const made = await post(host, `/my/series?session=${session.id}`, fields);
  const id = Number(made.location?.split("/").at(-1));
  expect((await sessionsOf(id)).map(({ startedAt }) => startedAt)).toEqual([2, 9, 16].map(nine));
});

test.each([
  ["interval", "13", "Please give a whole number from 1 to 12."],
  ["interval", "1;COUNT=3", "Please give a whole number from 1 to 12."],
  ["until", "2031-01-01;BYDAY=FR", "Please give a day."],
  ["count", "many", "Please give a whole number from 1 to 500."],
  ["until", "soon", "Please give a day."],
  ["startedAt", "soon", "Please choose the first start."],
  ["timeZone", "Moon/Sea", "We do not know this time zone."],
])(
  "R-86 an unreadable %s is refused at its field, and the rest stays as typed",
  async (name, typed, sentence) => {
    const host = await makeUser();
    const session = await makeSession(host, { is_manually_started: 0, started_at: iso(nine(2)) });
    const page = await post(host, `/my/series?session=${session.id}`, {
      intent: "create",
      session: String(session.id),
      every: "MONTHLY",
      interval: "2",
      startedAt: iso(nine(2)).slice(0, 16),
      timeZone: "UTC",
      [name]: typed,
    });
    expect(page.status).toBe(422);
    expect(page.html).toContain(sentence);
    expect(page.html).toMatch(/<option[^>]*value="MONTHLY"[^>]*selected/);
  },
);

test("G-06 the form shows the words and dates of the typed rule, and refuses a rule that is not allowed", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host, { is_manually_started: 0, started_at: "2030-06-04T09:00:00Z" });
  const query = (more: string) => visit(host, `/my/series?session=${id}&timeZone=Europe/Berlin&${more}`);
  expect((await query("every=WEEKLY&tu=on&th=on")).html).toContain(
    "Every Tuesday and Thursday at 11:00, Europe/Berlin",
  );
  expect((await query("every=MONTHLY&monthly=weekday&count=3")).html).toContain(
    "on the first Tuesday at 11:00",
  );
  expect((await query("every=DAILY&startedAt=2030-06-08T07:30")).html).toContain(
    "Every day at 07:30, Europe/Berlin",
  );
  expect((await query("every=DAILY&interval=13&startedAt=2030-06-08T07:30")).html).toContain(
    "Please give a whole number from 1 to 12.",
  );
});

test("R-86 after a session of a series its page leads to the next date, and offers no repeat", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = (await createSeries(host)).body.series;
  const other = await makeSession(host, { is_manually_started: 0, started_at: iso(nine(2)) });
  const [first, second, third] = await sessionsOf(id);
  for (const one of [first?.id, other.id])
    for (const act of ["start", "end"])
      expect((await callAs(host, "POST", `/challenge-events/${one}/${act}`, {})).status).toBe(200);
  const shown = async (session: number | undefined, as: Parameters<typeof visit>[0]) => {
    const page = await visit(as, `/sessions/${session}`);
    const links = (await page.all("main a")).filter(({ text }) => text.startsWith("Next:"));
    return [links.map(({ attributes }) => attributes.href), page.html.includes("Again next week")];
  };
  for (const person of [host, guest, null])
    expect(await shown(first?.id, person)).toEqual([[`/sessions/${second?.id}`], false]);
  expect(await shown(other.id, host)).toEqual([[], true]);
  // A skipped day is none.
  expect((await callAs(host, "DELETE", `/challenges/${second?.slug}`)).status).toBeLessThan(300);
  expect(await shown(first?.id, host)).toEqual([[`/sessions/${third?.id}`], false]);
});

test("G-08 a deleted session is a skipped day", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host)).body.series;
  const [first] = await sessionsOf(id);
  expect((await callAs(host, "DELETE", `/challenges/${first?.slug}`)).status).toBeLessThan(300);
  await db.update(schema.series).set({ laidUntil: now() }).where(eq(schema.series.id, id));
  await layOutDays();
  expect((await sessionsOf(id)).length).toBe(3);
});

test("G-08 G-11 a moved day whose session is deleted is a skipped day, which no night makes again", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host)).body.series;
  const [first] = await sessionsOf(id);
  const started_at = iso(instant(nine(2) + HOUR));
  const moved = await callAs(host, "PATCH", `/challenge-events/${first?.id}/patch`, {
    challenge: { started_at },
  });
  expect(moved.status).toBe(200);
  expect((await callAs(host, "DELETE", `/challenges/${first?.slug}`)).status).toBeLessThan(300);
  await db.update(schema.series).set({ laidUntil: now() }).where(eq(schema.series.id, id));
  await layOutDays();
  expect((await sessionsOf(id)).length).toBe(3);
});

test("G-11 a deleted date that is moved is made at its new time", async () => {
  const host = await makeUser();
  const { id } = (await createSeries(host)).body.series;
  const [first] = await sessionsOf(id);
  expect((await callAs(host, "DELETE", `/challenges/${first?.slug}`)).status).toBeLessThan(300);
  const path = `/api/series/${id}/days/${iso(nine(2)).slice(0, 10)}`;
  const started_at = iso(instant(nine(2) + HOUR));
  expect((await callAs(host, "PATCH", path, { started_at })).status).toBe(200);
  expect((await openOf(id))[0]?.startedAt).toBe(instant(nine(2) + HOUR));
});

test("G-09 G-11 a date without tokens that was moved is made once there are some, though its own time has passed", async () => {
  const host = await makeUser({ tokens: 250 });
  const { id } = (await createSeries(host)).body.series;
  expect((await seriesNow(id))?.stop).toEqual({ code: "unpaid", at: nine(16) });
  const path = `/api/series/${id}/days/${iso(nine(16)).slice(0, 10)}`;
  expect((await callAs(host, "PATCH", path, { started_at: iso(nine(18)) })).status).toBe(200);
  await db
    .update(schema.tokenLots)
    .set({ remaining: 1050, granted: 1250 })
    .where(eq(schema.tokenLots.userId, host.id));
  await layOutDays(17);
  const starts = (await sessionsOf(id)).map(({ startedAt }) => startedAt);
  expect(starts.slice(0, 4)).toEqual([nine(2), nine(9), nine(18), nine(23)]);
});

const firstTea = () => ({
  title: "Tea every week",
  startedAt: nine(2),
  isManuallyStarted: false,
  duration: seconds(3600),
});
const TEA = { rule: "FREQ=WEEKLY;INTERVAL=1;COUNT=3", timeZone: "UTC" };
const teasOf = async ({ id }: { id: number }) => ({
  series: (await db.select().from(schema.series).where(eq(schema.series.ownerId, id))).length,
  sessions: (await db.select().from(schema.sessions).where(eq(schema.sessions.ownerId, id))).length,
});

test("R-86 the sentence makes a series and its first session in one batch, once for a repeated form", async () => {
  const [user, bystander, poor] = [await makeUser(), await makeUser(), await makeUser({ tokens: 0 })];
  const app = await appOf(user, now());
  const typed = { ...firstTea(), uuid: crypto.randomUUID(), series: TEA };
  const [one, other] = [await createFromForm(app, typed), await createFromForm(app, typed)];
  expect(one.session.id).toBe(other.session.id);
  expect(one.me.series).toMatchObject({ isMine: true });
  expect(await teasOf(user)).toEqual({ series: 1, sessions: 3 });
  expect(await teasOf(bystander)).toEqual({ series: 0, sessions: 0 });
  // Without a token for the first session there is no series.
  await createFromForm(await appOf(poor, now()), typed).catch(() => {});
  expect(await teasOf(poor)).toEqual({ series: 0, sessions: 0 });
  const nextDay = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][new Date(nine(2)).getUTCDay()];
  const elsewhere = { ...TEA, rule: `FREQ=WEEKLY;INTERVAL=1;BYDAY=${nextDay}` };
  await expect(createFromForm(app, { ...firstTea(), series: elsewhere })).rejects.toMatchObject({
    code: "INVALID",
    fields: { repeatEvery: ["The start is on another day than it repeats."] },
  });
});
