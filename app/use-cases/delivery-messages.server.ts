// The email or push of a claimed delivery, written from the facts as they are when it leaves (N-05).
import type * as queries from "#db/queries/notices/deliveries";
import { isDeletedEmail } from "~/domain/accounts/deleted";
import { ANY_LOCALE, type Day, type TimeReader } from "~/domain/days";
import { unitOfLocale } from "~/domain/distances";
import { isOpenOn } from "~/domain/goals/today";
import { loadOnce } from "~/domain/load-once";
import type { CalendarInviteBody } from "~/domain/notices/calendar-invites";
import { type DropReason, dropReason } from "~/domain/notices/deliveries";
import { eventRule } from "~/domain/notices/event-rules";
import type { BodyTimes, EventBodies, EventKind } from "~/domain/notices/events";
import type { SentChannel } from "~/domain/notices/notices";
import { nextText, writeNotice } from "~/domain/notices/texts";
import type { MailedKind } from "~/domain/notices/unsubscribe";
import { accountEmail } from "~/use-cases/accounts/change-emails.server";
import type { App } from "~/use-cases/app.server";
import { appealAnsweredEmail, digestEmail, noticeEmail } from "~/use-cases/notices/emails.server";
import { differencesIn } from "~/use-cases/notices/events.server";
import { sendPush } from "~/use-cases/notices/push.server";
import { unsubscribeHeaders } from "~/use-cases/notices/unsubscribe.server";
import type { Email, PushMessage } from "~/use-cases/ports.server";
import { readAfter } from "~/use-cases/sessions/after.server";
import {
  type CalendarInviteFacts,
  nextVersion,
  reserveInvite,
  sentenceOf,
  withCalendarInvite,
} from "~/use-cases/sessions/calendar-invites.server";

const loadReminderPresses = loadOnce(() => import("~/use-cases/goals/reminder-presses.server"));

type Facts = Awaited<ReturnType<typeof queries.listSendingFacts>>[number];
const readerOf = ({ timeZone, locale }: Facts): TimeReader => ({ timeZone, locale: locale ?? ANY_LOCALE });
/** The facts and the calendar invitations of claimed deliveries, by the key of the delivery. */
export type FactsByKey = {
  factsOf: ReadonlyMap<string, Facts>;
  inviteOf: ReadonlyMap<string, CalendarInviteFacts>;
};

export const timesOf = ({ body }: { body: object }) => body as BodyTimes;

/** A delivery that was renewed meanwhile waits again. `mailKind` is null for a push. */
type Message = { mailKind: MailedKind | null; send(): Promise<"sent" | "renewed"> };
type DigestLine = { kind: EventKind; subject: string; actorId: number | null; body: object };

/** The message of a delivery, or the reason to drop it. */
export function messageOf(
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
