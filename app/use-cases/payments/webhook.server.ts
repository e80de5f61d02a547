// The payment provider's events. An event only triggers a read of the provider's state, and a cron job finds events
// that no webhook delivered.
import * as upkeep from "#db/queries/upkeep";
import { AppError } from "~/domain/errors";
import * as paymentRefusals from "~/domain/payments/refusals";
import { DAY, type Instant, instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import type { ProviderEvent } from "~/use-cases/ports.server";
import { logMoney } from "./money-log.server";
import { settlePurchase } from "./purchases.server";
import { periodReference, takeBack } from "./reversals.server";
import { syncSubscription } from "./subscriptions.server";

/**
 * How far before the last event each run looks, because events may arrive late; the first run looks back as far from
 * now.
 */
const READ_OVERLAP = 10 * MINUTE;
/** A failing event is given up after this long; the provider stops delivering it then too. */
const GIVE_UP_AFTER = 3 * DAY;

/** The webhook (C-23): refuses a wrong signature; returns once everything is settled. */
export async function receiveEvent(
  app: App,
  input: { rawBody: string; signature: string },
): Promise<{ received: true }> {
  const event = await app.payments.readEvent(input.rawBody, input.signature);
  if (!event) {
    logMoney("webhook-refused", {});
    throw new AppError("FORBIDDEN", paymentRefusals.badSignature);
  }
  const handled = await upkeep.listHandledEvents(app.db, [event.id]);
  if (handled.length > 0) return { received: true };
  try {
    await settleEvent(app, event);
  } catch (error) {
    logMoney("provider-event-failed", { id: event.id, type: event.type, error, isGivenUp: false });
    throw error;
  }
  return { received: true };
}

async function settleEvent(app: App, event: ProviderEvent): Promise<void> {
  if (event.subscription) await syncSubscription(app, event.subscription);
  if (event.paymentIntent) await settlePayment(app, event.paymentIntent);
  await upkeep.insertHandledEvent(app.db, { id: event.id, type: event.type, handledAt: app.now });
}

/** Credits a purchase, or reverts the grant of a reversed payment for a purchase or a subscription period. */
async function settlePayment(app: App, id: string): Promise<void> {
  const intent = await app.payments.getPaymentIntent(id);
  if (intent?.status !== "succeeded") return;
  if (intent.isPurchase) {
    await settlePurchase(app, intent);
    return;
  }
  if (!intent.period) return;
  const { subscription, start } = intent.period;
  // First the period's lot, in case nothing has granted it yet.
  await syncSubscription(app, subscription);
  await takeBack(app, intent, { reference: periodReference(subscription, start), isPool: false });
}

/** Events that no webhook delivered, oldest first. Every run retries failed ones, for three days. */
export async function catchUpWithProvider(
  app: App,
): Promise<{ asked: number; settled: number; failed: number }> {
  if (app.payments.isPractice || app.payments.isUnavailable) return { asked: 0, settled: 0, failed: 0 };
  const job = "provider-events";
  const [row] = await upkeep.findMark(app.db, job);
  const since = row ? instant(Number(row.mark)) : instant(app.now - READ_OVERLAP);
  const events = await app.payments.listEvents(since);
  const handledIds = new Set(
    (
      await upkeep.listHandledEvents(
        app.db,
        events.map(({ id }) => id),
      )
    ).map(({ id }) => id),
  );
  let nextMark: Instant = instant(Math.max(since, app.now - READ_OVERLAP));
  const { done, failed } = await runEachRow(
    app,
    events.filter(({ id }) => !handledIds.has(id)),
    {
      job: "catch-up-with-provider",
      nameOf: ({ id }) => id,
      runRow: (event) => settleEvent(app, event),
      whenFailed({ id, type, createdAt }, error) {
        const isGivenUp = app.now - createdAt > GIVE_UP_AFTER;
        logMoney("provider-event-failed", { id, type, error, isGivenUp });
        if (!isGivenUp && createdAt < nextMark) nextMark = createdAt;
      },
    },
  );
  await upkeep.setMark(app.db, job, String(nextMark));
  return { asked: events.length, settled: done.length, failed: failed.length };
}
