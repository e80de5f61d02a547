// Payments that the provider reversed, by refund or dispute: unspent tokens are removed, spent ones are owed, and a
// reversal that is undone returns them.
import { runBatch, type Statement } from "#db/connect.server";
import type { ReversalRow } from "#db/queries/payments/reversals";
import * as reversals from "#db/queries/payments/reversals";
import { brokenConstraint } from "~/domain/errors";
import type { App } from "~/use-cases/app.server";
import type { PaymentIntent } from "~/use-cases/ports.server";
import { logMoney } from "./money-log.server";

/** The grant of a payment: the reference of its lot, or of its entry in the shared pool. */
export type Grant = { reference: string; isPool: boolean };

export const purchaseGrant = (paymentIntent: string, toPool: boolean): Grant => ({
  reference: `purchase:${paymentIntent}`,
  isPool: toPool,
});
export const periodReference = (subscription: string, start: number): string =>
  `period:${subscription}:${start}`;

/** Records every reversal of a paid intent once, in any order and number (B-12). */
export async function takeBack(app: App, intent: PaymentIntent, grant: Grant): Promise<void> {
  for (const { id, cents, isUndone } of intent.reversals) {
    const row: ReversalRow = {
      id,
      grant: grant.reference,
      cents,
      paidCents: intent.cents,
      now: app.now,
    };
    // Recorded even if it is undone already, so that a late event of the reversal finds it settled.
    if (grant.isPool) {
      await runOnce(app, reversals.reversePool(app.db, row));
      if (isUndone) await runOnce(app, reversals.restorePool(app.db, row));
    } else {
      await runBatch(app.db, [
        ...reversals.reverseLot(app.db, row),
        ...(isUndone ? reversals.restoreLot(app.db, row) : []),
      ]);
    }
    const line = { reversal: id, paymentIntent: intent.id, cents };
    logMoney(isUndone ? "payment-restored" : "payment-reversed", line);
  }
}

/** Runs a batch that takes effect once: a repeat breaks a unique reference, and its whole batch is rolled back. */
async function runOnce(app: App, statements: Statement[]): Promise<void> {
  try {
    await runBatch(app.db, statements);
  } catch (error) {
    const constraint = brokenConstraint(error);
    if (constraint !== "pool_entry_written_once" && constraint !== "entry_written_once") throw error;
  }
}
