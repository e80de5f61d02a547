// The calendar version of a session under random sequences of changes, and the mail that carries it.
import { runDurableObjectAlarm } from "cloudflare:test";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { readByIcal } from "#tests/support/calendars";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { deliveryRows, drain, emptySpine, eventRows, spineApp } from "#tests/support/notices";
import { runsOf } from "#tests/support/property-seed";
import { stubOf } from "#tests/support/rooms";
import { makeSession, sessionNow, setSession, stageSession } from "#tests/support/sessions";
import { DAY, HOUR, type Instant, instant, MINUTE, plusMillis } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { fanOut } from "~/use-cases/notices/events.server";
import type { Email } from "~/use-cases/ports.server";
import { joinSession, leaveSession, removeParticipant } from "./people.server";
import { planReminders } from "./reminders.server";
import { deleteSession, endSession } from "./run.server";
import { updateSession } from "./update.server";
import { waitForSeat } from "./waiting.server";

type Stage = Awaited<ReturnType<typeof stageSession>>;
type Act = (stage: Stage, n: number) => Promise<{ status: number }>;

const patch =
  (change: (n: number) => object): Act =>
  ({ host, session }, n) =>
    callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge: change(n) });
const control =
  (part: string, action: string, body: object = {}): Act =>
  ({ host, event }) =>
    event(host, `/parts/${part}/${action}`, body);

const BEFORE: Record<string, Act> = {
  title: patch((n) => ({ title: `Title ${n % 3}` })),
  start: patch((n) => ({ started_at: new Date(Date.now() + HOUR + (n % 4) * MINUTE).toISOString() })),
  limit: patch((n) => ({ participant_limit: 5 + n })),
  code: patch((n) => ({ donation_link: `https://give.example/${n}` })),
  content: ({ host, challenge }, n) =>
    challenge(host, "PUT", "/save-content", { content: `Text ${n}`, title: `Title ${n % 3}` }),
  role: ({ host, guest, session }, n) =>
    callAs(host, "PATCH", `/challenge-events/${session.id}/participants/${guest.username}`, { role: n % 2 }),
};
const DURING: Record<string, Act> = {
  play: control("a", "start"),
  pause: control("a", "pause"),
  resume: control("a", "resume"),
  longer: control("a", "adjust", { seconds: 4000 }),
  text: ({ host, challenge }, n) => challenge(host, "PUT", "/save-content", { content: `Text ${n}` }),
  title: ({ host, challenge }, n) => challenge(host, "PUT", "/save-content", { title: `Title ${n % 3}` }),
  ready: ({ guest, challenge }, n) => challenge(guest, "POST", "/user-is-ready", { is_ready: n % 2 }),
  done: ({ guest, event }) => event(guest, "/complete"),
};

type Shown = { title: string; startedAt: number | null; endedAt: number | null };
const shownOf = ({ title, startedAt, endedAt }: Shown) => [title, startedAt, endedAt];

/** The record, once it has what the room knows: the alarm writes what it lacks, however slow the machine is. */
async function settled({ host, session }: Stage) {
  const room = (await appOf(host)).rooms.of(session.id);
  const { state } = await room.view();
  const isBehind = async () => JSON.stringify(shownOf(await row())) !== JSON.stringify(shownOf(state));
  const row = async () => {
    const found = await sessionNow(session.id);
    if (!found) throw new Error("no session");
    return found;
  };
  if (state.runBegunAt !== null && (await isBehind())) await runDurableObjectAlarm(stubOf(session.id));
  const found = await row();
  if (state.runBegunAt !== null) expect(shownOf(found)).toEqual(shownOf((await room.view()).state));
  return found;
}

/** Does an act, and checks that the sequence grew by one exactly if a calendar shows the difference. */
async function check(stage: Stage, name: string, act: Act, n: number): Promise<boolean> {
  const before = await settled(stage);
  await act(stage, n);
  const after = await settled(stage);
  const isShown = JSON.stringify(shownOf(before)) !== JSON.stringify(shownOf(after));
  expect(after.sequence - before.sequence, name).toBe(isShown ? 1 : 0);
  if (!isShown) expect(after.changedAt, name).toBe(before.changedAt);
  return isShown;
}

const acts = (of: Record<string, Act>) =>
  fc.array(fc.tuple(fc.constantFrom(...Object.keys(of)), fc.nat(20)), { minLength: 4, maxLength: 8 });

