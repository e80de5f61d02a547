// Editing and removing chat lines, and slow mode: by calls and sockets, across restarts and after the end of a
// session.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { participants } from "#db/schema/sessions/sessions";
import { callAs, dataOf } from "#tests/support/ask";
import { db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { breakD1 } from "#tests/support/failing-d1";
import { drain, emptySpine, eventRows, noticeRows, spineApp } from "#tests/support/notices";
import {
  joinRoom,
  ROOM_NOW as NOW,
  partsOf,
  runningRoom,
  sayInRoom,
  stubOf,
  useRoomClock,
} from "#tests/support/rooms";
import { sayIn } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { writeNotice } from "~/domain/notices/texts";
import { mapParts } from "~/domain/schedule/shape";
import { MINUTE, SECOND } from "~/domain/time";
import { SOCKET_VERSION } from "~/wire/room/room";

const at = useRoomClock();

const running = (...people: TestUser[]) => runningRoom(people, partsOf(1200), 1200);
/** Lines whose mentions the record lacks. */
const owedMentions = (id: number) =>
  runInDurableObject(
    stubOf(id),
    (_, { storage }) => storage.sql.exec("SELECT * FROM mentions").toArray().length,
  );
const edit = (user: TestUser | null, id: number, seq: number, content: string) =>
  callAs(user, "PATCH", `/api/sessions/${id}/messages/${seq}`, { content });
const remove = (user: TestUser | null, id: number, seq: number) =>
  callAs(user, "DELETE", `/api/sessions/${id}/messages/${seq}`);
/** All that the room's storage holds of its lines, as text. */
const stored = (id: number) =>
  runInDurableObject(stubOf(id), (_, { storage }) =>
    JSON.stringify(storage.sql.exec("SELECT * FROM lines").toArray()),
  );

test("Q-21 Q-22 an author's edit reaches everybody under its own seq, and the old text is erased", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await running(host, guest);
  const listener = await joinRoom(host, id);
  const line = await sayInRoom(id, guest, "First words");
  const { status, body } = await edit(guest, id, line, " Second words ");
  expect(status).toBe(200);
  expect(body.message).toMatchObject({ seq: line, content: "Second words", is_removed: 0 });
  expect(body.message.edited_at).toMatch(/Z$/);
  const heard = await listener.expect("edited");
  expect(heard).toMatchObject({ line, content: "Second words" });
  expect(heard.seq).toBeGreaterThan(line);
  expect(await stored(id)).not.toContain("First words");
  // The same words again are no edit.
  at(NOW + SECOND);
  expect((await edit(guest, id, line, "Second words")).body.message).toMatchObject({
    edited_at: body.message.edited_at,
  });
  expect(await sayInRoom(id, guest, "Third words")).toBe(heard.seq + 1);
  expect((await edit(guest, id, heard.seq + 1, "Fourth words")).body.message.content).toBe("Fourth words");
  expect((await edit(host, id, line, "Host")).body.error_code).toBe("FORBIDDEN");
  expect((await edit(guest, id, line, " ")).body.error_code).toBe("INVALID");
  expect((await edit(guest, id, 999_999, "x")).body.error_code).toBe("NOT_FOUND");
});

test("Q-21 a line can be edited for 5 minutes, even after the session's end", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await running(host, guest);
  const line = await sayInRoom(id, guest, "One");
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  at(NOW + 5 * MINUTE - 1);
  expect((await edit(guest, id, line, "Two")).status).toBe(200);
  at(NOW + 5 * MINUTE);
  const late = await edit(guest, id, line, "Three");
  expect([late.status, late.body.message]).toEqual([409, "A message can be edited for 5 minutes."]);
  expect((await remove(guest, id, line)).status).toBe(204);
});

test("Q-21 Q-22 author, host, admin and super admin can remove a line, which keeps its number and loses its text", async () => {
  const [host, guest, other, warden] = [...(await makeUsers(3)), await makeUser({ roleId: 10 })];
  const { id } = await running(host, guest, other);
  const listener = await joinRoom(other, id);
  const lines = [];
  for (const text of ["secret a", "secret b", "secret c"]) lines.push(await sayInRoom(id, guest, text));
  const [a = 0, b = 0, c = 0] = lines;
  expect((await remove(other, id, a)).body.error_code).toBe("FORBIDDEN");
  for (const [user, line] of [
    [guest, a],
    [host, b],
    [warden, c],
  ] as const) {
    expect((await remove(user, id, line)).status).toBe(204);
    expect((await remove(user, id, line)).status).toBe(204);
    await listener.expect("removed", (op) => op.line === line);
  }
  expect(listener.heard.filter(({ type }) => type === "removed")).toHaveLength(3);
  expect(await stored(id)).not.toContain("secret");
  const { messages } = await dataOf(other, `/api/sessions/${id}/chat`);
  expect(messages).toMatchObject(lines.map((seq) => ({ seq, content: "", is_removed: 1 })));
  expect((await edit(guest, id, a, "Back")).body.error_code).toBe("CONFLICT");
});

