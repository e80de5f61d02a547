// Attendance and recap of sessions that have closed. Sockets, restarts and D1 are real.
import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { seated } from "#tests/support/guests";
import { drain, emptySpine, eventRows, noticeRows, spineApp } from "#tests/support/notices";
import { propertySeed, runsOf } from "#tests/support/property-seed";
import { joinRoom, ROOM_NOW, stubOf, useRoomClock } from "#tests/support/rooms";
import {
  balanceOf,
  leave,
  makeHut,
  makeSession,
  sayIn,
  seatsOf,
  sessionNow,
  setSession,
} from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { writeNotice } from "~/domain/notices/texts";
import { DAY, instant, MINUTE, plusMillis, SECOND, type Seconds } from "~/domain/time";
import { deleteLog } from "~/use-cases/goals/log-moves.server";
import { storeQuickLog } from "~/use-cases/goals/logs.server";
import { viewPastSessions } from "~/use-cases/my.server";
import { recordRoom } from "~/use-cases/room/record.server";
import { viewSessionPeople } from "./people-page.server";

const at = useRoomClock();
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;
const end = (host: TestUser, id: number) => callAs(host, "POST", event(id, "end"), {});
const attendanceRows = async (id: number) =>
  (
    await db
      .select()
      .from(schema.attendance)
      .where(eq(schema.attendance.sessionId, id))
      .orderBy(asc(schema.attendance.userId))
  ).map(({ userId, seconds, hasCome }) => [userId, seconds, hasCome]);
const appNow = async (user: TestUser) => ({ ...(await appOf(user)), now: ROOM_NOW });
const recapNow = async (id: number) => (await sessionNow(id))?.recap ?? null;

/** A session by hand with a part of 10 minutes, a host and two guests, that has run since ROOM_NOW. */
async function running(over: Record<string, unknown> = {}) {
  const [host, ben, cas] = await makeUsers(3);
  const { id } = await makeSession(host, {
    duration: 3600,
    parts: [{ uuid: "g", auto_start: 0, parts: [{ uuid: "p", title: "Read", duration: 600 }] }],
    ...over,
  });
  for (const user of [ben, cas]) await callAs(user, "POST", event(id, "join"), {});
  await callAs(host, "POST", event(id, "start"), {});
  return { id, host, ben, cas };
}

keepBystanders();

test("G-24 G-26 two tabs count once, absence of over 90 seconds does not count, and the rest is missed", async () => {
  const { id, host, ben, cas } = await running();
  const first = await joinRoom(ben, id);
  at(ROOM_NOW + 2 * MINUTE);
  const second = await joinRoom(ben, id);
  at(ROOM_NOW + 3 * MINUTE);
  first.socket.close();
  await first.closed;
  at(ROOM_NOW + 5 * MINUTE);
  second.socket.close();
  await second.closed;
  at(ROOM_NOW + 6 * MINUTE);
  const third = await joinRoom(ben, id);
  at(ROOM_NOW + 7 * MINUTE);
  third.socket.close();
  await third.closed;
  at(ROOM_NOW + 30 * MINUTE);
  await joinRoom(cas, id);
  at(ROOM_NOW + 40 * MINUTE);
  await end(host, id);
  expect(await attendanceRows(id)).toEqual([
    [host.id, 0, false],
    [ben.id, 7 * 60, true],
    [cas.id, 10 * 60, false],
  ]);
  // A repeat of the close, and later visits, change nothing.
  await joinRoom(host, id);
  await evictDurableObject(stubOf(id));
  await callAs(host, "GET", `/api/sessions/${id}`);
  expect((await attendanceRows(id)).length).toBe(3);
});

test("G-25 a crash cuts an interval at the last stored instant, and a return within 90 seconds mends it", async () => {
  const { id, host, ben, cas } = await running();
  for (const user of [ben, cas]) await joinRoom(user, id);
  at(ROOM_NOW + 10 * MINUTE);
  await sayIn(host, id);
  at(ROOM_NOW + 20 * MINUTE);
  await abortAllDurableObjects();
  const again = await joinRoom(host, id);
  at(ROOM_NOW + 20 * MINUTE + 90 * SECOND);
  await joinRoom(ben, id);
  again.socket.close();
  await again.closed;
  at(ROOM_NOW + 20 * MINUTE + 91 * SECOND);
  await joinRoom(cas, id);
  at(ROOM_NOW + 30 * MINUTE);
  await end(host, id);
  expect(await attendanceRows(id)).toEqual([
    [host.id, 90, false],
    [ben.id, 30 * 60, true],
    [cas.id, 10 * 60 + (10 * 60 - 91), true],
  ]);
});

test("G-25 in a room without lines a crash cuts intervals at the last arrival or departure", async () => {
  const { id, host, ben, cas } = await running();
  await joinRoom(ben, id);
  at(ROOM_NOW + 10 * MINUTE);
  await joinRoom(cas, id);
  at(ROOM_NOW + 20 * MINUTE);
  await abortAllDurableObjects();
  await end(host, id);
  expect(await attendanceRows(id)).toEqual([
    [host.id, 0, false],
    [ben.id, 10 * 60, true],
    [cas.id, 0, true],
  ]);
});

