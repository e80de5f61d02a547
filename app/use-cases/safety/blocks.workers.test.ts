// Blocks by call and by form, and the lists that apply them: forums, logs, member goals, exports.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { runBatch } from "#db/connect.server";
import { eraseAccount } from "#db/queries/accounts/deletion";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, NOW, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makeSession } from "#tests/support/rooms";
import { makeHut, makePost } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { instant } from "~/domain/time";
import { addPerson } from "~/use-cases/accounts/persons.server";

const block = (user: TestUser, name: string) => callAs(user, "PUT", `/api/blocks/${name}`);
const unblock = (user: TestUser, name: string) => callAs(user, "DELETE", `/api/blocks/${name}`);
const rowsOf = async (user: TestUser): Promise<number> =>
  Number(await env.DB.prepare("SELECT count(*) AS n FROM blocks WHERE user_id = ?").bind(user.id).first("n"));

keepBystanders();

test("Q-10 blocking and unblocking answer 204 and may be repeated", async () => {
  const [user, other] = await makeUsers(2);
  for (const expected of [1, 1]) {
    expect((await block(user, other.username.toUpperCase())).status).toBe(204);
    expect(await rowsOf(user)).toBe(expected);
  }
  for (const _ of [1, 2]) expect((await unblock(user, other.username)).status).toBe(204);
  expect(await rowsOf(user)).toBe(0);
});

test("Q-10 nobody blocks themselves or a name that nobody has", async () => {
  const user = await makeUser();
  const { body, status } = await block(user, user.username);
  expect([status, body.error_code, body.message]).toEqual([422, "INVALID", "You cannot block yourself."]);
  const alias = await addPerson(await appOf(user), { username: `alias-${user.id}` });
  expect((await block(user, alias.username)).body.error_code).toBe("INVALID");
  expect((await block(user, "nobody-at-all")).body.error_code).toBe("NOT_FOUND");
});

