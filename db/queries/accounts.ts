// Statements about users, their persons, password resets and what `get-user` tells of them. Built here, run by use cases.
import { and, asc, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const { users, persons, passwordResets, subscriptions, goals, logins, devices, mailbox } = schema;

const hasEmail = (email: string) => sql`lower(${users.email}) = lower(${email})`;
const idOfEmail = (email: string) =>
  sql`(SELECT ${users.id} FROM ${users} WHERE ${hasEmail(email)})` as unknown as number;

export const findCredentials = (db: Database, email: string) =>
  db
    .select({
      id: users.id,
      passwordHash: users.passwordHash,
      isNew: users.isNew,
      timeZone: users.timeZone,
      deletionDueAt: users.deletionDueAt,
    })
    .from(users)
    .where(hasEmail(email))
    .limit(1);

export const findPasswordHash = (db: Database, userId: number) =>
  db
    .select({ passwordHash: users.passwordHash, username: users.username })
    .from(users)
    .where(eq(users.id, userId))
    .limit(1);

export const insertUser = (db: Database, user: typeof users.$inferInsert) => db.insert(users).values(user);

/** The first person of a user made in the same batch, and the user acting as it: two statements. */
export const insertFirstPerson = (db: Database, email: string, username: string, now: Instant) =>
  [
    db.insert(persons).values({ userId: idOfEmail(email), username, createdAt: now }),
    db
      .update(users)
      .set({
        personId: sql`(SELECT ${persons.id} FROM ${persons} WHERE lower(${persons.username}) = lower(${username}))`,
      })
      .where(hasEmail(email)),
  ] as const;

/** `welcome:{user id}`, for a user made in the same batch: nobody is welcomed twice. */
export const welcomeReferenceOf = (email: string) =>
  sql`'welcome:' || ${idOfEmail(email)}` as unknown as string;

/**
 * At a login: the newest cost of the hash, the browser's zone, no longer new once the welcome was read (U-58), and an
 * account that was to be deleted stays.
 */
export const updateAtLogin = (
  db: Database,
  userId: number,
  changes: { passwordHash?: string; timeZone?: string },
) =>
  db
    .update(users)
    .set({ ...changes, isNew: sql`${users.isNew} AND ${users.newMessages} <> ''`, deletionDueAt: null })
    .where(eq(users.id, userId));

export const updateTimeZone = (db: Database, userId: number, timeZone: string) =>
  db.update(users).set({ timeZone }).where(eq(users.id, userId));

export const updatePassword = (db: Database, userId: number, passwordHash: string, now: Instant) =>
  db.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, userId));

export const updateProfile = (
  db: Database,
  userId: number,
  changes: { email?: string; emailConfirmedAt?: null; firstName?: string; lastName?: string },
  now: Instant,
) =>
  db
    .update(users)
    .set({ ...changes, updatedAt: now })
    .where(eq(users.id, userId));

/** Takes one key out of the comma-separated list. */
export const removeNewMessage = (db: Database, userId: number, key: string) =>
  db
    .update(users)
    .set({
      newMessages: sql`trim(replace(',' || ${users.newMessages} || ',', ${`,${key},`}, ','), ',')`,
    })
    .where(eq(users.id, userId))
    .returning({ newMessages: users.newMessages });

// ------------------------------------------------------------------ what get-user tells

/** The subscription that runs, is paid for, or waits for its first payment. */
export const findOpenSubscription = (db: Database, userId: number, now: Instant) =>
  db
    .select({
      id: subscriptions.id,
      product: subscriptions.product,
      startDate: subscriptions.startDate,
      endDate: subscriptions.endDate,
      stripeSubStatus: subscriptions.stripeSubStatus,
    })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.userId, userId),
        or(
          gt(subscriptions.periodEnd, now),
          sql`${subscriptions.stripeSubStatus} NOT IN ('canceled', 'incomplete_expired')`,
        ),
      ),
    )
    .orderBy(desc(subscriptions.id))
    .limit(1);

/** Newest first. */
export const listOpenGoals = (db: Database, userId: number) =>
  db
    .select({ id: goals.id, uuid: goals.uuid, title: goals.title })
    .from(goals)
    .where(
      and(eq(goals.userId, userId), isNull(goals.sessionId), isNull(goals.activityId), eq(goals.status, 1)),
    )
    .orderBy(desc(goals.id))
    .limit(50);

