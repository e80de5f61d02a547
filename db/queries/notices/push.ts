// Statements on the browsers that receive a user's pushes; use cases run them.
import { and, desc, eq, lt, ne, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const { pushBox, pushSubscriptions } = schema;

/**
 * Stores the subscription of a login, in place of an older one of this login or this browser, and keeps the newest
 * `limit` of the user: three statements for one batch.
 */
export const storeSubscription = (
  db: Database,
  subscription: typeof pushSubscriptions.$inferInsert,
  limit: number,
) => {
  const { userId, loginHash, endpoint, p256dh, auth, createdAt } = subscription;
  const isOfUser = eq(pushSubscriptions.userId, userId);
  return [
    db
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.endpoint, endpoint), ne(pushSubscriptions.loginHash, loginHash))),
    db.insert(pushSubscriptions).values(subscription).onConflictDoUpdate({
      target: pushSubscriptions.loginHash,
      set: { userId, endpoint, p256dh, auth, createdAt },
    }),
    db.delete(pushSubscriptions).where(
      and(
        isOfUser,
        sql`login_hash NOT IN (SELECT login_hash FROM push_subscriptions WHERE user_id = ${userId}
          ORDER BY created_at DESC, login_hash = ${loginHash} DESC LIMIT ${limit})`,
      ),
    ),
  ] as const;
};

export const deleteSubscription = (db: Database, loginHash: string) =>
  db.delete(pushSubscriptions).where(eq(pushSubscriptions.loginHash, loginHash));

/** Deletes an address that its push service has ended (N-40). A newer address of the same login stays. */
export const deleteEndpoint = (db: Database, endpoint: string) =>
  db.delete(pushSubscriptions).where(eq(pushSubscriptions.endpoint, endpoint));

export const deleteSubscriptionsOf = (db: Database, userId: number) =>
  db.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId));

export const listSubscriptions = (db: Database, userId: number) =>
  db
    .select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, userId))
    .orderBy(desc(pushSubscriptions.createdAt));

export const findSubscription = (db: Database, loginHash: string) =>
  db
    .select({ endpoint: pushSubscriptions.endpoint })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.loginHash, loginHash));

// ---- the push box of a local run

export const listPushBox = (db: Database) => db.select().from(pushBox).orderBy(desc(pushBox.id)).limit(50);
export const deleteOldPushes = (db: Database, before: Instant) =>
  db.delete(pushBox).where(lt(pushBox.sentAt, before));
