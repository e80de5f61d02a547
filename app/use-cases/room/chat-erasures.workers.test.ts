// The chat lines of an account: in its export, and erased from every room after its deletion.
import { createExecutionContext, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, makeUser, type TestUser, testApp } from "#tests/support/factories";
import { stubOf } from "#tests/support/rooms";
import { endSession, join, leave, makeSession, sayIn } from "#tests/support/sessions";
import { runCron } from "#workers/cron";
import { DAY, instant, MINUTE } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { exportRows } from "~/use-cases/export-rows.server";
import { eraseChats } from "./chat-erasures.server";

const say = async (user: TestUser, session: number, content: string): Promise<number> => {
  const { status, body: answer } = await sayIn(user, session, content);
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.message.seq;
};
/** A running session of the host with these people in it. */
async function startSession(host: TestUser, ...people: TestUser[]): Promise<number> {
  const { id } = await makeSession(host);
  for (const user of people) await join(user, id);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  return id;
}
const messagesOf = async (user: TestUser) => {
  const all = [];
  for await (const rows of exportRows(await appOf(user), "messages")) all.push(...rows);
  return all;
};
const storedIn = (id: number) =>
  runInDurableObject(stubOf(id), (_, { storage }) =>
    JSON.stringify([
      ...storage.sql.exec("SELECT * FROM lines"),
      ...storage.sql.exec("SELECT * FROM people"),
      ...storage.sql.exec("SELECT * FROM room"),
    ]),
  );
const countPendingErasures = () =>
  env.DB.prepare("SELECT count(*) FROM chat_erasures").first<number>("count(*)");
const makeDeletionDue = ({ id }: TestUser) =>
  env.DB.prepare("UPDATE users SET deletion_due_at = ? WHERE id = ?").bind(Date.now(), id).run();
const runNightlyCron = async () =>
  runCron({ cron: "17 3 * * *", scheduledTime: Date.now() + 15 * DAY }, env, createExecutionContext());

test("Q-40 the export contains every chat line of the user, also in sessions that the user left, and no others", async () => {
  const [host, user] = [await makeUser(), await makeUser()];
  const [stays, leaves] = [await startSession(host, user), await startSession(host, user)];
  const first = await say(user, stays, "Good morning");
  await say(host, stays, "Not yours");
  const edited = await say(user, leaves, "Typo");
  await callAs(user, "PATCH", `/api/sessions/${leaves}/messages/${edited}`, { content: "No typo" });
  const removed = await say(user, leaves, "Take that back");
  await callAs(user, "DELETE", `/api/sessions/${leaves}/messages/${removed}`);
  expect((await leave(user, leaves)).status).toBe(200);
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  const lineIn = (session: number, fields: object) => ({
    challenge_event_id: session,
    messageable_type: "challenge_event",
    messageable_id: session,
    username: user.username,
    nonce: expect.any(String),
    client_uuid: null,
    is_removed: 0,
    created_at: at,
    edited_at: null,
    ...fields,
  });
  expect(await messagesOf(user)).toEqual([
    lineIn(stays, { seq: first, content: "Good morning" }),
    lineIn(leaves, { seq: edited, content: "No typo", edited_at: at }),
  ]);
});

test("J-12 Q-40 Q-41 a line shown on all screens is exported and erased, though the admin who showed it has left", async () => {
  const [host, admin] = [await makeUser(), await makeUser()];
  const [id, deleted] = [await startSession(host, admin), await startSession(host, admin)];
  const show = (user: TestUser, session: number, content: string) =>
    callAs(user, "PUT", `/api/sessions/${session}/line`, { content });
  for (const session of [id, deleted]) {
    await callAs(host, "PATCH", `/challenge-events/${session}/participants/${admin.username}`, { role: 1 });
    expect((await show(admin, session, "Shown by the admin")).status).toBe(200);
    expect((await leave(admin, session)).status).toBe(200);
    expect((await show(host, session, "Shown by the host")).status).toBe(200);
    vi.setSystemTime(Date.now() + MINUTE);
    expect((await endSession(host, session)).status).toBe(200);
  }
  // The attendance outlives its session.
  await env.DB.prepare("DELETE FROM sessions WHERE id = ?").bind(deleted).run();
  expect((await messagesOf(admin)).map(({ content }) => content)).toEqual(["Shown by the admin"]);
  await makeDeletionDue(admin);
  await runNightlyCron();
  expect(await storedIn(id)).not.toContain("Shown by the admin");
  expect(await storedIn(id)).toContain("Shown by the host");
});