test("G-26 a seat given up before the start is not counted, one given up after it is", async () => {
  const [host, early, late] = await makeUsers(3);
  const { id } = await makeSession(host, { duration: 3600 });
  for (const user of [early, late]) await callAs(user, "POST", event(id, "join"), {});
  await leave(early, id);
  await callAs(host, "POST", event(id, "start"), {});
  await joinRoom(host, id);
  at(ROOM_NOW + MINUTE);
  await leave(late, id);
  at(ROOM_NOW + 10 * MINUTE);
  await end(host, id);
  expect(await attendanceRows(id)).toEqual([
    [host.id, 600, true],
    [late.id, 0, false],
  ]);
});

test("G-32 the recap holds plan and course of the run, with pauses, added time, presence and lines", async () => {
  const { id, host, ben } = await running();
  const socket = await joinRoom(ben, id);
  const part = (action: string) => callAs(host, "POST", event(id, `parts/p/${action}`), {});
  await part("start");
  at(ROOM_NOW + 2 * MINUTE);
  await part("pause");
  at(ROOM_NOW + 5 * MINUTE);
  await part("resume");
  await callAs(host, "POST", event(id, "parts/p/adjust"), { seconds: 120 });
  await sayIn(ben, id);
  at(ROOM_NOW + 20 * MINUTE);
  socket.socket.close();
  await socket.closed;
  at(ROOM_NOW + 25 * MINUTE);
  await end(host, id);
  expect(await recapNow(id)).toMatchObject({
    plannedStart: null,
    startedAt: ROOM_NOW,
    endedAt: ROOM_NOW + 25 * MINUTE,
    parts: [{ title: "Read", planned: 600, added: 120, paused: 3 * MINUTE }],
    people: [
      { userId: host.id, seconds: 0, hasCome: false },
      { userId: ben.id, seconds: 20 * 60, hasCome: true },
      { seconds: 0, hasCome: false },
    ],
    lines: 1,
  });
});

test("G-33 G-34 the page shows everybody to the host, a participant their own row, and strangers nothing", async () => {
  const { id, host, ben, cas } = await running();
  const socket = await joinRoom(ben, id);
  await callAs(ben, "POST", event(id, "logs"), { title: "Pages", amount: 3 });
  at(ROOM_NOW + 20 * MINUTE);
  socket.socket.close();
  await socket.closed;
  expect((await visit(ben, `/sessions/${id}/recap`)).status).toBe(404);
  await end(host, id);
  const peopleOf = async (user: TestUser) =>
    (await visit(user, `/sessions/${id}/recap`)).texts('ul[aria-label="People"] li');
  expect(await peopleOf(host)).toEqual([
    `${host.username}Missed0s`,
    `${ben.username}Came20m`,
    `${cas.username}Missed0s`,
  ]);
  expect(await peopleOf(ben)).toEqual([`${ben.username}Came20m`]);
  const page = await visit(ben, `/sessions/${id}/recap`);
  expect(await page.texts("dd")).toContain("1 came, 2 missed it");
  expect(page.html).not.toContain("Download as CSV");
  const stranger = await makeUser();
  expect((await visit(stranger, `/sessions/${id}/recap`)).status).toBe(403);
  expect((await visit(null, `/sessions/${id}/recap`)).status).toBe(302);
  expect((await visit(host, `/sessions/${id}`)).html).toContain(`/sessions/${id}/recap`);
  for (const file of ["attendance.csv", "recap.csv", "recap.markdown"])
    expect([file, (await visit(ben, `/sessions/${id}/${file}`)).status]).toEqual([file, 403]);
  const csv = (await visit(host, `/sessions/${id}/attendance.csv`)).html;
  expect(csv).toBe(
    `username,came,seconds_present\r\n${host.username},no,0\r\n${ben.username},yes,1200\r\n${cas.username},no,0\r\n`,
  );
  expect((await visit(host, `/sessions/${id}/recap.csv`)).html).toContain("part,Read,600");
  expect((await visit(host, `/sessions/${id}/recap.markdown`)).html).toContain(
    `| ${ben.username} | yes | 1200 |`,
  );
});

test("H-23 the Markdown of a recap names a guest as people read it", async () => {
  const { id, host, ben } = await running();
  await setSession(id, { guestLimit: 3 });
  await seated(`/sessions/${id}`, "Quill");
  at(ROOM_NOW + 10 * MINUTE);
  await end(host, id);
  const { html } = await visit(host, `/sessions/${id}/recap.markdown`);
  expect(html).toContain("| Quill (guest) |");
  expect(html).toContain(`| ${ben.username} |`);
});