keepBystanders();

test("F-08 the sequence grows by one with each change of start, end, title or cancellation, and with nothing else", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(acts(BEFORE), acts(DURING), fc.boolean(), async (before, during, isCancelled) => {
      const started_at = new Date(Date.now() + HOUR).toISOString();
      const stage = await stageSession({ started_at, is_manually_started: 0 });
      const run = async (name: string, act: Act | undefined, n: number) => {
        if (act && (await check(stage, name, act, n))) seen.add(name);
      };
      for (const [name, n] of before) await run(name, BEFORE[name], n);
      const { host, event } = stage;
      if (!isCancelled) {
        await run("begin", () => event(host, "/start"), 0);
        for (const [name, n] of during) await run(name, DURING[name], n);
      }
      await run(isCancelled ? "cancel" : "end", () => event(host, "/end"), 0);
    }),
    {
      numRuns: runsOf(200, 4),
      examples: [
        [
          [
            ["title", 1],
            ["start", 2],
          ],
          [
            ["play", 0],
            ["longer", 0],
            ["title", 2],
          ],
          false,
        ],
        [[["limit", 1]], [["ready", 1]], true],
        [
          [["limit", 1]],
          [
            ["play", 0],
            ["longer", 0],
            ["pause", 0],
            ["done", 0],
          ],
          false,
        ],
      ],
    },
  );
  for (const name of ["title", "start", "longer", "begin", "cancel", "end"]) expect(seen).toContain(name);
  for (const name of ["limit", "code", "role", "text", "ready", "done"]) expect(seen).not.toContain(name);
}, 600_000);

test("F-18 a refused calendar file is a sentence of plain text", async () => {
  const hidden = await makeSession(await makeUser(), { is_private: 1 });
  for (const id of [hidden.id, hidden.id + 999]) {
    const answer = await ask(`/sessions/${id}/calendar.ics`);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([404, "text/plain;charset=UTF-8"]);
    expect(await answer.text()).not.toContain("<");
  }
});

// ---- calendar mail

const START = instant(Math.ceil(Date.now() / DAY) * DAY + 2 * DAY + 9 * HOUR);

/** A session at START, and functions that act at a given time and read the emails of a user. */
async function mailed(over: Record<string, unknown> = {}) {
  await emptySpine();
  const [host, guest] = [await makeUser({ tokens: 900_000 }), await makeUser({ tokens: 900_000 })];
  const session = await makeSession(host, {
    title: "Morning pages",
    is_manually_started: 0,
    started_at: new Date(START).toISOString(),
    ...over,
  });
  const { app, mails } = await spineApp(instant(Date.now()));
  let now = app.now;
  const as = async (user: TestUser): Promise<App> => ({ ...(await appOf(user, now)), jobs: app.jobs });
  const at = (): App => ({ ...app, now });
  return {
    host,
    guest,
    session,
    as,
    app: at,
    mails,
    now: () => now,
    pass: async (minutes: number) => {
      now = plusMillis(now, minutes * MINUTE);
      return drain(at());
    },
    join: async (user = guest) => joinSession(await as(user), { session: session.id }),
    leave: async (user = guest) => leaveSession(await as(user), { session: session.id }),
    change: async (change: { startedAt?: Instant; title?: string }) =>
      updateSession(await as(host), { session: session.id, ...change }),
    to: (user: TestUser) => mails.filter((mail) => mail.to === user.email),
  };
}
/** Method and entry of an email's file; null without a file. */
function fileOf(mail: Email | undefined) {
  const [file] = mail?.attachments ?? [];
  if (!file) return null;
  const [entry] = readByIcal(file.content);
  return { type: file.type, method: /^METHOD:(.*)\r$/m.exec(file.content)?.[1], ...entry };
}
const plain = (text: string) => text.replace(/\r\n /g, "");

