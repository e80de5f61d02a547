// Statements on the links that confirm an email or restore the previous one; use cases run them.
import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { RESTORE_REACH_DAYS } from "~/domain/confirmation";
import type { NewEvent } from "~/domain/notices/cause";
import { DAY, type Instant } from "~/domain/time";
import { deleteKeysOf } from "./api-keys";
import { recordChangeOf } from "./change-emails";

const { confirmations, users, logins, devices, passwordResets } = schema;
const { passkeys, twoStep, recoveryCodes, loginChallenges, calendarFeeds } = schema;

type Link = Omit<typeof confirmations.$inferInsert, "userId" | "usedAt">;

export const insertConfirmation = (db: Database, link: typeof confirmations.$inferInsert) =>
  db.insert(confirmations).values(link);

/**
 * Inserts a restoring link for a change at `link.createdAt`. An account that was restored since then gets no link, so
 * that a thief's late email cannot undo the restoring.
 */
export const insertRestoreLink = (db: Database, link: Link & { userId: number }) =>
  insertFrom(
    db,
    confirmations,
    {
      tokenHash: link.tokenHash,
      userId: link.userId,
      kind: "restore",
      email: link.email,
      createdAt: link.createdAt,
      expiresAt: link.expiresAt,
    },
    sql`WHERE NOT EXISTS (SELECT 1 FROM confirmations WHERE user_id = ${link.userId} AND kind = 'restore'
        AND used_at >= ${link.createdAt})`,
  );

/** Like `insertConfirmation`, for a user inserted in the same batch. */
export const insertConfirmationOf = (db: Database, link: Link) =>
  db.insert(confirmations).values({
    ...link,
    userId: sql`(SELECT id FROM users WHERE lower(email) = lower(${link.email}))`,
  });

/** A link with its account, whether live or not. No row when the email is no longer the account's. */
export const findConfirmation = (db: Database, tokenHash: string) =>
  db
    .select({
      id: users.id,
      username: users.username,
      email: users.email,
      emailConfirmedAt: users.emailConfirmedAt,
      expiresAt: confirmations.expiresAt,
      usedAt: confirmations.usedAt,
    })
    .from(confirmations)
    .innerJoin(users, eq(users.id, confirmations.userId))
    .where(
      and(
        eq(confirmations.tokenHash, tokenHash),
        eq(confirmations.kind, "confirm"),
        sql`lower(${confirmations.email}) = lower(${users.email})`,
      ),
    )
    .limit(1);

/** Confirms the email of a live link and consumes the link: two statements for one batch. */
export const confirmEmail = (db: Database, tokenHash: string, now: Instant) =>
  [
    db
      .update(users)
      .set({ emailConfirmedAt: now, mailFailures: 0, mailFailingAt: null })
      .where(
        sql`${users.id} = (SELECT user_id FROM confirmations WHERE token_hash = ${tokenHash} AND kind = 'confirm'
          AND used_at IS NULL AND expires_at > ${now} AND lower(email) = lower(${users.email}))`,
      )
      .returning({ id: users.id }),
    db
      .update(confirmations)
      .set({ usedAt: now })
      .where(
        and(
          eq(confirmations.tokenHash, tokenHash),
          eq(confirmations.kind, "confirm"),
          isNull(confirmations.usedAt),
        ),
      ),
  ] as const;

const liveRestore = (column: "user_id" | "email" | "created_at", tokenHash: string, now: Instant) =>
  sql`(SELECT ${sql.raw(column)} FROM confirmations WHERE token_hash = ${tokenHash} AND kind = 'restore'
    AND used_at IS NULL AND expires_at > ${now})`;

/** Records the cause of the email to the address that `restoreEmail` replaces, and runs before it. */
export const recordRestoredEmail = (
  db: Database,
  change: NewEvent<"account-changed">,
  tokenHash: string,
  now: Instant,
): Statement => recordChangeOf(db, change, { owner: liveRestore("user_id", tokenHash, now) });

/** The account that a live link restores, and both emails. */
export const findRestore = (db: Database, tokenHash: string, now: Instant) =>
  db
    .select({
      username: users.username,
      email: sql<string>`${users.email}`.as("present_email"),
      oldEmail: sql<string>`${liveRestore("email", tokenHash, now)}`.as("old_email"),
    })
    .from(users)
    .where(sql`${users.id} = ${liveRestore("user_id", tokenHash, now)}`)
    .limit(1);

/**
 * Restores the old email: statements for one batch. They end logins, known browsers, reset links, confirmations, the
 * calendar address and all keys; also passkeys, second steps and recovery codes made since seven days before the
 * change. Older restoring links stay, so that a thief who changes the email twice cannot end the owner's link. The
 * links are consumed last, because the other statements look for a live link.
 */
export const restoreEmail = (db: Database, tokenHash: string, now: Instant) => {
  const owner = liveRestore("user_id", tokenHash, now);
  const changedAt = liveRestore("created_at", tokenHash, now);
  // A thief adds a passkey or a second step before the change of the address, so that it survives the change.
  const suspiciousSince = sql`${changedAt} - ${RESTORE_REACH_DAYS * DAY}`;
  return [
    db
      .update(users)
      .set({
        email: liveRestore("email", tokenHash, now),
        emailConfirmedAt: now,
        mailFailures: 0,
        mailFailingAt: null,
        updatedAt: now,
      })
      .where(sql`${users.id} = ${owner}`)
      .returning({ id: users.id, email: users.email, username: users.username }),
    db.delete(logins).where(sql`${logins.userId} = ${owner}`).returning({ loginHash: logins.tokenHash }),
    db.delete(devices).where(sql`${devices.userId} = ${owner}`),
    db
      .delete(passkeys)
      .where(and(sql`${passkeys.userId} = ${owner}`, sql`${passkeys.createdAt} >= ${suspiciousSince}`)),
    db
      .delete(twoStep)
      .where(and(sql`${twoStep.userId} = ${owner}`, sql`${twoStep.createdAt} >= ${suspiciousSince}`)),
    db
      .delete(recoveryCodes)
      .where(
        and(
          sql`${recoveryCodes.userId} = ${owner}`,
          sql`(${recoveryCodes.createdAt} >= ${suspiciousSince} OR NOT EXISTS (SELECT 1 FROM two_step WHERE user_id = ${owner}))`,
        ),
      ),
    db.delete(calendarFeeds).where(sql`${calendarFeeds.userId} = ${owner}`),
    deleteKeysOf(db, owner),
    db.delete(loginChallenges).where(sql`${loginChallenges.userId} = ${owner}`),
    db
      .update(passwordResets)
      .set({ usedAt: now })
      .where(and(sql`${passwordResets.userId} = ${owner}`, isNull(passwordResets.usedAt))),
    db
      .update(confirmations)
      .set({ usedAt: now })
      .where(
        sql`${confirmations.userId} = ${owner} AND ${confirmations.usedAt} IS NULL
          AND (${confirmations.kind} = 'confirm' OR ${confirmations.createdAt} >= ${changedAt})`,
      ),
  ] as const;
};

export const deleteOldConfirmations = (db: Database, before: Instant) =>
  db.delete(confirmations).where(lt(confirmations.expiresAt, before));
