// Every way in which a start can change, on every channel: notice, email, push, page, calendar feed and reminder (N-18,
// N-21, N-39, F-08, F-24, R-65).
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { drain, emptySpine, spineApp } from "#tests/support/notices";
import { recordPushes, subscribeBrowser } from "#tests/support/push";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { iso, makeSeries, nine, sessionsOf } from "#tests/support/series";
import { join } from "#tests/support/sessions";
import { writeNotice } from "~/domain/notices/texts";
import { HOUR, type Instant, instant, MINUTE } from "~/domain/time";
import { createCalendarAddress } from "~/use-cases/sessions/calendar.server";
import { planReminders } from "~/use-cases/sessions/reminders.server";

const at = useRoomClock();
const START = nine(2);
const MOVED = /Pages moved to /;

type Stage = { host: TestUser; guest: TestUser; admin: TestUser; series: number; id: number; slug: string };
type Way = {
  act(stage: Stage): Promise<{ status: number }>;
  /** The start afterwards; null without one. */
  to: Instant | null;
  said: RegExp;
  /** Emails to the guest; one unless given. */
  mails?: number;
  hasBegun?: true;
  isByAdmin?: true;
};

const patch = ({ host, id }: Pick<Stage, "host" | "id">, challenge: object, scope?: string) =>
  callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge, ...(scope ? { scope } : {}) });
const LATER = instant(START + 2 * HOUR);

const WAYS: Record<string, Way> = {
  "moved later": { act: (stage) => patch(stage, { started_at: iso(LATER) }), to: LATER, said: MOVED },
  "moved earlier": {
    act: (stage) => patch(stage, { started_at: iso(START - 3 * HOUR) }),
    to: instant(START - 3 * HOUR),
    said: MOVED,
  },
  "moved with the later ones": {
    act: (stage) => patch(stage, { started_at: iso(LATER) }, "later"),
    to: LATER,
    said: MOVED,
  },
  "moved with all": {
    act: (stage) => patch(stage, { started_at: iso(LATER) }, "all"),
    to: LATER,
    said: MOVED,
  },
  "a moved day of its series": {
    act: ({ host, series }) =>
      callAs(host, "PATCH", `/api/series/${series}/days/${iso(START).slice(0, 10)}`, {
        started_at: iso(LATER),
      }),
    to: LATER,
    said: MOVED,
  },
  "a new time of its series": {
    act: ({ host, series }) =>
      callAs(host, "PATCH", `/api/series/${series}`, { series: { started_at: iso(LATER) } }),
    to: LATER,
    said: MOVED,
  },
  "taken away": {
    act: (stage) => patch(stage, { started_at: null, is_manually_started: 1 }),
    to: null,
    said: /Pages has no date any more/,
  },
  "taken away and given again": {
    async act(stage) {
      await patch(stage, { started_at: null, is_manually_started: 1 });
      await drain((await spineApp(instant(ROOM_NOW + 30 * MINUTE))).app);
      at(ROOM_NOW + 40 * MINUTE);
      return patch(stage, { started_at: iso(LATER), is_manually_started: 0 });
    },
    to: LATER,
    said: MOVED,
  },
  "begun early": {
    act: ({ host, id }) => callAs(host, "POST", `/challenge-events/${id}/start`, {}),
    to: instant(ROOM_NOW + 10 * MINUTE),
    said: /has started Pages now instead of on /,
    hasBegun: true,
  },
  "begun early and reset": {
    async act({ host, admin, id, slug }) {
      await callAs(host, "POST", `/challenge-events/${id}/start`, {});
      at(ROOM_NOW + 20 * MINUTE);
      return callAs(admin, "POST", `/challenges/${slug}/reset`, {});
    },
    to: null,
    said: /Pages has no date any more/,
    mails: 2,
    isByAdmin: true,
  },
  "moved a little, reset and given again": {
    async act(stage) {
      await patch(stage, { started_at: iso(instant(START + 3 * MINUTE)) });
      expect((await callAs(stage.admin, "POST", `/challenges/${stage.slug}/reset`, {})).status).toBe(200);
      await drain((await spineApp(instant(ROOM_NOW + 30 * MINUTE))).app);
      at(ROOM_NOW + 40 * MINUTE);
      return patch(stage, { started_at: iso(instant(START + 2 * MINUTE)), is_manually_started: 0 });
    },
    to: instant(START + 2 * MINUTE),
    said: MOVED,
    isByAdmin: true,
  },
};

