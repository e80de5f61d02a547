// The consumer of the queue: claims deliveries, checks each again, sends it through its channel and stores the result
// (N-04 to N-07). Sending is at least once; a repeat carries the same key.
import { runBatch } from "#db/connect.server";
import * as queries from "#db/queries/notices/deliveries";
import * as events from "#db/queries/notices/events";
import { isDeletedEmail } from "~/domain/accounts/deleted";
import { ANY_LOCALE, type Day, type TimeReader } from "~/domain/days";
import { unitOfLocale } from "~/domain/distances";
import { isOpenOn } from "~/domain/goals/today";
import { loadOnce } from "~/domain/load-once";
import { logLine } from "~/domain/log-line";
import type { CalendarInviteBody } from "~/domain/notices/calendar-invites";
import {
  type DropReason,
  dropReason,
  LEASE_MINUTES,
  MAX_DUE_PER_RUN,
  REFUSED_ADDRESS,
  retryAfter,
} from "~/domain/notices/deliveries";
import { eventRule } from "~/domain/notices/event-rules";
import type { BodyTimes, EventBodies, EventKind } from "~/domain/notices/events";
import type { SentChannel } from "~/domain/notices/notices";
import { dueAt } from "~/domain/notices/quiet-hours";
import { nextText, writeNotice } from "~/domain/notices/texts";
import type { MailedKind } from "~/domain/notices/unsubscribe";
import { type Instant, MINUTE, plusMillis } from "~/domain/time";
import { accountEmail } from "~/use-cases/accounts/change-emails.server";
import type { App } from "~/use-cases/app.server";
import { runEachRow, settleEachRow } from "~/use-cases/each-row.server";
import { appealAnsweredEmail, digestEmail, noticeEmail } from "~/use-cases/notices/emails.server";
import { differencesIn, fanOut, quietOf } from "~/use-cases/notices/events.server";
import { takeOfDay } from "~/use-cases/notices/mail-quota.server";
import { sendPush } from "~/use-cases/notices/push.server";
import { unsubscribeHeaders } from "~/use-cases/notices/unsubscribe.server";
import { type Email, MailFailure, type PushMessage } from "~/use-cases/ports.server";
import { readAfter } from "~/use-cases/sessions/after.server";
import {
  type CalendarInviteFacts,
  listInvitations,
  nextVersion,
  reserveInvite,
  sentenceOf,
  withCalendarInvite,
} from "~/use-cases/sessions/calendar-invites.server";

const loadReminderPresses = loadOnce(() => import("~/use-cases/goals/reminder-presses.server"));

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

type Facts = Awaited<ReturnType<typeof queries.listSendingFacts>>[number];
const readerOf = ({ timeZone, locale }: Facts): TimeReader => ({ timeZone, locale: locale ?? ANY_LOCALE });
/** The facts and the calendar invitations of claimed deliveries, by the key of the delivery. */
type FactsByKey = { factsOf: ReadonlyMap<string, Facts>; inviteOf: ReadonlyMap<string, CalendarInviteFacts> };

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

const timesOf = ({ body }: { body: object }) => body as BodyTimes;

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

/** A delivery that was renewed meanwhile waits again. `mailKind` is null for a push. */
type Message = { mailKind: MailedKind | null; send(): Promise<"sent" | "renewed"> };
type DigestLine = { kind: EventKind; subject: string; actorId: number | null; body: object };

/** The message of a delivery, or the reason to drop it. */
function messageOf(
  app: App,
  delivery: queries.ClaimedDelivery,
  facts: Facts,
  invite: CalendarInviteFacts | undefined,
): Message | DropReason {
  const { kind, channel } = delivery;
  if (kind === "digest") return digestOf(app, delivery, facts);
  if (kind === "calendar") return calendarOf(app, delivery, facts, invite);
  const reason = refusalOf(app, { kind, channel, body: delivery.body }, facts);
  if (reason !== null) return reason;
  const { text, path, subject } = textOf({ kind, body: delivery.body }, facts, channel === "mail");
  const url = app.settings.origin + path;
  const { key, userId } = delivery;
  if (kind === "account-changed") {
    const person = { ...facts, ...readerOf(facts), id: userId };
    const send = async () => sendMail(app, { ...(await accountEmail(app, person, delivery.body)), key });
    return { mailKind: "moderation", send };
  }
  if (kind === "appeal-answered") {
    const email = appealAnsweredEmail({
      ...(delivery.body as EventBodies["appeal-answered"]),
      ...mailTo(app, facts),
      url,
      because: eventRule(kind).because,
    });
    return { mailKind: "moderation", send: () => sendMail(app, { ...email, key }) };
  }
  const notice = { kind, text, url };
  return channel === "mail"
    ? noticeMailOf(app, delivery, facts, { ...notice, subject })
    : pushOf(app, delivery, facts, notice);
}