test("R-90 L-04 a client that reconnects learns which logs are gone, and a new one hears of none", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await running(host, guest);
  const listener = await joinRoom(host, id);
  const logIt = (title: string) => callAs(guest, "POST", `/challenge-events/${id}/logs`, { title });
  for (const title of ["Lap one", "Lap two"]) await logIt(title);
  const { logs } = await dataOf(guest, "/api/my/logs");
  const gone = logs.find(({ title }: { title: string }) => title === "Lap one").id;
  const { seq } = await listener.expect("logs", ({ log }) => log.title === "Lap two");
  expect((await callAs(guest, "DELETE", `/api/challenge-logs/${gone}`)).status).toBe(204);
  await listener.expect("unlogged", (op) => op.id === gone);
  const again = await (await joinRoom(host, id, seq)).expect("history");
  expect([again.is_whole, again.unlogged, again.logs]).toEqual([0, [gone], []]);
  const whole = await (await joinRoom(host, id)).expect("history");
  expect([whole.is_whole, whole.unlogged, whole.logs.map(({ title }) => title)]).toEqual([
    1,
    undefined,
    ["Lap two"],
  ]);
});

test("Q-22 a client that reconnects with since receives edits and removals, even after a restart of the room", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await running(host, guest);
  const [a, b] = [await sayInRoom(id, guest, "One"), await sayInRoom(id, guest, "Two")];
  const since = b;
  await edit(guest, id, a, "One more");
  await remove(host, id, b);
  await evictDurableObject(stubOf(id));
  const c = await sayInRoom(id, guest, "Three");
  expect(c).toBe(since + 3);
  const again = await joinRoom(host, id, since);
  expect(await again.expect("welcome")).toMatchObject({ version: SOCKET_VERSION, is_whole: 0 });
  expect(await again.expect("history")).toMatchObject({
    is_whole: 0,
    edited: [{ seq: since + 1, line: a, content: "One more" }],
    removed: [{ seq: since + 2, line: b }],
    messages: [{ seq: c, content: "Three" }],
  });
  const whole = await (await joinRoom(host, id)).expect("history");
  expect(whole).toMatchObject({ edited: [], removed: [] });
  expect(whole.messages.map(({ content, is_removed }) => [content, is_removed])).toEqual([
    ["One more", 0],
    ["", 1],
    ["Three", 0],
  ]);
});

test("Q-23 slow mode refuses a line that comes too early, exempts host and admins, and survives a restart", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await running(host, guest);
  const set = (user: TestUser, slow_mode: number) =>
    callAs(user, "PATCH", `/challenge-events/${id}/patch`, { challenge: { slow_mode } });
  expect((await set(guest, 15)).body.error_code).toBe("FORBIDDEN");
  expect((await set(host, 7)).body.error_code).toBe("INVALID");
  const listener = await joinRoom(guest, id);
  expect((await set(host, 15)).body.challenge_event.slow_mode).toBe(15);
  await listener.expect("slow_mode", (op) => op.slow_mode === 15);
  expect((await sayIn(guest, id, "Zero")).status).toBe(201);
  at(NOW + 15 * SECOND);
  expect((await sayIn(guest, id, "One")).status).toBe(201);
  await evictDurableObject(stubOf(id));
  at(NOW + 25 * SECOND);
  const early = await sayIn(guest, id, "Two");
  expect([early.status, early.headers.get("Retry-After"), early.body.message]).toEqual([
    429,
    "5",
    "Slow mode is on. You can write again in 5 seconds.",
  ]);
  for (const text of ["a", "b"]) expect((await sayIn(host, id, text)).status).toBe(201);
  at(NOW + 30 * SECOND);
  expect((await sayIn(guest, id, "Two")).status).toBe(201);
  // An edit is read by everybody too, so it waits and is waited for, after a restart as well.
  const { seq } = (await sayIn(host, id, "Mine")).body.message;
  const edit = (user: TestUser, line: number, content: string) =>
    callAs(user, "PATCH", `/api/sessions/${id}/messages/${line}`, { content });
  const mine = (await dataOf(guest, `/api/sessions/${id}/chat`)).messages.find(
    (line: { content: string }) => line.content === "Two",
  ).seq;
  expect((await edit(guest, mine, "Two, again")).status).toBe(429);
  expect((await edit(host, seq, "Mine, again")).status).toBe(200);
  at(NOW + 45 * SECOND);
  expect((await edit(guest, mine, "Two, again")).status).toBe(200);
  await evictDurableObject(stubOf(id));
  at(NOW + 55 * SECOND);
  expect((await sayIn(guest, id, "Three")).status).toBe(429);
  await set(host, 0);
  expect((await sayIn(guest, id, "Three")).status).toBe(201);
});