test("F-20 F-21 F-23 joining sends an invitation, a change its update, and leaving its removal", async () => {
  const stage = await mailed();
  const { guest, host, session, mails } = stage;
  await stage.join();
  await stage.pass(0);
  const [invitation] = mails;
  expect(mails).toHaveLength(1);
  expect(invitation?.subject).toMatch(/^You have a seat in Morning pages: /);
  expect(fileOf(invitation)).toMatchObject({
    type: "text/calendar; method=REQUEST; charset=utf-8",
    method: "REQUEST",
    uid: `session-${session.id}@127.0.0.1:8787`,
    sequence: 0,
    start: START,
    status: "CONFIRMED",
  });
  const ics = plain(invitation?.attachments?.[0]?.content ?? "");
  expect(ics).toMatch(
    new RegExp(`ORGANIZER;CN="?${host.username}"?:(?:mailto|MAILTO):hello@bothy\\.example\r`),
  );
  expect(ics.match(/^ATTENDEE/gm)).toHaveLength(1);
  const attendee = /^ATTENDEE.*$/m.exec(ics)?.[0] ?? "";
  for (const part of ["PARTSTAT=ACCEPTED", "RSVP=FALSE", guest.email]) expect(attendee).toContain(part);
  expect(invitation?.headers?.["List-Unsubscribe"]).toContain(".calendar.");
  await stage.pass(10);
  expect(mails).toHaveLength(1);
  await stage.change({ title: "Evening pages" });
  await stage.pass(4);
  expect(mails).toHaveLength(1);
  await stage.pass(1);
  expect(mails[1]?.subject).toMatch(/^Evening pages has changed\. It begins on /);
  expect(fileOf(mails[1])).toMatchObject({ method: "REQUEST", sequence: 1, title: "Evening pages" });
  await stage.leave();
  await stage.pass(5);
  expect(mails[2]?.subject).toBe("You have no seat in Evening pages any more");
  expect(fileOf(mails[2])).toMatchObject({
    method: "CANCEL",
    sequence: 2,
    status: "CANCELLED",
    start: START,
  });
  // Joining again is a new version of the same entry.
  await stage.join();
  await stage.pass(5);
  expect(fileOf(mails[3])).toMatchObject({ method: "REQUEST", sequence: 3 });
  expect(new Set(mails.map((mail) => fileOf(mail)?.uid)).size).toBe(1);
  expect(new Set(mails.map(({ key }) => key)).size).toBe(4);
  expect(stage.to(guest)).toHaveLength(4);
});

test("F-20 R-73 an invitation knows the start of its own session, beside one that begins earlier", async () => {
  const stage = await mailed();
  const later = instant(START + 3 * DAY);
  const { id } = await makeSession(stage.host, {
    is_manually_started: 0,
    started_at: new Date(later).toISOString(),
  });
  await joinSession(await stage.as(stage.guest), { session: id });
  const invited = (await eventRows()).filter(({ kind }) => kind === "calendar");
  expect(invited.map(({ body }) => (body as { knownBy?: number }).knownBy)).toEqual([later]);
});

test("F-21 F-24 a cancellation, a removal and a deletion remove the entry, in one email with their text", async () => {
  const stage = await mailed();
  const other = await makeUser();
  await stage.join();
  await stage.join(other);
  await stage.pass(0);
  await removeParticipant(await stage.as(stage.host), {
    session: stage.session.id,
    username: other.username,
  });
  await stage.pass(5);
  expect(fileOf(stage.to(other)[1])).toMatchObject({ method: "CANCEL", sequence: 1 });
  await endSession(await stage.as(stage.host), { session: stage.session.id });
  await stage.pass(5);
  expect(stage.to(stage.guest)[1]).toMatchObject({
    subject: "Morning pages was cancelled. Your token was returned",
    text: expect.stringContaining(`/sessions/${stage.session.id}\n`),
  });
  expect(fileOf(stage.to(stage.guest)[1])).toMatchObject({ method: "CANCEL", sequence: 1, start: START });
  expect(stage.mails).toHaveLength(4);

  const gone = await mailed();
  await gone.join();
  await gone.pass(0);
  await deleteSession(await gone.as(gone.host), { session: gone.session.id });
  await gone.pass(5);
  expect(gone.mails).toHaveLength(2);
  expect(gone.mails[1]).toMatchObject({
    subject: "Morning pages was cancelled. Your token was returned",
    text: expect.stringContaining("/my/sessions\n"),
  });
  expect(fileOf(gone.mails[1])).toMatchObject({ method: "CANCEL", title: "Morning pages", start: START });
});

