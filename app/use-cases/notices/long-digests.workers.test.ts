// Digests with more events than an email lists (N-17).
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUsers, setUser, type TestUser } from "#tests/support/factories";
import { deliveryRows, drain, emptySpine, spineApp } from "#tests/support/notices";
import { makeHut } from "#tests/support/sessions";
import { instant, SECOND } from "~/domain/time";

beforeEach(emptySpine);

keepBystanders();

test("N-17 a digest lists a hundred events, and counts the others", async () => {
  const [busy, quiet, ann] = await makeUsers(3);
  const hut = await makeHut(busy, [busy, quiet, ann]);
  const { app, mails } = await spineApp();
  const say = async (user: TestUser, parent?: number) => {
    vi.setSystemTime(Date.now() + SECOND);
    const item = { content: "A text", parent_id: parent };
    const { body } = await callAs(user, "POST", `/challenges/${hut.slug}/posts`, { item });
    await drain({ ...app, now: instant(Date.now()) });
    return body.post.id as number;
  };
  for (const { id } of [busy, quiet]) {
    await setUser(id, { digest: "daily" });
    await db.insert(schema.noticeSettings).values({ userId: id, kind: "reply", channel: "mail", value: 1 });
  }
  const [busyPost, quietPost] = [await say(busy), await say(quiet)];
  for (const post of [busyPost, quietPost]) await say(ann, post);
  const [row] = (await deliveryRows()).filter(({ userId }) => userId === busy.id);
  if (!row) throw new Error("no digest");
  const [line] = (row.body as { lines: object[] }).lines;
  const lines = Array.from({ length: 99 }, () => line);
  await db.update(schema.deliveries).set({ body: { lines } }).where(eq(schema.deliveries.key, row.key));
  for (let n = 0; n < 3; n++) await say(ann, busyPost);
  await drain({ ...app, now: row.dueAt });
  const textTo = (user: TestUser) => mails.find(({ to }) => to === user.email)?.text ?? "";
  expect(textTo(busy).match(/replied to your post/g)).toHaveLength(100);
  expect(textTo(busy)).toContain("2 more events are in your notices.");
  expect(textTo(quiet).match(/replied to your post/g)).toHaveLength(1);
  expect(textTo(quiet)).not.toMatch(/more events? (is|are) in your notices/);
});

test("N-17 N-05 a digest whose lines are all over counts the others, but not for a person whom no line may reach", async () => {
  const [busy, quiet, deaf, ann] = await makeUsers(4);
  const hut = await makeHut(ann, [busy, quiet, deaf]);
  const { app, mails } = await spineApp();
  for (const { id } of [busy, quiet, deaf]) await setUser(id, { digest: "daily" });
  for (const { id } of [busy, quiet])
    await db
      .insert(schema.noticeSettings)
      .values({ userId: id, kind: "hut-session", channel: "mail", value: 1 });
  const over = {
    ...{ kind: "hut-session", subject: `hut:${hut.id}`, actorId: ann.id },
    body: { title: "Over", path: "/sessions/0", name: ann.username, session: 0 },
  };
  const lines = Array.from({ length: 100 }, () => over);
  const digest = { kind: "digest", subject: "", channel: "mail", state: "waiting" } as const;
  const bodies = [
    { userId: busy.id, body: { lines, rest: 30 } },
    { userId: quiet.id, body: { lines } },
    { userId: deaf.id, body: { lines, rest: 30 } },
  ];
  for (const { userId, body } of bodies)
    await db
      .insert(schema.deliveries)
      .values({ ...digest, userId, body, key: `${userId}:digest`, dueAt: app.now, at: app.now });
  await drain(app);
  expect(mails.map(({ to }) => to)).toEqual([busy.email]);
  expect(mails[0]?.text).toContain("\n\n30 events are in your notices.\n");
  expect((await deliveryRows()).map(({ userId, state, reason }) => [userId, state, reason])).toEqual([
    [busy.id, "sent", ""],
    [quiet.id, "dropped", "stale"],
    [deaf.id, "dropped", "stale"],
  ]);
});