/** The sentence of a notice as it is when it leaves. */
const textOf = ({ kind, body }: { kind: EventKind; body: object }, facts: Facts, isMailed: boolean) =>
  writeNotice({ kind, body: { ...body, ...fieldsNow(kind, facts) } }, readerOf(facts), isMailed);
function fieldsNow(kind: EventKind, { startedAt, isBlocked }: Facts): object {
  // A small move later on has no news of its own (N-21).
  if (kind === "session-moved") return { startedAt };
  // The news stays without the name of a person with whom a block exists.
  return kind === "session-early" && isBlocked === 1 ? { name: "" } : {};
}

type NoticeText = { kind: EventKind; text: string; url: string };

/** The fields of every email to the person of these facts. */
const mailTo = (app: App, { email: to, username }: Facts) => ({
  to,
  username,
  appName: app.settings.appName,
  settingsUrl: `${app.settings.origin}/account/notifications`,
});

/** The email of a notice. That of a recap adds the summary for its reader. */
function noticeMailOf(
  app: App,
  { key, userId }: queries.ClaimedDelivery,
  facts: Facts,
  { kind, text, url, subject }: NoticeText & { subject: string | undefined },
): Message {
  const mail = {
    ...mailTo(app, facts),
    subject,
    text,
    url,
    series: seriesUrl(app, facts),
    because: eventRule(kind).because,
  };
  const mailKind = eventRule(kind).notice;
  const send = async () => {
    const isRecap = kind === "session-recap" && facts.sessionId !== null;
    // Null for a reader who no longer sees the session: the email is then the plain notice.
    const recap = isRecap
      ? await readAfter(app, {
          sessionId: facts.sessionId ?? 0,
          userId,
          nextText: (at) => nextText(at, readerOf(facts)),
        })
      : null;
    const email = noticeEmail({ ...mail, ...recap });
    return sendNotice(app, { ...email, key }, userId, mailKind);
  };
  return { mailKind, send };
}

/**
 * The push of a notice, with buttons for a goal's reminder (W-01); the reason to drop it where this server sends none.
 */
function pushOf(
  app: App,
  delivery: queries.ClaimedDelivery,
  facts: Facts,
  { kind, text, url }: NoticeText,
): Message | DropReason {
  if (app.push === null) return "channel-off";
  const { key, userId } = delivery;
  const { startedAt, until } = timesOf(delivery);
  // Nobody needs the push after the end of the offer, the start, or the end of a session that runs.
  const ends = [until, startedAt, facts.startedAt, facts.endedAt];
  const expiresAt = ends.find((at) => at != null && at > app.now) ?? null;
  const push = {
    userId,
    key,
    title: app.settings.appName,
    text,
    url,
    series: seriesUrl(app, facts),
    expiresAt,
  };
  if (kind !== "goal-reminder") return { mailKind: null, send: () => sendToBrowsers(app, push) };
  const { day } = delivery.body as EventBodies["goal-reminder"];
  const pressContext = {
    key,
    userId,
    username: facts.username,
    goal: Number(delivery.subject.split(":")[1]),
    day,
  };
  const reader = readerOf(facts);
  const send = async () => {
    const { readPushButtons } = await loadReminderPresses();
    const press = await readPushButtons(app, pressContext, {
      ...reader,
      unit: facts.distanceUnit ?? unitOfLocale(reader.locale),
    });
    return sendToBrowsers(app, press ? { ...push, press, url: `${url}/log` } : push);
  };
  return { mailKind: null, send };
}

const seriesUrl = (app: App, { series }: Pick<Facts, "series">): string | null =>
  series === null ? null : app.settings.origin + series;

