// The actors of the role matrix, and the things on which its cells act.
import { env } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import { inject } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { makeUser, NOW, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { propertySeed } from "#tests/support/property-seed";
import { partsOf } from "#tests/support/rooms";
import { makeActivity, makeHut } from "#tests/support/sessions";
import { type Instant, instant } from "~/domain/time";
import { passwords } from "~/use-cases/accounts/password-hashes.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import type { Row } from "./table";

/**
 * A new role needs its name here and its seat, membership or row in `assemble`; the tables then require its answers.
 */
export const ROLES = [
  "visitor",
  "stranger",
  "member",
  "participant",
  "admin",
  "ex-admin",
  "removed",
  "host",
  "hut-owner",
  "moderator",
  "owner",
  "subscriber",
  "super",
] as const;
export type Role = (typeof ROLES)[number];
export type Actor = { role: Role; user: TestUser | null };

/** `theirs` belongs to the cast: sessions to the host, huts to the hut's owner, everything else to the owner. */
export const TARGETS = ["theirs", "own", "missing"] as const;
export type Target = (typeof TARGETS)[number];

/** The values of placeholders in paths and bodies, by name. */
export type Thing = Record<string, string | number>;

const db = connect(env.DB);
const RICH = 5_000_000;
const CODE = "open-sesame";
const CARD = { number: "4242424242424242", exp_month: 12, exp_year: 2040, cvc: "123" };
let count = 0;
const unique = () => `${++count}-${crypto.randomUUID().slice(0, 8)}`;

export type Cast = { actors: Actor[]; of(role: Role): TestUser; guest: TestUser };

export async function assemble(): Promise<Cast> {
  const users = new Map<Role, TestUser>();
  for (const role of ROLES)
    if (role !== "visitor")
      users.set(role, await makeUser({ tokens: RICH, roleId: role === "super" ? 10 : 1 }));
  const of = (role: Role): TestUser => {
    const user = users.get(role);
    if (!user) throw new Error(`nobody plays ${role}`);
    return user;
  };
  const subscriber = of("subscriber");
  const begun = await must(subscriber, "POST", "/api/subscriptions/create/goals_sub");
  await must(subscriber, "POST", "/practice/confirm", {
    client_secret: begun.clientSecret,
    card: CARD,
    save: 1,
  });
  await must(subscriber, "GET", "/api/subscribe");
  await db.insert(schema.categories).values({ slug: "writing", title: "Writing" }).onConflictDoNothing();
  const guest = await makeUser({ tokens: RICH });
  return { actors: ROLES.map((role) => ({ role, user: users.get(role) ?? null })), of, guest };
}

/** The cast's seats in the host's session. */
const SEATED: Partial<Record<Role, 0 | 1>> = { host: 1, participant: 0, admin: 1, "ex-admin": 0 };
const MEMBERS: Role[] = ["member", "hut-owner", "moderator", "owner"];
const isCast = (owner: TestUser, cast: Cast, role: Role) => owner.id === cast.of(role).id;

const TURNS = { groups: partsOf(600).groups.map((group) => ({ ...group, parts: group.parts.map(asTurns) })) };
function asTurns<P extends object>(part: P): P {
  return { ...part, isPerParticipant: true, mayEditContent: true };
}

type Maker = (owner: TestUser, cast: Cast, actor: TestUser | null) => Promise<Thing>;

async function goalOf(owner: TestUser, over: Parameters<typeof makeGoal>[1] = {}) {
  const goal = await makeGoal(owner, {
    isList: true,
    items: [{ uuid: "tick", title: "Tick", link: "", isChecked: false }] as never,
    ...over,
  });
  return { goal: goal.id, goal_id: goal.id, uuid: goal.uuid };
}

/** A session of the owner; the cast has seats in the host's. */
const session =
  (state: "waiting" | "running" | "ended", over: object = {}): Maker =>
  async (owner, cast, actor) => {
    // Downwards from a high number, so that no generated id collides.
    const id = 900_000_000 - ++count;
    const slug = `session-${unique()}`;
    const seats: [TestUser, 0 | 1][] = isCast(owner, cast, "host")
      ? Object.entries(SEATED).map(([role, seat]) => [cast.of(role as Role), seat])
      : [
          [owner, 1],
          [cast.guest, 0],
        ];
    const goalUuids = { host: crypto.randomUUID(), admin: crypto.randomUUID() };
    const stamps = { createdAt: NOW, updatedAt: NOW };
    const [first, ...rest] = [
      db.insert(schema.sessions).values({
        id,
        slug,
        title: `A session ${id}`,
        ownerId: owner.id,
        duration: 3600 as never,
        isManuallyStarted: true,
        participantsCount: seats.length,
        schedule: partsOf(1200, 1200),
        ...stamps,
        ...over,
      }),
      db.insert(schema.slugs).values({ slug, kind: "session", targetId: id }),
      ...seats.map(([user, role], i) =>
        db.insert(schema.participants).values({
          sessionId: id,
          userId: user.id,
          personId: user.personId,
          username: user.username,
          role,
          isHost: user.id === owner.id,
          seat: crypto.randomUUID(),
          paidBy: user.id,
          joinedAt: (NOW + i) as never,
        }),
      ),
      // The second was added by a former admin.
      ...[
        { uuid: goalUuids.host, userId: owner.id },
        { uuid: goalUuids.admin, userId: isCast(owner, cast, "host") ? cast.of("removed").id : owner.id },
      ].map((goal) =>
        db
          .insert(schema.goals)
          .values({ ...goal, sessionId: id, title: "Pages", amount: 10_000, ...stamps })
          .returning({ id: schema.goals.id }),
      ),
    ];
    if (!first) throw new Error("no statements");
    const results = (await db.batch([first, ...rest] as never)) as { id: number }[][];
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
      username: (isCast(owner, cast, "host") ? cast.of("participant") : cast.guest).username,
      goal: mine.goal,
      sessionGoal: results.at(-1)?.[0]?.id ?? 0,
      join_code: CODE,
    };
  };