test("F-24 a text joins an invitation that waits, and not the one that is being sent at this instant", async () => {
  const stage = await mailed();
  const other = await makeUser();
  const fanOutAll = async () => {
    for (const { id } of await eventRows()) await fanOut(stage.app(), id);
  };
  for (const user of [stage.guest, other]) await stage.join(user);
  await fanOutAll();
  const isGuests = eq(schema.deliveries.userId, stage.guest.id);
  await db
    .update(schema.deliveries)
    .set({ leaseUntil: plusMillis(stage.now(), MINUTE) })
    .where(isGuests);
  await endSession(await stage.as(stage.host), { session: stage.session.id });
  await fanOutAll();
  const mailsOf = async ({ id }: TestUser) =>
    (await deliveryRows())
      .filter(({ userId, channel }) => userId === id && channel === "mail")
      .map(({ key }) => key.split(":")[1])
      .sort();
  expect(await mailsOf(stage.guest)).toEqual(["calendar", "session-cancelled"]);
  expect(await mailsOf(other)).toEqual(["calendar"]);
});

test("F-20 F-24 a seat given from the waiting list is one email, with the invitation", async () => {
  const stage = await mailed({ participant_limit: 2 });
  const waiter = await makeUser();
  await stage.join();
  await waitForSeat(await stage.as(waiter), { session: stage.session.id });
  await stage.pass(0);
  await stage.leave();
  await stage.pass(5);
  await stage.pass(30);
  const mails = stage.to(waiter);
  expect(mails).toHaveLength(1);
  expect(fileOf(mails[0])).toMatchObject({ method: "REQUEST", start: START });
});

test("F-22 F-24 changes within 5 minutes become one email with the newest version and the text of the move", async () => {
  const stage = await mailed();
  await stage.join();
  await stage.pass(0);
  await stage.pass(20);
  await stage.change({ startedAt: plusMillis(START, HOUR) });
  await stage.pass(2);
  await stage.change({ startedAt: plusMillis(START, 2 * HOUR) });
  await stage.change({ title: "Evening pages" });
  await stage.pass(2);
  expect(stage.mails).toHaveLength(1);
  await stage.pass(1);
  expect(stage.mails).toHaveLength(2);
  expect(stage.mails[1]?.text).toContain("moved to");
  expect(stage.mails[1]?.text).toContain("11:00");
  expect(fileOf(stage.mails[1])).toMatchObject({
    sequence: 3,
    start: START + 2 * HOUR,
    title: "Evening pages",
  });
  await stage.pass(30);
  expect(stage.mails).toHaveLength(2);
  // Without calendar mail the email of the move leaves at once.
  await callAs(stage.guest, "PATCH", "/account/notifications", {
    settings: [{ kind: "calendar", channel: "mail", value: 0 }],
  });
  await stage.change({ startedAt: plusMillis(START, 3 * HOUR) });
  await stage.pass(0);
  expect(stage.mails).toHaveLength(3);
  expect(stage.mails[2]?.attachments).toBeUndefined();
});

test("F-22 R-73 a change just before the start leaves at once, also 2 minutes after the last email", async () => {
  const stage = await mailed();
  await stage.join();
  await stage.pass(0);
  await stage.pass(2);
  await stage.change({ startedAt: plusMillis(stage.now(), 4 * MINUTE) });
  await stage.pass(0);
  expect(stage.mails).toHaveLength(2);
  await stage.pass(3);
  expect(stage.mails).toHaveLength(2);
});

test("F-22 the try after a failed one sends the same version with the same SEQUENCE and sentence", async () => {
  const stage = await mailed();
  await stage.join();
  await drain({ ...stage.app(), mail: { send: () => Promise.reject(new Error("no answer")) } });
  await stage.pass(1);
  expect(stage.mails.map(fileOf)).toMatchObject([{ method: "REQUEST", sequence: 0, start: START }]);
  expect(stage.mails[0]?.subject).toMatch(/^You have a seat in Morning pages: /);
});

test("F-24 a reminder in the debounce is sent at once, with the file", async () => {
  const stage = await mailed({ started_at: new Date(Date.now() + HOUR + 3 * MINUTE).toISOString() });
  await stage.join();
  await stage.pass(0);
  const { startedAt } = (await sessionNow(stage.session.id)) ?? {};
  const here = eq(schema.participants.sessionId, stage.session.id);
  await db
    .update(schema.participants)
    .set({ joinedAt: instant(0) })
    .where(here);
  await stage.change({ title: "Evening pages" });
  await stage.pass(3);
  expect(stage.mails).toHaveLength(1);
  await planReminders(stage.app());
  await stage.pass(0);
  expect(stage.to(stage.guest)[1]?.subject).toMatch(/^Evening pages begins on/);
  expect(fileOf(stage.to(stage.guest)[1])).toMatchObject({
    sequence: 1,
    start: Math.floor((startedAt ?? 0) / 1000) * 1000,
  });
  await stage.pass(10);
  expect(stage.to(stage.guest)).toHaveLength(2);
});

