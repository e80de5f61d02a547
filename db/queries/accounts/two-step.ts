// Statements on two-step sign-in: secrets, recovery codes, passkeys and sign-ins under way; use cases run them.
import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import type { Instant } from "~/domain/time";

const { apiKeys, twoStep, recoveryCodes, loginChallenges, passkeys, users } = schema;

/** The account's means of identification besides the password. */
export const findMeans = (db: Database, userId: number) =>
  db
    .select({
      twoStepSince: sql<Instant | null>`(SELECT confirmed_at FROM two_step WHERE user_id = ${userId})`.as(
        "two_step_since",
      ),
      recoveryCodes: sql<number>`(SELECT count(*) FROM recovery_codes WHERE user_id = ${userId})`.as(
        "recovery_codes",
      ),
      passkeys: sql<number>`(SELECT count(*) FROM passkeys WHERE user_id = ${userId})`.as("passkeys"),
    })
    .from(users)
    .where(eq(users.id, userId));

export const findTwoStep = (db: Database, userId: number) =>
  db.select().from(twoStep).where(eq(twoStep.userId, userId)).limit(1);

/** A new secret that waits for its first code; no row when two-step sign-in is on. */
export const beginTwoStep = (db: Database, row: { userId: number; secret: string; now: Instant }) =>
  db
    .insert(twoStep)
    .values({ userId: row.userId, secret: row.secret, createdAt: row.now })
    .onConflictDoUpdate({
      target: twoStep.userId,
      set: { secret: row.secret, createdAt: row.now, lastStep: 0 },
      setWhere: isNull(twoStep.confirmedAt),
    })
    .returning({ userId: twoStep.userId });

/**
 * Turns two-step sign-in on with the step of its first code; no row after a concurrent request or with another secret.
 */
export const confirmTwoStep = (
  db: Database,
  { userId, secret, step, now }: { userId: number; secret: string; step: number; now: Instant },
) =>
  db
    .update(twoStep)
    .set({ confirmedAt: now, lastStep: step })
    .where(and(eq(twoStep.userId, userId), eq(twoStep.secret, secret), isNull(twoStep.confirmedAt)))
    .returning({ userId: twoStep.userId });

/** Consumes a code: no row when a code of this step or a later step was accepted before. */
export const takeStep = (db: Database, userId: number, step: number) =>
  db
    .update(twoStep)
    .set({ lastStep: step })
    .where(and(eq(twoStep.userId, userId), isNotNull(twoStep.confirmedAt), lt(twoStep.lastStep, step)))
    .returning({ userId: twoStep.userId });

export const deleteTwoStep = (db: Database, userId: number) =>
  db.delete(twoStep).where(eq(twoStep.userId, userId)).returning({ confirmedAt: twoStep.confirmedAt });

/** Secrets encrypted under another key than the current one. */
export const listSecretsOfOtherKeys = (db: Database, keyMark: string, limit: number) =>
  db
    .select({ userId: twoStep.userId, secret: twoStep.secret })
    .from(twoStep)
    .where(sql`substr(${twoStep.secret}, 1, length(${keyMark})) <> ${keyMark}`)
    .limit(limit);

export const replaceSecret = (db: Database, userId: number, from: string, to: string) =>
  db
    .update(twoStep)
    .set({ secret: to })
    .where(and(eq(twoStep.userId, userId), eq(twoStep.secret, from)));

// ---- recovery codes

/**
 * Replaces all recovery codes: two statements for one batch. They apply only while two-step sign-in is on, or while
 * `pendingSecret` waits for its first code.
 */
export const replaceRecoveryCodes = (
  db: Database,
  {
    userId,
    hashes,
    pendingSecret,
    now,
  }: { userId: number; hashes: readonly string[]; pendingSecret?: string; now: Instant },
) => {
  const mayReplace =
    pendingSecret === undefined
      ? sql`EXISTS (SELECT 1 FROM two_step WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`
      : sql`EXISTS (SELECT 1 FROM two_step WHERE user_id = ${userId} AND confirmed_at IS NULL AND secret = ${pendingSecret})`;
  return [
    db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), mayReplace)),
    insertFrom(
      db,
      recoveryCodes,
      { userId, codeHash: sql`value`, createdAt: now },
      sql`FROM json_each(${JSON.stringify(hashes)}) WHERE ${mayReplace}`,
    ),
  ] as const;
};

