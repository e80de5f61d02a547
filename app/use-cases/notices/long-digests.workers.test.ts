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
  expect(textTo(busy)).toContain("And 2 more in your notices.");
  expect(textTo(quiet).match(/replied to your post/g)).toHaveLength(1);
  expect(textTo(quiet)).not.toContain("more in your notices");
});
