// The forum of sessions and huts, through HTTP: permissions, prices, rows read.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { listPosts, listReplies } from "#db/queries/sessions/posts";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, makeUsers, NOW, type TestUser } from "#tests/support/factories";
import { deliveryRows, drain, emptySpine, eventRows, noticeRows, spineApp } from "#tests/support/notices";
import { balanceOf, join, makeActivity, makeHut, makeSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { SECOND } from "~/domain/time";
import { fanOut } from "~/use-cases/notices/events.server";
import { createPost, viewHutForum } from "./posts.server";

const post = (user: TestUser, slug: string, item: object, headers?: Record<string, string>) =>
  callAs(user, "POST", `/challenges/${slug}/posts`, { item }, headers);
const forum = async (user: TestUser | null, id: number, page = 1) =>
  dataOf(user, `/api/sessions/${id}/hut?page=${page}`);

test("C-58 E-16 V-10 B-05 a participant posts, title optional, for 0.01", async () => {
  const host = await makeUser();
  const session = await makeSession(host);
  const { status, body } = await post(host, session.slug, { content: "Hello, *all*." });
  expect(status).toBe(201);
  expect(body.post).toMatchObject({
    title: "",
    content: "Hello, *all*.",
    parent_id: null,
    username: host.username,
    is_owner: 1,
    replies: [],
  });
  expect(body.post.content_html).toContain("<em>all</em>");
  expect(body.post.created_at).toMatch(/Z$/);
  expect(await balanceOf(host)).toBe(899);
  const read = await forum(null, session.id);
  expect(read.posts).toMatchObject([{ content: "Hello, *all*.", is_owner: 0 }]);
  expect(read.session.posts).toEqual(read.posts);
});

test("C-58 a reply appears under its post, and a reply to a reply in the same thread", async () => {
  const host = await makeUser();
  const session = await makeSession(host);
  const first = (await post(host, session.slug, { title: "First", content: "One" })).body.post;
  const reply = (await post(host, session.slug, { content: "Two", parent_id: first.id })).body.post;
  const deeper = await post(host, session.slug, { content: "Three", parent_id: reply.id });
  expect(deeper.body.post.parent_id).toBe(first.id);
  await post(host, session.slug, { title: "Second", content: "Four" });
  const { posts } = await forum(host, session.id);
  expect(posts.map(({ content }: { content: string }) => content)).toEqual(["Four", "One"]);
  expect(posts[1].replies.map(({ content }: { content: string }) => content)).toEqual(["Two", "Three"]);
  const other = await makeSession(host, { title: "Elsewhere" });
  const strayed = await post(host, other.slug, { content: "Hm", parent_id: first.id });
  expect(strayed.body.fields.parent_id).toEqual(["The post you are replying to no longer exists."]);
});

describe("N-25 N-11 notices of replies", () => {
  const noticesOf = async (user: TestUser) =>
    (await dataOf(user, "/api/my/notices")).notices as {
      text: string;
      path: string;
    }[];
  const textsOf = async (user: TestUser) => (await noticesOf(user)).map(({ text }) => text);

  test("N-25 N-11 the author and earlier repliers hear of a reply, never its own author", async () => {
    await emptySpine();
    const [ann, ben, cas] = await makeUsers(3);
    const session = await makeSession(ann);
    for (const user of [ben, cas]) await join(user, session.id);
    const first = (await post(ann, session.slug, { content: "One" })).body.post;
    const reply = async (user: TestUser, content: string) => {
      vi.setSystemTime(Date.now() + SECOND);
      return (await post(user, session.slug, { content, parent_id: first.id })).body.post;
    };
    const { id } = await reply(ben, "Two");
    const linkTo = (post: number) => `/sessions/${session.id}/hut?after=1~${first.id + 1}#post-${post}`;
    await drain((await spineApp()).app);
    expect(await noticesOf(ann)).toMatchObject([
      { text: `${ben.username} replied to your post.`, path: linkTo(id) },
    ]);
    expect((await visit(ann, linkTo(id))).html).toContain(`id="post-${id}"`);
    expect(await noticesOf(ben)).toEqual([]);
    await reply(cas, "Three");
    const newest = await reply(ben, "Four");
    await reply(ann, "Five");
    await drain((await spineApp()).app);
    expect(await noticesOf(ann)).toMatchObject([
      {
        text: `${ben.username} and 1 other replied to your post.`,
        path: linkTo(newest.id),
      },
    ]);
    expect(await textsOf(ben)).toEqual([
      `${cas.username} and 1 other replied to a post that you replied to.`,
    ]);
    expect(await textsOf(cas)).toEqual([
      `${ben.username} and 1 other replied to a post that you replied to.`,
    ]);
  });

  test("N-25 N-01 a post, and a reply that nobody hears of, write no event", async () => {
    await emptySpine();
    const host = await makeUser();
    const session = await makeSession(host);
    const first = (await post(host, session.slug, { content: "One" })).body.post;
    await post(host, session.slug, { content: "Two", parent_id: first.id });
    expect(await eventRows()).toEqual([]);
  });

  test("N-25 Q-11 R-16 a blocked person, a former member and an opted-out person hear nothing", async () => {
    await emptySpine();
    const [owner, blocker, gone, mute] = await makeUsers(4);
    const hut = await makeHut(owner, [blocker, gone, mute]);
    await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
    const first = (await post(owner, hut.slug, { content: "One" })).body.post;
    for (const user of [blocker, gone, mute])
      await post(user, hut.slug, { content: user.username, parent_id: first.id });
    await callAs(blocker, "PUT", `/api/blocks/${owner.username}`);
    await callAs(gone, "DELETE", `/groups/${hut.slug}/leave`);
    await callAs(mute, "PATCH", "/account/notifications", {
      settings: [{ kind: "reply", channel: "app", value: 0 }],
    });
    await drain((await spineApp()).app);
    await db.delete(schema.notices);
    await post(owner, hut.slug, { content: "Two", parent_id: first.id });
    await drain((await spineApp()).app);
    expect(await noticeRows()).toEqual([]);
  });

  test("N-25 N-05 a reply that is removed, or that a person may not read any more, sends nothing", async () => {
    await emptySpine();
    const [owner, ann, ben] = await makeUsers(3);
    const hut = await makeHut(owner, [ann, ben]);
    const first = (await post(ann, hut.slug, { content: "One" })).body.post;
    const reply = async () =>
      (await post(ben, hut.slug, { content: "Two", parent_id: first.id })).body.post as { id: number };
    const { app, mails } = await spineApp();
    await callAs(ann, "PATCH", "/account/notifications", {
      settings: [{ kind: "reply", channel: "mail", value: 1 }],
    });
    const removed = await reply();
    await callAs(ben, "DELETE", `/api/posts/${removed.id}`);
    await drain(app);
    expect(await noticeRows()).toEqual([]);
    // Between the fan-out and the email.
    await reply();
    for (const { id } of await eventRows()) await fanOut(app, id);
    await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
    await db.delete(schema.hutMembers).where(eq(schema.hutMembers.userId, ann.id));
    await drain(app);
    expect(mails).toEqual([]);
    expect(await deliveryRows()).toMatchObject([{ state: "dropped", reason: "unreadable" }]);
  });
});

test("N-26 a post mentions people who may read it, and nobody twice for one post", async () => {
  await emptySpine();
  const [ann, ben, cas, eve] = await makeUsers(4);
  const hut = await makeHut(ann, [ben, cas]);
  await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
  const at = (user: TestUser) => `@${user.username}`;
  const first = (await post(ann, hut.slug, { content: `Hello ${at(ben)}, ${at(eve)} and ${at(ann)}` })).body
    .post;
  await post(ben, hut.slug, { content: `Hi ${at(ann)}, ask ${at(cas)}`, parent_id: first.id });
  await post(cas, hut.slug, { content: "No name" });
  await drain((await spineApp()).app);
  const heard = (await noticeRows()).map(({ userId, kind }) => [userId, kind]).sort();
  expect(heard).toEqual(
    [
      [ben.id, "mention"],
      [ann.id, "reply"],
      [cas.id, "mention"],
    ].sort(),
  );
  const [notice] = (await dataOf(ben, "/api/my/notices")).notices;
  expect(notice).toMatchObject({
    text: `${ann.username} mentioned you in Hut.`,
    path: `/group/${hut.slug}/forum#post-${first.id}`,
  });
});

test("N-26 N-02 mentions in two posts of the same instant are two deliveries", async () => {
  await emptySpine();
  const [ann, ben] = [await makeUser(), await makeUser()];
  const hut = await makeHut(ann, [ben]);
  await db
    .insert(schema.noticeSettings)
    .values({ userId: ben.id, kind: "mention", channel: "mail", value: 1 });
  const app = await appOf(ann);
  for (const _ of [1, 2]) await createPost(app, { hut: hut.slug, content: `Hello @${ben.username}` });
  await drain((await spineApp()).app);
  expect(await deliveryRows()).toHaveLength(2);
});

/** The people who hear of a mention, in the order of `among`. */
const mentioned = async (among: TestUser[]) => {
  await drain((await spineApp()).app);
  const heard = (await noticeRows()).filter(({ kind }) => kind === "mention").map(({ userId }) => userId);
  return among.map(({ id }) => heard.includes(id));
};

test("N-26 with a join code a post mentions people with a seat, and no block lies between them", async () => {
  await emptySpine();
  const [host, guest, blocker, stranger] = await makeUsers(4);
  const session = await makeSession(host, { join_code: "lamp" });
  for (const user of [guest, blocker]) await join(user, session.id, "lamp");
  await callAs(blocker, "PUT", `/api/blocks/${host.username}`);
  const people = [guest, blocker, stranger];
  const content = people.map(({ username }) => `@${username}`).join(" ");
  expect((await post(host, session.slug, { content })).status).toBe(201);
  expect(await mentioned(people)).toEqual([true, false, false]);
});

test("N-26 a person without notices of replies in the app hears of a mention in a reply", async () => {
  await emptySpine();
  const [ann, ben] = [await makeUser(), await makeUser()];
  const hut = await makeHut(ann, [ben]);
  const first = (await post(ann, hut.slug, { content: "Hello" })).body.post;
  const reply = () => post(ben, hut.slug, { content: `Hi @${ann.username}`, parent_id: first.id });
  await reply();
  expect(await mentioned([ann])).toEqual([false]);
  await db.insert(schema.noticeSettings).values({ userId: ann.id, kind: "reply", channel: "app", value: 0 });
  await reply();
  expect(await mentioned([ann])).toEqual([true]);
});

describe("R-16 writing and reading", () => {
  test("R-16 participants write a session's forum, and with a join code only they read it", async () => {
    const [host, guest, stranger] = await makeUsers(3);
    const session = await makeSession(host, { join_code: "lamp" });
    await post(host, session.slug, { content: "Inside" });
    expect((await post(stranger, session.slug, { content: "x" })).status).toBe(403);
    expect((await forum(stranger, session.id)).posts).toEqual([]);
    expect((await forum(null, session.id)).session.me.may_read).toBe(0);
    await join(guest, session.id, "lamp");
    expect((await forum(guest, session.id)).posts).toHaveLength(1);
    expect((await forum(await makeUser({ roleId: 10 }), session.id)).posts).toHaveLength(1);
    expect((await post(guest, session.slug, { content: "Me too" })).status).toBe(201);
  });

  test("R-16 everybody reads a hut's forum, and members write it", async () => {
    const [owner, member, stranger] = await makeUsers(3);
    const hut = await makeHut(owner, [member]);
    expect((await post(member, hut.slug, { content: "From a member" })).status).toBe(201);
    expect((await post(owner, hut.slug, { content: "From the owner" })).status).toBe(201);
    expect((await post(stranger, hut.slug, { content: "x" })).status).toBe(403);
    const seen = await viewHutForum(await appOf(stranger), { hut: hut.slug, page: 1 });
    expect([seen.posts.map(({ content }) => content), seen.mayPost]).toEqual([
      ["From the owner", "From a member"],
      false,
    ]);
  });

  test("X-08 an activity has no forum, and an unknown slug is not found", async () => {
    const owner = await makeUser();
    const activity = await makeActivity(owner);
    expect((await post(owner, activity.slug, { content: "x" })).status).toBe(404);
    expect((await post(owner, "no-such-thing", { content: "x" })).status).toBe(404);
  });
});

test("C-58 an empty post costs nothing, and without tokens nothing is posted", async () => {
  const host = await makeUser({ tokens: 100 });
  const session = await makeSession(host);
  for (const [item, sentence] of [
    [{ content: "  " }, "Please write something."],
    [{ title: "Only a title" }, "Please write something."],
  ] as const) {
    const { status, body } = await post(host, session.slug, item);
    expect([status, body.fields.content]).toEqual([422, [sentence]]);
  }
  const refused = await post(host, session.slug, { content: "x" });
  expect([refused.status, refused.body.error_code]).toEqual([402, "INSUFFICIENT_TOKENS"]);
  expect((await forum(host, session.id)).posts).toEqual([]);
});

test("C-05 any page of a long forum reads in proportion to its size", async () => {
  const host = await makeUser();
  const session = await makeSession(host);
  const rows = Array.from({ length: 200 }, (_, index) => ({
    sessionId: session.id,
    userId: host.id,
    username: host.username,
    content: `Post ${index + 1}`,
    createdAt: NOW,
    updatedAt: NOW,
  }));
  for (let from = 0; from < rows.length; from += 8)
    await db.insert(schema.posts).values(rows.slice(from, from + 8));
  const [deep] = await db.select().from(schema.posts).where(eq(schema.posts.content, "Post 20"));
  await post(host, session.slug, { content: "Deep answer", parent_id: deep?.id });
  const page = await forum(host, session.id, 16);
  expect(page.posts[0].content).toBe("Post 20");
  expect(page.posts[0].replies).toHaveLength(1);
  expect(page).toMatchObject({ page: 16, per_page: 12, has_next: 1 });
  const at = { page: 16, perPage: 12, after: String((deep?.id ?? 0) + 1) };
  for (const query of [
    listPosts(db, { sessionId: session.id }, 0, at),
    listReplies(db, { sessionId: session.id }, 0, at, { perThread: 41, before: undefined }),
  ]) {
    const { sql, params } = query.toSQL();
    const { meta } = await env.DB.prepare(sql)
      .bind(...params)
      .all();
    expect(meta.rows_read).toBeLessThanOrEqual(13 * 2 + 6);
  }
});

test("C-58 P-35 each thread of a forum shows its newest replies, and leads to the earlier ones", async () => {
  const host = await makeUser();
  const session = await makeSession(host);
  const { id: parentId } = (await post(host, session.slug, { content: "Ask me" })).body.post;
  const reply = env.DB.prepare(
    "INSERT INTO posts (session_id, user_id, username, parent_id, content, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, 'Yes', ?5, ?5)",
  ).bind(session.id, host.id, host.username, parentId, NOW);
  await env.DB.batch(Array.from({ length: 100 }, () => reply));
  const newer = (await post(host, session.slug, { content: "And me" })).body.post.id;
  const late = (await post(host, session.slug, { content: "Late", parent_id: parentId })).body.post.id;
  const beside = (await post(host, session.slug, { content: "Beside", parent_id: newer })).body.post.id;
  const read = async (query: string) =>
    (await dataOf(null, `/api/sessions/${session.id}/hut?${query}`)).posts as {
      id: number;
      replies: { id: number }[];
      earlier_replies: number | null;
    }[];
  const [, busy] = await read("");
  expect([busy?.replies.length, busy?.replies.at(-1)?.id]).toEqual([41, late]);
  const seenIds = new Set(busy?.replies.map(({ id }) => id));
  let earlier = busy?.earlier_replies ?? null;
  for (const count of [41, 19]) {
    expect(earlier).toBe(Math.min(...seenIds));
    const [other, thread] = await read(`earlier=${earlier}`);
    expect(other).toMatchObject({ id: newer, replies: [{ id: beside }], earlier_replies: null });
    expect(thread?.replies).toHaveLength(count);
    for (const { id } of thread?.replies ?? []) seenIds.add(id);
    earlier = thread?.earlier_replies ?? null;
  }
  expect([earlier, seenIds.size]).toEqual([null, 101]);

  const page = await visit(null, `/sessions/${session.id}/hut`);
  const link = (await page.links())["Earlier answers"] ?? "";
  expect(link).toContain(`?after=1~${parentId + 1}&earlier=${busy?.earlier_replies}#post-${parentId}`);
  const older = await visit(
    null,
    `/sessions/${session.id}/hut${link.slice(link.indexOf("?"), link.indexOf("#"))}`,
  );
  expect(Object.keys(await older.links())).toEqual(
    expect.arrayContaining(["Earlier answers", "Newest answers"]),
  );
  expect(older.html).not.toContain(`post-${late}"`);
});

test("N-26 a name in code or a quote hears nothing, and a name that an edit adds does, once", async () => {
  await emptySpine();
  const [ann, ben, cas, dan] = await makeUsers(4);
  const hut = await makeHut(ann, [ben, cas, dan]);
  await db
    .insert(schema.noticeSettings)
    .values({ userId: cas.id, kind: "mention", channel: "mail", value: 1 });
  const at = (user: TestUser) => `@${user.username}`;
  const content = `> ${at(ben)} said\n\nsee \`${at(cas)}\``;
  const { body } = await post(ann, hut.slug, { content });
  expect(await mentioned([ben, cas, dan])).toEqual([false, false, false]);

  const edit = (text: string) => callAs(ann, "PATCH", `/api/posts/${body.post.id}`, { content: text });
  expect((await edit(`${content} and ${at(cas)}`)).status).toBe(200);
  expect(await mentioned([ben, cas, dan])).toEqual([false, true, false]);
  const [notice] = (await dataOf(cas, "/api/my/notices")).notices;
  expect(notice).toMatchObject({
    text: `${ann.username} mentioned you in Hut.`,
    path: `/group/${hut.slug}/forum#post-${body.post.id}`,
  });
  for (const text of [`${content} and ${at(cas)}!`, content, `${content} and ${at(cas)}`])
    expect((await edit(text)).status).toBe(200);
  await drain((await spineApp()).app);
  expect((await noticeRows()).map(({ userId }) => userId)).toEqual([cas.id]);
  expect(await deliveryRows()).toHaveLength(1);
});

test("N-26 a reply that an edit adds a name to leads to its place in the thread", async () => {
  await emptySpine();
  const [ann, ben, cas] = await makeUsers(3);
  const hut = await makeHut(ann, [ben, cas]);
  const first = (await post(ann, hut.slug, { content: "First" })).body.post;
  const reply = (await post(ben, hut.slug, { content: "Second", parent_id: first.id })).body.post;
  await callAs(ben, "PATCH", `/api/posts/${reply.id}`, { content: `Second @${cas.username}` });
  expect(await mentioned([cas])).toEqual([true]);
  const [notice] = (await dataOf(cas, "/api/my/notices")).notices;
  expect(notice.path).toBe(`/group/${hut.slug}/forum?after=1~${first.id + 1}#post-${reply.id}`);
});
