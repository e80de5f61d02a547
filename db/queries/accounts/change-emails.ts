// Statements that record the causes of emails about a change of an account (N-34), each in the batch of its change; use
// cases run them.
import { type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "#db/connect.server";
import { recordEvent } from "#db/queries/notices/events";
import type { NewEvent } from "~/domain/notices/cause";

type Change = NewEvent<"account-changed">;

/** The previous statement of the batch changed a row. */
const HAS_CHANGED_A_ROW = sql`changes() > 0`;

/** The email goes to the address that the account has at this point of the batch. */
export const recordChangeOf = (
  db: Database,
  change: Change,
  { owner, condition = sql`true`, sentence }: { owner: SQL; condition?: SQL; sentence?: SQL },
): Statement =>
  recordEvent(db, change, {
    condition,
    idLists: { to: sql`SELECT id FROM users WHERE id = ${owner}` },
    textFields: {
      email: sql`(SELECT email FROM users WHERE id = ${owner})`,
      ...(sentence ? { sentence } : {}),
    },
  });

export const recordAccountChange = (db: Database, change: Change, userId: number): Statement =>
  recordChangeOf(db, change, { owner: sql`${userId}` });

/** Runs directly after the statement of the change, so that a change without effect sends no email. */
export const recordIfChanged = (db: Database, change: Change, userId: number): Statement =>
  recordChangeOf(db, change, { owner: sql`${userId}`, condition: HAS_CHANGED_A_ROW });

/** Runs directly after the statement that uses up a recovery code. */
export const recordRecoveryCode = (db: Database, change: Change, userId: number): Statement =>
  recordChangeOf(db, change, {
    owner: sql`${userId}`,
    condition: HAS_CHANGED_A_ROW,
    sentence: sql`'A recovery code was used just now. You have ' || (SELECT count(*) FROM recovery_codes WHERE user_id = ${userId}) || ' left.'`,
  });

/** Runs before the statement that replaces the recovery codes or turns two-step sign-in off. */
export const recordWhileTwoStepIsOn = (db: Database, change: Change, userId: number): Statement =>
  recordChangeOf(db, change, {
    owner: sql`${userId}`,
    condition: sql`EXISTS (SELECT 1 FROM two_step WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`,
  });

/** Runs before the statement that deletes the passkey, because the email names it. */
export const recordPasskeyRemoval = (
  db: Database,
  change: Change,
  userId: number,
  passkey: string,
): Statement => {
  const fromPasskey = sql`FROM passkeys WHERE user_id = ${userId} AND id = ${passkey}`;
  return recordChangeOf(db, change, {
    owner: sql`${userId}`,
    condition: sql`EXISTS (SELECT 1 ${fromPasskey})`,
    sentence: sql`'The passkey “' || (SELECT name ${fromPasskey}) || '” was removed from your account just now.'`,
  });
};
