// Notices of two people once one of them has blocked the other.
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUsers, type TestUser, testApp } from "#tests/support/factories";
import { drain, emptySpine, eventRows, noticeRows, spineApp } from "#tests/support/notices";
import { join, makeHut, makeSession } from "#tests/support/sessions";
import { writeNotice } from "~/domain/notices/texts";
import { HOUR, SECOND } from "~/domain/time";
import { fanOut } from "./events.server";

beforeEach(emptySpine);

keepBystanders();

test("Q-11 a block deletes the notices of the two about each other, and a merged one keeps the other people in it", async () => {
  const [author, ann, ben] = await makeUsers(3);
  const hut = await makeHut(author, [author, ann, ben]);
  const say = async (user: TestUser, content: string, parent?: number) => {
    vi.setSystemTime(Date.now() + SECOND);
    const item = { content, parent_id: parent };
    const { body } = await callAs(user, "POST", `/challenges/${hut.slug}/posts`, { item });
    await drain(await testApp());
    return body.post.id as number;
  };
  const noticesOf = async (user: TestUser) => {
    const rows = (await noticeRows()).filter(({ userId }) => userId === user.id);
    const users = await db.select().from(schema.users);
    expect(users.find(({ id }) => id === user.id)?.unreadNotices).toBe(rows.length);
    return rows.map(({ body, merged }) => [(body as { by: number }).by, merged]);
  };
  const question = await say(author, "A question");
  await say(author, "An answer", await say(ann, "Another question"));
  for (const user of [ann, ben]) await say(user, "An answer", question);
  expect(await noticesOf(author)).toEqual([[ann.id, 1]]);
  const fromBen = [ben.id, 0];
  expect(await noticesOf(ann)).toEqual([[author.id, 0], fromBen]);

  expect((await callAs(author, "PUT", `/api/blocks/${ann.username}`, {})).status).toBe(204);
  expect(await noticesOf(author)).toEqual([fromBen]);
  expect(await noticesOf(ann)).toEqual([fromBen]);
  expect((await callAs(ben, "PUT", `/api/blocks/${author.username}`, {})).status).toBe(204);
  expect(await noticesOf(author)).toEqual([]);
});

test("Q-11 R-65 a block hides no change of a session in which the person has a seat", async () => {
  const [host, guest] = await makeUsers(2);
  const start = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
  const { id } = await makeSession(host, { is_manually_started: 0, started_at: start(24) });
  await join(guest, id);
  expect((await callAs(guest, "PUT", `/api/blocks/${host.username}`, {})).status).toBe(204);
  const moved = { challenge: { started_at: start(26) } };
  expect((await callAs(host, "PATCH", `/challenge-events/${id}/patch`, moved)).status).toBe(200);
  await drain(await testApp());
  const kinds = (await noticeRows()).filter(({ userId }) => userId === guest.id).map(({ kind }) => kind);
  expect(kinds).toEqual(["session-moved"]);
});

test("N-25 Q-11 Q-12 a block takes the name out of the news of an early start, in the app and in mail that waits", async () => {
  const [host, guest, other] = await makeUsers(3);
  const started_at = new Date(Date.now() + 24 * HOUR).toISOString();
  const { id } = await makeSession(host, { title: "Pages", is_manually_started: 0, started_at });
  for (const user of [guest, other]) await join(user, id);
  await drain(await testApp());
  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  const { app, mails } = await spineApp();
  for (const event of await eventRows()) await fanOut(app, event.id);
  expect((await callAs(guest, "PUT", `/api/blocks/${host.username}`, {})).status).toBe(204);
  await drain(app);
  const begins = (name: string) => expect.stringContaining(`${name} has started Pages now instead of on `);
  const mailsTo = (user: TestUser) => mails.filter(({ to }) => to === user.email).map(({ text }) => text);
  expect(mailsTo(guest)).toEqual([begins("The host")]);
  expect(mailsTo(other)).toEqual([begins(host.username)]);
  const noticesOf = async (user: TestUser) =>
    (await noticeRows())
      .filter(({ userId }) => userId === user.id)
      .map((row) => [writeNotice(row, { timeZone: "UTC", locale: "en-GB" }).text, row.readAt]);
  expect(await noticesOf(guest)).toEqual([[begins("The host"), null]]);
  expect(await noticesOf(other)).toEqual([[begins(host.username), null]]);
  expect(JSON.stringify((await noticeRows()).filter(({ userId }) => userId === guest.id))).not.toContain(
    host.username,
  );
});
