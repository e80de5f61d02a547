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
export async function takeBack(app: App, intent: PaymentIntent, granted: Grant): Promise<void> {
  for (const { id, cents, isUndone } of intent.reversals) {
    const row: ReversalRow = {
      id,
      grant: granted.reference,
      cents,
      paidCents: intent.cents,
      now: app.now,
    };
    // Recorded even if it is undone already, so that a late event of the reversal finds it settled.
    if (granted.isPool) {
      await onlyOnce(app, reversals.reversePool(app.db, row));
      if (isUndone) await onlyOnce(app, reversals.restorePool(app.db, row));
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

/** A repeat breaks a unique reference, and its whole batch is rolled back. */
async function onlyOnce(app: App, statements: Statement[]): Promise<void> {
  try {
    await runBatch(app.db, statements);
  } catch (error) {
    const broken = brokenConstraint(error);
    if (broken !== "pool_entry_written_once" && broken !== "entry_written_once") throw error;
  }
}
