// Calendar addresses and feeds, through the worker's own doors.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { type EventRead, readByIcal } from "#tests/support/calendars";
import { type Counts, countingD1 } from "#tests/support/counting-d1";
import { appOf, db, makeUser, type TestUser, testApp } from "#tests/support/factories";
import { runsOf } from "#tests/support/property-seed";
import { makeSession as insertSession } from "#tests/support/rooms";
import {
  makeActivity,
  makeHut,
  makeSession,
  sessionNow,
  setSession,
  stageSession,
} from "#tests/support/sessions";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import {
  createCalendarAddress,
  readFeed,
  renewCalendarAddress,
  turnCalendarOff,
  viewCalendar,
} from "~/use-cases/sessions/calendar.server";
import { createHttp } from "./http";

const http = createHttp(async () => new Response(null, { status: 418 }));

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const pathOf = ({ address }: { address: string }) => address.replace(ORIGIN, "");
const addressOf = async (user: TestUser) =>
  pathOf(await createCalendarAddress(await appOf(user, instant(Date.now()))));

const read = async (path: string): Promise<EventRead[]> => {
  const response = await ask(path);
  expect(response.status).toBe(200);
  return readByIcal(await response.text());
};

/** The same request with counted D1 calls and, if asked for, rate limits. */
async function askCounted(
  path: string,
  over: { RATE_LIMITS?: string; headers?: Record<string, string> } = {},
) {
  const { d1, counts } = countingD1(env.DB);
  const context = createExecutionContext();
  const { headers = {}, RATE_LIMITS = "off" } = over;
  const request = new Request(ORIGIN + path, { headers });
  const response = await http.fetch(request, { ...env, DB: d1, RATE_LIMITS }, context);
  const text = await response.text();
  const own: Counts = { ...counts };
  await waitOnExecutionContext(context);
  return { response, text, counts: own };
}

test("F-02 F-04 the address opens without a login, and the database keeps only its hash", async () => {
  const user = await makeUser();
  const session = await makeSession(user, { started_at: inHours(24), is_manually_started: 0 });
  const path = await addressOf(user);
  expect(path).toMatch(/^\/account\/calendar\/[\w-]{43}\.ics$/);
  const [row] = await db.select().from(schema.calendarFeeds).where(eq(schema.calendarFeeds.userId, user.id));
  expect(row?.secretHash).toMatch(/^[\da-f]{64}$/);
  expect(JSON.stringify(row)).not.toContain(path.slice(18, -4));

  const response = await ask(path, { headers: { Cookie: "login=nonsense" } });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/calendar; charset=utf-8",
    "cache-control": "private, max-age=900",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
  });
  expect(response.headers.get("Set-Cookie")).toBeNull();
  const [event] = readByIcal(await response.text());
  const now = await sessionNow(session.id);
  expect(event).toMatchObject({
    uid: `session-${session.id}@${new URL(ORIGIN).host}`,
    title: "Morning pages",
    address: `${ORIGIN}/sessions/${session.id}`,
    sequence: 0,
    start: Math.floor(Number(now?.startedAt) / 1000) * 1000,
    end: Math.floor(Number(now?.endedAt) / 1000) * 1000,
    changedAt: Math.floor(Number(now?.createdAt) / 1000) * 1000,
  });
});

test("F-07 the UIDs of an installation that moved keep the name under which they were first written", async () => {
  const user = await makeUser();
  await makeSession(user, { started_at: inHours(24), is_manually_started: 0 });
  const path = await addressOf(user);
  const uidAt = async (origin: string) => {
    const app = await appOf(user, instant(Date.now()));
    const moved = { ...app, settings: { ...app.settings, origin } };
    const feed = await readFeed(moved, { secret: path.slice(18, -4), hasCopy: false });
    const [event] = readByIcal(feed?.text ?? "");
    return { uid: event?.uid, address: event?.address };
  };
  const before = await uidAt(ORIGIN);
  const after = await uidAt("https://huts.example");
  expect(after.uid).toBe(before.uid);
  expect(after.address).toMatch(/^https:\/\/huts\.example\/sessions\//);
});

test("F-02 creating twice keeps the first address, renewing needs one, and turning off may be repeated", async () => {
  const user = await makeUser();
  const app = await appOf(user, instant(Date.now()));
  await expect(renewCalendarAddress(app)).rejects.toMatchObject({ code: "CONFLICT" });
  const first = pathOf(await createCalendarAddress(app));
  await expect(createCalendarAddress(app)).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await ask(first)).status).toBe(200);
  expect((await viewCalendar(app)).since).toBe(app.now);
  await turnCalendarOff(app);
  await turnCalendarOff(app);
  expect((await viewCalendar(app)).since).toBeNull();
  expect((await ask(first)).status).toBe(404);
});

