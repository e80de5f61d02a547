// Statements on browsers that have signed in to an account before; use cases run them.
import { and, eq, gt, lt, ne, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import type { Instant } from "~/domain/time";
import { isStillGuest } from "./still-guest";

const { devices, users } = schema;

const idOfEmail = (email: string) =>
  sql`(SELECT ${users.id} FROM ${users} WHERE lower(${users.email}) = lower(${email}))`;

/** A row if this browser has signed in to the account with this email. */
export const findDevice = (db: Database, email: string, tokenHash: string, now: Instant) =>
  db
    .select({ userId: devices.userId })
    .from(devices)
    .where(
      and(
        eq(devices.tokenHash, tokenHash),
        sql`${devices.userId} = ${idOfEmail(email)}`,
        gt(devices.expiresAt, now),
      ),
    )
    .limit(1);

/** Replaces the browser's token for all its accounts, so that a copied token is void after the next sign-in. */
export const renewDevice = (db: Database, oldHash: string, newHash: string) =>
  db.update(devices).set({ tokenHash: newHash }).where(eq(devices.tokenHash, oldHash));

type NewDevice = { tokenHash: string; loginHash: string; expiresAt: Instant };

/** Finds the account by its email, so that registration can add this to its batch. */
export const upsertDevice = (db: Database, email: string, device: NewDevice) =>
  db
    .insert(devices)
    .values({ ...device, userId: idOfEmail(email) })
    .onConflictDoUpdate(renewalOf(device));

/** Like `upsertDevice`, for a guest, who has no email. Once the guest is an account, it writes and returns no row. */
export const upsertGuestDevice = (db: Database, userId: number, device: NewDevice) =>
  insertFrom(db, devices, { ...device, userId }, sql`WHERE ${isStillGuest(userId)}`)
    .onConflictDoUpdate(renewalOf(device))
    .returning({ userId: devices.userId });

const renewalOf = ({ loginHash, expiresAt }: NewDevice) => ({
  target: [devices.userId, devices.tokenHash],
  set: { loginHash, expiresAt },
});

export const deleteAllDevices = (db: Database, userId: number) =>
  db.delete(devices).where(eq(devices.userId, userId));

export const deleteDeviceOfLogin = (db: Database, userId: number, loginHash: string) =>
  db.delete(devices).where(and(eq(devices.userId, userId), eq(devices.loginHash, loginHash)));

export const deleteOtherDevices = (db: Database, userId: number, tokenHash: string) =>
  db.delete(devices).where(and(eq(devices.userId, userId), ne(devices.tokenHash, tokenHash)));

export const deleteExpiredDevices = (db: Database, now: Instant) =>
  db.delete(devices).where(lt(devices.expiresAt, now));
