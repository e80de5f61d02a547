// The consumer of the queue: claims deliveries, checks each again, sends it through its channel and stores the result
// (N-04 to N-07). Sending is at least once; a repeat carries the same key.
import { runBatch } from "#db/connect.server";
import * as queries from "#db/queries/notices/deliveries";
import * as events from "#db/queries/notices/events";
import { logLine } from "~/domain/log-line";
import { LEASE_MINUTES, MAX_DUE_PER_RUN, REFUSED_ADDRESS, retryAfter } from "~/domain/notices/deliveries";
import { eventRule } from "~/domain/notices/event-rules";
import { dueAt } from "~/domain/notices/quiet-hours";
import { type Instant, MINUTE, plusMillis } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { runEachRow, settleEachRow } from "~/use-cases/each-row.server";
import { fanOut, quietOf } from "~/use-cases/notices/events.server";
import { takeOfDay } from "~/use-cases/notices/mail-quota.server";
import { MailFailure } from "~/use-cases/ports.server";
import { listInvitations } from "~/use-cases/sessions/calendar-invites.server";
import { type FactsByKey, messageOf, timesOf } from "./delivery-messages.server";

/** Messages that a consumer sends at once: the connections of a worker. Their results share a statement. */
const MAX_PARALLEL_DELIVERIES = 6;
/** Maximum events that one run of the cron, each minute, sends to the queue. */
const EVENTS_A_RUN = 1000;
/** Maximum deliveries that one message of the queue claims and sends. */
const CLAIM_BATCH = 50;
/** A consumer begins to send only this long after a claim, so that the rest of the lease is left for sending. */
const SENDING_SPAN = (LEASE_MINUTES / 2) * MINUTE;
/** The name of the fan-out in the failed list. */
const FAN_OUT = "fan-out";
/** An event that failed this often is not tried again until its row leaves the failed list. */
const FAN_OUT_TRIES = 5;

const keysOf = (rows: readonly { key: string }[]): string[] => rows.map(({ key }) => key);
const isEventId = (id: string): boolean => id.startsWith("e");

/** The time while a consumer sends; `now` of the App is that of its beginning. */
type Clock = () => Instant;

/** Runs the jobs of a queue message: `ids` are ids of events and keys of deliveries. A repeat does nothing. */
export async function runJobs(
  app: App,
  ids: readonly string[],
  clock?: Clock,
): Promise<{ sent: number; failed: number }> {
  const deliveryKeys = ids.filter((id) => !isEventId(id));
  const fanOutResult = await runEachRow(app, ids.filter(isEventId), {
    job: FAN_OUT,
    nameOf: (id) => id,
    runRow: (id) => fanOut(app, id),
  });
  deliveryKeys.push(...fanOutResult.done.flatMap(({ result }) => result.due));
  // Keys beyond one batch go back to the queue, so that other consumers share the work.
  await app.jobs.wake(deliveryKeys.slice(CLAIM_BATCH));
  const { sent } = await deliver(app, deliveryKeys.slice(0, CLAIM_BATCH), clock);
  return { sent, failed: fanOutResult.failed.length };
}

/** Sends everything that waits to the queue: events without a fan-out, then due deliveries, oldest first (N-07). */
export async function wakeJobs(app: App, limit = MAX_DUE_PER_RUN): Promise<{ events: number; due: number }> {
  const waitingEvents = await events.listEvents(app.db, { job: FAN_OUT, tries: FAN_OUT_TRIES }, EVENTS_A_RUN);
  await app.jobs.wake(waitingEvents.map(({ id }) => id));
  const dueKeys = await queries.listDue(app.db, app.now, limit);
  await app.jobs.wake(dueKeys.map(({ key }) => key));
  return { events: waitingEvents.length, due: dueKeys.length };
}

/**
 * Claims those of these deliveries that are due and free, and sends them. At a slow server it hands back those that it
 * might still be sending when their lease ends, because another consumer would send them too.
 */
