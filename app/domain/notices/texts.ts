// The sentence and the link of each notice. Pure.

import { shorten } from "~/domain/beginnings";
import { formatDay, formatMoment, type TimeReader } from "~/domain/days";
import { formatDuration } from "~/domain/duration-text";
import { isolateRtl } from "~/domain/isolated";
import { memoiseByKey } from "~/domain/memoise";
import type { CalendarInvite } from "~/domain/notices/calendar-invites";
import type { Instant } from "~/domain/time";
import type { AskKind } from "./event-rules";
import type { EventBodies, EventKind, Other } from "./events";

/** A stored notice or delivery; `body` is that of its kind. */
export type NoticeFacts = {
  kind: EventKind;
  body: object;
  /** Further events that merged into it, and their posts and people (N-11). */
  merged?: number;
  others?: readonly Other[];
};

/** "Ann and 2 others". */
const namesOf = (name: string, others: number): string =>
  others === 0 ? name : `${name} and ${others} ${others === 1 ? "other" : "others"}`;
/** The name that the zone has at that instant, such as "Central European Summer Time". */
const zoneFormatOf = memoiseByKey(
  (timeZone) => new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName: "long" }),
);
const zoneNameAt = (at: Instant, timeZone: string): string =>
  timeZone === "UTC"
    ? timeZone
    : (zoneFormatOf(timeZone)
        .formatToParts(at)
        .find(({ type }) => type === "timeZoneName")?.value ?? timeZone);
/** "Saturday, 11/21/2026, 09:30"; an email names the zone too (F-26). */
const momentOf = (at: Instant, reader: TimeReader, isMailed: boolean): string =>
  `${formatMoment(at, reader)}${isMailed ? ` (${zoneNameAt(at, reader.timeZone)})` : ""}`;
const dateOf = (at: Instant, { timeZone, locale }: TimeReader): string => formatDay(at, timeZone, locale);

/** The line of an email about the next session. */
export const nextText = (next: Instant, reader: TimeReader): string =>
  `Next: ${momentOf(next, reader, true)}.`;

/** The length at which ten titles fit into a push. */
const MAX_TITLE_CHARS = 80;
const shortenTitle = (title: string): string => shorten(title, MAX_TITLE_CHARS);
/** A written notice. `subject`: that of the email, where the sentence is too long for one. */
type Written = { text: string; path: string; subject?: string };
/** A notice to people who share nothing with the sender, whose words are not in the subject. */
type Asked = Written & { subject: string };