const noticesOf = async (user: TestUser) =>
  (await db.select().from(schema.notices).where(eq(schema.notices.userId, user.id))).map(
    (row) => writeNotice(row, { timeZone: "UTC", locale: "en-GB" }).text,
  );
/** DTSTART in the feed, in UTC. */
const stamp = (ms: number) => iso(ms).replace(/[-:]|\.\d+/g, "");

keepBystanders();

test.each(Object.entries(WAYS))(
  "N-18 N-21 N-39 F-08 F-24 R-65 a start that is %s is the same on every channel",
  async (_, way) => {
    await emptySpine();
    const [host, guest, admin] = [
      await makeUser({ tokens: 9000 }),
      await makeUser(),
      await makeUser({ roleId: 10 }),
    ];
    const series = await makeSeries(host, {}, { title: "Pages" });
    const [first] = await sessionsOf(series);
    if (!first) throw new Error("no session");
    const stage = { host, guest, admin, series, id: first.id, slug: first.slug };
    expect((await join(guest, first.id)).status).toBe(200);
    const browser = await subscribeBrowser(guest);
    const actor = way.isByAdmin ? admin : host;
    await subscribeBrowser(actor);
    const { address } = await createCalendarAddress(await appOf(guest, ROOM_NOW));
    const feed = async () => (await ask(new URL(address).pathname)).text();
    expect(await feed()).toContain(stamp(START));
    await drain((await spineApp(ROOM_NOW)).app);
    await db.delete(schema.notices);

    at(ROOM_NOW + 10 * MINUTE);
    expect((await way.act(stage)).status).toBe(200);
    // Past the debounce of an email with a calendar file (F-22).
    const soon = instant(ROOM_NOW + 50 * MINUTE);
    at(soon);
    const { app, mails } = await spineApp(soon);
    const pushes = recordPushes(app);
    await drain(app);
    expect((await noticesOf(guest)).at(-1)).toMatch(way.said);
    const texts = mails.filter(({ to }) => to === guest.email).map(({ text }) => text.split("\n")[0]);
    expect(texts.at(-1)).toMatch(way.said);
    // One email for the change and its calendar entry (F-24).
    expect(texts).toHaveLength(way.mails ?? 1);
    expect(pushes.at(-1)?.text).toMatch(way.said);
    // The person whose act it was hears nothing.
    expect(mails.filter(({ to }) => to === actor.email)).toEqual([]);
    expect(pushes.filter(({ endpoint }) => endpoint !== browser)).toEqual([]);

    const page = await dataOf(guest, `/api/sessions/${first.id}`);
    const shown = page.challenge_event?.started_at ?? page.session?.started_at ?? null;
    expect(shown === null ? null : Date.parse(shown)).toBe(way.to);
    const events = (await feed())
      .split("BEGIN:VEVENT")
      .filter((event) => event.includes(`session-${first.id}@`));
    expect(events.map((event) => /DTSTART[^:]*:(\S+)/.exec(event)?.[1])).toEqual(
      way.to === null ? [] : [stamp(way.to)],
    );

    // One reminder, ten minutes before the new start and not before the old one.
    const reminded: (number | null)[] = [];
    for (const start of [START, ...(way.to === null ? [] : [way.to])].sort()) {
      const before = instant(start - 10 * MINUTE);
      if (before <= soon) continue;
      at(before);
      await db.delete(schema.notices);
      const later = await spineApp(before);
      const reminders = recordPushes(later.app);
      await planReminders(later.app);
      await drain(later.app);
      const isReminder = (text: string) => text.includes("begins");
      const isNoticed = (await noticesOf(guest)).some(isReminder);
      const ownPushes = reminders.filter(({ endpoint, text }) => endpoint === browser && isReminder(text));
      expect(ownPushes).toHaveLength(isNoticed ? 1 : 0);
      if (isNoticed) reminded.push(start);
    }
    expect(reminded).toEqual(way.to === null || way.hasBegun ? [] : [way.to]);
  },
);

