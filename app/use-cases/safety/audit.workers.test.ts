// The audit log: one row for each action, rows that cannot be changed, and its page.
import { and, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { insertAct } from "#db/queries/safety/audit";
import { callAs } from "#tests/support/ask";
import { machineNow } from "#tests/support/clock";
import { db, makeUser, makeUsers, NOW, type TestUser, testApp } from "#tests/support/factories";
import { makeHut, makeSession, sayIn } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { AUDIT_ACTIONS, type AuditAction } from "~/domain/safety/audit";
import { DAY, type Instant, instant } from "~/domain/time";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";

const { audit } = schema;
const actsOf = (actor: TestUser) => db.select().from(audit).where(eq(audit.actorId, actor.id));
const write = (actor: TestUser, at: Instant = NOW) =>
  insertAct(db, { at, actorId: actor.id, action: "post-removed", target: { kind: "post", id: 1 } });

/** A session of a host with two participants; the first writes a post and a chat line. */
async function scene() {
  const [host, guest, other, owner, root] = [...(await makeUsers(4)), await makeUser({ roleId: 10 })];
  const session = await makeSession(host);
  const hut = await makeHut(owner, [guest]);
  const event = `/challenge-events/${session.id}`;
  for (const user of [guest, other]) await callAs(user, "POST", `${event}/join`, {});
  const { body } = await callAs(guest, "POST", `/challenges/${session.slug}/posts`, {
    item: { content: "Words" },
  });
  return { host, guest, other, owner, root, session, hut, event, post: body.post.id as number };
}
type Scene = Awaited<ReturnType<typeof scene>>;
/** Chat is open only in a running session. */
async function saidLine({ guest, host, session, event }: Scene): Promise<number> {
  await callAs(host, "POST", `${event}/start`, {});
  return (await sayIn(guest, session.id)).body.message.seq;
}

type Ask = { by: TestUser; method: string; path: string; body?: object };
type Expected = { target: string; user: "guest" | "host" | null; previous?: string; reason?: string };
type Case = [string, AuditAction, (scene: Scene) => Ask | Promise<Ask>, (scene: Scene) => Expected];

const seat = ({ event, guest }: Scene) => `${event}/participants/${guest.username}`;
const ACTS: Case[] = [
  [
    "a host names an admin",
    "role-changed",
    (s) => ({ by: s.host, method: "PATCH", path: seat(s), body: { role: 1 } }),
    (s) => ({ target: `session ${s.session.id}`, user: "guest", previous: "participant" }),
  ],
  [
    "a host hands the session over",
    "host-changed",
    (s) => ({ by: s.host, method: "PATCH", path: seat(s), body: { host: 1 } }),
    (s) => ({ target: `session ${s.session.id}`, user: "guest", previous: s.host.username }),
  ],
  [
    "a super admin hands the session over",
    "host-changed",
    (s) => ({ by: s.root, method: "PATCH", path: seat(s), body: { host: 1 } }),
    (s) => ({ target: `session ${s.session.id}`, user: "guest", previous: s.host.username }),
  ],
  [
    "a host removes a participant",
    "participant-removed",
    (s) => ({ by: s.host, method: "DELETE", path: seat(s) }),
    (s) => ({ target: `session ${s.session.id}`, user: "guest" }),
  ],
  [
    "a host mutes a participant",
    "muted",
    (s) => ({ by: s.host, method: "PATCH", path: seat(s), body: { mute: 300, reason: "Noise" } }),
    (s) => ({ target: `session ${s.session.id}`, user: "guest", reason: "Noise" }),
  ],
  [
    "a host lifts a mute",
    "mute-lifted",
    async (s) => {
      await callAs(s.host, "PATCH", seat(s), { mute: 1 });
      return { by: s.host, method: "PATCH", path: seat(s), body: { mute: 0 } };
    },
    (s) => ({ target: `session ${s.session.id}`, user: "guest" }),
  ],
  [
    "a host keeps a person out",
    "banned",
    (s) => ({ by: s.host, method: "DELETE", path: seat(s), body: { keep_out: 1, reason: "Noise" } }),
    (s) => ({ target: `session ${s.session.id}`, user: "guest", reason: "Noise" }),
  ],
  [
    "a host lets a person back in",
    "ban-lifted",
    async (s) => {
      await callAs(s.host, "DELETE", seat(s), { keep_out: 1 });
      return { by: s.host, method: "DELETE", path: `${s.event}/bans/${s.guest.username}` };
    },
    (s) => ({ target: `session ${s.session.id}`, user: "guest" }),
  ],
  [
    "a host removes a post",
    "post-removed",
    (s) => ({ by: s.host, method: "DELETE", path: `/api/posts/${s.post}` }),
    (s) => ({ target: `post ${s.post}`, user: "guest" }),
  ],
  [
    "a host removes a chat line",
    "line-removed",
    async (s) => ({
      by: s.host,
      method: "DELETE",
      path: `/api/sessions/${s.session.id}/messages/${await saidLine(s)}`,
    }),
    (s) => ({ target: `line ${s.session.id}:`, user: "guest" }),
  ],
];

test.each(ACTS)("Q-29 %s, which writes one row, and a repeat adds none", async (_, action, act, row) => {
  const s = await scene();
  const { by, method, path, body } = await act(s);
  const before = await actsOf(by);
  const together = await Promise.all([1, 2].map(() => callAs(by, method, path, body)));
  expect(Math.min(...together.map(({ status }) => status))).toBeLessThan(300);
  await callAs(by, method, path, body);
  const rows = (await actsOf(by)).slice(before.length);
  expect(rows).toHaveLength(1);
  const { target, user, previous = "", reason = "" } = row(s);
  expect(rows[0]).toMatchObject({ action, previous, reason, userId: user && s[user].id });
  expect(`${rows[0]?.targetKind} ${rows[0]?.targetId}`).toContain(target);
});

test("Q-29 removing the user's own post or line, and leaving, write no row", async () => {
  const s = await scene();
  const line = await saidLine(s);
  for (const [method, path] of [
    ["DELETE", `/api/posts/${s.post}`],
    ["DELETE", `/api/sessions/${s.session.id}/messages/${line}`],
    ["POST", `/api${s.event}/leave`],
  ] as const)
    expect((await callAs(s.guest, method, path, {})).status, path).toBeLessThan(300);
  expect(await actsOf(s.guest)).toEqual([]);
});

test("Q-29 a refused action writes no row", async () => {
  const s = await scene();
  for (const ask of [
    { method: "PATCH", path: seat(s), body: { role: 1 } },
    { method: "DELETE", path: seat(s) },
    { method: "DELETE", path: `/api/posts/${s.post}` },
  ])
    expect((await callAs(s.other, ask.method, ask.path, ask.body)).status).toBe(403);
  expect(await actsOf(s.other)).toEqual([]);
});

test("Q-29 an audit row cannot be changed, and cannot be deleted within 730 days", async () => {
  const actor = await makeUser();
  const now = machineNow();
  await db.batch([write(actor, instant(now - 729 * DAY)), write(actor, instant(now - 731 * DAY))] as never);
  const mine = eq(audit.actorId, actor.id);
  await expect(db.update(audit).set({ reason: "other" }).where(mine)).rejects.toThrow();
  const [young, old] = await actsOf(actor);
  const one = (id = 0) => and(mine, eq(audit.id, id));
  await expect(db.delete(audit).where(one(young?.id))).rejects.toThrow();
  await db.delete(audit).where(one(old?.id));
  expect((await actsOf(actor)).map(({ id }) => id)).toEqual([young?.id]);
});

test("Q-29 the nightly job deletes rows older than 730 days, even with a clock that is ahead", async () => {
  const actor = await makeUser();
  const now = machineNow();
  const ages = [729, 731, 800];
  await db.batch(ages.map((days) => write(actor, instant(now - days * DAY))) as never);
  await deleteExpiredRows(await testApp({ now: instant(now) }));
  const left = async () => (await actsOf(actor)).map(({ at }) => (now - at) / DAY);
  expect(await left()).toEqual([729]);
  await deleteExpiredRows(await testApp({ now: instant(now + 14 * DAY) }));
  expect(await left()).toEqual([729]);
});

test("Q-29 the page shows actions to super admins, newest first, by actor, person and place, page by page", async () => {
  const s = await scene();
  await callAs(s.host, "PATCH", seat(s), { role: 1 });
  await callAs(s.root, "DELETE", seat(s));
  const shown = async (query: string) => {
    const page = await visit(s.root, `/admin/audit?${query}`);
    expect(page.status).toBe(200);
    return page.texts('ul[aria-label="Acts"] > li');
  };
  const place = `kind=session&id=${s.session.id}`;
  const both = await shown(place);
  expect(both.map((text) => text.split("session")[0]?.trim())).toEqual([
    "Removed a participant",
    "Changed a role",
  ]);
  expect(both[1]).toContain(`By ${s.host.username}`);
  expect(both[1]).toContain("Before participant");
  expect(await shown(`${place}&by=${s.host.username}`)).toEqual([both[1]]);
  expect(await shown(`about=${s.guest.username}`)).toEqual(both);
  expect(await shown(`about=${s.other.username}`)).toEqual([]);
  const { perPage } = (await testApp()).settings;
  const many = await makeUser();
  await db.batch(Array.from({ length: perPage + 1 }, () => write(many)) as never);
  const first = await visit(s.root, `/admin/audit?by=${many.username}`);
  const [next] = (await first.all('a[rel="next"]')).map(({ attributes }) => attributes.href ?? "");
  const second = await visit(s.root, next ?? "");
  const count = async (page: typeof first) => (await page.texts('ul[aria-label="Acts"] > li')).length;
  expect([await count(first), await count(second)]).toEqual([perPage, 1]);
  for (const user of [s.host, s.guest]) expect((await visit(user, "/admin/audit")).status).toBe(403);
});

test("Q-29 the audit page names the acts of super admins in words", async () => {
  const s = await scene();
  await callAs(s.root, "POST", `${s.event}/start`, {});
  await callAs(s.root, "PATCH", `/groups/${s.hut.slug}/patch`, { hut: { title: "Renamed" } });
  const page = await visit(s.root, `/admin/audit?by=${s.root.username}`);
  const acts = await page.texts('ul[aria-label="Acts"] > li');
  expect(acts[0]).toContain(AUDIT_ACTIONS["hut-changed"]);
  expect(acts[0]).toContain("Before Hut");
  expect(acts[1]).toContain(`${AUDIT_ACTIONS["session-started"]}session ${s.session.id}`);
});

test("Q-29 an action in a failed batch writes no row", async () => {
  const actor = await makeUser();
  const broken = db.insert(schema.hutMembers).values({ hutId: 999_999_999, userId: actor.id, joinedAt: NOW });
  await expect(db.batch([write(actor), broken] as never)).rejects.toThrow();
  expect(
    await db
      .select()
      .from(audit)
      .where(inArray(audit.actorId, [actor.id])),
  ).toEqual([]);
});