test("R-49 U-39 after an early end page, recap and My Sessions name the same end, length and people", async () => {
  const { id, host, ben, cas } = await running();
  await joinRoom(ben, id);
  at(ROOM_NOW + MINUTE);
  await leave(cas, id);
  at(ROOM_NOW + 20 * MINUTE);
  await end(host, id);
  const page = await visit(ben, `/sessions/${id}`);
  const facts = (await page.texts("main li")).join(" | ");
  expect(facts).toContain("1 came");
  expect(await page.texts("h2")).toContain("Participants");
  expect(facts).toContain("20 minutes in all");
  expect(await (await visit(ben, `/sessions/${id}/recap`)).texts("dd")).toContain("1 came, 2 missed it");
  const rows = await (await visit(ben, "/my/sessions")).texts("main li");
  const row = rows.find((one) => /came|taking part/.test(one));
  const to = new Date(ROOM_NOW + 20 * MINUTE).toISOString().slice(11, 16);
  expect(row).toContain(to);
  expect(row).toContain("20m");
  expect(row).toContain("1 came");
});

test.each([
  ["and keeps out", { keep_out: 1 }],
  ["without keeping out", {}],
])("Q-14 R-99 a removal %s leaves nothing of the person in recap, attendance and mail", async (_, body) => {
  await emptySpine();
  const { id, host, ben, cas } = await running();
  for (const user of [ben, cas]) await joinRoom(user, id);
  const lines = [await sayIn(ben, id), await sayIn(cas, id)];
  expect(lines).toHaveLength(2);
  at(ROOM_NOW + 5 * MINUTE);
  const path = event(id, `participants/${cas.username}`);
  expect((await callAs(host, "DELETE", path, { ...body, remove_lines: 1 })).status).toBe(204);
  at(ROOM_NOW + 20 * MINUTE);
  await end(host, id);
  const recap = await recapNow(id);
  expect(recap?.people.map(({ userId }) => userId)).toEqual([host.id, ben.id]);
  expect((await attendanceRows(id)).map(([userId]) => userId)).toEqual([host.id, ben.id]);
  const { app, mails } = await spineApp(instant(ROOM_NOW + 30 * MINUTE));
  await drain(app);
  expect(mails.map(({ to }) => to)).toEqual([ben.email]);
  const said = await stubOf(id).messages(id, { limit: 10 });
  if (!said.ok) throw new Error(said.code);
  expect(said.value.map(({ username, isRemoved, content }) => [username, isRemoved, content !== ""])).toEqual(
    [
      [ben.username, false, true],
      [cas.username, true, false],
    ],
  );
  const audit = await db.select().from(schema.audit).where(eq(schema.audit.userId, cas.id));
  expect(audit.filter(({ action }) => action === "line-removed")).toMatchObject([
    { actorId: host.id, userId: cas.id },
  ]);
});

test("Q-14 G-26 a participant who is removed before coming has missed nothing, and a ban of a stranger changes no row", async () => {
  const { id, host, ben, cas } = await running();
  const stranger = await makeUser();
  await joinRoom(ben, id);
  at(ROOM_NOW + 2 * MINUTE);
  for (const { username } of [cas, stranger])
    expect(
      (await callAs(host, "DELETE", event(id, `participants/${username}`), { keep_out: 1 })).status,
    ).toBe(204);
  at(ROOM_NOW + 20 * MINUTE);
  await end(host, id);
  expect((await recapNow(id))?.people.map(({ userId }) => userId)).toEqual([host.id, ben.id]);
  expect((await attendanceRows(id)).map(([userId]) => userId)).toEqual([host.id, ben.id]);
});

test("Q-14 a removal without remove_lines keeps the lines, and a return counts from then on", async () => {
  const { id, host, ben, cas } = await running();
  for (const user of [ben, cas]) await joinRoom(user, id);
  await sayIn(cas, id);
  at(ROOM_NOW + 2 * MINUTE);
  await callAs(host, "DELETE", event(id, `participants/${cas.username}`), {});
  const said = await stubOf(id).messages(id, { limit: 10 });
  expect(said.ok && said.value.map(({ isRemoved }) => isRemoved)).toEqual([false]);
  at(ROOM_NOW + 5 * MINUTE);
  expect((await callAs(cas, "POST", event(id, "join"), {})).status).toBe(200);
  await joinRoom(cas, id);
  at(ROOM_NOW + 20 * MINUTE);
  await end(host, id);
  expect((await attendanceRows(id)).filter(([userId]) => userId === cas.id)).toEqual([
    [cas.id, 15 * 60, true],
  ]);
});

test("U-39 G-33 G-34 a session, its recap and the Markdown of it list timers by that name", async () => {
  const { id, host } = await running();
  at(ROOM_NOW + 20 * MINUTE);
  await end(host, id);
  for (const page of ["", "/recap"])
    expect(await (await visit(host, `/sessions/${id}${page}`)).texts("h2")).toContain("Timers");
  expect((await visit(host, `/sessions/${id}/recap.markdown`)).html).toContain("## Timers");
});

test("G-34 the Markdown of a recap gives the totals of each goal, durations in seconds", async () => {
  const { id, host } = await running({ tasks: [{ title: "Rest", duration: 3600 }] });
  const [goal] = (await dataOf(host, `/api/sessions/${id}`)).goals;
  await callAs(host, "POST", event(id, "logs"), { task_uuid: goal.uuid, duration: 1500 });
  at(ROOM_NOW + 20 * MINUTE);
  await end(host, id);
  const { html } = await visit(host, `/sessions/${id}/recap.markdown`);
  expect(html).toMatch(/^\| Rest \|.*\| 1500 \|$/m);
});