/** Everybody who has a seat fills it. */
const fullSession: Maker = async (owner, cast, actor) => {
  const made = await session("waiting")(owner, cast, actor);
  await db
    .update(schema.sessions)
    .set({ participantLimit: sql`participants_count` })
    .where(eq(schema.sessions.id, Number(made.session)));
  return made;
};

/** A session of the owner, and a series beside it in which a participant holds a standing seat. */
const series: Maker = async (owner, cast, actor) => {
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
  const holder = isCast(owner, cast, "host") ? cast.of("participant") : cast.guest;
  await db.insert(schema.standingSeats).values({ seriesId, userId: holder.id, since: NOW });
  await db.insert(schema.rotaHosts).values({ seriesId, userId: holder.id, place: 0 });
  return { ...made, series: seriesId, day };
};

async function must(user: TestUser, method: string, path: string, body: object = {}) {
  const answer = await callAs(user, method, path, method === "GET" ? undefined : body);
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const activity: Maker = async (owner, cast) => {
  const row = await makeActivity(owner, { slug: `activity-${unique()}` });
  const [first] = await db.batch([
    db.update(schema.activities).set({ followersCount: 1 }).where(eq(schema.activities.id, row.id)),
    db.insert(schema.followers).values({ activityId: row.id, userId: cast.of("member").id, followedAt: NOW }),
  ]);
  void first;
  return { challenge: row.slug, slug: row.slug, activity: row.slug, activityId: row.id };
};
const hut: Maker = async (owner, cast) => {
  const isTheirs = isCast(owner, cast, "hut-owner");
  const members = isTheirs ? MEMBERS.map((role) => cast.of(role)) : [owner, cast.guest];
  const row = await makeHut(owner, members);
  await db.update(schema.huts).set({ userCount: members.length }).where(eq(schema.huts.id, row.id));
  if (isTheirs) await nameModerator(row.id, cast.of("moderator"));
  const { username } = isTheirs ? cast.of("member") : cast.guest;
  return { hut: row.slug, group: row.slug, hutId: row.id, username };
};

const nameModerator = (hutId: number, { id }: TestUser) =>
  db
    .update(schema.hutMembers)
    .set({ role: 1 })
    .where(and(eq(schema.hutMembers.hutId, hutId), eq(schema.hutMembers.userId, id)));

const privateHut: Maker = async (owner, cast, actor) => {
  const made = await hut(owner, cast, actor);
  await db
    .update(schema.huts)
    .set({ isPrivate: true })
    .where(eq(schema.huts.id, Number(made.hutId)));
  return made;
};
/** A request by the guest; in a hut of the actor's own, by another user. */
const hutRequest: Maker = async (owner, cast, actor) => {
  const made = await privateHut(owner, cast, actor);
  const asker = isCast(owner, cast, "hut-owner") ? cast.guest : await makeUser();
  const row = { hutId: Number(made.hutId), userId: asker.id, createdAt: Date.now() as never };
  await db.insert(schema.hutRequests).values(row);
  return { ...made, username: asker.username };
};
const invitation: Maker = async (owner, cast, actor) => {
  const made = await privateHut(owner, cast, actor);
  const code = newToken();
  const inviteHash = await hashToken(code);
  await db
    .update(schema.huts)
    .set({ inviteHash })
    .where(eq(schema.huts.id, Number(made.hutId)));
  return { ...made, code };
};

async function postOf(author: TestUser, place: { sessionId: number } | { hutId: number }): Promise<number> {
  const now = Date.now() as never;
  const [row] = await db
    .insert(schema.posts)
    .values({
      ...place,
      userId: author.id,
      username: author.username,
      content: "Hello",
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  return row?.id ?? 0;
}
/** A post in the host's session. */
const sessionPost =
  (over: object = {}): Maker =>
  async (owner, cast, actor) => {
    const made = await session("waiting", over)(owner, cast, actor);
    return { ...made, post: await postOf(owner, { sessionId: Number(made.session) }) };
  };

const log =
  (status: 1 | 3): Maker =>
  async (owner) => {
    const goal = await goalOf(owner);
    const said = status === 1 ? { status: 1 } : { status: 3 };
    const made = await must(owner, "POST", "/api/logs/store-quick-log", { goal_id: goal.goal, ...said });
    return { ...goal, log: made.log.id };
  };

export const confirmAddressOf = ({ id }: TestUser) =>
  db.update(schema.users).set({ emailConfirmedAt: NOW }).where(eq(schema.users.id, id));

/** The current password, which a change of the email requires (H6). */
const password: Maker = async ({ id }) => {
  const current = `the kettle of ${id}`;
  const passwordHash = await passwords.hash(current);
  await db.update(schema.users).set({ passwordHash }).where(eq(schema.users.id, id));
  return { password: current };
};

const note: Maker = async (owner) => ({
  note: (await must(owner, "POST", "/api/notes", { title: "Plan", todo: "Sweep" })).id,
});

const item =
  (over: Partial<typeof schema.items.$inferInsert>): Maker =>
  async (owner) => {
    const slug = `item-${unique()}`;
    const [row] = await db
      .insert(schema.items)
      .values({
        personId: owner.personId,
        title: "An item",
        slug,
        status: 1,
        orderMs: NOW,
        createdAt: NOW,
        updatedAt: NOW,
        ...over,
      })
      .returning();
    const id = row?.id ?? 0;
    return { item: id, itemId: id, parentItem: owner.username, childItem: slug, book: slug };
  };

const snippet: Maker = async (owner, cast, actor) => {
  const book = await item({ isBook: true })(owner, cast, actor);
  const [row] = await db
    .insert(schema.snippets)
    .values({ itemId: Number(book.item), number: 1, content: "It was a quiet night." })
    .returning();
  return { ...book, snippet: row?.id ?? 0 };
};
const paraphrase: Maker = async (owner, cast, actor) => {
  const passage = await snippet(owner, cast, actor);
  const [row] = await db
    .insert(schema.paraphrases)
    .values({
      snippetId: Number(passage.snippet),
      personId: owner.personId,
      createdAt: NOW,
      updatedAt: NOW,
    })
    .returning();
  return { ...passage, paraphrase: row?.id ?? 0 };
};

/** A second login of the user, or the main login again after it ended. */
export async function newLogin(
  user: TestUser,
  loginToken = newToken(),
  checkedAt: Instant = instant(4e12),
): Promise<{ loginToken: string; login: string }> {
  const login = await hashToken(loginToken);
  const row = {
    tokenHash: login,
    userId: user.id,
    createdAt: NOW,
    lastSeenAt: 4e12 as never,
    checkedAt,
    expiresAt: 4e12 as never,
  };
  await db.insert(schema.logins).values(row).onConflictDoNothing();
  return { loginToken, login };
}

/** A user outside the cast, so that the block hides nothing that another cell needs. */
const newcomer: Maker = async () => {
  const { username } = await makeUser();
  return { username, kind: "person", id: username };
};

/** A newcomer whom the owner has reported. */
const reported: Maker = async (owner, cast, actor) => {
  const made = await newcomer(owner, cast, actor);
  await must(owner, "POST", "/api/reports", { kind: made.kind, id: made.id, reason: "spam" });
  return made;
};
/** A decision about a newcomer, who has appealed. */
const appealed: Maker = async () => {
  const { id, username } = await makeUser();
  const decision = await hashToken(newToken());
  await db.insert(schema.decisions).values({
    tokenHash: decision,
    kind: "item",
    targetId: "1",
    userId: id,
    authorName: username,
    act: "remove",
    reason: "Spam",
    kept: "",
    path: "/",
    decidedAt: NOW,
    appeal: "Please",
    appealedAt: NOW,
  });
  return { decision };
};

/** An email to the owner that failed for good. */
const delivery: Maker = async (owner) => {
  const key = `${owner.id}:hut-deleted:hut:${unique()}:1:mail`;
  await db.insert(schema.deliveries).values({
    key,
    userId: owner.id,
    kind: "hut-deleted",
    subject: "hut:1",
    channel: "mail",
    body: { title: "Hut" },
    dueAt: NOW,
    state: "failed",
    at: NOW,
  });
  return { key };
};

const person: Maker = async (owner) => {
  const username = `alias-${unique()}`.slice(0, 30);
  await db.insert(schema.persons).values({ userId: owner.id, username, createdAt: NOW });
  return { person: username, username };
};

/** A paid intent of the owner. */
const payment: Maker = async (owner) => {
  const { client_secret } = (await callAs(owner, "GET", "/tokens/get-payment-intent")).body;
  const paid = await must(owner, "POST", "/practice/confirm", { client_secret, card: CARD });
  return { client_secret, paymentIntent: paid.payment_intent.id };
};
/** An intent of the owner that waits for a card. */
const unpaid: Maker = async (owner) => ({
  client_secret: (await callAs(owner, "GET", "/tokens/get-payment-intent")).body.client_secret,
});
const subscription: Maker = async (owner) => {
  const { subscriptions } = schema;
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, owner.id));
  return { id: row?.id ?? 0 };
};

/** Every kind of thing, and the actor who owns `theirs`. */
const KINDS = {
  session: ["host", session("waiting")],
  coded: ["host", session("waiting", { joinCode: CODE })],
  full: ["host", fullSession],
  running: ["host", session("running")],
  "coded running": ["host", session("running", { joinCode: CODE })],
  turns: ["host", session("running", { schedule: TURNS })],
  /** A line in the host's session. */
  line: [
    "host",
    async (owner, cast, actor) => {
      const made = await session("running")(owner, cast, actor);
      const { message } = await must(owner, "POST", "/messages", {
        content: "Hello",
        messageable_type: "challenge_event",
        messageable_id: made.session,
      });
      return { ...made, seq: message.seq };
    },
  ],
  ended: ["host", session("ended")],
  muting: ["host", async (...of) => ({ ...(await session("waiting")(...of)), mute: 300 })],
  "keeping out": ["host", async (...of) => ({ ...(await session("waiting")(...of)), keep_out: 1 })],
  series: ["host", series],
  "session goal": [
    "host",
    async (owner, cast, actor) => {
      const made = await session("waiting")(owner, cast, actor);
      return { ...made, goal: made.sessionGoal ?? 0, goal_id: made.sessionGoal ?? 0 };
    },
  ],
  "session post": ["host", sessionPost()],
  "coded post": ["host", sessionPost({ joinCode: CODE })],
  /** A member's post in the owner's hut. */
  "hut post": [
    "hut-owner",
    async (owner, cast, actor) => {
      const made = await hut(owner, cast, actor);
      const author = isCast(owner, cast, "hut-owner") ? cast.of("member") : owner;
      return { ...made, post: await postOf(author, { hutId: Number(made.hutId) }) };
    },
  ],
  activity: ["owner", activity],
  hut: ["hut-owner", hut],
  "hut muting": ["hut-owner", async (...of) => ({ ...(await hut(...of)), mute: 300 })],
  "private hut": ["hut-owner", privateHut],
  "hut request": ["hut-owner", hutRequest],
  invitation: ["hut-owner", invitation],
  "hut and activity": [
    "hut-owner",
    async (owner, cast, actor) => ({
      ...(await hut(owner, cast, actor)),
      ...(await activity(isCast(owner, cast, "hut-owner") ? cast.of("owner") : owner, cast, actor)),
    }),
  ],
  /** Another user's hut, and an activity of the actor. */
  "my activity": [
    "hut-owner",
    async (owner, cast, actor) => ({
      ...(await hut(owner, cast, actor)),
      ...(await activity(actor ?? cast.of("owner"), cast, actor)),
    }),
  ],
  goal: ["owner", (owner) => goalOf(owner)],
  "goal into a session": [
    "owner",
    async (owner, cast, actor) => ({
      ...(await session("waiting")(actor ?? cast.of("host"), cast, actor)),
      ...(await goalOf(owner)),
    }),
  ],
  log: ["owner", log(3)],
  "running log": ["owner", log(1)],
  note: ["owner", note],
  item: ["owner", item({})],
  draft: ["owner", item({ status: 0 })],
  snippet: ["owner", snippet],
  paraphrase: ["owner", paraphrase],
  login: ["owner", (owner) => newLogin(owner)],
  password: ["owner", password],
  person: ["owner", person],
  /** Nobody of the cast: a suspension ends the logins. */
  suspect: ["owner", async () => ({ username: (await makeUser()).username })],
  user: ["owner", async (owner) => ({ person: owner.username, username: owner.username })],
  newcomer: ["owner", newcomer],
  reported: ["owner", reported],
  appealed: ["owner", appealed],
  delivery: ["owner", delivery],
  payment: ["owner", payment],
  "unpaid payment": ["owner", unpaid],
  subscription: ["subscriber", subscription],
} satisfies Record<string, [Role, Maker]> as Record<string, [Role, Maker]>;
export type Kind = string;

const MISSING: Thing = new Proxy({} as Thing, {
  get: (_, name) =>
    ["challenge", "slug", "hut", "group", "person", "username", "activity", "uuid", "part", "book"].includes(
      String(name),
    )
      ? "no-such-thing"
      : name === "parentItem" ||
          name === "childItem" ||
          name === "login" ||
          name === "paymentIntent" ||
          name === "client_secret"
        ? "no-such-thing"
        : name === "type"
          ? "event"
          : name === "join_code"
            ? CODE
            : 999_999_999,
});

/** Reuses each thing until a cell has changed it, because a refusal changes nothing. */
export function shelf(cast: Cast) {
  const kept = new Map<string, Thing>();
  const keyOf = (kind: Kind, target: Target, { role }: Actor) => `${kind} ${target} ${role}`;
  return {
    async take(kind: Kind, target: Target, actor: Actor): Promise<Thing> {
      if (kind === "-" || target === "missing") return MISSING;
      const [ownerRole, make] = KINDS[kind] ?? [];
      if (!ownerRole || !make) throw new Error(`nobody makes a ${kind}`);
      const key = keyOf(kind, target, actor);
      const there = kept.get(key);
      if (there) return there;
      const owner = target === "own" ? actor.user : cast.of(ownerRole);
      if (!owner) throw new Error("a visitor owns nothing");
      const made = await make(owner, cast, actor.user);
      kept.set(key, made);
      return made;
    },
    spend: (kind: Kind, target: Target, actor: Actor): void => void kept.delete(keyOf(kind, target, actor)),
  };
}

/**
 * A cell is asked by the visitor, the super admin and two roles from the run's seed, and `theirs`, where roles differ,
 * also by the roles that its line names; by all roles with `ROLE_MATRIX=all`.
 */
const DRAWN: Role[] = (() => {
  const between = ROLES.filter((role) => role !== "visitor" && role !== "super");
  const first = propertySeed % between.length;
  const second =
    (first + 1 + (Math.floor(propertySeed / between.length) % (between.length - 1))) % between.length;
  return between.filter((_, i) => i === first || i === second);
})();
export const isAsked = (row: Row, target: Target, role: Role): boolean =>
  inject("isWholeMatrix") ||
  (target === "theirs" && row.isNamed(target, role)) ||
  role === "visitor" ||
  role === "super" ||
  DRAWN.includes(role);

/** Runs the cells of some rows in sequence and returns the wrong cells, grouped by answer. */
export async function wrongCells(
  { cast, things }: { cast: Cast; things: ReturnType<typeof shelf> },
  rows: readonly Row[],
  ask: (row: Row, thing: Thing, actor: Actor) => Promise<{ said: string; isChange: boolean }>,
): Promise<string[]> {
  const wrong = new Map<string, Role[]>();
  for (const row of rows)
    for (const target of TARGETS)
      for (const actor of cast.actors) {
        const expected = row.expected(target, actor.role);
        if (expected === null || !isAsked(row, target, actor.role)) continue;
        const { said, isChange } = await ask(row, await things.take(row.kind, target, actor), actor);
        if (said === "ok" && isChange) things.spend(row.kind, target, actor);
        if (said === expected) continue;
        const cell = `${row.name} | ${row.kind} | ${target}: ${said}, not ${expected}, to`;
        wrong.set(cell, [...(wrong.get(cell) ?? []), actor.role]);
      }
  return [...wrong].map(([cell, roles]) => `${cell} ${roles.join(" ")}`);
}
