// Makes everything else on which the cells of the role matrix act: accounts, huts, activities, goals, items and money.
import { and, eq } from "drizzle-orm";
import { vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { NOON } from "#tests/support/clock";
import { db, makeUser, NOW, setUser, type TestUser } from "#tests/support/factories";
import { makeItem } from "#tests/support/items";
import { makeActivity, makeHut } from "#tests/support/sessions";
import { SECOND } from "~/domain/time";
import { passwords } from "~/use-cases/accounts/password-hashes.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { CARD, must, type Role } from "./cast";
import { goalOf, isCast, type Maker, unique } from "./session-things";

const MEMBERS: Role[] = ["member", "hut-owner", "moderator", "owner"];

export const activity: Maker = async (owner, cast) => {
  const row = await makeActivity(owner, { slug: `activity-${unique()}` });
  const [first] = await db.batch([
    db.update(schema.activities).set({ followersCount: 1 }).where(eq(schema.activities.id, row.id)),
    db.insert(schema.followers).values({ activityId: row.id, userId: cast.of("member").id, followedAt: NOW }),
  ]);
  void first;
  return { challenge: row.slug, slug: row.slug, activity: row.slug, activityId: row.id };
};
export const hut: Maker = async (owner, cast) => {
  const isTheirs = isCast(owner, cast, "hut-owner");
  const members = isTheirs ? MEMBERS.map((role) => cast.of(role)) : [owner, cast.other];
  const row = await makeHut(owner, members);
  await db.update(schema.huts).set({ userCount: members.length }).where(eq(schema.huts.id, row.id));
  if (isTheirs) await nameModerator(row.id, cast.of("moderator"));
  const { username } = isTheirs ? cast.of("member") : cast.other;
  return { hut: row.slug, group: row.slug, hutId: row.id, username };
};

const nameModerator = (hutId: number, { id }: TestUser) =>
  db
    .update(schema.hutMembers)
    .set({ role: 1 })
    .where(and(eq(schema.hutMembers.hutId, hutId), eq(schema.hutMembers.userId, id)));

export const privateHut: Maker = async (owner, cast, actor) => {
  const made = await hut(owner, cast, actor);
  await db
    .update(schema.huts)
    .set({ isPrivate: true })
    .where(eq(schema.huts.id, Number(made.hutId)));
  return made;
};
/** A request by the guest; in a hut of the actor's own, by another user. */
export const hutRequest: Maker = async (owner, cast, actor) => {
  const made = await privateHut(owner, cast, actor);
  const asker = isCast(owner, cast, "hut-owner") ? cast.other : await makeUser();
  const row = { hutId: Number(made.hutId), userId: asker.id, createdAt: Date.now() as never };
  await db.insert(schema.hutRequests).values(row);
  return { ...made, username: asker.username };
};
export const invitation: Maker = async (owner, cast, actor) => {
  const made = await privateHut(owner, cast, actor);
  const code = newToken();
  const inviteHash = await hashToken(code);
  await db
    .update(schema.huts)
    .set({ inviteHash })
    .where(eq(schema.huts.id, Number(made.hutId)));
  return { ...made, code };
};

let seconds = 0;
/** The ids of logs and notes are instants, unique only for each user: a second apart, no actor has one that is the owner's too. */
const takeOwnSecond = () => vi.setSystemTime(NOON + ++seconds * SECOND);

export const log =
  (status: 1 | 3): Maker =>
  async (owner) => {
    takeOwnSecond();
    const goal = await goalOf(owner);
    const said = status === 1 ? { status: 1 } : { status: 3 };
    const made = await must(owner, "POST", "/api/logs/store-quick-log", { goal_id: goal.goal, ...said });
    return { ...goal, log: made.log.id };
  };

/** The current password, which a change of the email requires (H6). */
export const password: Maker = async ({ id }) => {
  const current = `the kettle of ${id}`;
  const passwordHash = await passwords.hash(current);
  await setUser(id, { passwordHash });
  return { password: current };
};

export const note: Maker = async (owner) => {
  takeOwnSecond();
  return { note: (await must(owner, "POST", "/api/notes", { title: "Plan", todo: "Sweep" })).id };
};

export const item =
  (over: Partial<typeof schema.items.$inferInsert>): Maker =>
  async (owner) => {
    const { id, slug } = await makeItem(owner, over);
    return { item: id, itemId: id, parentItem: owner.username, childItem: slug, book: slug };
  };

export const snippet: Maker = async (owner, cast, actor) => {
  const book = await item({ isBook: true })(owner, cast, actor);
  const [row] = await db
    .insert(schema.snippets)
    .values({ itemId: Number(book.item), number: 1, content: "It was a quiet night." })
    .returning();
  return { ...book, snippet: row?.id ?? 0 };
};
export const paraphrase: Maker = async (owner, cast, actor) => {
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

/** A user outside the cast, so that the block hides nothing that another cell needs. */
export const newcomer: Maker = async () => {
  const { username } = await makeUser();
  return { username, kind: "person", id: username };
};

/** A newcomer whom the owner has reported. */
export const reported: Maker = async (owner, cast, actor) => {
  const made = await newcomer(owner, cast, actor);
  await must(owner, "POST", "/api/reports", { kind: made.kind, id: made.id, reason: "spam" });
  return made;
};
/** A decision about a newcomer, who has appealed. */
export const appealed: Maker = async () => {
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
    snapshot: "",
    path: "/",
    decidedAt: NOW,
    appeal: "Please",
    appealedAt: NOW,
  });
  return { decision };
};

/** An email to the owner that failed for good. */
export const delivery: Maker = async (owner) => {
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

export const person: Maker = async (owner) => {
  const username = `alias-${unique()}`.slice(0, 30);
  await db.insert(schema.persons).values({ userId: owner.id, username, createdAt: NOW });
  return { person: username, username };
};

/** A paid intent of the owner. */
export const payment: Maker = async (owner) => {
  const { client_secret } = (await callAs(owner, "GET", "/tokens/get-payment-intent")).body;
  const paid = await must(owner, "POST", "/practice/confirm", { client_secret, card: CARD });
  const { id, payment_method } = paid.payment_intent;
  return { client_secret, paymentIntent: id, payment_method };
};
/** An intent of the owner that waits for a card. */
export const unpaid: Maker = async (owner) => ({
  client_secret: (await callAs(owner, "GET", "/tokens/get-payment-intent")).body.client_secret,
});
export const subscription: Maker = async (owner) => {
  const { subscriptions } = schema;
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, owner.id));
  return { id: row?.id ?? 0 };
};