test("Q-24 chat rests during a focus part, by call, socket and form, and opens at its end without an alarm", async () => {
  const [host, admin, guest] = await makeUsers(3);
  const plan = mapParts(partsOf(600, 600), (part) => ({ ...part, isFocus: part.id === "p1" }));
  const { id } = await runningRoom([host, admin, guest], plan, 1200);
  await db.update(participants).set({ role: 1 }).where(eq(participants.userId, admin.id));
  await stubOf(id).refresh(id);
  const sentence = "Chat rests while Part 1 runs.";
  const mayChat = async (user: TestUser) =>
    (await dataOf(user, `/api/sessions/${id}/chat`)).session.me.may_chat;

  const refused = await sayIn(guest, id, "Psst");
  expect([refused.status, refused.body.error_code, refused.body.message]).toEqual([
    409,
    "CONFLICT",
    sentence,
  ]);
  for (const user of [host, admin]) expect((await sayIn(user, id, "Focus!")).status).toBe(201);
  expect([await mayChat(guest), await mayChat(host)]).toEqual([0, 1]);

  const listener = await joinRoom(guest, id);
  listener.say({ type: "typing" });
  listener.say({ type: "message", content: "Psst", nonce: "early" });
  expect(await listener.expect("refused")).toMatchObject({ error_code: "CONFLICT", message: sentence });

  const path = `/sessions/${id}/chat`;
  const form = await post(guest, path, { intent: "say", content: "Kept words" });
  expect(form.status).toBe(409);
  expect(form.html).toContain(sentence);
  expect(form.html).toMatch(/<textarea[^>]*>Kept words<\/textarea>/);

  at(NOW + 10 * MINUTE - 1);
  expect((await sayIn(guest, id, "Psst")).status).toBe(409);
  at(NOW + 10 * MINUTE);
  expect((await visit(guest, path)).html).not.toContain("Chat rests");
  expect(await mayChat(guest)).toBe(1);
  listener.say({ type: "message", content: "At last", nonce: "early" });
  await listener.expect("message", ({ message }) => message.content === "At last");
});

test("Q-41 the turns of a part under way name a deleted account deleted.{id}, also after a restart", async () => {
  const [host, guest, other] = await makeUsers(3);
  const plan = mapParts(partsOf(60), (part) => ({ ...part, isPerParticipant: true }));
  const { id } = await runningRoom([host, guest, other], plan, 600);
  at(NOW + 2 * MINUTE + SECOND);
  const username = `deleted.${guest.id}`;
  await db.update(participants).set({ username }).where(eq(participants.userId, guest.id));
  await stubOf(id).eraseAuthor(id, { userId: guest.id, username });
  await evictDurableObject(stubOf(id));
  const seen = await stubOf(id).view(id);
  const parts = seen.ok ? seen.value.state.schedule.groups.flatMap((group) => group.parts) : [];
  expect(parts.map(({ turns }) => turns)).toEqual([[host.username, username, other.username]]);
});

test("Q-21 Q-23 the chat's forms edit, remove and set slow mode without JavaScript", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await running(host, guest);
  const path = `/sessions/${id}/chat`;
  const line = String(await sayInRoom(id, guest, "One"));
  await post(guest, path, { intent: "line.edit", seq: line, content: "Two" });
  expect((await visit(guest, path)).html).toContain("· edited");
  await post(host, path, { intent: "line.remove", seq: line });
  expect((await visit(guest, path)).html).toContain("This message was removed.");
  await post(host, path, { intent: "slow-mode", slowMode: "60" });
  expect((await visit(guest, path)).html).toContain("Slow mode is on: a message every");
});