type Writers = {
  [K in EventKind]: (
    body: EventBodies[K] & {
      isPayer?: boolean;
      isSucceeded?: boolean;
      isHolder?: boolean;
      merged?: number;
      seconds?: number;
      next?: Instant;
    },
    reader: TimeReader,
    /** How many other people merged into the notice (N-11). */
    others: number,
    isMailed: boolean,
  ) => K extends AskKind ? Asked : Written;
};
const WRITERS: Writers = {
  "session-reminder": ({ title, path, startedAt }, reader, _, isMailed) => ({
    text: `${title} begins on ${momentOf(startedAt, reader, isMailed)}.`,
    path,
  }),
  "session-moved": ({ title, path, startedAt, isHolder }, reader, _, isMailed) => ({
    text: `${title} moved to ${momentOf(startedAt, reader, isMailed)}.${isHolder ? " You may give up your seat until an hour before, and its token is returned." : ""}`,
    path,
  }),
  "session-undated": ({ title, path, isHolder }) => ({
    text: `${title} has no date any more.${isHolder ? " You may give up your seat, and its token is returned." : ""}`,
    path,
  }),
  "session-early": ({ name, title, path, planned }, reader, _, isMailed) => ({
    text: `${name || "The host"} has started ${title} now instead of on ${momentOf(planned, reader, isMailed)}.`,
    path,
  }),
  "session-cancelled": ({ title, path, isPayer, isHostAbsent }) => ({
    text: `${title} was cancelled${isHostAbsent ? " because the host did not come" : ""}.${isPayer ? " Your token was returned." : ""}`,
    path,
  }),
  "session-started": ({ name, title, path }) => ({ text: `${name} has started ${title}.`, path }),
  "seat-given": ({ title, path }) => ({ text: `You have a seat in ${title}.`, path }),
  "seat-offered": ({ title, path }) => ({
    text: `A seat in ${title} is free. Take it within 10 minutes.`,
    path,
  }),
  "seat-unpaid": ({ title, path }) => ({
    text: `A seat in ${title} went to the next person: you are out of tokens. You keep your place.`,
    path,
  }),
  "waiting-asked": ({ title, path, until }, reader, _, isMailed) => ({
    text: `${title} has another join code. Please give it to keep your place on the waiting list: without it you get no seat, and the place ends on ${momentOf(until, reader, isMailed)}.`,
    path,
  }),
  "waiting-ended": ({ title, path }) => ({
    text: `${title} has another join code, so your place on its waiting list ended. You may wait again with that code.`,
    path,
  }),
  "host-given": ({ title, path, endsFree }) => ({
    text: `You host ${title} now.${endsFree === 1 ? " Joining is no longer free: its host would pay for everybody. You may switch it on again." : ""}`,
    path,
  }),
  "turn-given": ({ title, path, startedAt, isFree }, reader, _, isMailed) => ({
    text: `It is your turn to host ${title} on ${momentOf(startedAt, reader, isMailed)}.${isFree ? " Joining is free, and you pay for everybody." : ""}`,
    path,
  }),
  "rota-asked-again": ({ title, path }) => ({
    text: `Joining ${title} is free from now on, and its hosts pay for everybody. Please accept again to go on hosting in turn.`,
    path,
  }),
  "rota-invited": ({ name, title, path }) => ({
    text: `${name} asks you to host ${title} in turn.`,
    path,
    subject: "An invitation to host a series in turn",
  }),
  "series-unpaid": ({ title, path, startedAt, isRota }, reader) => ({
    text: `${title} on ${dateOf(startedAt, reader)} was not created: ${isRota ? "no host in turn could make it" : "you are out of tokens"}.`,
    path,
  }),
  "standing-unpaid": ({ title, path, startedAt }, reader) => ({
    text: `No seat in ${title} on ${dateOf(startedAt, reader)}: you are out of tokens.`,
    path,
  }),
  "standing-ended": ({ title, path }) => ({
    text: `You no longer join ${title} every time: you were out of tokens three times in a row.`,
    path,
  }),
  "standing-asked": ({ title, path, until }, reader, _, isMailed) => ({
    text: `${title} has another join code. Please give it to go on joining every time: without it you get no new seat, and the standing seat ends on ${momentOf(until, reader, isMailed)}.`,
    path,
  }),
  "goal-reminder": ({ title, path }) => ({ text: `It is time for ${title}.`, path }),
  "still-open": ({ titles, path }) => ({
    text: `Still open today: ${titles.map((title) => isolateRtl(shortenTitle(title))).join(", ")}.`,
    path,
  }),
  "hut-session": ({ title, path, hut, hutPath, isSeries, merged }) =>
    isSeries || merged
      ? { text: `There are new sessions in ${hut}, among them ${title}.`, path: hutPath }
      : { text: `There is a new session in ${hut}: ${title}.`, path },
  "invitation-used": ({ name, title, path }, _reader, others) => ({
    text: `${namesOf(name, others)} came into ${title} by your link.`,
    path,
  }),
  "hut-deleted": ({ title }) => ({ text: `The hut ${title} was deleted.`, path: "/my/groups" }),
  "hut-private": ({ title, isPayer, isSucceeded }) => ({
    text: `The hut ${title} is for members now. ${isSucceeded ? "Its owner hosts your sessions and series there. " : ""}Your places in sessions that have not begun ended.${isPayer ? " Your tokens were returned." : ""}`,
    path: "/my/sessions",
  }),
  "key-ends": ({ title, path, endsAt }, reader) => ({
    text: `Your key “${title}” stops working on ${dateOf(endsAt, reader)}.`,
    path,
  }),
  "account-changed": ({ sentence }) => ({ text: sentence, path: "/account/security" }),
  calendar: () => ({ text: "A session in your calendar has changed.", path: "/my/sessions" }),
  "host-message": ({ name, title, path, content }) => {
    const subject = `${name} wrote to everybody in ${title}`;
    return { text: `${subject}: ${content}`, path, subject };
  },
  "report-closed": ({ outcome, path }) => ({ text: outcome, path }),
  decision: ({ act, reason, decision }) => ({
    text: `${act} Reason: ${reason} You can appeal ${decision ? "here, once, within 30 days" : "by the link in our email"}.`,
    path: decision ? `/account/appeal?decision=${decision}` : "/account",
  }),
  "appeal-answered": ({ sentence, isGranted, reason }) => ({
    text: `Your appeal was ${isGranted ? "granted" : "refused"}. It was about the decision: ${sentence} Reason: ${reason}`,
    path: "/account",
  }),
  "session-recap": ({ title, path, seconds = 0, next }, reader, _, isMailed) => ({
    text: `You took part in ${title}${seconds > 0 ? ` for ${formatDuration(seconds)}` : ""}.${next ? ` The next session begins on ${momentOf(next, reader, isMailed)}.` : ""}`,
    path,
  }),
  mention: ({ name, title, path }) => ({ text: `${name} mentioned you in ${title}.`, path }),
  "chat-mention": ({ name, title, path }, _reader, others) => ({
    text: `${namesOf(name, others)} mentioned you in the chat of ${title}.`,
    path,
  }),
  reply: ({ name, path }, _reader, others) => ({
    text: `${namesOf(name, others)} replied to your post.`,
    path,
  }),
  "thread-reply": ({ name, path }, _reader, others) => ({
    text: `${namesOf(name, others)} replied to a post that you replied to.`,
    path,
  }),
};