test("Q-10 a user has at most 500 blocks", async () => {
  const [user, other] = await makeUsers(2);
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
       INSERT INTO users (email, username, password_hash, created_at, updated_at)
       SELECT 'many' || i || '@example.com', 'many-' || i, 'none', 1, 1 FROM n`,
    ),
    env.DB.prepare(
      "INSERT INTO blocks SELECT ?, id, 1, 1 FROM users WHERE username LIKE 'many-%' LIMIT 499",
    ).bind(user.id),
  ]);
  expect((await block(user, other.username)).status).toBe(204);
  const third = await makeUser();
  const { body } = await block(user, third.username);
  expect([body.error_code, body.message]).toEqual(["INVALID", "You can block at most 500 people."]);
  expect((await block(user, other.username)).status).toBe(204);
});

test("Q-11 forums of sessions and huts hide posts and replies both ways, under every person of both", async () => {
  const [a, b] = await makeUsers(2);
  const third = await makeUser();
  const session = await makeSession([third, a, b], { now: NOW });
  const hut = await makeHut(third, [third, a, b]);
  const places = [`/api/sessions/${session.id}/hut`, `/group/${hut.slug}/forum`];
  for (const forum of [{ sessionId: session.id }, { hutId: hut.id }]) {
    const write = (author: TestUser, content: string, parentId: number | null = null) =>
      makePost(author, forum, content, { parentId });
    const common = await write(third, "thread of everybody");
    await write(a, "reply of A", common);
    await write(b, "reply of B", common);
    await write(a, "thread of A");
    await write(b, "thread of B");
  }
  const seenBy = async (user: TestUser, path: string) =>
    path.startsWith("/api")
      ? JSON.stringify((await dataOf(user, path)).posts)
      : (await visit(user, path)).html;
  for (const path of places) {
    expect(await seenBy(a, path)).toContain("reply of B");
    await block(a, b.username);
    for (const [reader, own, others] of [
      [a, "A", "B"],
      [b, "B", "A"],
    ] as const) {
      const page = await seenBy(reader, path);
      for (const text of ["thread of everybody", `reply of ${own}`, `thread of ${own}`])
        expect(page).toContain(text);
      for (const text of [`reply of ${others}`, `thread of ${others}`]) expect(page).not.toContain(text);
    }
    for (const text of ["reply of A", "reply of B", "thread of A", "thread of B"])
      expect(await seenBy(third, path)).toContain(text);
    await unblock(a, b.username);
  }
  await block(b, a.username);
  const [thread] = (
    await env.DB.prepare("SELECT id FROM posts WHERE session_id = ? AND content = 'thread of A'")
      .bind(session.id)
      .all<{ id: number }>()
  ).results;
  const answer = await callAs(b, "POST", `/challenges/${session.slug}/posts`, {
    content: "An answer",
    parent_id: thread?.id,
  });
  expect(answer.body.error_code).toBe("INVALID");
});

test("Q-11 Q-12 logs and member goals of a session hide the other and keep counts", async () => {
  const [a, b] = await makeUsers(2);
  const host = await makeUser();
  const session = await makeSession([host, a, b], { now: NOW });
  for (const [index, author] of [a, b].entries())
    await env.DB.prepare(
      `INSERT INTO logs (id, uuid, user_id, username, session_id, session_goal_uuid, action, title, day, status, created_at, updated_at)
       VALUES (1, ?, ?, ?, ?, 'g', 'Do', ?, '2026-11-21', 2, 1, 1)`,
    )
      .bind(crypto.randomUUID(), author.id, author.username, session.id, `log ${index}`)
      .run();
  await block(a, b.username);
  const read = (user: TestUser, tab: string) => dataOf(user, `/api/sessions/${session.id}${tab}`);
  for (const tab of ["/logs", ""]) {
    expect(JSON.stringify(await read(a, tab))).not.toContain("log 1");
    expect(JSON.stringify(await read(b, tab))).not.toContain("log 0");
  }
  expect((await read(host, "/logs")).logs).toHaveLength(2);
  expect((await read(a, "")).session.host).toBe(host.username);
  const members = JSON.stringify(await read(a, "/member-goals"));
  expect(members).toContain("Participant 3");
  expect(members).not.toContain(b.username);
  expect(JSON.stringify(await read(b, "/member-goals"))).toContain("Participant 2");
});

test("Q-11 P-15 P-16 a goal of a session hides the logs of a blocked person from the people who run it", async () => {
  const [host, a, b] = await makeUsers(3);
  const session = await makeSession([host, a, b], { now: NOW });
  const goal = await makeGoal(host, { sessionId: session.id });
  for (const [index, author] of [host, a, b].entries())
    await env.DB.prepare(
      `INSERT INTO logs (id, uuid, user_id, username, goal_id, session_id, session_goal_uuid, action, title, day, status, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'Do', ?, '2026-11-21', 2, 1, 1)`,
    )
      .bind(
        index + 1,
        crypto.randomUUID(),
        author.id,
        author.username,
        goal.id,
        session.id,
        goal.uuid,
        `log ${index}`,
      )
      .run();
  const shownTitles = async () => {
    const { logs } = await dataOf(host, `/api/my/goals/${goal.id}/logs`);
    const titles = (logs as { title: string }[]).map(({ title }) => title);
    const page = (await visit(host, `/my/goals/${goal.id}`)).html;
    expect(["log 2", "log 1", "log 0"].filter((title) => page.includes(title))).toEqual(titles);
    return titles;
  };
  for (const [reader, other] of [
    [host, a],
    [a, host],
  ] as const) {
    expect(await shownTitles()).toEqual(["log 2", "log 1", "log 0"]);
    await block(reader, other.username);
    expect(await shownTitles()).toEqual(["log 2", "log 0"]);
    await unblock(reader, other.username);
  }
});

test("Q-10 the page of blocked people lists them with Unblock, and the person's page offers both, without JavaScript", async () => {
  const [user, other] = await makeUsers(2);
  const path = `/${other.username}`;
  expect((await visit(user, path)).html).toContain(`Block<!-- --> <!-- -->${other.username}`);
  const blocked = await post(user, "/account/blocks", { intent: "block", username: other.username });
  expect(blocked.status).toBe(302);
  const list = await visit(user, "/account/blocks");
  expect(list.html).toContain(`aria-label="Unblock ${other.username}"`);
  expect((await visit(user, path)).html).toContain(`Unblock<!-- --> <!-- -->${other.username}`);
  expect((await visit(other, `/${user.username}`)).html).not.toContain("Unblock");
  expect((await visit(user, `/${(await makeUser()).username}`)).html).not.toContain("Unblock");
  await post(user, "/account/blocks", { intent: "unblock", username: other.username });
  expect((await visit(user, "/account/blocks")).html).toContain("You have not blocked anybody.");
  expect((await visit(null, path)).html).not.toContain("/account/blocks");
});

test("Q-11 an export contains the people whom its owner has blocked, and nobody who has blocked the owner", async () => {
  const [user, other] = await makeUsers(2);
  const third = await makeUser();
  await block(user, other.username);
  await block(third, user.username);
  const file = await visit(user, "/account/export/everything.json");
  expect(JSON.parse(file.html).blocks).toMatchObject([{ username: other.username }]);
});

test("Q-10 deleting an account deletes its blocks, and the blocks of it", async () => {
  const [user, other] = await makeUsers(2);
  await block(user, other.username);
  await block(other, user.username);
  await runBatch(db, eraseAccount(db, user.id, instant(NOW)));
  expect([await rowsOf(user), await rowsOf(other)]).toEqual([0, 0]);
});