test("F-03 an old address answers 404 at once after renewing and turning off, with a warm cache", async () => {
  const user = await makeUser();
  const app = await appOf(user, instant(Date.now()));
  let path = pathOf(await createCalendarAddress(app));
  for (let run = 0; run < runsOf(1000, 20); run++) {
    expect((await ask(path)).status).toBe(200);
    const old = path;
    path = pathOf(await renewCalendarAddress(app));
    expect((await ask(old)).status).toBe(404);
  }
  expect((await ask(path)).status).toBe(200);
  await turnCalendarOff(app);
  expect((await ask(path)).status).toBe(404);
}, 1_800_000);

test("F-14 If-None-Match answers 304, HEAD works, and other methods answer 405", async () => {
  const user = await makeUser();
  await makeSession(user, { started_at: inHours(24), is_manually_started: 0 });
  const path = await addressOf(user);
  const first = await ask(path);
  const etag = first.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^"[\da-f]{64}"$/);
  const body = await first.text();
  for (const known of [etag, `W/"other", ${etag}`]) {
    const again = await ask(path, { headers: { "If-None-Match": known } });
    expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", etag]);
  }
  const changed = await ask(path, { headers: { "If-None-Match": '"other"' } });
  expect([changed.status, await changed.text()]).toEqual([200, body]);
  const head = await ask(path, { method: "HEAD" });
  expect([head.status, await head.text(), head.headers.get("ETag")]).toEqual([200, "", etag]);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"])
    expect((await ask(path, { method })).status, method).toBe(405);
});

test("F-15 F-07 a copy of 15 minutes reads one row, and an unchanged feed keeps its ETag", async () => {
  const user = await makeUser();
  const { id } = await makeSession(user, { started_at: inHours(24), is_manually_started: 0 });
  const path = await addressOf(user);
  const built = await askCounted(path);
  expect(built.response.status).toBe(200);
  expect(built.counts.trips).toBe(1);
  await callAs(user, "PATCH", `/challenge-events/${id}/patch`, { challenge: { title: "Evening pages" } });

  vi.setSystemTime(Date.now() + 14 * MINUTE);
  const etag = built.response.headers.get("ETag") ?? "";
  const kept = await askCounted(path, { headers: { "If-None-Match": etag } });
  expect([kept.response.status, kept.counts]).toEqual([304, { trips: 1, rowsRead: 1 }]);

  vi.setSystemTime(Date.now() + MINUTE);
  const rebuilt = await askCounted(path);
  expect(readByIcal(rebuilt.text)[0]).toMatchObject({ title: "Evening pages", sequence: 1 });
  vi.setSystemTime(Date.now() + 15 * MINUTE);
  const same = await askCounted(path, {
    headers: { "If-None-Match": rebuilt.response.headers.get("ETag") ?? "" },
  });
  expect(same.response.status).toBe(304);
});

test("F-16 the 61st request in an hour waits, and unknown and malformed secrets get the same 404", async () => {
  const path = await addressOf(await makeUser());
  for (let run = 0; run < 60; run++)
    expect((await askCounted(path, { RATE_LIMITS: "on" })).response.status).toBe(200);
  const { response } = await askCounted(path, { RATE_LIMITS: "on" });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  vi.setSystemTime(Date.now() + HOUR);
  expect((await askCounted(path, { RATE_LIMITS: "on" })).response.status).toBe(200);

  const shown = async (file: string) => {
    const { response, text } = await askCounted(`/account/calendar/${file}`);
    return [response.status, text, [...response.headers]];
  };
  const unknown = await shown(`${"a".repeat(43)}.ics`);
  expect(unknown[0]).toBe(404);
  for (const malformed of ["short.ics", `${"a".repeat(43)}`, `${"a".repeat(44)}.ics`, "%20.ics"])
    expect(await shown(malformed)).toEqual(unknown);
});