/** The sentence of calendar mail that carries no notice. */
export function calendarSentence(
  news: CalendarInvite["news"],
  entry: { title: string; start: Instant },
  reader: TimeReader,
): string {
  const moment = momentOf(entry.start, reader, true);
  const title = isolateRtl(entry.title);
  switch (news) {
    case "invited":
      return `You have a seat in ${title}: ${moment}.`;
    case "updated":
      return `${title} has changed. It begins on ${moment}.`;
    case "left":
      return `You have no seat in ${title} any more.`;
    case "undated":
      return `${title} has no date any more.`;
    case "cancelled":
      return `${title} was cancelled.`;
  }
}

/** The fields of a body with words of people, which the sentence puts among ours. */
const USER_WORD_FIELDS = new Set(["name", "title", "hut", "content", "reason"]);
const isolateUserWords = (body: object): object =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      USER_WORD_FIELDS.has(key) && typeof value === "string" ? isolateRtl(value) : value,
    ]),
  );

/** The sentence and the path of a notice, with instants as the reader's clock shows them; for an email it names the zone. */
export function writeNotice(facts: NoticeFacts, reader: TimeReader, isMailed = false): Written {
  const writer = WRITERS[facts.kind] as (
    body: object,
    reader: TimeReader,
    others: number,
    isMailed: boolean,
  ) => Written;
  const text = writer(
    { ...isolateUserWords(facts.body), ...(facts.merged && { merged: facts.merged }) },
    reader,
    othersIn(facts),
    isMailed,
  );
  const path = newestPath(facts);
  return path === null ? text : { ...text, path };
}

/** How many people merged into the notice; everybody under one name counts once. */
function othersIn({ body, others = [] }: NoticeFacts): number {
  const names = new Set(others.map(({ name }) => name));
  names.delete((body as Partial<Other>).name ?? "");
  return names.size;
}

/** The path of the newest post of a notice into which other posts have merged; null for any other notice. */
function newestPath({ body, others = [] }: NoticeFacts): string | null {
  const posts = [body as Partial<Other>, ...others].filter(({ post }) => post !== undefined);
  if (posts.length < 2) return null;
  return posts.reduce((newest, post) => ((post.post ?? 0) > (newest.post ?? 0) ? post : newest)).path ?? null;
}