export async function deliver(
  app: App,
  keys: readonly string[],
  clock: Clock = () => app.now,
): Promise<{ sent: number }> {
  const claimedAt = clock();
  const claimedDeliveries = await queries.claimDeliveries(app.db, keys, claimedAt);
  if (claimedDeliveries.length === 0) return { sent: 0 };
  const facts = await readFacts(app, claimedDeliveries).catch(() => null);
  let sentCount = 0;
  for (let first = 0; first < claimedDeliveries.length; first += MAX_PARALLEL_DELIVERIES) {
    if (clock() >= claimedAt + SENDING_SPAN) {
      const unsent = claimedDeliveries.slice(first).map(handedBack);
      await runBatch(app.db, queries.markResults(app.db, unsent, app.now));
      break;
    }
    const outcomes = await settleEachRow(
      claimedDeliveries.slice(first, first + MAX_PARALLEL_DELIVERIES),
      // One unreadable row fails the joint read, so each delivery then reads its own facts.
      async (delivery) => attemptDelivery(app, delivery, facts ?? (await readFacts(app, [delivery]))),
      MAX_PARALLEL_DELIVERIES,
    );
    const results = outcomes.map((outcome) =>
      "error" in outcome ? failedResult(app, outcome.row, outcome.error) : outcome.result,
    );
    await runBatch(app.db, queries.markResults(app.db, results, app.now));
    sentCount += results.filter(({ state }) => state === "sent").length;
  }
  return { sent: sentCount };
}

async function readFacts(
  app: App,
  claimedDeliveries: readonly queries.ClaimedDelivery[],
): Promise<FactsByKey> {
  const facts = await queries.listSendingFacts(app.db, keysOf(claimedDeliveries), app.now);
  const calendar = keysOf(claimedDeliveries.filter(({ kind }) => kind === "calendar"));
  const invitations = calendar.length === 0 ? [] : await listInvitations(app, calendar);
  return {
    factsOf: new Map(facts.map((row) => [row.key, row])),
    inviteOf: new Map(invitations.map((row) => [row.key, row])),
  };
}

const resultOf = ({ key, leaseUntil, dueAt }: queries.ClaimedDelivery) => ({
  key,
  lease: leaseUntil as Instant,
  dueAt,
  reason: "",
});

/** The delivery waits as before its claim. */
const handedBack = (delivery: queries.ClaimedDelivery) =>
  ({ ...resultOf(delivery), state: "waiting", isUntried: true }) as const;

/** Tries to send a delivery and returns the result; a throw counts as a failed try. */
async function attemptDelivery(
  app: App,
  delivery: queries.ClaimedDelivery,
  allFacts: FactsByKey,
): Promise<queries.Result> {
  const facts = allFacts.factsOf.get(delivery.key);
  const result = resultOf(delivery);
  if (!facts) return { ...result, state: "dropped", reason: "account-gone" };
  const message = messageOf(app, delivery, facts, allFacts.inviteOf.get(delivery.key));
  if (typeof message === "string") return { ...result, state: "dropped", reason: message };
  const { startedAt, lead, until, knownBy } = timesOf(delivery);
  const latest = (lead === undefined ? until : startedAt) ?? null;
  // The quiet hours or the zone may have changed since the fan-out.
  const isSecurity = delivery.kind !== "digest" && eventRule(delivery.kind).isSecurity;
  const quiet = isSecurity ? null : quietOf(facts);
  const allowedAt = dueAt(app.now, facts.timeZone, quiet, latest, knownBy);
  if (allowedAt === null) return { ...result, state: "dropped", reason: "quiet" };
  const wait = handedBack(delivery);
  if (allowedAt > app.now) return { ...wait, dueAt: allowedAt, reason: "quiet" };
  const { mailKind } = message;
  const nextDay = mailKind === null ? null : await takeOfDay(app, isSecurity ? "security" : mailKind);
  if (nextDay !== null) return { ...wait, dueAt: nextDay, reason: "daily-limit" };
  const outcome = await message.send();
  return { ...result, state: outcome === "renewed" ? "waiting" : "sent" };
}

/** Logs a failed try and returns its result: a later try, or the final failure. */
function failedResult(app: App, delivery: queries.ClaimedDelivery, error: unknown): queries.Result {
  const result = resultOf(delivery);
  // The mail server refuses the address for good, so another try is useless (N-35).
  const isRefused = error instanceof MailFailure && error.reason === "address";
  const minutes = isRefused ? null : retryAfter(delivery.tries);
  const { kind, channel, tries } = delivery;
  const reason = isRefused ? REFUSED_ADDRESS : String(error).slice(0, 200);
  console.error(
    logLine({
      event: "delivery-failed",
      kind,
      channel,
      tries,
      isFinal: minutes === null,
      error: reason,
    }),
  );
  return minutes === null
    ? { ...result, state: "failed", reason }
    : { ...result, state: "waiting", reason, dueAt: plusMillis(app.now, minutes * MINUTE) };
}
