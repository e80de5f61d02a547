// Notices in the app and their settings, through HTTP.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { runBatch, schema } from "#db/connect.server";
import { recordEvent } from "#db/queries/notices/events";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, makeUsers, setUser, type TestUser, testApp } from "#tests/support/factories";
import { deliveryRows, drain, emptySpine, noticeRows, spineApp } from "#tests/support/notices";
import { subscribeBrowser } from "#tests/support/push";
import { seatCrowd } from "#tests/support/rooms";
import { join, leave, makeHut, makeSession, stageSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { createAttempts } from "#workers/adapters/attempts";
import type { EventKind } from "~/domain/notices/events";
import { nextDigest, textOfMinute } from "~/domain/notices/quiet-hours";
import { DAY, HOUR, type Instant, instant, MINUTE } from "~/domain/time";
import { notifyParticipants } from "~/use-cases/sessions/host-message.server";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";
import { recordChatMentions } from "../room/record.server";
import { newEvent } from "./events.server";

beforeEach(emptySpine);

const START = instant(Math.ceil(Date.now() / HOUR) * HOUR + DAY);
/** Everybody with a seat hears that the session moved, `ago` milliseconds ago. */
async function moved(session: number, ago = 0) {
  const { app } = await spineApp(instant(Date.now() - ago));
  const body = { title: "Morning pages", path: `/sessions/${session}`, startedAt: START };
  await db.update(schema.sessions).set({ startedAt: START, endedAt: instant(START + HOUR) });
  await runBatch(db, [
    recordEvent(db, newEvent(app, { kind: "session-moved", subject: `session:${session}`, body })),
  ]);
  await drain(app);
}
const listed = (user: TestUser, query = "") => dataOf(user, `/api/my/notices${query}`);

test("N-08 N-10 notices are listed newest first by pages, and reading lowers the count", async () => {
  const user = await makeUser({ tokens: 5000 });
  for (let n = 0; n < 14; n++) await moved((await makeSession(user)).id, (14 - n) * MINUTE);
  const first = await listed(user);
  expect([first.notices.length, first.unread]).toEqual([12, 14]);
  expect(first.notices[0]).toMatchObject({ is_unread: 1, text: expect.stringContaining("moved to") });
  const second = await listed(user, `?after=${first.after}`);
  expect([second.notices.length, second.after]).toEqual([2, null]);
  const instants = [...first.notices, ...second.notices].map((one: { created_at: string }) => one.created_at);
  expect(instants).toEqual([...instants].sort().reverse());
  const [{ id }] = first.notices;
  const read = (body: object) => callAs(user, "POST", "/api/my/notices/read", body);
  expect(await read({ ids: [id] })).toMatchObject({ status: 200, body: { unread: 13 } });
  expect((await read({ ids: [id] })).body).toEqual({ unread: 13 });
  expect((await read({})).body).toEqual({ unread: 0 });
  const other = await makeUser();
  expect((await callAs(other, "POST", "/api/my/notices/read", { ids: [id] })).body).toEqual({ unread: 0 });
  expect((await listed(other)).notices).toEqual([]);
});

test("N-09 N-10 the bell shows the count, and opening the list marks what it shows", async () => {
  const user = await makeUser();
  expect((await visit(user, "/my/notices")).html).toContain(
    "Nothing new. Notices about your sessions, goals and replies appear here.",
  );
  await moved((await makeSession(user)).id);
  expect((await visit(user, "/about")).html).toContain('aria-label="1 unread notices"');
  const { html } = await visit(user, "/my/notices");
  expect(html).toContain("Unread: ");
  expect(html).toContain("Morning pages moved to");
  expect((await visit(user, "/about")).html).toContain('aria-label="0 unread notices"');
  expect((await listed(user)).unread).toBe(0);
});

test("N-08 the list names each day once, shows a face for a person, and a word for what it asks", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const about = { title: "Morning pages", path: "/sessions/1" };
  const noon = instant(Math.floor(Date.now() / DAY) * DAY - DAY / 2);
  const notice = (kind: EventKind, ms: number, body: object = about) => {
    const row = { id: `e${ms}`, userId: user.id, kind, subject: `account:${ms}`, body };
    return { ...row, others: [], at: instant(ms) };
  };
  await db
    .insert(schema.notices)
    .values([
      notice("standing-ended", noon - DAY),
      notice("standing-ended", noon),
      notice("rota-invited", noon + HOUR, { ...about, name: "nora" }),
    ]);
  const { html } = await visit(user, "/my/notices");
  const list = html.slice(html.indexOf('aria-label="Notices"'));
  expect(list.match(/<h2/g)).toHaveLength(2);
  expect(list.indexOf("Yesterday")).toBeLessThan(list.indexOf("asks you to host"));
  expect(list.match(/class="avatar/g)).toHaveLength(1);
  expect(list.match(/>Answer</g)).toHaveLength(1);
  expect((await visit(other, "/my/notices")).html).toContain("Nothing new.");
});

test("N-10 opening the list leaves the notices of the next page unread", async () => {
  const user = await makeUser();
  const { id } = await makeSession(user);
  for (let n = 14; n > 0; n--) await moved(id, n * HOUR);
  await visit(user, "/my/notices");
  expect((await listed(user)).unread).toBe(2);
});

test("N-11 unread notices of one session within 10 minutes merge, and a read notice stays", async () => {
  const user = await makeUser();
  const { id } = await makeSession(user);
  for (const ago of [20, 9, 5]) await moved(id, ago * MINUTE);
  expect((await noticeRows()).map(({ merged }) => merged).sort()).toEqual([0, 1]);
  expect((await listed(user)).unread).toBe(2);
  await callAs(user, "POST", "/api/my/notices/read", {});
  await moved(id);
  expect(await noticeRows()).toHaveLength(3);
  expect((await listed(user)).unread).toBe(1);
});

test("N-12 the night deletes notices after 90 days, and all but the newest 1,000, with an exact count", async () => {
  const [old, many] = [await makeUser(), await makeUser()];
  const { id } = await makeSession(old);
  await seatCrowd(id, 2);
  await moved(id, 91 * DAY);
  await moved(id);
  const [kept] = (await noticeRows()).filter(({ userId }) => userId === old.id).slice(-1);
  const rows = Array.from({ length: 1003 }, (_, n) => ({
    ...(kept as NonNullable<typeof kept>),
    userId: many.id,
    id: `${kept?.id}-${String(n).padStart(4, "0")}`,
  }));
  for (const row of rows) await db.insert(schema.notices).values(row);
  await setUser(many.id, { unreadNotices: 1003 });
  const { app } = await spineApp(instant(Date.now()));
  await deleteExpiredRows(app);
  await deleteExpiredRows(app);
  const left = await noticeRows();
  expect(left.filter(({ userId }) => userId === old.id).map((row) => row.id)).toEqual([kept?.id]);
  expect(left.filter(({ userId }) => userId === many.id)).toHaveLength(1000);
  expect([(await listed(old)).unread, (await listed(many)).unread]).toEqual([1, 1000]);
}, 60_000);

test("N-14 settings store differences, refuse unknown kinds and security, and work as a plain form", async () => {
  const user = await makeUser();
  const change = (body: object) => callAs(user, "PATCH", "/account/notifications", body);
  const set = (kind: string, channel: string, value: number) =>
    change({ settings: [{ kind, channel, value }] });
  const stored = () =>
    db.select().from(schema.noticeSettings).where(eq(schema.noticeSettings.userId, user.id));
  expect((await set("still-open", "mail", 1 + 20 * 60 + 30)).status).toBe(200);
  expect((await visit(user, "/account/notifications")).html).toMatch(
    /<input(?=[^>]*name="still-open:mail")(?=[^>]*value="20:30")/,
  );
  await set("still-open", "mail", 0);
  expect((await set("session-changed", "mail", 0)).status).toBe(200);
  expect((await set("session-reminder", "mail", 1440)).body.settings).toContainEqual({
    kind: "session-reminder",
    channel: "mail",
    value: 1440,
  });
  expect(await stored()).toHaveLength(2);
  await set("session-changed", "mail", 1);
  expect(await stored()).toMatchObject([{ kind: "session-reminder", value: 1440 }]);
  for (const [kind, channel, value] of [
    ["gossip", "mail", 0],
    ["calendar", "push", 1],
    ["session-reminder", "mail", 15],
  ] as const)
    expect((await set(kind, channel, value)).status).toBe(422);
  const refused = await set("moderation", "mail", 0);
  expect([refused.status, refused.body.message]).toEqual([422, "Security emails cannot be switched off."]);
  expect((await change({ quiet: { from: "22:00", to: "7" } })).status).toBe(422);
  expect((await change({ quiet: { from: "22:00", to: "07:00" }, digest: "daily" })).body).toMatchObject({
    quiet: { from: "22:00", to: "07:00" },
    digest: "daily",
  });
  // A form without JavaScript sends only ticked boxes.
  const sent = await post(user, "/account/notifications", {
    intent: "notices.settings",
    channels: "app,mail",
    quietFrom: "23:00",
    quietTo: "06:30",
    "session-reminder:app": "10",
    "session-reminder:mail": "0",
    "session-changed:app": "1",
    "session-started:app": "1",
    "seat:app": "1",
    "seat:mail": "1",
    "goal-reminder:app": "1",
    "goal-reminder:push": "1",
    "still-open:app": "",
    "hut-session:app": "1",
    "hut-member:app": "1",
    "series:app": "1",
    "series:mail": "1",
    "calendar:mail": "1",
    "reply:app": "1",
    "mention:app": "1",
    "host-message:app": "1",
    "host-message:mail": "1",
    "recap:app": "1",
    "recap:mail": "1",
    digest: "off",
  });
  expect(sent.status).toBe(302);
  expect((await stored()).map(({ kind, channel, value }) => `${kind} ${channel} ${value}`).sort()).toEqual([
    "session-changed mail 0",
    "session-reminder mail 0",
  ]);
  const { html } = await visit(user, "/account/notifications");
  expect(html).toMatch(/<input(?=[^>]*name="quietFrom")(?=[^>]*value="23:00")/);
  expect(html).toMatch(/<input(?=[^>]*name="quietTo")(?=[^>]*value="06:30")/);
  expect(html).toMatch(/<input(?=[^>]*name="session-changed:app")(?=[^>]*checked)/);
  expect(html).not.toMatch(/<input(?=[^>]*name="session-changed:mail")(?=[^>]*checked)/);
});

test("N-14 a refused form says why and keeps what was typed, without JavaScript too", async () => {
  const user = await makeUser();
  const fields = {
    intent: "notices.settings",
    channels: "app,mail",
    quietFrom: "22:00",
    "session-changed:mail": "1",
    "session-reminder:mail": "1440",
    digest: "weekly",
  };
  const half = await post(user, "/account/notifications", fields);
  expect(half.status).toBe(422);
  const sentence = "Please give both times as hours and minutes, like 22:00.";
  expect((await half.texts("main")).join()).toContain(sentence);
  expect(half.html).toMatch(/<input(?=[^>]*name="quietFrom")(?=[^>]*value="22:00")/);
  expect(half.html).toMatch(/<input(?=[^>]*name="quietTo")(?=[^>]*aria-invalid="true")/);
  expect(half.html).toMatch(/<input(?=[^>]*name="session-changed:mail")(?=[^>]*checked)/);
  expect(half.html).not.toMatch(/<input(?=[^>]*name="session-changed:app")(?=[^>]*checked)/);
  for (const chosen of ["1440", "weekly"])
    expect(half.html).toMatch(new RegExp(`<option(?=[^>]*value="${chosen}")(?=[^>]*selected)`));
  // A refusal at a name that the form does not have.
  const odd = await post(user, "/account/notifications", {
    ...fields,
    quietFrom: "",
    "still-open:app": "late",
  });
  expect([odd.status, (await odd.texts("[role=alert]")).join()]).toEqual([
    422,
    "Please choose a value that still-open has on this channel.",
  ]);
});

test("N-14 N-15 a switched-off kind sends nothing, and quiet hours delay mail but no notice", async () => {
  const user = await makeUser();
  const { id } = await makeSession(user);
  // From an hour ago until two hours ahead, at any time of the day.
  const minute = Math.floor((Date.now() % DAY) / MINUTE);
  const ends = (minute + 120) % 1440;
  const quiet = { from: textOfMinute((minute + 1380) % 1440), to: textOfMinute(ends) };
  await callAs(user, "PATCH", "/account/notifications", { quiet });
  await moved(id);
  expect((await listed(user)).unread).toBe(1);
  const [mail] = await deliveryRows();
  expect(mail?.state).toBe("waiting");
  expect((mail?.dueAt ?? 0) % DAY).toBe(ends * MINUTE);
  await emptySpine();
  await callAs(user, "PATCH", "/account/notifications", {
    settings: ["app", "mail"].map((channel) => ({ kind: "session-changed", channel, value: 0 })),
  });
  await moved(id);
  expect([await noticeRows(), await deliveryRows()]).toEqual([[], []]);
});

test("Q-25 the members of a deleted hut get a notice, and its owner none", async () => {
  const [owner, member] = [await makeUser(), await makeUser()];
  const hut = await makeHut(owner, [owner, member]);
  await callAs(owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug });
  const { app } = await spineApp(instant(Date.now()));
  await drain(app);
  expect((await listed(member)).notices).toMatchObject([{ text: "The hut Hut was deleted." }]);
  expect((await listed(owner)).notices).toEqual([]);
  expect(await deliveryRows()).toEqual([]);
});

test("N-27 host and admins write to everybody else with a seat, in the app and by email", async () => {
  const { host, guest, admin, session, event } = await stageSession();
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const write = (user: TestUser, content: string, more?: Record<string, string>) =>
    callAs(user, "POST", `/challenge-events/${session.id}/notify`, { content }, more);
  const sent = await write(host, "Bring a pen.\n\nAnd <b>paper</b>.", headers);
  expect([sent.status, sent.body.message.content]).toEqual([201, "Bring a pen.\n\nAnd <b>paper</b>."]);
  expect((await write(host, "Bring a pen.\n\nAnd <b>paper</b>.", headers)).body).toEqual(sent.body);
  const { app, mails } = await spineApp(instant(Date.now()));
  await drain(app);
  const text = `${host.username} wrote to everybody in Morning pages: Bring a pen.\n\nAnd <b>paper</b>.`;
  for (const user of [guest, admin])
    expect((await listed(user)).notices).toMatchObject([{ text, path: `/sessions/${session.id}` }]);
  expect((await listed(host)).notices).toEqual([]);
  expect(mails.map(({ to }) => to).sort()).toEqual([guest.email, admin.email].sort());
  const [mail] = mails;
  expect(mail?.subject).toBe(`${host.username} wrote to everybody in Morning pages`);
  expect(mail?.html).toContain("And &#60;b&#62;paper&#60;/b&#62;.");
  expect((await write(admin, "  ")).body.fields).toEqual({ content: ["Please write a message."] });
  expect((await write(admin, "x".repeat(2001))).status).toBe(422);
  expect((await write(guest, "From me")).status).toBe(403);
  const people = `/sessions/${session.id}/people`;
  const { html } = await visit(admin, people);
  const uuid = /name="uuid" value="([\w-]+)"/.exec(html)?.[1] ?? "";
  expect(uuid).toHaveLength(36);
  const form = { intent: "notify", content: "Until soon.", uuid };
  for (let times = 0; times < 2; times++) expect((await post(admin, people, form)).status).toBe(302);
  await leave(guest, session.id);
  await drain(app);
  expect((await listed(host)).unread).toBe(1);
  expect((await listed(guest)).unread).toBe(1);
  await setUser(host.id, { emailConfirmedAt: null });
  const refused = await write(host, "Hello");
  expect([refused.status, refused.body.message]).toEqual([403, "Please confirm your email address first."]);
  await event(host, "/start");
  await event(host, "/end");
  expect((await write(admin, "Too late")).status).toBe(409);
});

test("N-27 a message is refused from the planned end on, before the room has closed the session", async () => {
  const { host, session } = await stageSession({
    is_manually_started: 0,
    started_at: new Date(START).toISOString(),
  });
  const sayAt = async (now: number) =>
    notifyParticipants(await appOf(host, instant(now)), { session: session.id, content: "Hello" });
  const end = START + HOUR;
  expect(await sayAt(end - 1)).toEqual({ message: { content: "Hello" } });
  await expect(sayAt(end)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("N-27 the sixth message within 24 hours is refused, whoever writes it", async () => {
  const { host, admin, session } = await stageSession();
  const attempts = createAttempts({ ...env, RATE_LIMITS: "on" }, instant(Date.now()));
  const say = async (user: TestUser) => {
    const app = { ...(await appOf(user)), attempts };
    return notifyParticipants(app, { session: session.id, content: "Hello" });
  };
  for (const user of [host, admin, host, admin, host]) await say(user);
  await expect(say(admin)).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

test("N-40 a pressed push marks its notice as read, merged ones too, once and only for its own user", async () => {
  const [author, ann, ben] = await makeUsers(3);
  const hut = await makeHut(author, [author, ann, ben]);
  const say = async (user: TestUser, content: string, parent?: number) =>
    (await callAs(user, "POST", `/challenges/${hut.slug}/posts`, { item: { content, parent_id: parent } }))
      .body.post.id as number;
  await moved((await makeSession(author)).id);
  await subscribeBrowser(author);
  vi.setSystemTime(Date.now() + MINUTE);
  const root = await say(author, "A question");
  const { app } = await spineApp(instant(Date.now()));
  app.push = { publicKey: "key", post: async () => "sent" };
  for (const user of [ann, ben]) {
    vi.setSystemTime(Date.now() + MINUTE);
    await say(user, "An answer", root);
    await drain({ ...app, now: instant(Date.now()) });
  }
  const another = await say(author, "Another question");
  await say(ann, "Another answer", another);
  await drain({ ...app, now: instant(Date.now()) });
  expect((await listed(author)).unread).toBe(3);
  const [, second] = (await deliveryRows()).filter(({ channel }) => channel === "push");
  const press = (user: TestUser, key = second?.key) => callAs(user, "POST", "/api/my/notices/read", { key });
  expect((await press(ann)).body).toEqual({ unread: 1 });
  expect((await press(author, "nonsense")).body).toEqual({ unread: 3 });
  for (let n = 0; n < 2; n++) expect((await press(author)).body).toEqual({ unread: 2 });
  expect((await listed(author)).notices.map((one: { is_unread: number }) => one.is_unread)).toEqual([
    1, 0, 1,
  ]);
});

test("N-17 a digest of replies reaches the mailbox on its day, without lines that are hidden since, and never empty", async () => {
  const [author, ann, ben] = await makeUsers(3);
  const hut = await makeHut(author, [author, ann, ben]);
  const say = async (user: TestUser, content: string, parent?: number) =>
    (await callAs(user, "POST", `/challenges/${hut.slug}/posts`, { item: { content, parent_id: parent } }))
      .body.post.id as number;
  const mailOf = (user: TestUser) =>
    db.select().from(schema.mailbox).where(eq(schema.mailbox.recipient, user.email));
  const choose = (digest: string) =>
    callAs(author, "PATCH", "/account/notifications", {
      digest,
      settings: [{ kind: "reply", channel: "mail", value: 1 }],
    });
  /** Sends what is due then, by the mailbox of the local run. */
  const sendAt = async (now: Instant) =>
    drain({ ...(await testApp({ now })), jobs: { wake: async () => {} } });
  const today = instant(Date.now());
  for (const digest of ["daily", "weekly"] as const) {
    await emptySpine();
    const before = (await mailOf(author)).length;
    await choose(digest);
    for (const user of [ann, ben]) await say(user, "An answer", await say(author, "A question"));
    await sendAt(today);
    const [waiting, ...more] = await deliveryRows();
    expect(more).toEqual([]);
    const due = waiting?.dueAt ?? today;
    expect(due).toBe(nextDigest(today, "UTC", digest));
    await sendAt(instant(due - MINUTE));
    expect(await mailOf(author)).toHaveLength(before);
    await sendAt(due);
    await sendAt(instant(due + DAY));
    const mails = await mailOf(author);
    expect(mails).toHaveLength(before + 1);
    const mail = mails.at(-1);
    expect(mail?.subject).toBe("Your Bothy notices");
    for (const user of [ann, ben])
      expect(mail?.text).toContain(`${user.username} replied to your post. http`);
    expect(mail?.text).toContain("you chose a digest");
  }
  await emptySpine();
  const before = (await mailOf(author)).length;
  await choose("daily");
  const gone = await say(ben, "An answer", await say(author, "A question"));
  await say(ann, "An answer", await say(author, "A question"));
  await sendAt(today);
  await callAs(author, "PUT", `/api/blocks/${ann.username}`, {});
  await callAs(ben, "DELETE", `/api/posts/${gone}`, {});
  await sendAt(nextDigest(today, "UTC", "daily"));
  expect(await deliveryRows()).toMatchObject([{ state: "dropped", reason: "stale" }]);
  expect(await mailOf(author)).toHaveLength(before);
});

test("N-17 N-05 a digest leaves out a line of a session that is over, and keeps that of an open one", async () => {
  const [open, over] = [await stageSession(), await stageSession()];
  const reader = await makeUser();
  for (const { session } of [open, over]) await join(reader, session.id);
  await emptySpine();
  await setUser(reader.id, { digest: "daily" });
  await db
    .insert(schema.noticeSettings)
    .values({ userId: reader.id, kind: "mention", channel: "mail", value: 1 });
  const { app, mails } = await spineApp(instant(Date.now()));
  for (const { host, session } of [open, over]) {
    const mention = { seq: 1, userId: host.id, username: host.username, here: [], at: app.now };
    const names = [reader.username.toLowerCase()];
    const place = { sessionId: session.id, title: `Session ${session.id}` };
    await recordChatMentions(app, place, [{ ...mention, names }]);
  }
  await drain(app);
  const [digest] = await deliveryRows();
  await over.event(over.host, "/start");
  await over.event(over.host, "/end");
  await drain({ ...app, now: digest?.dueAt ?? app.now });
  const texts = mails.filter(({ to }) => to === reader.email).map(({ text }) => text);
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain(`in the chat of Session ${open.session.id}.`);
  expect(texts[0]).not.toContain(`in the chat of Session ${over.session.id}.`);
});
