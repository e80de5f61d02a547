// Sessions and huts for tests, created by the public calls.
import { asc, eq } from "drizzle-orm";
import { schema } from "#db/connect.server";
import { instant } from "~/domain/time";
import { callAs, dataOf } from "./ask";
import { db, makeUsers, NOW, type TestUser } from "./factories";

/** A session of `host` of an hour with a manual start; `over` adds fields in their outside names. */
export async function makeSession(
  host: TestUser,
  over: Record<string, unknown> = {},
): Promise<{ id: number; slug: string; path: string }> {
  const challenge = { title: "Morning pages", is_manually_started: 1, duration: 3600, ...over };
  const { status, body } = await callAs(host, "POST", "/challenge-events", { challenge });
  if (status !== 201) throw new Error(`no session: ${status} ${JSON.stringify(body)}`);
  return { id: body.challenge_event.id, slug: body.challenge_event.slug, path: body.path };
}

export const join = (user: TestUser, id: number, code = "") =>
  callAs(user, "POST", `/challenge-events/${id}/join`, code ? { join_code: code } : {});
export const leave = (user: TestUser, id: number) =>
  callAs(user, "POST", `/api/challenge-events/${id}/leave`, {});
/** Sends a line to the chat of a session by the documented call. */
export const sayIn = (user: TestUser, id: number, content = "Hello") =>
  callAs(user, "POST", "/messages", { messageable_type: "challenge_event", messageable_id: id, content });
export const sessionNow = async (id: number) => {
  const [row] = await db.select().from(schema.sessions).where(eq(schema.sessions.id, id));
  return row;
};
export const setSession = (id: number, set: Partial<typeof schema.sessions.$inferInsert>) =>
  db.update(schema.sessions).set(set).where(eq(schema.sessions.id, id));
export const seatsOf = (id: number) =>
  db.select().from(schema.participants).where(eq(schema.participants.sessionId, id));

/** Ends the session at once, by its host's call. */
export const endSession = (host: TestUser, id: number) =>
  callAs(host, "POST", `/challenge-events/${id}/end`, {});

/** A session by hand with a part of 10 minutes, a host and two guests, that runs from now on. */
export async function runningSession(over: Record<string, unknown> = {}) {
  const [host, ben, cas] = await makeUsers(3);
  const { id } = await makeSession(host, {
    duration: 3600,
    parts: [{ uuid: "g", auto_start: 0, parts: [{ uuid: "p", title: "Read", duration: 600 }] }],
    ...over,
  });
  for (const user of [ben, cas]) await join(user, id);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  return { id, host, ben, cas };
}

export const recapNow = async (id: number) => (await sessionNow(id))?.recap ?? null;
/** Each person's seconds, and whether they have come. */
export const attendanceRows = async (id: number) =>
  (
    await db
      .select()
      .from(schema.attendance)
      .where(eq(schema.attendance.sessionId, id))
      .orderBy(asc(schema.attendance.userId))
  ).map(({ userId, seconds, hasCome }) => [userId, seconds, hasCome]);

/** A group of two parts with a manual start; an admin may write during the first. */
const TWO_PARTS = [
  {
    uuid: "g",
    auto_start: 0,
    parts: [
      { uuid: "a", title: "A", duration: 300, edit_content: 1, edit_prompt: 1 },
      { uuid: "b", title: "B", duration: 300 },
    ],
  },
];

/** A session with its host, a guest and an admin, and functions for its calls. */
export async function stageSession(over: Record<string, unknown> = {}) {
  const [host, guest, admin] = await makeUsers(3);
  const session = await makeSession(host, { parts: TWO_PARTS, content: "Begin here.", ...over });
  for (const user of [guest, admin])
    await callAs(user, "POST", `/challenge-events/${session.id}/join?join_code=${over.join_code ?? ""}`, {});
  await callAs(host, "PATCH", `/challenge-events/${session.id}/participants/${admin.username}`, { role: 1 });
  const event = (user: TestUser | null, path: string, body: object = {}) =>
    callAs(user, "POST", `/challenge-events/${session.id}${path}`, body);
  const challenge = (user: TestUser | null, method: string, path: string, body?: object) =>
    callAs(user, method, `/challenges/${session.slug}${path}`, body);
  const view = async (user: TestUser | null = host, tab = "") =>
    dataOf(user, `/api/sessions/${session.id}${tab}`);
  return { host, guest, admin, session, event, challenge, view };
}

/** Inserts an activity straight into D1. */
export async function makeActivity(
  owner: TestUser,
  over: Partial<typeof schema.activities.$inferInsert> = {},
) {
  const slug = over.slug ?? `activity-${crypto.randomUUID().slice(0, 8)}`;
  const [activity] = await db
    .insert(schema.activities)
    .values({
      slug,
      title: "Write together",
      ownerId: owner.id,
      duration: 1800 as never,
      schedule: { groups: [] },
      createdAt: NOW,
      updatedAt: NOW,
      ...over,
    })
    .returning();
  if (!activity) throw new Error("no activity");
  await db.insert(schema.slugs).values({ slug, kind: "activity", targetId: activity.id });
  return activity;
}

/** A hut with its members. */
export async function makeHut(owner: TestUser, members: TestUser[] = []) {
  const slug = `hut-${crypto.randomUUID().slice(0, 8)}`;
  const [hut] = await db
    .insert(schema.huts)
    .values({ slug, title: "Hut", ownerId: owner.id, createdAt: NOW, updatedAt: NOW })
    .returning();
  if (!hut) throw new Error("no hut");
  for (const { id } of members)
    await db.insert(schema.hutMembers).values({ hutId: hut.id, userId: id, joinedAt: NOW });
  return hut;
}

/** Inserts a post into the forum of a session or a hut; its id. */
export async function makePost(
  author: TestUser,
  place: { sessionId: number } | { hutId: number },
  content = "Hello",
  over: Partial<typeof schema.posts.$inferInsert> = {},
): Promise<number> {
  const text = { content, contentHtml: `<p>${content}</p>`, summary: content };
  const now = instant(Date.now());
  const by = { userId: author.id, username: author.username, createdAt: now, updatedAt: now };
  const [post] = await db
    .insert(schema.posts)
    .values({ ...place, ...text, ...by, ...over })
    .returning();
  if (!post) throw new Error("no post");
  return post.id;
}

/** A user's remaining tokens in hundredths, after checking that lots and entries agree (B-12). */
export async function balanceOf(user: TestUser): Promise<number> {
  const lots = await db.select().from(schema.tokenLots).where(eq(schema.tokenLots.userId, user.id));
  const entries = await db.select().from(schema.tokenEntries).where(eq(schema.tokenEntries.userId, user.id));
  const left = lots.reduce((sum, lot) => sum + lot.remaining, 0);
  const granted = lots.reduce((sum, lot) => sum + lot.granted, 0);
  const spent = entries.reduce((sum, entry) => sum + entry.amount, 0);
  if (granted + spent !== left) throw new Error(`lots and entries disagree: ${granted} ${spent} ${left}`);
  return left;
}