test("G-35 everybody who came hears of the recap with their own time and the next date, and nobody else", async () => {
  await emptySpine();
  const { id, host, ben, cas } = await running();
  const socket = await joinRoom(ben, id);
  const late = await joinRoom(cas, id);
  at(ROOM_NOW + 12 * MINUTE);
  late.socket.close();
  await late.closed;
  at(ROOM_NOW + 20 * MINUTE);
  socket.socket.close();
  await socket.closed;
  await end(host, id);
  const { app, mails } = await spineApp(instant(ROOM_NOW + 20 * MINUTE));
  await drain(app);
  const heard = mails.filter(({ to }) => [host, ben, cas].some(({ email }) => email === to));
  expect(heard.map(({ to }) => to).sort()).toEqual([ben.email, cas.email].sort());
  const textOf = (user: TestUser) => heard.find(({ to }) => to === user.email)?.text;
  // The host did not come, so nobody names them.
  expect(textOf(ben)).toContain(`You sat 20 minutes with ${cas.username} in Morning pages.`);
  expect(textOf(cas)).toContain(`You sat 12 minutes with ${ben.username} in Morning pages.`);
  expect(textOf(ben)).toContain(`/sessions/${id}/recap`);
  expect(textOf(ben)).not.toContain("Next: ");
  const notices = (await noticeRows()).filter(({ kind }) => kind === "session-recap");
  expect(notices.map(({ userId }) => userId).sort()).toEqual([ben.id, cas.id].sort());
  // Nobody reads the figures of others.
  expect(JSON.stringify(notices)).not.toContain(`"${cas.id}":`);
});

test("R-99 G-35 page and mail tell the people who came with whom they sat, and name nobody hidden, absent or gone", async () => {
  await emptySpine();
  const { id, host, ben, cas } = await running();
  const [dan, eve] = await makeUsers(2);
  for (const user of [dan, eve]) await callAs(user, "POST", event(id, "join"), {});
  for (const user of [ben, cas, dan, eve]) await joinRoom(user, id);
  await callAs(ben, "PUT", `/api/blocks/${dan.username}`, {});
  at(ROOM_NOW + 20 * MINUTE);
  await leave(eve, id);
  at(ROOM_NOW + 48 * MINUTE);
  await end(host, id);
  for (const [seq, { id: userId, username }] of [cas, eve].entries())
    await db.insert(schema.contributions).values({
      ...{ sessionId: id, seq: 900 + seq, userId, username, uuid: crypto.randomUUID() },
      ...{ content: `Dusk of ${seq}`, contentHtml: `<p>Dusk of ${seq}</p>`, createdAt: ROOM_NOW },
    } as never);
  const headOf = async (user: TestUser) =>
    (await (await visit(user, `/sessions/${id}/recap`)).texts("h2")).find((text) =>
      text.startsWith("You sat"),
    );
  expect(await headOf(cas)).toBe(`You sat 48 minutes with ${ben.username} and ${dan.username}`);
  // A block hides both ways, and the alias is that of the roster.
  expect(await headOf(ben)).toBe(`You sat 48 minutes with ${cas.username} and Participant 4`);
  expect(await headOf(dan)).toBe(`You sat 48 minutes with Participant 2 and ${cas.username}`);
  // The host was never in the room.
  expect(await headOf(host)).toBeUndefined();
  const { app, mails } = await spineApp(instant(ROOM_NOW + 50 * MINUTE));
  await drain(app);
  const mailOf = (user: TestUser) => mails.find(({ to }) => to === user.email)?.text ?? "";
  expect(mailOf(cas)).toContain(
    `You sat 48 minutes with ${ben.username} and ${dan.username} in Morning pages.`,
  );
  expect(mailOf(ben)).toContain(`with ${cas.username} and Participant 4 in Morning pages.`);
  for (const user of [ben, cas, dan]) {
    expect(mailOf(user)).not.toContain(eve.username);
    expect(mailOf(user)).not.toContain(host.username);
    expect(mailOf(user)).toContain(`${cas.username}: Dusk of 0`);
    expect(mailOf(user)).not.toContain("Dusk of 1");
  }
  expect(mailOf(ben)).not.toContain(dan.username);
});

test("R-99 H-21 H-23 the mail names a guest as one, and keeps the guest's name out", async () => {
  await emptySpine();
  const { id, host, ben, cas } = await running();
  await setSession(id, { guestLimit: 5 });
  const guest = await seated(`/sessions/${id}`, "Quillon");
  for (const user of [ben, cas, guest]) await joinRoom(user, id);
  at(ROOM_NOW + 48 * MINUTE);
  await end(host, id);
  const { app, mails } = await spineApp(instant(ROOM_NOW + 50 * MINUTE));
  await drain(app);
  const mail = mails.find(({ to }) => to === ben.email)?.text ?? "";
  expect(mail).toContain(`You sat 48 minutes with ${cas.username} and a guest in Morning pages.`);
  expect(JSON.stringify(mails)).not.toContain("Quillon");
  // A guest has no address that could get one.
  expect(mails.map(({ to }) => to)).not.toContain(guest.email);
});