test.each([
  [3, 0],
  [3, 1],
  [6, 0],
])(
  "N-21 N-05 news of a move that quiet hours hold has the start of a correction by %i minutes, calendar mail %i",
  async (minutes, calendar) => {
    await emptySpine();
    const [host, guest, elsewhere] = [await makeUser({ tokens: 9000 }), await makeUser(), await makeUser()];
    const [first, other] = await sessionsOf(await makeSeries(host, {}, { title: "Pages" }));
    if (!first || !other) throw new Error("no session");
    for (const [user, { id }] of [
      [guest, first],
      [elsewhere, other],
    ] as const) {
      await join(user, id);
      await subscribeBrowser(user);
    }
    const said: string[] = [];
    const readAt = async (now: Instant) => {
      at(now);
      const { app, mails } = await spineApp(now);
      const pushes = recordPushes(app);
      await drain(app);
      said.push(...mails.map(({ to, text }) => `${to}: ${text.split("\n")[0]}`));
      said.push(...pushes.map(({ text }) => `push: ${text}`));
    };
    await readAt(ROOM_NOW);
    said.length = 0;
    for (const user of [guest, elsewhere])
      await callAs(user, "PATCH", "/account/notifications", {
        settings: [{ kind: "calendar", channel: "mail", value: calendar }],
        quiet: { from: "23:00", to: "08:00" },
      });
    for (const start of [LATER, instant(LATER + minutes * MINUTE)]) {
      expect((await patch({ host, id: first.id }, { started_at: iso(start) })).status).toBe(200);
      await readAt(instant(ROOM_NOW + MINUTE));
    }
    expect(said).toEqual([]);
    await readAt(instant(ROOM_NOW + 10 * HOUR));
    const text = expect.stringMatching(`Pages moved to .*11:0${minutes}`);
    expect(said).toEqual([text, text]);
    expect(said.join()).not.toContain(elsewhere.email);
  },
);

test("R-49 F-26 an email writes the new start by the clock of each reader's locale", async () => {
  await emptySpine();
  const [host, american, german, unsaid] = [
    await makeUser({ tokens: 9000 }),
    await makeUser({ locale: "en-US" }),
    await makeUser({ locale: "de-DE" }),
    await makeUser(),
  ];
  const series = await makeSeries(host, {}, { title: "Pages" });
  const [first] = await sessionsOf(series);
  if (!first) throw new Error("no session");
  for (const user of [american, german, unsaid]) await join(user, first.id);
  await drain((await spineApp(ROOM_NOW)).app);
  at(ROOM_NOW + 10 * MINUTE);
  await callAs(host, "PATCH", `/challenge-events/${first.id}/patch`, {
    challenge: { started_at: iso(instant(START + 4 * HOUR)) },
  });
  const soon = instant(ROOM_NOW + 50 * MINUTE);
  at(soon);
  const { app, mails } = await spineApp(soon);
  await drain(app);
  const clockOf = (user: TestUser) =>
    mails
      .filter(({ to }) => to === user.email)
      .map(({ text }) => /, (\d+:\d+(?: [AP]M)? \(UTC\))/.exec(text)?.[1]);
  expect([american, german, unsaid].map(clockOf)).toEqual([
    ["1:00 PM (UTC)"],
    ["13:00 (UTC)"],
    ["13:00 (UTC)"],
  ]);
});
