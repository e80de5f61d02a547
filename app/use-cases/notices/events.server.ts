// Causes of notices and their fan-out: an event becomes in-app notices and deliveries, in stretches (N-01 to N-03).

import { runBatch } from "#db/connect.server";
import * as events from "#db/queries/notices/events";
import { logLine } from "~/domain/log-line";
import { mailableAt } from "~/domain/notices/calendar-invites";
import type { NewEvent } from "~/domain/notices/cause";
import { FAN_OUT_STRETCH } from "~/domain/notices/deliveries";
import { type AskKind, channelsOf, eventRule } from "~/domain/notices/event-rules";
import type { EventBodies, EventKind } from "~/domain/notices/events";
import { type Differences, kindRule, type SentChannel } from "~/domain/notices/notices";
import { dueAt, nextDigest, type QuietHours } from "~/domain/notices/quiet-hours";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";

/**
 * A cause of the acting user at this moment, for `recordEvent` in the batch of the cause. `askPerson` makes causes that
 * reach strangers.
 */
export const newEvent = <K extends Exclude<EventKind, AskKind>>(
  app: Pick<App, "now" | "user">,
  event: { kind: K; subject: string; body: Partial<EventBodies[K]> },
): NewEvent<K> => causeOf(app, event);

export const causeOf = <K extends EventKind>(
  app: Pick<App, "now" | "user">,
  event: { kind: K; subject: string; body: Partial<EventBodies[K]> },
): NewEvent<K> =>
  ({
    ...event,
    id: events.newEventId(app.now),
    actorId: app.user?.id ?? null,
    at: app.now,
  }) as unknown as NewEvent<K>;

/** After the batch of the cause: the fan-out begins at once instead of within a minute. No request waits for it. */
export function wakeEvents(app: Pick<App, "jobs" | "defer">, causes: readonly { id: string }[]): void {
  if (causes.length === 0) return;
  app.defer(app.jobs.wake(causes.map(({ id }) => id)).catch(logLostWake));
}

const logLostWake = (error: unknown): void =>
  console.error(logLine({ event: "jobs-not-woken", error: String(error).slice(0, 200) }));

/** Null where both are null or equal. */
export const quietOf = (row: { quietFrom: number | null; quietTo: number | null }): QuietHours | null =>
  row.quietFrom === null || row.quietTo === null ? null : { from: row.quietFrom, to: row.quietTo };

export const differencesIn = (json: string): Differences => JSON.parse(json) as Differences;

type Recipient = Awaited<ReturnType<typeof events.listRecipients>>[number];

/** Writes the notices and deliveries of every recipient of an event, and returns the keys of deliveries that are due. */
export async function fanOut(app: App, id: string): Promise<{ notified: number; due: string[] }> {
  let notified = 0;
  const dueKeys: string[] = [];
  for (;;) {
    const [event] = await events.findEvent(app.db, id);
    if (!event) return { notified, due: dueKeys };
    const recipients = await events.listRecipients(app.db, event, app.now);
    const isLast = recipients.length < FAN_OUT_STRETCH;
    const notices: events.NewNotice[] = [];
    const deliveries: events.NewDelivery[] = [];
    for (const recipient of recipients) {
      const more = {
        ...(recipient.isPayer ? { isPayer: true } : {}),
        ...(recipient.isHolder ? { isHolder: true } : {}),
        ...ownFigures(event.body, recipient.userId),
      };
      const channels = channelsOf(event.kind, differencesIn(recipient.differences), event.body);
      if (channels.includes("app")) notices.push({ userId: recipient.userId, more });
      for (const channel of channels) {
        const delivery = channel === "app" ? null : deliveryTo(app, event, recipient, channel);
        if (delivery) deliveries.push({ ...delivery, more });
      }
    }
    await runBatch(
      app.db,
      events.fanOutStretch(app.db, event, {
        notices,
        deliveries,
        last: isLast ? null : (recipients.at(-1)?.userId ?? null),
        now: app.now,
      }),
    );
    notified += notices.length;
    dueKeys.push(...deliveries.filter(({ dueAt: at }) => at <= app.now).map(({ key }) => key));
    if (isLast) return { notified, due: dueKeys };
  }
}

/** A reader's own part of a recap (G-35). */
const ownFigures = (
  {
    present,
    nextFor,
    succeeded,
  }: { present?: Record<string, number>; nextFor?: Record<string, Instant>; succeeded?: number[] },
  userId: number,
): { seconds?: number; next?: Instant; isSucceeded?: boolean } => {
  const [seconds, next] = [present?.[userId], nextFor?.[userId]];
  return {
    ...(seconds === undefined ? {} : { seconds }),
    ...(next === undefined ? {} : { next }),
    ...(succeeded?.includes(userId) ? { isSucceeded: true } : {}),
  };
};

/** Null where the channel reaches nobody, or the first allowed instant is too late. */
function deliveryTo(
  app: App,
  event: events.EventRow,
  recipient: Recipient,
  channel: SentChannel,
): Omit<events.NewDelivery, "more"> | null {
  if (channel === "mail" ? !recipient.mayMail : app.push === null || !recipient.hasBrowser) return null;
  const { userId, timeZone, digest } = recipient;
  const { startedAt, lead, until, knownBy } = event.body as {
    startedAt?: Instant;
    lead?: number;
    until?: Instant;
    knownBy?: Instant | null;
  };
  const isReminder = lead !== undefined;
  if (channel === "mail" && digest !== "off" && kindRule(eventRule(event.kind).notice).isDigested) {
    const at = nextDigest(app.now, timeZone, digest);
    return { key: `${userId}:digest::${at}:mail`, userId, channel, dueAt: at, way: "digest" };
  }
  const isCalendar = event.kind === "calendar";
  const joinsCalendar = isCalendar || (channel === "mail" && recipient.isInDebounce === 1);
  const earliestAt = joinsCalendar && !isReminder ? mailableAt(event.body, event.at) : app.now;
  const quiet = eventRule(event.kind).isSecurity ? null : quietOf(recipient);
  const at = dueAt(earliestAt, timeZone, quiet, (isReminder ? startedAt : until) ?? null, knownBy);
  if (at === null) return null;
  if (joinsCalendar)
    return { key: `${userId}:calendar:${event.subject}::mail`, userId, channel, dueAt: at, way: "calendar" };
  const causeAt = isReminder ? startedAt : event.at;
  const key = `${userId}:${event.kind}:${event.subject}:${causeAt}:${channel}`;
  return { key, userId, channel, dueAt: at, way: "single" };
}