/** The email with the session's next version, the notices of its debounce, or both (F-24). */
function calendarOf(
  app: App,
  delivery: queries.ClaimedDelivery,
  facts: Facts,
  invite: CalendarInviteFacts | undefined,
): Message | DropReason {
  const { texts = {} } = delivery.body as CalendarInviteBody;
  const lines = (Object.entries(texts) as [EventKind, object][]).filter(
    ([kind, body]) => refusalOf(app, { kind, channel: "mail", body }, facts) === null,
  );
  const noticeTexts = lines.map(([kind, body]) => textOf({ kind, body }, facts, true));
  const inviteRefusal = refusalOf(app, { kind: "calendar", channel: "mail", body: {} }, facts);
  const nextInvite = inviteRefusal ?? nextVersion(app, delivery, invite);
  const [first] = lines;
  const hasFile = typeof nextInvite !== "string";
  if (!hasFile && !first) return nextInvite;
  const kind = first?.[0] ?? "calendar";
  const path = invite?.id ? `/sessions/${invite.id}` : "/my/sessions";
  const email = {
    ...noticeEmail({
      ...mailTo(app, facts),
      text:
        hasFile && !first
          ? sentenceOf(nextInvite, readerOf(facts))
          : noticeTexts.map(({ text }) => text).join(" "),
      url: app.settings.origin + path,
      series: seriesUrl(app, facts),
      because: eventRule(kind).because,
    }),
    key: delivery.key,
  };
  const { userId } = delivery;
  const mailKind = eventRule(kind).notice;
  return {
    mailKind,
    async send() {
      if (!hasFile) return sendNotice(app, email, userId, mailKind);
      if (!(await reserveInvite(app, delivery, nextInvite))) return "renewed";
      const host = invite?.hostName ?? null;
      return sendNotice(app, await withCalendarInvite(app, email, nextInvite, host), userId, mailKind);
    },
  };
}

/** Sends with the headers by which one press unsubscribes from notices of this kind (N-30). */
const sendNotice = async (app: App, email: Email, userId: number, kind: MailedKind) =>
  sendMail(app, { ...email, headers: await unsubscribeHeaders(app, userId, kind) });
async function sendMail(app: App, email: Email): Promise<"sent"> {
  await app.mail.send(email);
  return "sent";
}
async function sendToBrowsers(app: App, message: PushMessage): Promise<"sent"> {
  await sendPush(app, message);
  return "sent";
}

/** The reason why an event may not go out to this person now; null if it may. */
function refusalOf(
  app: App,
  delivery: { kind: EventKind; channel: SentChannel; body: object },
  facts: Facts,
): DropReason | null {
  const { startedAt, lead } = timesOf(delivery);
  const { chosen, day } = delivery.body as { chosen?: number; day?: Day };
  const { goal } = facts;
  return dropReason({
    now: app.now,
    kind: delivery.kind,
    channel: delivery.channel,
    startedAt,
    lead,
    chosen,
    isGoalOpen: goal !== null && day !== undefined && isOpenOn(goal, day),
    differences: differencesIn(facts.differences),
    isGone: isDeletedEmail(facts.email),
    isConfirmed: facts.isConfirmed === 1,
    isFailing: facts.isFailing === 1,
    isBlocked: facts.isBlocked === 1,
    isUnreadable: facts.isUnreadable === 1,
    session:
      facts.sessionId === null
        ? null
        : {
            startedAt: facts.startedAt,
            toldStart: facts.toldStart,
            isOver: facts.isOver === 1,
            hasSeat: facts.hasSeat === 1,
            isWaiting: facts.isWaiting === 1,
            offeredUntil: facts.offeredUntil,
          },
    isMember: facts.isMember === 1,
    isSessionOpen: facts.isSessionOpen === 1,
    isSeriesOpen: facts.isSeriesOpen === 1,
    isInvited: facts.isInvited === 1,
  });
}

/** One email for the lines that may still be sent, and the count of the others; "stale" if there are none (N-17). */
function digestOf(app: App, delivery: queries.ClaimedDelivery, facts: Facts): Message | DropReason {
  const { lines, rest = 0 } = delivery.body as { lines: DigestLine[]; rest?: number };
  const checked = lines.map(({ kind, body }, index) => {
    const lineFacts = { ...facts, ...facts.lines[index] };
    const reason = refusalOf(app, { kind, channel: "mail", body }, lineFacts);
    return { kind, body, lineFacts, reason };
  });
  const texts = checked.flatMap(({ kind, body, lineFacts, reason }) => {
    if (reason !== null) return [];
    const { text, path } = writeNotice({ kind, body }, readerOf(facts), true);
    return [{ text, url: app.settings.origin + path, series: seriesUrl(app, lineFacts) }];
  });
  // The oldest events have the lines. Where these are over, the others may still lie ahead.
  const countsRest = rest > 0 && checked.some(({ reason }) => reason === "over");
  if (texts.length === 0 && !countsRest) return "stale";
  const email = digestEmail({
    ...mailTo(app, facts),
    lines: texts,
    rest,
    url: `${app.settings.origin}/my/notices`,
  });
  const { key, userId } = delivery;
  return { mailKind: "digest", send: () => sendNotice(app, { ...email, key }, userId, "digest") };
}
