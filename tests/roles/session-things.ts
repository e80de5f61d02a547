// Makes the sessions, series and posts on which the cells of the role matrix act.
import { eq, sql } from "drizzle-orm";
import { schema } from "#db/connect.server";
import { db, NOW, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { partsOf, putSeat } from "#tests/support/rooms";
import { makePost } from "#tests/support/sessions";
import { type Cast, must, type Role, type Thing } from "./cast";

export const CODE = "open-sesame";
let count = 0;
export const unique = () => `${++count}-${crypto.randomUUID().slice(0, 8)}`;

/** The cast's seats in the host's session. */
const SEATED: Partial<Record<Role, 0 | 1>> = { host: 1, participant: 0, guest: 0, admin: 1, "ex-admin": 0 };
export const isCast = (owner: TestUser, cast: Cast, role: Role) => owner.id === cast.of(role).id;

export const TURNS = {
  groups: partsOf(600).groups.map((group) => ({ ...group, parts: group.parts.map(asTurns) })),
};
function asTurns<P extends object>(part: P): P {
  return { ...part, isPerParticipant: true, mayEditContent: true };
}

export type Maker = (owner: TestUser, cast: Cast, actor: TestUser | null) => Promise<Thing>;

export async function goalOf(owner: TestUser, over: Parameters<typeof makeGoal>[1] = {}) {
  const goal = await makeGoal(owner, {
    isList: true,
    items: [{ uuid: "tick", title: "Tick", link: "", isChecked: false }] as never,
    ...over,
  });
  return { goal: goal.id, goal_id: goal.id, uuid: goal.uuid };
}

/** A session of the owner; the cast has seats in the host's. */
export const session =
  (state: "waiting" | "running" | "ended", over: object = {}): Maker =>
  async (owner, cast, actor) => {
    const slug = `session-${unique()}`;
    const seats: [TestUser, 0 | 1][] = isCast(owner, cast, "host")
      ? Object.entries(SEATED).map(([role, seat]) => [cast.of(role as Role), seat])
      : [
          [owner, 1],
          [cast.other, 0],
        ];
    const goalUuids = { host: crypto.randomUUID(), admin: crypto.randomUUID() };
    const stamps = { createdAt: NOW, updatedAt: NOW };
    const inserted = sql<number>`(SELECT id FROM sessions WHERE slug = ${slug})`;
    const [first, ...rest] = [
      db
        .insert(schema.sessions)
        .values({
          slug,
          title: `A session ${slug}`,
          ownerId: owner.id,
          duration: 3600 as never,
          isManuallyStarted: true,
          participantsCount: seats.length,
          schedule: partsOf(1200, 1200),
          ...stamps,
          ...over,
        })
        .returning({ id: schema.sessions.id }),
      db.insert(schema.slugs).values({ slug, kind: "session", targetId: inserted }),
      ...seats.map(([user, role], i) =>
        putSeat(inserted, user, NOW + i, { role, isHost: user.id === owner.id }),
      ),
      // The second was added by a former admin.
      ...[
        { uuid: goalUuids.host, userId: owner.id },
        { uuid: goalUuids.admin, userId: isCast(owner, cast, "host") ? cast.of("removed").id : owner.id },
      ].map((goal) =>
        db
          .insert(schema.goals)
          .values({ ...goal, sessionId: inserted, title: "Pages", amount: 10_000, ...stamps })
          .returning({ id: schema.goals.id }),
      ),
    ];
    if (!first) throw new Error("no statements");
    const results = (await db.batch([first, ...rest] as never)) as { id: number }[][];
    const id = results[0]?.[0]?.id ?? 0;
    if (state !== "waiting") await must(owner, "POST", `/challenge-events/${id}/start`);
    if (state === "ended") await must(owner, "POST", `/challenge-events/${id}/end`);
    const mine = actor ? await goalOf(actor) : { goal: 1 };
    return {
      event: id,
      session: id,
      challenge: slug,
      slug,
      part: "p1",
      type: "event",
      uuid: goalUuids.host,
      username: (isCast(owner, cast, "host") ? cast.of("participant") : cast.other).username,
      goal: mine.goal,
      sessionGoal: results.at(-1)?.[0]?.id ?? 0,
      join_code: CODE,
    };
  };

/** Everybody who has a seat fills it. */
export const fullSession: Maker = async (owner, cast, actor) => {
  const made = await session("waiting")(owner, cast, actor);
  await db
    .update(schema.sessions)
    .set({ participantLimit: sql`participants_count` })
    .where(eq(schema.sessions.id, Number(made.session)));
  return made;
};

/** A session of the owner, and a series beside it in which a participant holds a standing seat. */
export const series: Maker = async (owner, cast, actor) => {
  const made = await session("waiting")(owner, cast, actor);
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const [row] = await db
    .insert(schema.series)
    .values({
      ownerId: owner.id,
      title: "A series",
      rule: "FREQ=MONTHLY",
      timeZone: "UTC",
      localStart: `${day}T09:00`,
      template: { title: "A series", duration: 3600 as never },
      laidUntil: 4e12 as never,
      createdAt: NOW,
      updatedAt: NOW,
    })
    .returning();
  const seriesId = row?.id ?? 0;
  const holder = isCast(owner, cast, "host") ? cast.of("participant") : cast.other;
  await db.insert(schema.standingSeats).values({ seriesId, userId: holder.id, since: NOW });
  await db.insert(schema.rotaHosts).values({ seriesId, userId: holder.id, place: 0 });
  return { ...made, series: seriesId, day };
};

/** That series with the session, which `next` opens. */
export const heldSeries: Maker = async (owner, cast, actor) => {
  const made = await series(owner, cast, actor);
  await db
    .update(schema.sessions)
    .set({ seriesId: Number(made.series), seriesDay: String(made.day) })
    .where(eq(schema.sessions.id, Number(made.session)));
  return made;
};

/** A post in the host's session. */
export const sessionPost =
  (over: object = {}): Maker =>
  async (owner, cast, actor) => {
    const made = await session("waiting", over)(owner, cast, actor);
    return { ...made, post: await makePost(owner, { sessionId: Number(made.session) }) };
  };
