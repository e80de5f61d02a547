// Notices of posts that are removed, or deleted with their place (N-11, N-25).
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUsers, reload, type TestUser } from "#tests/support/factories";
import { join, makeSession } from "#tests/support/sessions";
import { fanOut } from "./events.server";

beforeEach(async () => {
  await db.delete(schema.notices);
});

/** Fans out every event that waits. */
async function fanOutAll(user: TestUser): Promise<void> {
  const app = await appOf(user);
  for (const { id } of await db.select({ id: schema.events.id }).from(schema.events)) await fanOut(app, id);
}
/** Each post is a second later, because events are ordered by their instants. */
async function write(user: TestUser, slug: string, content: string, parent?: number): Promise<number> {
  vi.setSystemTime(Date.now() + 1000);
  const item = { content, ...(parent === undefined ? {} : { parent_id: parent }) };
  const { status, body } = await callAs(user, "POST", `/challenges/${slug}/posts`, { item });
  expect(status, JSON.stringify(body)).toBe(201);
  await fanOutAll(user);
  return body.post.id;
}
const remove = (user: TestUser, post: number) => callAs(user, "DELETE", `/api/posts/${post}`);
const heardBy = async (user: TestUser) => {
  const { notices } = await dataOf(user, "/api/my/notices");
  return (notices as { text: string; path: string }[]).map(({ text, path }) => [
    text.replace(/[\u2066-\u2069]/g, ""),
    Number(path.split("#post-")[1]),
  ]);
};
const unread = async (user: TestUser) => (await reload(user))?.unreadNotices;

async function place() {
  const [host, ada, ben, bystander] = await makeUsers(4);
  const { slug, id } = await makeSession(host);
  await join(ada, id);
  await join(ben, id);
  const thread = await write(host, slug, "Who brings tea?");
  return { host, ada, ben, bystander, slug, id, thread };
}

keepBystanders();

test("N-25 a removed reply withdraws its notice, and the next reply's leads to that one", async () => {
  const { host, ada, slug, thread } = await place();
  const first = await write(ada, slug, "Me", thread);
  expect(await heardBy(host)).toEqual([[`${ada.username} replied to your post.`, first]]);
  await remove(ada, first);
  expect([await heardBy(host), await unread(host)]).toEqual([[], 0]);
  const second = await write(ada, slug, "I do", thread);
  expect(await heardBy(host)).toEqual([[`${ada.username} replied to your post.`, second]]);
  expect(await unread(host)).toBe(1);
});

test("N-11 a merged notice leads to the newest reply, and stays for the others when one is removed", async () => {
  const { host, ada, ben, slug, thread } = await place();
  const first = await write(ada, slug, "Me", thread);
  const again = await write(ada, slug, "And milk", thread);
  expect(await heardBy(host)).toEqual([[`${ada.username} replied to your post.`, again]]);
  const newest = await write(ben, slug, "Me too", thread);
  expect(await heardBy(host)).toEqual([[`${ada.username} and 1 other replied to your post.`, newest]]);
  await remove(ben, newest);
  expect(await heardBy(host)).toEqual([[`${ada.username} replied to your post.`, again]]);
  const later = await write(ben, slug, "After all", thread);
  for (const post of [again, first]) await remove(ada, post);
  expect(await heardBy(host)).toEqual([[`${ben.username} replied to your post.`, later]]);
  expect(await unread(host)).toBe(1);
});

test("N-11 a person's notice stays for each reply of theirs that is left", async () => {
  const { host, ada, ben, slug, thread } = await place();
  const first = await write(ada, slug, "Me", thread);
  const second = await write(ada, slug, "And milk", thread);
  await remove(ada, second);
  expect(await heardBy(host)).toEqual([[`${ada.username} replied to your post.`, first]]);
  const third = await write(ben, slug, "Me too", thread);
  const fourth = await write(ben, slug, "And sugar", thread);
  const both = `${ada.username} and 1 other replied to your post.`;
  expect(await heardBy(host)).toEqual([[both, fourth]]);
  await remove(ben, fourth);
  expect(await heardBy(host)).toEqual([[both, third]]);
  await remove(ada, first);
  expect(await heardBy(host)).toEqual([[`${ben.username} replied to your post.`, third]]);
  expect(await unread(host)).toBe(1);
  await remove(ben, third);
  expect([await heardBy(host), await unread(host)]).toEqual([[], 0]);
});

test("N-26 a deleted session withdraws the mentions in its forum, and those of another stay", async () => {
  const { host, ada, bystander, slug, id } = await place();
  const elsewhere = await makeSession(bystander);
  await write(host, slug, `@${ada.username} come along`);
  const other = await write(bystander, elsewhere.slug, `@${ada.username} come here`);
  expect(await unread(ada)).toBe(2);
  expect((await callAs(host, "DELETE", `/challenges/${slug}`)).status).toBe(204);
  expect((await heardBy(ada)).map(([, post]) => post)).toEqual([other]);
  expect(await unread(ada)).toBe(1);
  const rows = await db.select().from(schema.posts).where(eq(schema.posts.sessionId, id));
  expect(rows).toEqual([]);
});
