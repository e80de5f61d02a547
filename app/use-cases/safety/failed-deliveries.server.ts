// Deliveries that failed for good and rows that jobs could not handle, for super admins, and sending a delivery again
// (N-06).
import { runBatch } from "#db/connect.server";
import { listFailedRows } from "#db/queries/failed-rows";
import * as queries from "#db/queries/notices/deliveries";
import { recordAct } from "#db/queries/safety/audit";
import { AppError } from "~/domain/errors";
import { RELEASE } from "~/domain/log-line";
import type { FailedDelivery, FailedRow } from "~/domain/notices/deliveries";
import { noticeOf } from "~/domain/notices/event-rules";
import { labelOfMails } from "~/domain/notices/unsubscribe";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import type { Figure } from "~/domain/safety/figures";
import type { App } from "~/use-cases/app.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { figureQueries, figuresFrom } from "./figures.server";

/** Deliveries and rows that the page shows. */
const MAX_SHOWN_ROWS = 100;

/** Failures newest first, and the figures of the last days. FORBIDDEN except for super admins. */
export async function viewFailures(
  app: App,
): Promise<{ deliveries: FailedDelivery[]; rows: FailedRow[]; figures: Figure[]; release: string }> {
  allow(isSuperAdmin(requireUser(app.user)));
  const [deliveries, rows, ...counts] = await app.db.batch([
    queries.listFailedDeliveries(app.db, MAX_SHOWN_ROWS),
    listFailedRows(app.db, MAX_SHOWN_ROWS),
    ...figureQueries(app.db, app.now),
  ]);
  return {
    rows,
    deliveries: deliveries.map(({ kind, ...row }) => ({
      ...row,
      label: labelOfMails(kind === "digest" ? kind : noticeOf(kind)),
    })),
    figures: figuresFrom(counts, app.now),
    release: RELEASE,
  };
}

/**
 * Makes a failed delivery due again, with all its tries. It leaves an audit row. NOT_FOUND unless it has failed.
 */
export async function sendDeliveryAgain(app: App, { key }: { key: string }): Promise<void> {
  const user = requireUser(app.user);
  allow(isSuperAdmin(user));
  await countUse(app, "change-sanction", user.id);
  const [row] = await queries.findFailedDelivery(app.db, key);
  if (!row) throw new AppError("NOT_FOUND");
  await runBatch(app.db, [
    queries.retryFailedDelivery(app.db, key, app.now),
    recordAct(app.db, {
      at: app.now,
      actorId: user.id,
      action: "delivery-repeated",
      target: { kind: "site", id: 0 },
      userId: row.userId,
      previous: row.reason,
    }),
  ]);
  // If the queue is not reached, the minute cron wakes the delivery.
  app.defer(app.jobs.wake([key]).catch(() => undefined));
}