/** Consumes a recovery code: no row for a wrong or used code. */
export const takeRecoveryCode = (db: Database, userId: number, codeHash: string) =>
  db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))
    .returning({ userId: recoveryCodes.userId });

export const deleteRecoveryCodes = (db: Database, userId: number) =>
  db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));

// ---- sign-ins under way

type NewChallenge = Omit<typeof loginChallenges.$inferInsert, "tries">;

export const insertChallenge = (db: Database, challenge: NewChallenge) =>
  db.insert(loginChallenges).values(challenge);

/** Ends the user's sign-ins under way, e.g. after a change of the password. */
export const deleteUnfinishedLogins = (db: Database, userId: number) =>
  db.delete(loginChallenges).where(eq(loginChallenges.userId, userId));

/** Counts an attempt at the second step of a live sign-in; no row when it has ended or has no attempts left. */
export const tryChallenge = (db: Database, tokenHash: string, now: Instant, limit: number) =>
  db
    .update(loginChallenges)
    .set({ tries: sql`${loginChallenges.tries} + 1` })
    .where(
      and(
        eq(loginChallenges.tokenHash, tokenHash),
        eq(loginChallenges.kind, "two-step"),
        gt(loginChallenges.expiresAt, now),
        lt(loginChallenges.tries, limit),
      ),
    )
    .returning({ userId: loginChallenges.userId });

/** Consumes the sign-in: of concurrent requests only one gets the row. */
export const takeChallenge = (db: Database, tokenHash: string, kind: NewChallenge["kind"], now: Instant) =>
  db
    .delete(loginChallenges)
    .where(
      and(
        eq(loginChallenges.tokenHash, tokenHash),
        eq(loginChallenges.kind, kind),
        gt(loginChallenges.expiresAt, now),
      ),
    )
    .returning({ userId: loginChallenges.userId });

export const deleteOldChallenges = (db: Database, before: Instant) =>
  db.delete(loginChallenges).where(lt(loginChallenges.expiresAt, before));

// ---- passkeys

export const listPasskeys = (db: Database, userId: number) =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.createdAt).limit(50);

export const findPasskey = (db: Database, id: string) =>
  db
    .select({
      id: passkeys.id,
      userId: passkeys.userId,
      publicKey: passkeys.publicKey,
      counter: passkeys.counter,
      email: users.email,
    })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.id, id))
    .limit(1);

/** No row when the account has `limit` passkeys already, or the credential is registered. */
export const insertPasskey = (db: Database, row: typeof passkeys.$inferInsert, limit: number) =>
  insertFrom(
    db,
    passkeys,
    {
      id: row.id,
      userId: row.userId,
      name: row.name,
      publicKey: row.publicKey,
      counter: row.counter,
      transports: row.transports,
      createdAt: row.createdAt,
    },
    sql`WHERE (SELECT count(*) FROM passkeys WHERE user_id = ${row.userId}) < ${limit}`,
  )
    .onConflictDoNothing()
    .returning();

/** Stores the counter of a signature; no row when a later signature was stored first. */
export const usePasskey = (db: Database, id: string, counter: number, now: Instant) =>
  db
    .update(passkeys)
    .set({ counter, lastUsedAt: now })
    .where(
      and(
        eq(passkeys.id, id),
        sql`(${passkeys.counter} < ${counter} OR (${passkeys.counter} = 0 AND ${counter} = 0))`,
      ),
    )
    .returning({ userId: passkeys.userId });

export const renamePasskey = (db: Database, userId: number, id: string, name: string) =>
  db
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.userId, userId), eq(passkeys.id, id)))
    .returning({ id: passkeys.id });

export const deletePasskey = (db: Database, userId: number, id: string) =>
  db
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), eq(passkeys.id, id)))
    .returning({ name: passkeys.name });

/** Deletes a deleted account's means of identification besides the password: five statements for one batch. */
export const deleteMeans = (db: Database, userId: number, condition = sql`1`) =>
  [
    db.delete(twoStep).where(and(eq(twoStep.userId, userId), condition)),
    db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), condition)),
    db.delete(passkeys).where(and(eq(passkeys.userId, userId), condition)),
    db.delete(loginChallenges).where(and(eq(loginChallenges.userId, userId), condition)),
    db.delete(apiKeys).where(and(eq(apiKeys.userId, userId), condition)),
  ] as const;