test("R-99 the page logs the time to a goal in one press, once, and offers it again after Undo", async () => {
  const { id, host, ben } = await running();
  await makeGoal(ben, { title: "Swim" });
  const timed = await makeGoal(ben, { title: "Cello", amount: null, actionDuration: 3600 as Seconds });
  await makeGoal(ben, { title: "Walk" });
  await makeGoal(host, { title: "Of the host" });
  const socket = await joinRoom(ben, id);
  at(ROOM_NOW + 48 * MINUTE);
  socket.socket.close();
  await socket.closed;
  await end(host, id);
  const path = `/sessions/${id}/recap`;
  const page = await visit(ben, path);
  const buttons = (await page.texts("button")).filter((text) => text.startsWith("Log "));
  expect(buttons).toEqual(["Log 48m to Cello", "Log 48m to Walk", "Log 48m to Swim"]);
  const values = (await page.all('form[action="/my/goals"] input')).map(({ attributes }) => attributes);
  const uuid = values.find(({ name }) => name === "uuid")?.value ?? "";
  const fields = {
    intent: "log.create",
    goal: String(timed.id),
    uuid,
    duration: "48m",
    title: "Morning pages",
  };
  for (let press = 0; press < 2; press++) expect((await post(ben, "/my/goals", fields)).status).toBe(302);
  const logs = await db.select().from(schema.logs).where(eq(schema.logs.userId, ben.id));
  expect(logs.map(({ goalId, duration, title }) => [goalId, duration, title])).toEqual([
    [timed.id, 2880, "Morning pages"],
  ]);
  const after = await visit(ben, path);
  expect(await after.texts("main p")).toContain("48m logged to Cello");
  expect((await after.texts("button")).filter((text) => text.startsWith("Log "))).toEqual([]);
  await deleteLog(await appNow(ben), { log: logs[0]?.id ?? 0 });
  expect(
    (await (await visit(ben, path)).texts("button")).filter((text) => text.startsWith("Log ")),
  ).toHaveLength(3);
});

const inDays = (days: number) => instant(ROOM_NOW + days * DAY);

/** Makes the session one of a series, with further ones so many days later; answers the series' id. */
async function withLater(
  { id, host }: { id: number; host: TestUser },
  later: readonly (readonly [days: number, over: Partial<typeof schema.sessions.$inferInsert>])[],
): Promise<number> {
  const stamps = { createdAt: instant(ROOM_NOW), updatedAt: instant(ROOM_NOW) };
  const [series] = await db
    .insert(schema.series)
    .values({
      ...{ ownerId: host.id, title: "Rounds", rule: "FREQ=WEEKLY", timeZone: "UTC", ...stamps },
      ...{ localStart: "2027-01-01T09:00", template: {} as never, laidUntil: instant(ROOM_NOW + 1e9) },
    })
    .returning();
  const seriesId = series?.id ?? 0;
  await setSession(id, { seriesId, seriesDay: "2027-01-01" });
  for (const [days, over] of later)
    await db.insert(schema.sessions).values({
      ...{ slug: `round-${id}-${days}`, ownerId: host.id, title: "Round", schedule: { groups: [] } },
      ...{ duration: 3600 as Seconds, seriesId, seriesDay: `day ${days}`, startedAt: inDays(days) },
      ...stamps,
      ...over,
    });
  return seriesId;
}

test("R-99 R-84 page and mail have the reader's own line, ticked or not, and a press answers the next date", async () => {
  await emptySpine();
  const { id, host, ben, cas } = await running();
  await withLater({ id, host }, [[7, {}]]);
  for (const user of [ben, cas]) await joinRoom(user, id);
  await callAs(ben, "POST", event(id, "aim"), { aim: "Scales" });
  await callAs(cas, "POST", event(id, "aim"), { aim: "An étude" });
  expect((await callAs(ben, "POST", event(id, "complete"), {})).status).toBe(200);
  at(ROOM_NOW + 48 * MINUTE);
  await end(host, id);
  const path = `/sessions/${id}/recap`;
  const linesOf = async (user: TestUser) => (await (await visit(user, path)).texts("main p")).join("\n");
  expect(await linesOf(ben)).toContain("Done: Scales");
  expect(await linesOf(ben)).not.toContain("An étude");
  expect(await linesOf(cas)).toContain("Not ticked: An étude");
  const nextOf = async (user: TestUser) => {
    const page = await visit(user, path);
    const answers = ["I come", "You have a seat", "Full"];
    return (await page.texts("main button, main span")).filter((text) => answers.includes(text));
  };
  expect([await nextOf(ben), await nextOf(cas)]).toEqual([["I come"], ["I come"]]);
  const [form] = (await (await visit(ben, path)).all("main form")).filter(
    ({ attributes }) => attributes.action !== "/my/goals" && attributes.action !== undefined,
  );
  const next = String(form?.attributes.action);
  const before = await balanceOf(ben);
  for (let press = 0; press < 2; press++) await post(ben, next, { intent: "join" });
  expect(await balanceOf(ben)).toBe(before - 100);
  expect(await seatsOf(Number(next.split("/")[2]))).toMatchObject([{ userId: ben.id }]);
  expect([await nextOf(ben), await nextOf(cas)]).toEqual([["You have a seat"], ["I come"]]);
  const { app, mails } = await spineApp(instant(ROOM_NOW + 50 * MINUTE));
  await drain(app);
  const mailOf = (user: TestUser) => mails.find(({ to }) => to === user.email)?.text ?? "";
  expect(mailOf(ben)).toContain("\nDone: Scales\n");
  expect(mailOf(ben)).toMatch(/\nNext: \w+day, .*\. You have a seat\.\n/);
  expect(mailOf(cas)).toContain("\nNot ticked: An étude\n");
  expect(mailOf(cas)).toMatch(/\nNext: \w+day, .*\. “I come” is one press on the page\.\n/);
  await setSession(Number(next.split("/")[2]), { participantLimit: 1 });
  expect(await nextOf(cas)).toEqual(["Full"]);
});