test("F-20 F-22 F-23 no mail for a series' seat, a running session, an unconfirmed address or the kind switched off", async () => {
  const stage = await mailed();
  const unconfirmed = await makeUser({ isConfirmed: false });
  const off = await makeUser();
  await callAs(off, "PATCH", "/account/notifications", {
    settings: [{ kind: "calendar", channel: "mail", value: 0 }],
  });
  await stage.join(unconfirmed);
  await stage.join(off);
  // Not even the cause is written.
  expect(await eventRows()).toEqual([]);
  await stage.join();
  await stage.pass(0);
  expect(stage.mails).toHaveLength(1);
  await stage.change({ title: "Evening pages" });
  await setSession(stage.session.id, { startedAt: stage.now() });
  await stage.pass(5);
  expect(stage.mails).toHaveLength(1);
  expect((await deliveryRows()).map(({ reason }) => reason)).toEqual(["started"]);

  const standing = await mailed();
  await standing.join();
  await db.delete(schema.events);
  await standing.change({ title: "Evening pages" });
  expect(await eventRows()).toEqual([]);
});

test("F-21 a session that gets its date later invites the people who joined before", async () => {
  const stage = await mailed({ is_manually_started: 1, duration: 3600, started_at: undefined });
  await stage.join();
  await stage.pass(5);
  expect(stage.mails).toEqual([]);
  await updateSession(await stage.as(stage.host), {
    session: stage.session.id,
    isManuallyStarted: false,
    startedAt: START,
  });
  await stage.pass(5);
  expect(stage.mails).toHaveLength(1);
  expect(fileOf(stage.to(stage.guest)[0])).toMatchObject({ method: "REQUEST", start: START });
});

type Step = { act: string; who: 0 | 1; by: number };
/** The steps of the first person, each with more than 5 minutes. */
const ofOne = (acts: string): Step[] => acts.split(" ").map((act, n) => ({ act, who: 0, by: 16 + n }));

test("F-22 mailed SEQUENCE values strictly increase per person and session in any order of changes", async () => {
  const guest = fc.constantFrom<0 | 1>(0, 1);
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ act: fc.constantFrom("join", "leave"), who: guest, by: fc.nat(23) }),
    fc.record({ act: fc.constantFrom("move", "title", "pass", "down"), who: guest, by: fc.nat(23) }),
  );
  let cancelled = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const stage = await mailed();
      const people = [stage.guest, await makeUser({ tokens: 900_000 })];
      for (const { act, who, by } of steps) {
        const person = people[who] ?? stage.guest;
        if (act === "join") await stage.join(person);
        if (act === "leave") await stage.leave(person);
        if (act === "move") await stage.change({ startedAt: plusMillis(START, by * MINUTE) });
        if (act === "title") await stage.change({ title: `Title ${by}` });
        if (act === "pass") await stage.pass(by / 3);
        // The provider refuses everything for a moment.
        if (act === "down")
          await drain({ ...stage.app(), mail: { send: () => Promise.reject(new Error()) } });
      }
      await stage.pass(200);
      await endSession(await stage.as(stage.host), { session: stage.session.id });
      await stage.pass(200);
      const row = await sessionNow(stage.session.id);
      for (const person of people) {
        const files = stage
          .to(person)
          .map(fileOf)
          .filter((file) => file !== null);
        const sequences = files.map(({ sequence }) => sequence ?? -1);
        expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
        const last = files.at(-1);
        if (!last) continue;
        expect(last.method).toBe("CANCEL");
        expect(last.sequence).toBeGreaterThanOrEqual(1);
        if (!stage.to(person).at(-1)?.subject.includes("cancelled")) continue;
        // A person with a seat got the newest version.
        cancelled++;
        expect(last.sequence).toBeGreaterThanOrEqual(row?.sequence ?? 0);
      }
    }),
    { numRuns: runsOf(1000, 6), examples: [[ofOne("join pass leave pass join move pass title pass")]] },
  );
  expect(cancelled).toBeGreaterThan(0);
}, 7_200_000);