const chatMentions = async () => {
  await drain((await spineApp(NOW)).app);
  const rows = (await noticeRows()).filter(({ kind }) => kind === "chat-mention");
  return rows.map((row) => [row.userId, writeNotice(row, { timeZone: "UTC", locale: "en-GB" }).text]);
};

test("N-26 a line mentions people of the session who have no open socket, and writes nothing for others", async () => {
  const people = await makeUsers(5);
  const [host, away, here, blocker, left] = people;
  const stranger = await makeUser();
  const { id } = await running(...people);
  const [line] = [await joinRoom(host, id), await joinRoom(here, id)];
  await emptySpine();
  await callAs(left, "POST", `/api/challenge-events/${id}/leave`);
  await callAs(blocker, "PUT", `/api/blocks/${host.username}`);
  const at = (...users: TestUser[]) => users.map(({ username }) => `@${username}`).join(" ");
  for (const content of ["No name", at(here, stranger, host)]) await sayInRoom(id, host, content);
  await runDurableObjectAlarm(stubOf(id));
  expect(await eventRows()).toEqual([]);
  const nonce = crypto.randomUUID();
  for (let times = 0; times < 2; times++)
    line.say({ type: "message", content: at(away, here, blocker, stranger, left), nonce });
  await line.expect("message", (op) => op.nonce === nonce);
  await runDurableObjectAlarm(stubOf(id));
  expect(await eventRows()).toHaveLength(1);
  const told = (await eventRows()).flatMap(({ body }) => (body as { to: number[] }).to);
  expect(told.sort()).toEqual([away.id, blocker.id].sort());
  expect(await chatMentions()).toEqual([
    [away.id, `${host.username} mentioned you in the chat of A session.`],
  ]);
  const mirrored = () =>
    env.DB.prepare("SELECT room_version FROM sessions WHERE id = ?").bind(id).first("room_version");
  const before = await mirrored();
  await sayInRoom(id, here, `Look, ${at(away)}!`);
  await runDurableObjectAlarm(stubOf(id));
  // A mention is an event of its own, and the session's row stays.
  expect(await mirrored()).toBe(before);
  expect(await chatMentions()).toEqual([
    [away.id, `${host.username} and 1 other mentioned you in the chat of A session.`],
  ]);
});

test("N-26 a name that an edit adds to a line hears of it, and a name that the line already had does not", async () => {
  const [host, away, other] = await makeUsers(3);
  const { id } = await running(host, away, other);
  await emptySpine();
  const seq = await sayInRoom(id, host, `Hello @${away.username}`);
  await runDurableObjectAlarm(stubOf(id));
  for (const content of [
    `Hello @${away.username} and @${other.username}`,
    `Hello @${away.username}, @${other.username}`,
  ])
    expect((await edit(host, id, seq, content)).status).toBe(200);
  await runDurableObjectAlarm(stubOf(id));
  const told = (await eventRows()).map(({ body }) => (body as { to: number[] }).to);
  expect(told).toEqual([[away.id], [other.id]]);
});

test("N-26 a line does not wait for its mention, which the room records when D1 answers again, once", async () => {
  await emptySpine();
  const [host, guest] = await makeUsers(2);
  const { id } = await running(host, guest);
  const [line, ofGuest] = [await joinRoom(host, id), await joinRoom(guest, id)];
  await line.expect("online", (op) => op.online.includes(guest.username));
  await sayInRoom(id, host, "The first line pays");
  const broken = breakD1();
  // The guest is here and reads it.
  line.say({ type: "message", content: `@${guest.username}`, nonce: "here" });
  await line.expect("message", (op) => op.nonce === "here");
  expect(await owedMentions(id)).toBe(0);
  ofGuest.socket.close(1000);
  await line.expect("online", (op) => op.offline.includes(guest.username));
  line.say({ type: "message", content: `@${guest.username}`, nonce: "x" });
  await line.expect("message", (op) => op.nonce === "x");
  expect(await owedMentions(id)).toBe(1);
  await evictDurableObject(stubOf(id));
  broken.mockRestore();
  for (let times = 0; times < 2; times++) {
    await runDurableObjectAlarm(stubOf(id));
    expect(await chatMentions()).toEqual([
      [guest.id, `${host.username} mentioned you in the chat of A session.`],
    ]);
    expect(await owedMentions(id)).toBe(0);
    // Nothing is left to write: the room sleeps until it looks at the pings of its sockets.
    expect(await runInDurableObject(stubOf(id), (_, { storage }) => storage.getAlarm())).toBe(
      NOW + 2 * MINUTE,
    );
  }
});