test("G-35 R-99 each reader gets the next date of the series that they see and may join, and else none", async () => {
  await emptySpine();
  const { id, host, ben, cas } = await running();
  const banned = await makeUser();
  await callAs(banned, "POST", event(id, "join"), {});
  const hut = await makeHut(host, [ben]);
  await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
  const seriesId = await withLater({ id, host }, [
    [3, { closedAt: instant(ROOM_NOW), endedAt: inDays(3) }],
    [7, { hutId: hut.id, isPrivate: true }],
    [14, {}],
    // Its start has passed, and nobody has started it.
    [1 / 288, { isManuallyStarted: true }],
  ]);
  await db.insert(schema.sanctions).values({
    ...{ userId: banned.id, scope: "series", targetId: seriesId, kind: "ban" },
    createdAt: instant(ROOM_NOW),
  });
  for (const user of [ben, cas, banned]) await joinRoom(user, id);
  at(ROOM_NOW + 20 * MINUTE);
  await end(host, id);
  const { app, mails } = await spineApp(instant(ROOM_NOW + 20 * MINUTE));
  await drain(app);
  const nextOf = async (user: TestUser) => {
    const row = (await noticeRows()).find((one) => one.userId === user.id && one.kind === "session-recap");
    return (row?.body as { next?: number } | undefined)?.next;
  };
  expect([await nextOf(ben), await nextOf(cas), await nextOf(banned)]).toEqual([
    inDays(7),
    inDays(14),
    undefined,
  ]);
  const text = (user: TestUser) => mails.find(({ to }) => to === user.email)?.text;
  expect(text(ben)).toMatch(/\nNext: \w+day, /);
  expect(text(banned)).not.toContain("Next: ");
  const datesOf = async (user: TestUser) =>
    (await (await visit(user, `/sessions/${id}/recap`)).all("main time[datetime]"))
      .map(({ attributes }) => Date.parse(String(attributes.datetime)))
      .filter((date) => date > ROOM_NOW + DAY);
  expect([await datesOf(ben), await datesOf(cas), await datesOf(banned)]).toEqual([
    [inDays(7)],
    [inDays(14)],
    [],
  ]);
  expect(JSON.stringify(await noticeRows())).not.toContain("nextFor");
});

test("G-35 G-32 a close whose answer was lost tells nobody twice, and keeps the attendance", async () => {
  const { id, host, ben } = await running();
  const socket = await joinRoom(ben, id);
  at(ROOM_NOW + 20 * MINUTE);
  socket.socket.close();
  await socket.closed;
  await emptySpine();
  await end(host, id);
  expect(await eventRows()).toHaveLength(1);
  const attended = await attendanceRows(id);
  expect(attended).toContainEqual([ben.id, 20 * 60, true]);
  const app = await appOf(host);
  const { state } = await app.rooms.of(id).view();
  const again = { ...state, seq: state.seq + 5, closedAt: state.endedAt };
  await recordRoom(app, { state: again, pending: new Set(["run"]), recap: await recapNow(id) });
  expect(await eventRows()).toHaveLength(1);
  expect(await attendanceRows(id)).toEqual(attended);
});

test("G-35 the recap of a series names its next date", () => {
  const body = {
    title: "Fireside",
    path: "/sessions/1/recap",
    seconds: 2700,
    next: instant(1_800_000_000_000),
  };
  expect(writeNotice({ kind: "session-recap", body }, { timeZone: "UTC", locale: "en-GB" }).text).toBe(
    "You took part in Fireside for 45m. The next session begins on Friday, 1/15/2027, 08:00.",
  );
});

test("G-33 a person who gave up the seat after the start still reads the recap", async () => {
  const again = await running();
  await callAs(again.ben, "POST", `/api/challenge-events/${again.id}/leave`, {});
  at(ROOM_NOW + 10 * MINUTE);
  await end(again.host, again.id);
  expect((await visit(again.ben, `/sessions/${again.id}/recap`)).status).toBe(200);
});

