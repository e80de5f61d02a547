// Statements on users, their persons and password resets, and the reads of `get-user`; use cases run them.
import { and, asc, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import type { DistanceUnit } from "~/domain/distances";
import { GOAL_STATUS } from "~/domain/goals/goals";
import type { NewEvent } from "~/domain/notices/cause";
import type { Instant } from "~/domain/time";
import { deleteKeysOf } from "./api-keys";
import { recordChangeOf } from "./change-emails";

const { users, persons, passwordResets, subscriptions, goals, logins, devices, loginChallenges, mailbox } =
  schema;
const { passkeys, calendarFeeds } = schema;

const hasEmail = (email: string) => sql`lower(${users.email}) = lower(${email})`;
const idOfEmail = (email: string) => sql`(SELECT ${users.id} FROM ${users} WHERE ${hasEmail(email)})`;

export const findCredentials = (db: Database, email: string) =>
  db
    .select({
      id: users.id,
      passwordHash: users.passwordHash,
      isNew: users.isNew,
      timeZone: users.timeZone,
      deletionDueAt: users.deletionDueAt,
      twoStepSince: sql<Instant | null>`(SELECT confirmed_at FROM two_step WHERE user_id = ${users.id})`,
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

/** An account that has just been authenticated by its password or its passkey. */
export const findAuthenticatedAccount = (db: Database, userId: number) =>
  db
    .select({
      id: users.id,
      email: users.email,
      username: users.username,
      deletionDueAt: users.deletionDueAt,
    })
    .from(users)
    .where(eq(users.id, userId))
    .limit(1);

export const insertUser = (db: Database, user: typeof users.$inferInsert) => db.insert(users).values(user);

/** Inserts the first person of a user whom the same batch inserts, and makes it the current person: two statements. */
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

/** `welcome:{user id}` of a user inserted in the same batch: the grant's reference is unique. */
export const welcomeReferenceOf = (email: string) => sql`'welcome:' || ${idOfEmail(email)}`;

/**
 * At a login: stores the newest hash, the browser's zone and locale, ends `is_new` after the welcome was read (U-58),
 * and cancels a planned deletion.
 */
export const updateAtLogin = (
  db: Database,
  userId: number,
  changes: { passwordHash?: string; timeZone?: string; locale: string },
) =>
  db
    .update(users)
    .set({ ...changes, isNew: sql`${users.isNew} AND ${users.newMessages} <> ''`, deletionDueAt: null })
    .where(eq(users.id, userId));

export const updateDistanceUnit = (db: Database, userId: number, distanceUnit: DistanceUnit | null) =>
  db.update(users).set({ distanceUnit }).where(eq(users.id, userId));

export const updateTimeZone = (db: Database, userId: number, timeZone: string) =>
  db.update(users).set({ timeZone }).where(eq(users.id, userId));

export const updatePassword = (db: Database, userId: number, passwordHash: string, now: Instant) =>
  db.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, userId));

export const updateProfile = (
  db: Database,
  userId: number,
  changes: {
    email: string | undefined;
    emailConfirmedAt?: null;
    mailFailures?: number;
    mailFailingAt?: null;
    firstName: string | undefined;
    lastName: string | undefined;
  },
  now: Instant,
) =>
  db
    .update(users)
    .set({ ...changes, updatedAt: now })
    .where(eq(users.id, userId));

/** Removes a key from the comma-separated list. */
export const removeNewMessage = (db: Database, userId: number, key: string) =>
  db
    .update(users)
    .set({
      newMessages: sql`trim(replace(',' || ${users.newMessages} || ',', ${`,${key},`}, ','), ',')`,
    })
    .where(eq(users.id, userId))
    .returning({ newMessages: users.newMessages });

// ------------------------------------------------------------------ reads of get-user

/** The subscription that is running, paid for, or waiting for its first payment. */
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
    );

/** Newest first. */
export const listOpenGoals = (db: Database, userId: number) =>
  db
    .select({ id: goals.id, uuid: goals.uuid, title: goals.title })
    .from(goals)
    .where(
      and(
        eq(goals.userId, userId),
        isNull(goals.sessionId),
        isNull(goals.activityId),
        eq(goals.status, GOAL_STATUS.open),
      ),
    )
    .orderBy(desc(goals.id))
    .limit(50);

/** Since when emails have not reached the account's address; null when they do (N-35). */
export const findMailFailing = (db: Database, userId: number) =>
  db.select({ failingAt: users.mailFailingAt }).from(users).where(eq(users.id, userId));

// ------------------------------------------------------------------ password resets (X-10)