/** `count` sessions with a seat of the user, an hour apart from `from` on. */
async function fill(user: TestUser, count: number, from: number): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
       INSERT INTO sessions (slug, title, summary, owner_id, started_at, ended_at, duration, schedule, created_at, updated_at, changed_at)
       SELECT 'fill-' || ?2 || '-' || ?3 || '-' || i, 'Session ' || i, 'Some words', ?2, ?3 + i * 3600000, ?3 + i * 3600000 + 1800000, 1800, '{"groups":[]}', 1, 1, 1 FROM n`,
    ).bind(count, user.id, from),
    env.DB.prepare(
      `INSERT INTO participants (session_id, user_id, person_id, username, role, is_host, seat, paid_by, joined_at)
       SELECT id, ?1, ?2, ?3, 1, 1, 'fill:' || id, ?1, 1 FROM sessions WHERE slug LIKE 'fill-' || ?1 || '-' || ?4 || '-%'`,
    ).bind(user.id, user.personId, user.username, from),
  ]);
}

test("F-05 a feed of 500 sessions takes one trip, and reads each seat and session once", async () => {
  const user = await makeUser();
  const path = await addressOf(user);
  await fill(user, 500, Date.now() + HOUR);
  const { text, counts } = await askCounted(path);
  expect(readByIcal(text)).toHaveLength(500);
  expect(counts).toEqual({ trips: 1, rowsRead: 2 * 500 + 3 });
});

test("F-05 a feed holds sessions from 60 days back to 180 days ahead, and at most the 1,000 nearest", async () => {
  const user = await makeUser();
  const path = await addressOf(user);
  const now = Date.now();
  await fill(user, 2, now - 61 * DAY);
  await fill(user, 3, now - 59 * DAY);
  await fill(user, 2, now + 181 * DAY);
  await fill(user, 1100, now + HOUR);
  const events = await read(path);
  expect(events).toHaveLength(1000);
  const starts = events.map(({ start }) => start);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
  // The last hours ahead are nearer than 59 days back.
  expect(Math.min(...starts)).toBeGreaterThan(now);
});

test("F-05 the feed follows seats: a join adds a session, and leaving, removal and deletion drop it", async () => {
  const { host, guest, session } = await stageSession({ started_at: inHours(24), is_manually_started: 0 });
  const newcomer = await makeUser();
  const before = await addressOf(newcomer);
  const [hosts, guests] = [await addressOf(host), await addressOf(guest)];
  const uids = async (path: string) => {
    const feed = await readFeed(await testApp({ now: instant(Date.now()) }), {
      secret: path.slice(18, -4),
      hasCopy: false,
    });
    return readByIcal(feed?.text ?? "").length;
  };
  expect([await uids(before), await uids(hosts), await uids(guests)]).toEqual([0, 1, 1]);
  await callAs(newcomer, "POST", `/challenge-events/${session.id}/join`);
  expect(await uids(before)).toBe(1);
  expect((await callAs(newcomer, "POST", `/api/challenge-events/${session.id}/leave`)).status).toBeLessThan(
    300,
  );
  expect(await uids(before)).toBe(0);
  await callAs(host, "DELETE", `/challenge-events/${session.id}/participants/${guest.username}`);
  expect([await uids(guests), await uids(hosts)]).toEqual([0, 1]);
  await callAs(host, "DELETE", `/challenges/${session.slug}`);
  expect(await uids(hosts)).toBe(0);
});

test("F-06 sessions without a start and templates are in no feed", async () => {
  const user = await makeUser({ roleId: 10 });
  const path = await addressOf(user);
  const waiting = await makeSession(user);
  const template = await makeSession(user, { started_at: inHours(24), is_manually_started: 0 });
  await setSession(template.id, { isTemplate: true });
  expect(await read(path)).toEqual([]);
  for (const { path } of [waiting, template]) expect((await ask(`${path}/calendar.ics`)).status).toBe(404);
});

test("F-12 a cancelled session keeps its planned time with STATUS:CANCELLED for 30 days", async () => {
  const { host, guest, session } = await stageSession({ started_at: inHours(48), is_manually_started: 0 });
  const path = await addressOf(guest);
  const [planned] = await read(path);
  expect(planned).toMatchObject({ status: "CONFIRMED", sequence: 0 });
  expect((await callAs(host, "POST", `/challenge-events/${session.id}/end`)).status).toBe(200);
  for (const days of [1, 28]) {
    vi.setSystemTime(Date.now() + days * DAY);
    expect(await read(path)).toMatchObject([
      { uid: planned?.uid, status: "CANCELLED", sequence: 1, start: planned?.start },
    ]);
  }
  vi.setSystemTime(Date.now() + 2 * DAY);
  expect(await read(path)).toEqual([]);
});

test("F-10 F-11 a feed and a file hold no code, link, chat text or other participant", async () => {
  const { host, guest, session, challenge } = await stageSession({
    started_at: inHours(24),
    is_manually_started: 0,
    join_code: "sesame-open",
    donation_link: "https://give.example/me",
    content: "We write together.",
    prompt: "A secret prompt",
  });
  await challenge(guest, "PUT", "/contribute-content", { content: "Said inside." });
  const file = `${session.path}/calendar.ics`;
  const cookies = { Cookie: `login=${guest.loginToken}` };
  const inside = [
    await (await ask(await addressOf(guest))).text(),
    await (await ask(file, { headers: cookies })).text(),
  ];
  for (const text of inside) {
    expect(readByIcal(text)[0]?.description).toContain("We write together.");
    for (const secret of ["sesame-open", "give.example", "secret prompt", guest.username, host.email])
      expect(text).not.toContain(secret);
  }
  const outside = await (await ask(file)).text();
  expect(readByIcal(outside)[0]).toMatchObject({
    title: "Morning pages",
    description: `${ORIGIN}${session.path}`,
  });
});

test("F-19 a session's file is an attachment named after its slug, and a private one is 404 for outsiders", async () => {
  const [host, member] = [await makeUser(), await makeUser()];
  const hut = await makeHut(host, [member]);
  await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
  const session = await makeSession(host, {
    started_at: inHours(24),
    is_manually_started: 0,
  });
  await setSession(session.id, { hutId: hut.id, isPrivate: true });
  const file = `${session.path}/calendar.ics`;
  const response = await ask(file, { headers: { Cookie: `login=${member.loginToken}` } });
  expect(response.headers.get("Content-Disposition")).toBe(`attachment; filename="${session.slug}.ics"`);
  expect(await response.text()).toContain("METHOD:PUBLISH");
  expect((await ask(file)).status).toBe(404);
  expect((await ask(`/group/${hut.slug}/calendar.ics`)).status).toBe(404);
  const login = { Cookie: `login=${member.loginToken}` };
  expect((await ask(`/group/${hut.slug}/calendar.ics`, { headers: login })).status).toBe(404);
});

test("F-17 huts and activities have public feeds of upcoming sessions, in one trip", async () => {
  const host = await makeUser({ tokens: 100_000 });
  const hut = await makeHut(host);
  const activity = await makeActivity(host);
  const now = instant(Date.now());
  const at = async (startedAt: number, over: Partial<typeof schema.sessions.$inferInsert> = {}) => {
    const { id } = await insertSession([host], { now, startedAt: instant(startedAt) });
    await setSession(id, { hutId: hut.id, activityId: activity.id, summary: "Said inside", ...over });
    return id;
  };
  const open = await at(now + DAY);
  const coded = await at(now + 2 * DAY, { joinCode: "sesame" });
  await at(now + 3 * DAY, { isPrivate: true });
  await at(now + 3 * DAY, { isTemplate: true });
  await at(now + 200 * DAY);
  await at(now - 2 * HOUR);
  for (const path of [`/group/${hut.slug}/calendar.ics`, `/activities/${activity.slug}/calendar.ics`]) {
    const { response, text, counts } = await askCounted(path);
    expect(response.headers.get("Cache-Control")).toBe("public, no-cache");
    expect(response.headers.get("Set-Cookie")).toBeNull();
    const events = readByIcal(text);
    expect(events.map(({ address }) => address)).toEqual(
      [open, coded].map((id) => `${ORIGIN}/sessions/${id}`),
    );
    expect(events[0]?.description).toContain("Said inside");
    expect(events[1]?.description).toBe(`${ORIGIN}/sessions/${coded}`);
    expect(counts.trips).toBe(1);
    const etag = response.headers.get("ETag") ?? "";
    expect((await ask(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
    expect((await ask(path, { method: "POST" })).status).toBe(405);
  }
  expect((await ask("/group/no-such-hut/calendar.ics")).status).toBe(404);
  expect((await ask("/activities/no-such-activity/calendar.ics")).status).toBe(404);
});

test("Q-18 the address of a suspended account rests until the suspension ends", async () => {
  const user = await makeUser();
  const path = await addressOf(user);
  expect((await ask(path)).status).toBe(200);
  const key = { scope: "site" as const, targetId: 0, userId: user.id, kind: "ban" as const };
  await db.insert(schema.sanctions).values({ ...key, reason: "Spam", createdAt: instant(1) });
  expect((await ask(path)).status).toBe(404);
  await db.delete(schema.sanctions).where(eq(schema.sanctions.userId, user.id));
  expect((await ask(path)).status).toBe(200);
});