test("G-32 a session that never ran, or was cancelled, has neither recap nor attendance", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host, { duration: 3600 });
  await end(host, id);
  expect([await recapNow(id), await attendanceRows(id)]).toEqual([null, []]);
});

/** Rows of attendance: `came` and `missed` sessions of `user`, each begun `days` ago. */
async function attended(user: TestUser, came: number, missed: number, days = 1) {
  const first = 1_000_000 + user.id * 1000 + days * 20;
  await db.insert(schema.attendance).values(
    Array.from({ length: came + missed }, (_, n) => ({
      userId: user.id,
      sessionId: first + n,
      startedAt: instant(ROOM_NOW - days * 24 * 60 * MINUTE),
      seconds: (n < came ? 600 : 0) as Seconds,
      hasCome: n < came,
    })),
  );
}

test("G-27 users see at /my/sessions?past=1 to which sessions they came, page by page, and nobody else's", async () => {
  const { id, host, ben } = await running();
  const socket = await joinRoom(ben, id);
  at(ROOM_NOW + 10 * MINUTE);
  socket.socket.close();
  await socket.closed;
  at(ROOM_NOW + 20 * MINUTE);
  await end(host, id);
  const cardsOf = async (user: TestUser) =>
    (await visit(user, "/my/sessions?past=1")).texts('ul[aria-label="Past sessions"] li');
  const [card = "", ...others] = await cardsOf(ben);
  expect(others).toEqual([]);
  for (const part of ["Morning pages", "Came", "present for 10m"]) expect(card).toContain(part);
  expect((await cardsOf(host))[0]).toContain("Missed");
  expect(await cardsOf(await makeUser())).toEqual([]);
  const page = await visit(ben, "/my/sessions?past=1");
  expect(page.html).toContain(`/sessions/${id}/recap`);
  // Sessions that no longer exist, on two pages.
  await attended(ben, 13, 0);
  const first = await visit(ben, "/my/sessions?past=1");
  expect(await first.texts('ul[aria-label="Past sessions"] li')).toHaveLength(12);
  const [next] = await first.all('a[rel="next"]');
  const rest = await (await visit(ben, String(next?.attributes.href))).texts(
    'ul[aria-label="Past sessions"] li',
  );
  expect(rest).toHaveLength(2);
  expect(rest[0]).toContain("A session that you can no longer see");
  expect(rest[1]).toContain("Morning pages");
});

test("G-33 G-01 the recap shows the viewer's own logs of the hour, and repeats a session started by hand next week", async () => {
  const { id, host, ben } = await running();
  const [mine, other] = [
    await makeGoal(ben, { title: "Pages of mine", unit: "pages" }),
    await makeGoal(host),
  ];
  const log = async (user: TestUser, goalId: number, after: number) =>
    storeQuickLog({ ...(await appNow(user)), now: plusMillis(ROOM_NOW, after) }, { goalId, amount: 3000 });
  await log(ben, mine.id, -MINUTE);
  await log(ben, mine.id, 2 * MINUTE);
  await log(host, other.id, 3 * MINUTE);
  at(ROOM_NOW + 10 * MINUTE);
  await end(host, id);
  await log(ben, mine.id, 11 * MINUTE);
  const page = await visit(ben, `/sessions/${id}/recap`);
  const lines = await page.texts('ul[aria-label="Your logs"] li');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("Pages of mine");
  expect(lines[0]).toContain("3 pages");
  expect(page.html).not.toContain("Again next week");
  expect((await visit(host, `/sessions/${id}/recap`)).html).toContain("Again next week");
  const fields = await (await visit(host, `/sessions/${id}/recap`)).all('input[name="isNextWeek"]');
  expect(fields.map(({ attributes }) => attributes.value)).toEqual(["1"]);
  const again = await post(host, `/sessions/${id}`, { intent: "repeat", isNextWeek: "1" });
  const made = Number(/sessions\/(\d+)/.exec(again.headers.get("Location") ?? "")?.[1]);
  const began = Number((await sessionNow(id))?.startedAt);
  expect(await sessionNow(made)).toMatchObject({ isManuallyStarted: false, startedAt: began + 7 * DAY });
});

test("G-27 the history names no session of a private hut that the user has left", async () => {
  const { id, host, ben } = await running();
  await leave(ben, id);
  at(ROOM_NOW + 10 * MINUTE);
  await end(host, id);
  const cards = async () =>
    (await visit(ben, "/my/sessions?past=1")).texts('ul[aria-label="Past sessions"] li');
  await setSession(id, { isPrivate: true });
  expect((await cards())[0]).toContain("A session that you can no longer see");
  await setSession(id, { isPrivate: false });
  expect((await cards())[0]).toContain("Morning pages");
});

