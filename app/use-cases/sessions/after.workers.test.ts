// The page and the mail after a session: each reader's own time, company, line and next date.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { seated } from "#tests/support/guests";
import { drain, emptySpine, eventRows, noticeRows, spineApp } from "#tests/support/notices";
import { joinRoom, ROOM_NOW, stubOf, useRoomClock } from "#tests/support/rooms";
import {
  attendanceRows,
  balanceOf,
  endSession,
  leave,
  makeHut,
  recapNow,
  runningSession,
  sayIn,
  seatsOf,
  setSession,
} from "#tests/support/sessions";
import { post, type Visited, visit } from "#tests/support/visit";
import { writeNotice } from "~/domain/notices/texts";
import { DAY, instant, MINUTE, type Seconds } from "~/domain/time";
import { deleteLog } from "~/use-cases/goals/log-moves.server";
import { recordRoom } from "~/use-cases/room/record.server";

const at = useRoomClock();
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;

keepBystanders();

test.each([
  ["and keeps out", { keep_out: 1 }],
  ["without keeping out", {}],
])("Q-14 R-99 a removal %s leaves nothing of the person in recap, attendance and mail", async (_, body) => {
  await emptySpine();
  const { id, host, ben, cas } = await runningSession();
  for (const user of [ben, cas]) await joinRoom(user, id);
  const lines = [await sayIn(ben, id), await sayIn(cas, id)];
  expect(lines).toHaveLength(2);
  at(ROOM_NOW + 5 * MINUTE);
  const path = event(id, `participants/${cas.username}`);
  expect((await callAs(host, "DELETE", path, { ...body, remove_lines: 1 })).status).toBe(204);
  at(ROOM_NOW + 20 * MINUTE);
  await endSession(host, id);
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

test("G-35 everybody who came hears of the recap with their own time and the next date, and nobody else", async () => {
  await emptySpine();
  const { id, host, ben, cas } = await runningSession();
  const socket = await joinRoom(ben, id);
  const late = await joinRoom(cas, id);
  at(ROOM_NOW + 12 * MINUTE);
  late.socket.close();
  await late.closed;
  at(ROOM_NOW + 20 * MINUTE);
  socket.socket.close();
  await socket.closed;
  await endSession(host, id);
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
  const { id, host, ben, cas } = await runningSession();
  const [dan, eve] = await makeUsers(2);
  for (const user of [dan, eve]) await callAs(user, "POST", event(id, "join"), {});
  for (const user of [ben, cas, dan, eve]) await joinRoom(user, id);
  await callAs(ben, "PUT", `/api/blocks/${dan.username}`, {});
  at(ROOM_NOW + 20 * MINUTE);
  await leave(eve, id);
  at(ROOM_NOW + 48 * MINUTE);
  await endSession(host, id);
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

test("R-99 Q-45 a reader who gave up the seat of a session with a code reads no names and no texts, by page and mail", async () => {
  await emptySpine();
  const { id, host, ben, cas } = await runningSession();
  await setSession(id, { joinCode: "dusk" });
  for (const user of [ben, cas]) await joinRoom(user, id);
  at(ROOM_NOW + 20 * MINUTE);
  await leave(ben, id);
  const line = await callAs(host, "PUT", `/api/sessions/${id}/line`, { content: "Back at ten" });
  expect(line.status, JSON.stringify(line.body)).toBe(200);
  at(ROOM_NOW + 48 * MINUTE);
  await endSession(host, id);
  await db.insert(schema.contributions).values({
    ...{ sessionId: id, seq: 900, userId: cas.id, username: cas.username, uuid: crypto.randomUUID() },
    ...{ content: "Dusk of Cas", contentHtml: "<p>Dusk of Cas</p>", createdAt: ROOM_NOW },
  } as never);
  const pageOf = async (user: TestUser) => (await visit(user, `/sessions/${id}/recap`)).texts("main");
  const mine = (await pageOf(ben)).join();
  expect(mine).toContain("You sat 20 minutes with 1 other");
  for (const hidden of [cas.username, "Dusk of Cas", "Back at ten"]) expect(mine).not.toContain(hidden);
  const theirs = (await pageOf(cas)).join();
  for (const shown of ["Dusk of Cas", "Back at ten"]) expect(theirs).toContain(shown);
  const { app, mails } = await spineApp(instant(ROOM_NOW + 50 * MINUTE));
  await drain(app);
  const mailOf = (user: TestUser) => mails.find(({ to }) => to === user.email)?.text ?? "";
  expect(mailOf(ben)).toContain("You sat 20 minutes with 1 other in Morning pages.");
  for (const hidden of [cas.username, "Dusk of Cas"]) expect(mailOf(ben)).not.toContain(hidden);
  expect(mailOf(cas)).toContain(`${cas.username}: Dusk of Cas`);
});

test("R-99 the mail speaks of the press only to a reader whose page offers it", async () => {
  await emptySpine();
  const { id, host, ben, cas } = await runningSession();
  await makeGoal(ben, { title: "Swim" });
  for (const user of [ben, cas]) await joinRoom(user, id);
  at(ROOM_NOW + 48 * MINUTE);
  await endSession(host, id);
  const { app, mails } = await spineApp(instant(ROOM_NOW + 50 * MINUTE));
  await drain(app);
  for (const [user, isOffered] of [
    [ben, true],
    [cas, false],
  ] as const) {
    const page = (await visit(user, `/sessions/${id}/recap`)).texts("button");
    expect((await page).some((text) => text.startsWith("Log "))).toBe(isOffered);
    const mail = mails.find(({ to }) => to === user.email)?.text ?? "";
    expect(mail.includes("The page logs the 48 min to a goal of yours in one press.")).toBe(isOffered);
  }
});

test("R-99 H-21 H-23 the mail names a guest as one, and keeps the guest's name out", async () => {
  await emptySpine();
  const { id, host, ben, cas } = await runningSession();
  await setSession(id, { guestLimit: 5 });
  const guest = await seated(`/sessions/${id}`, "Quillon");
  for (const user of [ben, cas, guest]) await joinRoom(user, id);
  at(ROOM_NOW + 48 * MINUTE);
  await endSession(host, id);
  const { app, mails } = await spineApp(instant(ROOM_NOW + 50 * MINUTE));
  await drain(app);
  const mail = mails.find(({ to }) => to === ben.email)?.text ?? "";
  expect(mail).toContain(`You sat 48 minutes with ${cas.username} and a guest in Morning pages.`);
  expect(JSON.stringify(mails)).not.toContain("Quillon");
  // A guest has no address that could get one.
  expect(mails.map(({ to }) => to)).not.toContain(guest.email);
});

test("R-99 the page logs the time to a goal in one press, once, and offers it again after Undo", async () => {
  const { id, host, ben } = await runningSession();
  await makeGoal(ben, { title: "Swim" });
  const timed = await makeGoal(ben, { title: "Cello", amount: null, actionDuration: 3600 as Seconds });
  const walk = await makeGoal(ben, { title: "Walk" });
  await makeGoal(host, { title: "Of the host" });
  const socket = await joinRoom(ben, id);
  at(ROOM_NOW + 48 * MINUTE);
  socket.socket.close();
  await socket.closed;
  await endSession(host, id);
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
  await deleteLog(await appOf(ben, ROOM_NOW), { log: logs[0]?.id ?? 0 });
  const offered = await visit(ben, path);
  expect((await offered.texts("button")).filter((text) => text.startsWith("Log "))).toHaveLength(3);
  // it is logged to another goal then, paid for once, and taken back and logged once more.
  const uuidOf = async (recap: Visited) =>
    (await recap.all('form[action="/my/goals"] input[name="uuid"]'))[0]?.attributes.value ?? "";
  const again = { ...fields, goal: String(walk.id), uuid: await uuidOf(offered) };
  for (let press = 0; press < 2; press++) expect((await post(ben, "/my/goals", again)).status).toBe(302);
  const next = await visit(ben, path);
  expect(await next.texts("main p")).toContain("48m logged to Walk");
  const stored = await db.select().from(schema.logs).where(eq(schema.logs.userId, ben.id));
  expect(stored.map(({ goalId, duration }) => [goalId, duration])).toEqual([[walk.id, 2880]]);
  await deleteLog(await appOf(ben, ROOM_NOW), { log: stored[0]?.id ?? 0 });
  const balance = await balanceOf(ben);
  const third = { ...fields, uuid: await uuidOf(await visit(ben, path)) };
  expect((await post(ben, "/my/goals", third)).status).toBe(302);
  expect(await (await visit(ben, path)).texts("main p")).toContain("48m logged to Cello");
  expect(await balanceOf(ben)).toBe(balance - 1);
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
  const { id, host, ben, cas } = await runningSession();
  await withLater({ id, host }, [[7, {}]]);
  for (const user of [ben, cas]) await joinRoom(user, id);
  await callAs(ben, "POST", event(id, "aim"), { aim: "Scales" });
  await callAs(cas, "POST", event(id, "aim"), { aim: "An étude" });
  expect((await callAs(ben, "POST", event(id, "complete"), {})).status).toBe(200);
  at(ROOM_NOW + 48 * MINUTE);
  await endSession(host, id);
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
  const { id, host, ben, cas } = await runningSession();
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
  await endSession(host, id);
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
  const { id, host, ben } = await runningSession();
  const socket = await joinRoom(ben, id);
  at(ROOM_NOW + 20 * MINUTE);
  socket.socket.close();
  await socket.closed;
  await emptySpine();
  await endSession(host, id);
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

test("G-35 the recap of somebody who completed without being there names no time", () => {
  const body = { title: "Fireside", path: "/sessions/1/recap", seconds: 0 };
  expect(writeNotice({ kind: "session-recap", body }, { timeZone: "UTC", locale: "en-GB" }).text).toBe(
    "You took part in Fireside.",
  );
});
