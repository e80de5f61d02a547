// Editing and removing posts, through HTTP.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { balanceOf, join, makeHut, makeSession } from "#tests/support/sessions";
import { post as postForm, visit } from "#tests/support/visit";
import { instant, MINUTE } from "~/domain/time";
import { editPost, removePost } from "./posts.server";

const say = async (user: TestUser, slug: string, item: object) =>
  (await callAs(user, "POST", `/challenges/${slug}/posts`, { item })).body.post;
const edit = (user: TestUser | null, id: number, item: object) =>
  callAs(user, "PATCH", `/api/posts/${id}`, { item });
const remove = (user: TestUser | null, id: number) => callAs(user, "DELETE", `/api/posts/${id}`);
const rowOf = async (id: number) => (await db.select().from(schema.posts).where(eq(schema.posts.id, id)))[0];

test("Q-19 the author edits a post, which is marked as edited", async () => {
  const host = await makeUser();
  const session = await makeSession(host);
  const made = await say(host, session.slug, { title: "First", content: "One" });
  expect(made.edited_at).toBeNull();
  const { status, body } = await edit(host, made.id, { title: "Second", content: "*Two*" });
  expect(status).toBe(200);
  expect(body.post).toMatchObject({ title: "Second", content: "*Two*", is_owner: 1, is_removed: 0 });
  expect(body.post.edited_at).toMatch(/Z$/);
  expect(body.post.content_html).toContain("<em>Two</em>");
  expect((await edit(host, made.id, { content: "Three" })).body.post.title).toBe("Second");
  expect((await edit(host, made.id, { content: " " })).body.fields).toEqual({
    content: ["Please write something."],
  });
  const page = await visit(null, `/sessions/${session.id}/hut`);
  expect((await page.texts("article"))[0]).toContain("· edited");
});

test("Q-19 after 15 minutes editing answers CONFLICT", async () => {
  const host = await makeUser();
  const session = await makeSession(host);
  const { id } = await say(host, session.slug, { content: "One" });
  const createdAt = (await rowOf(id))?.createdAt ?? 0;
  const app = (ms: number) => appOf(host, instant(createdAt + ms));
  await editPost(await app(15 * MINUTE - 1), { post: id, content: "Two" });
  await expect(editPost(await app(15 * MINUTE), { post: id, content: "Three" })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "A post can be edited for 15 minutes.",
  });
  expect((await rowOf(id))?.content).toBe("Two");
});

test("Q-20 a removed post keeps its place and replies, without its text", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const session = await makeSession(host);
  await join(guest, session.id);
  const first = await say(guest, session.slug, { title: "Secret", content: "Secret words" });
  const reply = await say(host, session.slug, { content: "A reply", parent_id: first.id });
  const before = await balanceOf(guest);
  expect((await remove(host, first.id)).status).toBe(204);
  expect((await remove(host, first.id)).status).toBe(204);
  expect(await balanceOf(guest)).toBe(before);
  const row = await rowOf(first.id);
  expect(row).toMatchObject({ title: "", content: "", contentHtml: "", summary: "", userId: guest.id });
  const { posts } = await dataOf(host, `/api/sessions/${session.id}/hut`);
  expect(posts).toMatchObject([
    { id: first.id, content: "", title: "", is_removed: 1, replies: [{ id: reply.id, content: "A reply" }] },
  ]);
  const page = await visit(host, `/sessions/${session.id}/hut`);
  const [thread = ""] = await page.texts("article");
  expect(thread).toContain("This post was removed.");
  expect(thread).toContain("A reply");
  expect(page.html).not.toContain("Secret");
  expect((await edit(guest, first.id, { content: "Back" })).status).toBe(404);
  const late = await callAs(host, "POST", `/challenges/${session.slug}/posts`, {
    item: { content: "Late", parent_id: first.id },
  });
  expect(late.body.fields.parent_id).toEqual(["The post you are replying to no longer exists."]);
});

test("Q-20 the author removes a post at any time, the hut's owner any post, a member no post of others", async () => {
  const [owner, member, other] = await makeUsers(3);
  const hut = await makeHut(owner, [owner, member, other]);
  const [mine, theirs] = [
    await say(member, hut.slug, { content: "Mine" }),
    await say(member, hut.slug, { content: "Theirs" }),
  ];
  expect((await remove(other, mine.id)).body.error_code).toBe("FORBIDDEN");
  await removePost(await appOf(member, instant(Date.now() + 400 * 24 * 60 * MINUTE)), { post: mine.id });
  expect((await remove(owner, theirs.id)).status).toBe(204);
  expect((await rowOf(mine.id))?.content).toBe("");
});

test("Q-20 Q-26 a moderator removes the posts of others, and edits none", async () => {
  const [owner, moderator, member] = await makeUsers(3);
  const hut = await makeHut(owner, [moderator, member]);
  const path = `/groups/${hut.slug}/members/${moderator.username}`;
  expect((await callAs(owner, "PATCH", path, { role: 1 })).status).toBe(200);
  const theirs = await say(member, hut.slug, { content: "Theirs" });
  expect((await edit(moderator, theirs.id, { content: "Mine now" })).body.error_code).toBe("FORBIDDEN");
  expect((await remove(moderator, theirs.id)).status).toBe(204);
  expect((await rowOf(theirs.id))?.content).toBe("");
});

test("Q-19 Q-20 the menu's forms edit and remove without JavaScript", async () => {
  const host = await makeUser();
  const session = await makeSession(host);
  const { id } = await say(host, session.slug, { content: "One" });
  const path = `/sessions/${session.id}/hut`;
  const editing = await visit(host, `${path}?edit=${id}`);
  expect(await editing.all('form[aria-label="Edit post"]')).toHaveLength(1);
  const saved = await postForm(host, `${path}?edit=${id}`, {
    intent: "post.edit",
    post: String(id),
    content: "Two",
  });
  expect([saved.status, saved.location]).toEqual([302, path]);
  expect((await rowOf(id))?.content).toBe("Two");
  await postForm(host, path, { intent: "post.remove", post: String(id) });
  expect((await rowOf(id))?.removedAt).not.toBeNull();
  expect(await (await visit(host, path)).all('summary[aria-label^="More for"]')).toEqual([]);
});