/** Inserts a reset for the user with this email; no row without such a user. */
export const insertReset = (
  db: Database,
  reset: { email: string; tokenHash: string; now: Instant; expiresAt: Instant },
) =>
  insertFrom(
    db,
    passwordResets,
    {
      tokenHash: reset.tokenHash,
      userId: sql`${users.id}`,
      createdAt: reset.now,
      expiresAt: reset.expiresAt,
    },
    sql`FROM ${users} WHERE ${hasEmail(reset.email)}`,
  ).returning({ userId: passwordResets.userId });

export const findRecipient = (db: Database, email: string) =>
  db
    .select({ id: users.id, email: users.email, username: users.username })
    .from(users)
    .where(hasEmail(email))
    .limit(1);

type ResetUse = { email: string; tokenHash: string; now: Instant };
/** The user of a live reset link, if the email matches. */
const ownerOfReset = ({ email, tokenHash, now }: ResetUse) =>
  sql`(SELECT r.user_id FROM password_resets r JOIN users u ON u.id = r.user_id
    WHERE r.token_hash = ${tokenHash} AND r.used_at IS NULL AND r.expires_at > ${now} AND lower(u.email) = lower(${email}))`;

/** A row when the link is live and the email matches. */
export const findResetOwner = (db: Database, use: ResetUse) =>
  db
    .select({ username: users.username })
    .from(users)
    .where(sql`${users.id} = ${ownerOfReset(use)}`)
    .limit(1);

/** The passkeys of the account of a live link, newest first. */
export const listPasskeysOfReset = (db: Database, tokenHash: string, now: Instant) =>
  db
    .select({
      id: passkeys.id,
      name: passkeys.name,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
    })
    .from(passkeys)
    .innerJoin(passwordResets, eq(passwordResets.userId, passkeys.userId))
    .where(
      and(
        eq(passwordResets.tokenHash, tokenHash),
        isNull(passwordResets.usedAt),
        gt(passwordResets.expiresAt, now),
      ),
    )
    .orderBy(desc(passkeys.createdAt));

/** Records the cause of the email about the new password. Runs before `applyReset`, which consumes the link. */
export const recordReset = (db: Database, change: NewEvent<"account-changed">, use: ResetUse): Statement =>
  recordChangeOf(db, change, { owner: ownerOfReset(use) });

/**
 * Sets the password, and deletes the user's known browsers, sign-ins under way, calendar address, keys, chosen passkeys
 * and all logins except `keptLogin`: statements for one batch. The last statement consumes the reset links, so a second
 * run finds no live link and changes nothing.
 */
export const applyReset = (
  db: Database,
  use: ResetUse & { passwordHash: string; passkeys: readonly string[]; keptLogin: string },
) =>
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
    db.delete(loginChallenges).where(sql`${loginChallenges.userId} = ${ownerOfReset(use)}`),
    db.delete(calendarFeeds).where(sql`${calendarFeeds.userId} = ${ownerOfReset(use)}`),
    deleteKeysOf(db, ownerOfReset(use)),
    db
      .delete(passkeys)
      .where(
        sql`${passkeys.userId} = ${ownerOfReset(use)} AND ${passkeys.id} IN (SELECT value FROM json_each(${JSON.stringify(use.passkeys)}))`,
      ),
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

/** The account's first person comes first. */
export const listPersons = (db: Database, userId: number) =>
  db
    .select({ id: persons.id, username: persons.username, showsAttended: persons.showsAttended })
    .from(persons)
    .where(eq(persons.userId, userId))
    .orderBy(asc(persons.id));

/** No row unless it is the user's own person. */
export const setShowsAttended = (db: Database, userId: number, username: string, showsAttended: boolean) =>
  db
    .update(persons)
    .set({ showsAttended })
    .where(and(eq(persons.userId, userId), sql`lower(${persons.username}) = lower(${username})`))
    .returning({ id: persons.id });

/** No row when the user already has `limit` persons. */
export const insertPerson = (
  db: Database,
  person: { userId: number; username: string; now: Instant; limit: number },
) =>
  insertFrom(
    db,
    persons,
    { userId: person.userId, username: person.username, createdAt: person.now },
    sql`WHERE (SELECT count(*) FROM ${persons} WHERE ${persons.userId} = ${person.userId}) < ${person.limit}`,
  ).returning({ id: persons.id, username: persons.username });

/** Switches to another person of the same user; otherwise changes nothing. */
export const switchPerson = (db: Database, userId: number, username: string) => {
  const chosenPersonId = sql`(SELECT id FROM persons WHERE user_id = ${userId} AND lower(username) = lower(${username}))`;
  return db
    .update(users)
    .set({ personId: chosenPersonId })
    .where(and(eq(users.id, userId), sql`${chosenPersonId} IS NOT NULL`))
    .returning({ personId: users.personId });
};

// ------------------------------------------------------------------ local mailbox (P-45)

export const listMailbox = (db: Database) => db.select().from(mailbox).orderBy(desc(mailbox.id)).limit(50);