test("Q-41 a deleted account's lines are erased from every room, and its name is deleted.{id}", async () => {
  const [host, user] = [await makeUser(), await makeUser()];
  const [stays, leaves] = [await startSession(host, user), await startSession(host, user)];
  await say(user, stays, "Quillfeather");
  await say(host, stays, "Hostwords");
  await say(user, leaves, "Marrowstone");
  await callAs(user, "POST", `/challenge-events/${stays}/logs`, { title: "Secretlog", amount: 2 });
  await leave(user, leaves);
  expect(await storedIn(stays)).toContain("Quillfeather");
  await makeDeletionDue(user);
  const reports = await runNightlyCron();
  expect(reports.find(({ job }) => job === "erase-chats")).toMatchObject({
    ok: true,
    did: { erased: 2, failed: 0 },
  });
  for (const id of [stays, leaves]) {
    const stored = await storedIn(id);
    expect(stored).not.toMatch(/Quillfeather|Marrowstone|Secretlog/);
    expect(stored).not.toContain(user.username);
    expect(stored).toContain(`deleted.${user.id}`);
  }
  const { messages } = await dataOf(host, `/api/sessions/${stays}/chat`);
  expect(messages.map(({ content }: { content: string }) => content)).toEqual(["", "Hostwords"]);
  expect(await countPendingErasures()).toBe(0);
});

test("Q-41 a room that holds nothing but logs of a deleted account loses their text too", async () => {
  const [host, user] = [await makeUser(), await makeUser()];
  const logged = await startSession(host, user);
  await callAs(user, "POST", `/challenge-events/${logged}/logs`, { title: "Secretlog", amount: 2 });
  await leave(user, logged);
  expect(await storedIn(logged)).toContain("Secretlog");
  await makeDeletionDue(user);
  await runNightlyCron();
  expect(await storedIn(logged)).not.toContain("Secretlog");
  expect(await countPendingErasures()).toBe(0);
});

test("Q-41 a failing room is retried the next night, and blocks no other", async () => {
  const [host, user] = [await makeUser(), await makeUser()];
  const [broken, fine] = [await startSession(host, user), await startSession(host, user)];
  for (const id of [broken, fine]) await say(user, id, "Candlewick");
  const consoleError = vi.spyOn(console, "error").mockImplementation(() => {});
  await makeDeletionDue(user);
  const app = await testApp({ now: instant(Date.now() + 15 * DAY) });
  await deleteDueAccounts(app);
  expect(await countPendingErasures()).toBe(2);
  const failing = {
    ...app,
    rooms: {
      ...app.rooms,
      of: (id: number) => ({
        ...app.rooms.of(id),
        ...(id === broken ? { eraseAuthor: () => Promise.reject(new Error("no room")) } : {}),
      }),
    },
  };
  expect(await eraseChats(failing)).toEqual({ erased: 1, failed: 1 });
  expect(consoleError).toHaveBeenCalled();
  consoleError.mockRestore();
  expect([
    (await storedIn(broken)).includes("Candlewick"),
    (await storedIn(fine)).includes("Candlewick"),
  ]).toEqual([true, false]);
  expect(await eraseChats(app)).toEqual({ erased: 1, failed: 0 });
  expect(await storedIn(broken)).not.toContain("Candlewick");
  expect(await countPendingErasures()).toBe(0);
});
