// A hut with a session, a series and a row for every foreign key to them, and copies of the database to compare.
import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { schema } from "#db/connect.server";
import { DAY, instant } from "~/domain/time";
import { callAs } from "./ask";
import { type Row, tables } from "./every-row";
import { db, type TestUser } from "./factories";
import { iso, makeSeries, openOf, stand } from "./series";
import { join, makeActivity, makeHut, makePost, makeSession } from "./sessions";

/** `owner` has the hut without being a member, `host` its session and series; `person` holds something everywhere, and so does `other`. */
export type People = Record<"owner" | "host" | "person" | "other" | "outsider" | "waiter", TestUser>;
export type Place = {
  hut: { id: number; slug: string };
  session: { id: number; slug: string };
  /** A session of `person`. */
  own: number;
  series: number;
  /** A series of `person`. */
  ownSeries: number;
};

/** `outsider` and `waiter` belong to no hut. In a private one they came before it closed. */
export async function makePlace(
  { owner, host, person, other, outsider, waiter }: People,
  { isPrivate = false, asks = false } = {},
): Promise<Place> {
  const now = instant(Date.now());
  const hut = await makeHut(owner, [host, person, other]);
  const { id: hutId } = hut;
  const dated = (days: number, over: object = {}) => ({
    hut_id: hutId,
    is_manually_started: 0,
    started_at: iso(now + days * DAY),
    ...over,
  });
  const isMember = ({ id }: TestUser) =>
    and(eq(schema.hutMembers.hutId, hutId), eq(schema.hutMembers.userId, id));
  const invitation = { inviteHash: hut.slug, inviteSealed: "sealed", invitedBy: person.id };
  await db
    .update(schema.huts)
    .set({ userCount: 3, ...invitation })
    .where(eq(schema.huts.id, hutId));
  await db.update(schema.hutMembers).set({ role: 1 }).where(isMember(other));
  const session = await makeSession(
    host,
    dated(2, { participant_limit: 4, tasks: [{ title: "Pages", amount: 1 }] }),
  );
  for (const user of [person, other, outsider]) await join(user, session.id);
  await callAs(waiter, "POST", `/challenge-events/${session.id}/wait`, {});
  const full = await makeSession(host, dated(3, { participant_limit: 2 }));
  await join(other, full.id);
  for (const user of [person, outsider]) await callAs(user, "POST", `/challenge-events/${full.id}/wait`, {});
  const own = await makeSession(person, dated(4));
  await join(waiter, own.id);
  // The outsider has left the hut, and hosts a session and a series there.
  await db.insert(schema.hutMembers).values({ hutId, userId: outsider.id, joinedAt: now });
  await makeSession(outsider, dated(5));
  await makeSeries(outsider, {}, { hut_id: hutId });
  await db.delete(schema.hutMembers).where(isMember(outsider));
  const series = await makeSeries(host, {}, { hut_id: hutId });
  const ownSeries = await makeSeries(person, {}, { hut_id: hutId });
  for (const user of [person, other, outsider]) await stand(user, series);
  for (const id of [series, ownSeries]) await stand(waiter, id);
  const turns = [host, person, other, outsider].map(({ id }, place) => ({
    seriesId: series,
    userId: id,
    place,
    acceptedAt: now,
  }));
  const text = { content: "Hello", contentHtml: "<p>Hello</p>", createdAt: now };
  const by = { userId: person.id, username: person.username };
  const [first, second] = await openOf(series);
  const [firstOfOwn] = await openOf(ownSeries);
  for (const user of [person, other, outsider]) await join(user, first?.id ?? 0);
  await join(waiter, firstOfOwn?.id ?? 0);
  await join(person, second?.id ?? 0);
  await callAs(host, "PATCH", `/challenge-events/${second?.id}/participants/${person.username}`, { host: 1 });
  await db.batch([
    db.insert(schema.rotaHosts).values(turns),
    db.insert(schema.seriesDays).values({ seriesId: series, day: "2030-12-31" }),
    db.insert(schema.viewLinks).values([
      { codeHash: `session ${hut.slug}`, sessionId: session.id, createdAt: now },
      { codeHash: `series ${hut.slug}`, seriesId: series, createdAt: now },
    ]),
    db.insert(schema.guestBans).values({ sessionId: session.id, hash: hut.slug, until: instant(now + DAY) }),
    db.insert(schema.hutRequests).values({ hutId, userId: asks ? person.id : waiter.id, createdAt: now }),
    ...[person, waiter].flatMap(({ id: userId }) => [
      // A person has a single one.
      db.delete(schema.acceptedInvitations).where(eq(schema.acceptedInvitations.userId, userId)),
      db.insert(schema.acceptedInvitations).values({ hutId, userId, inviteHash: hut.slug, createdAt: now }),
    ]),
    db.insert(schema.items).values({
      personId: person.personId,
      hutId,
      title: "Item",
      slug: hut.slug,
      orderMs: now,
      createdAt: now,
      updatedAt: now,
    }),
    db.insert(schema.contributions).values({ sessionId: session.id, seq: 1, ...by, ...text }),
    db.insert(schema.chatErasures).values({ sessionId: session.id, userId: person.id }),
    db.insert(schema.chatsToCopy).values({ sessionId: session.id, dueAt: instant(0) }),
    db
      .insert(schema.sessionTotals)
      .values({ sessionId: session.id, userId: person.id, goalUuid: hut.slug, action: "write", amount: 100 }),
    // Something that only members see, and something of the host.
    ...[{}, { by: host.id, username: host.username }].map((body, n) =>
      db.insert(schema.notices).values({
        userId: person.id,
        id: `${hut.slug} ${n}`,
        kind: n === 0 ? "session-cancelled" : "invitation-used",
        subject: n === 0 ? `session:${own.id}` : `hut:${hutId}`,
        body,
        others: [],
        at: now,
      }),
    ),
  ] as never);
  await makeActivity(host, { hutId });
  await makeActivity(person, { hutId });
  await makeActivity(outsider, { hutId });
  await makePost(person, { sessionId: session.id });
  await makePost(person, { sessionId: first?.id ?? 0 });
  await makePost(person, { hutId });
  if (isPrivate) await db.update(schema.huts).set({ isPrivate }).where(eq(schema.huts.id, hutId));
  return { hut, session, own: own.id, series, ownSeries };
}

/** Every row of the database, by table and primary key. */
export async function copyRows(): Promise<Map<string, { table: string; row: Row }>> {
  const rows = new Map<string, { table: string; row: Row }>();
  const configs = tables.map((table) => getTableConfig(table));
  const answers = await env.DB.batch<Row>(
    configs.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)),
  );
  for (const [n, { name, columns, primaryKeys }] of configs.entries()) {
    const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
    for (const row of answers[n]?.results ?? [])
      rows.set(`${name} ${key.map((column) => row[column.name]).join(" ")}`, { table: name, row });
  }
  return rows;
}