// ------------------------------------------------------------------ password resets (X-10)

/** A reset for whoever has this email: no row when nobody has. */
export const insertReset = (
  db: Database,
  reset: { email: string; tokenHash: string; now: Instant; expiresAt: Instant },
) =>
  db
    .insert(passwordResets)
    .select(
      sql`SELECT ${reset.tokenHash}, ${users.id}, ${reset.now}, ${reset.expiresAt}, NULL FROM ${users} WHERE ${hasEmail(reset.email)}`,
    )
    .returning({ userId: passwordResets.userId });

export const findRecipient = (db: Database, email: string) =>
  db
    .select({ id: users.id, email: users.email, username: users.username })
    .from(users)
    .where(hasEmail(email))
    .limit(1);

type ResetUse = { email: string; tokenHash: string; now: Instant };
/** Who a live reset link belongs to, if the email is theirs. */
const ownerOfReset = ({ email, tokenHash, now }: ResetUse) =>
  sql`(SELECT r.user_id FROM password_resets r JOIN users u ON u.id = r.user_id
    WHERE r.token_hash = ${tokenHash} AND r.used_at IS NULL AND r.expires_at > ${now} AND lower(u.email) = lower(${email}))`;

/** A row when the link is live and the email goes with it. */
export const findResetOwner = (db: Database, use: ResetUse) =>
  db
    .select({ username: users.username })
    .from(users)
    .where(sql`${users.id} = ${ownerOfReset(use)}`)
    .limit(1);

/**
 * The new password, the end of all logins but `keptLogin`, of all known browsers, and of every link of that user: four
 * statements for one batch. The link is used up last, so a second run finds none and changes nothing.
 */
export const applyReset = (db: Database, use: ResetUse & { passwordHash: string; keptLogin: string }) =>
  [
    db
      .update(users)
      .set({ passwordHash: use.passwordHash, updatedAt: use.now })
      .where(sql`${users.id} = ${ownerOfReset(use)}`)
      .returning({ id: users.id, email: users.email, username: users.username }),
    db
      .delete(logins)
      .where(and(sql`${logins.userId} = ${ownerOfReset(use)}`, sql`${logins.tokenHash} <> ${use.keptLogin}`))
      .returning({ loginHash: logins.tokenHash }),
    db.delete(devices).where(sql`${devices.userId} = ${ownerOfReset(use)}`),
    db
      .update(passwordResets)
      .set({ usedAt: use.now })
      .where(and(sql`${passwordResets.userId} = ${ownerOfReset(use)}`, isNull(passwordResets.usedAt))),
  ] as const;

export const endResets = (db: Database, userId: number, now: Instant) =>
  db
    .update(passwordResets)
    .set({ usedAt: now })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt)));

// ------------------------------------------------------------------ persons (A-12)

/** The account's own first. */
export const listPersons = (db: Database, userId: number) =>
  db
    .select({ id: persons.id, username: persons.username })
    .from(persons)
    .where(eq(persons.userId, userId))
    .orderBy(asc(persons.id));

/** No row when the user has `limit` already. */
export const insertPerson = (
  db: Database,
  person: { userId: number; username: string; now: Instant; limit: number },
) =>
  db
    .insert(persons)
    .select(
      sql`SELECT NULL, ${person.userId}, ${person.username}, '', ${person.now}
        WHERE (SELECT count(*) FROM ${persons} WHERE ${persons.userId} = ${person.userId}) < ${person.limit}`,
    )
    .returning({ id: persons.id, username: persons.username });

/** Acts as another of one's own persons; nothing changes when it is not one's own. */
export const switchPerson = (db: Database, userId: number, username: string) => {
  const chosen = sql`(SELECT id FROM persons WHERE user_id = ${userId} AND lower(username) = lower(${username}))`;
  return db
    .update(users)
    .set({ personId: chosen })
    .where(and(eq(users.id, userId), sql`${chosen} IS NOT NULL`))
    .returning({ personId: users.personId });
};

// ------------------------------------------------------------------ local mailbox (P-45)

export const listMailbox = (db: Database) => db.select().from(mailbox).orderBy(desc(mailbox.id)).limit(50);