test("G-28 the reliability counts 30 days from three sessions on, only for the user and the host of a joined session", async () => {
  const [host, admin, ben, cas] = await makeUsers(4);
  const superAdmin = await makeUser({ roleId: 10 });
  const { id } = await makeSession(host, { duration: 3600 });
  for (const user of [admin, ben, cas]) await callAs(user, "POST", event(id, "join"), {});
  await callAs(host, "PATCH", event(id, `participants/${admin.username}`), { role: 1 });
  await attended(ben, 2, 1);
  await attended(ben, 0, 5, 31);
  await attended(cas, 2, 0);
  const peopleOf = async (user: TestUser) =>
    (
      await (await visit(user, `/sessions/${id}/people`)).texts('ul[aria-label="Participants"] li span')
    ).filter((text) => text.startsWith("came to"));
  expect(await peopleOf(host)).toEqual(["came to 67% of sessions in 30 days"]);
  expect([await peopleOf(admin), await peopleOf(superAdmin)]).toEqual([[], []]);
  const { reliability } = await viewSessionPeople(await appNow(host), { session: id });
  expect(reliability).toEqual([{ username: ben.username, percent: 67 }]);
  const ownOf = async (user: TestUser) =>
    (await viewPastSessions(await appNow(user), { page: 1 })).reliability;
  expect([await ownOf(ben), await ownOf(cas), await ownOf(host)]).toEqual([67, null, null]);
  expect((await visit(ben, "/my/sessions?past=1")).html).toContain("You came to 67% of your sessions");
  // Without a seat there is no figure; under an alias neither.
  const stranger = await makeUser();
  await attended(stranger, 3, 0);
  await callAs(ben, "PUT", `/api/blocks/${host.username}`, {});
  expect((await viewSessionPeople(await appNow(host), { session: id })).reliability).toEqual([]);
});

/** A numbered stream below `below`, from a seed. */
function drawn(seed: number) {
  let state = seed >>> 0 || 1;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("G-32 the totals of random logs equal a recomputation from the logs, and the totals follow a log that is deleted later (R-90)", async () => {
  for (let run = 0; run < runsOf(100, 2); run++) {
    at(ROOM_NOW);
    const seed = propertySeed + run;
    const draw = drawn(seed);
    const people = await makeUsers(3);
    const [host] = people;
    const { id } = await makeSession(host, {
      duration: 3600,
      tasks: [
        { title: "Read", unit: "pages", amount: 9 },
        { title: "Run", distance: 5 },
        { title: "Rest", duration: 600 },
      ],
    });
    for (const user of people.slice(1)) await callAs(user, "POST", event(id, "join"), {});
    await callAs(host, "POST", event(id, "start"), {});
    const goals: { uuid: string }[] = (await dataOf(host, `/api/sessions/${id}`)).goals;
    for (let n = draw(8); n >= 0; n--) {
      const uuid = goals[draw(3)]?.uuid;
      const amounts = { amount: draw(90) / 10, distance: draw(50) / 10, duration: draw(900) };
      await callAs(people[draw(3)] ?? null, "POST", event(id, "logs"), { task_uuid: uuid, ...amounts });
    }
    at(ROOM_NOW + 10 * MINUTE);
    await end(host, id);
    const rows = await db.select().from(schema.logs).where(eq(schema.logs.sessionId, id));
    const sumOf = (uuid: string, of: "amount" | "distance" | "duration") =>
      rows
        .filter(({ sessionGoalUuid }) => sessionGoalUuid === uuid)
        .reduce((sum, row) => sum + (row[of] ?? 0), 0);
    const recompute = () =>
      goals.map(({ uuid }) => [
        sumOf(uuid, "amount"),
        sumOf(uuid, "distance"),
        1000 * sumOf(uuid, "duration"),
      ]);
    const stored = async () =>
      (await recapNow(id))?.goals.map(({ amount, distance, duration }) => [amount, distance, duration]);
    expect([seed, await stored()]).toEqual([seed, recompute()]);
    const [first] = rows;
    const owner = people.find((user) => user.id === first?.userId);
    if (!first || !owner) throw new Error("no log");
    await deleteLog(await appNow(owner), { log: first.id });
    rows.splice(0, 1);
    expect([seed, await stored()]).toEqual([seed, recompute()]);
  }
}, 600_000);

test("G-32 R-07 a reset drops recap and attendance, and the next run keeps only its own people", async () => {
  const { id, host, ben, cas } = await running();
  await leave(cas, id);
  at(ROOM_NOW + 10 * MINUTE);
  await end(host, id);
  expect((await attendanceRows(id)).map(([userId]) => userId)).toEqual([host.id, ben.id, cas.id]);
  const superAdmin = await makeUser({ roleId: 10 });
  const { slug } = (await sessionNow(id)) ?? {};
  expect((await callAs(superAdmin, "POST", `/challenges/${slug}/reset`, {})).status).toBe(200);
  expect([await recapNow(id), await attendanceRows(id)]).toEqual([null, []]);
  at(ROOM_NOW + 11 * MINUTE);
  await callAs(host, "POST", event(id, "start"), {});
  at(ROOM_NOW + 20 * MINUTE);
  await end(host, id);
  expect((await attendanceRows(id)).map(([userId]) => userId)).toEqual([host.id, ben.id]);
});
