// The constants of the rules, a row each: the last value inside its bound and the first outside.
import { expect, test } from "vitest";
import { isAnswerable, isMatchable } from "#workers/address-bounds";
import { deletionDueAt } from "~/domain/accounts/deletion";
import { accountRules, passkeyRules } from "~/domain/accounts/rules";
import { isChecked } from "~/domain/accounts/sign-in";
import { type CalendarRow, entryText, isInFeed, nearestEntries } from "~/domain/calendar";
import type { Rule } from "~/domain/field-rules";
import { moveLog } from "~/domain/goals/logs";
import { isUrgent } from "~/domain/notices/calendar-invites";
import { dropReason, retryAfter, type SendingFacts } from "~/domain/notices/deliveries";
import { mailsOfDay } from "~/domain/notices/mail-quota";
import { mentionsIn } from "~/domain/notices/mentions";
import { isSettingValue } from "~/domain/notices/notices";
import { pushPayload, pushTtlSeconds } from "~/domain/notices/push";
import { dueAt } from "~/domain/notices/quiet-hours";
import { usernamePrefixOf } from "~/domain/palette";
import { nextDueAt } from "~/domain/room/advance";
import { isLineEditable, readLine, slowModeWait } from "~/domain/room/chat";
import { room } from "~/domain/room/fixtures";
import { arrive, attendanceOf, awayAt, lose, reliabilityOf, reliableSince } from "~/domain/room/presence";
import type { RoomState } from "~/domain/room/room";
import { isInForce, muteUntil } from "~/domain/safety/sanctions";
import { context, part, schedule } from "~/domain/schedule/fixtures";
import { adjustPart } from "~/domain/schedule/run";
import { parseRule } from "~/domain/series/rule";
import { isMeetingOpen } from "~/domain/sessions/call";
import { returnsToken } from "~/domain/sessions/leaving";
import { sessionDurationProblem } from "~/domain/sessions/limits";
import { isPostEditable } from "~/domain/sessions/posts";
import { isClaimOpen } from "~/domain/sessions/status";
import { waitingPhase } from "~/domain/sessions/waiting";
import { DAY, HOUR, type Instant, instant, isReadable, MINUTE, mayBeNamed, SECOND } from "~/domain/time";
import { decimalIn } from "~/wire/values";

const NOW = instant(Date.UTC(2026, 10, 23, 12));
const ago = (span: number): Instant => instant(NOW - span);
const ahead = (span: number): Instant => instant(NOW + span);
const letters = (count: number) => "a".repeat(count);
const accepts = (rule: Rule, typed: string) => rule(typed, {}) === null;
const isFine = (work: () => unknown): boolean => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};

const inCalendar = (startedAt: Instant, more: Partial<CalendarRow> = {}): CalendarRow => ({
  id: 1,
  title: "",
  summary: "",
  startedAt,
  endedAt: null,
  closedAt: null,
  cancelledStart: null,
  duration: 3600 as CalendarRow["duration"],
  sequence: 0,
  changedAt: NOW,
  ...more,
});
const cancelled = (at: Instant) =>
  inCalendar(at, { endedAt: at, closedAt: at, cancelledStart: NOW, changedAt: at });

const entry = (start: Instant, uid: string) => ({
  uid,
  sequence: 0,
  changedAt: NOW,
  start,
  end: start,
  title: "",
  description: "",
  address: "",
  isCancelled: false,
});
/** Whether the farthest of so many entries is among the nearest. */
const isNearest = (count: number) =>
  nearestEntries(
    Array.from({ length: count }, (_, n) => entry(ahead(n * MINUTE), String(n))),
    NOW,
  ).some(({ uid }) => uid === String(count - 1));

const reminder = (startedAt: Instant): SendingFacts => ({
  now: NOW,
  kind: "session-reminder",
  channel: "mail",
  startedAt,
  lead: 60,
  differences: {},
  isGone: false,
  isConfirmed: true,
  isFailing: false,
  isBlocked: false,
  isUnreadable: false,
  session: { startedAt, isOver: false, hasSeat: true },
});

const seat = { joinedStart: NOW, isStanding: false, askedAt: null };
const standing = { ...seat, isStanding: true };
/** Whether a seat, given up so long before the start, returns its token. */
const returns = (terms: Parameters<typeof returnsToken>[0], left: number) =>
  returnsToken({ ...terms, joinedStart: ahead(left) }, ahead(left), NOW);

const wasThere = (from: number, to: number) =>
  attendanceOf({ intervals: [[ahead(from), ahead(to)]] }, NOW, ahead(2 * HOUR)).hasCome;
const intervalsAfter = (absence: number) =>
  arrive({ intervals: [[ago(absence + HOUR), ago(absence)]] }, NOW).intervals.length;
const intervalsAfterCrash = (absence: number) =>
  arrive(lose({ intervals: [[ago(HOUR), null]] }, ago(MINUTE), NOW), ahead(absence)).intervals.length;
/** The minutes after the start at which a room without a host has its next alarm. */
const cancelsAfter = (length: number) => {
  const waiting: RoomState = {
    ...room({}),
    needsHost: true,
    startedAt: NOW,
    runBegunAt: NOW,
    endedAt: ahead(length),
    schedule: schedule([]),
  };
  return ((nextDueAt(waiting, NOW) ?? 0) - NOW) / MINUTE;
};
const slow = (slowMode: number, since: number) =>
  slowModeWait(
    { participants: [], slowMode } as unknown as RoomState,
    { userId: 1, username: "a", isSuperAdmin: false } as Parameters<typeof slowModeWait>[1],
    ago(since),
    NOW,
  ) === 0;
const running = {
  status: 1,
  isTimed: true,
  startedAt: ago(HOUR),
  elapsedDuration: 0,
  duration: null,
} as Parameters<typeof moveLog>[0];
/** Whether the client's measured time is taken for the server's. */
const isTaken = (off: number) =>
  moveLog(running, "pause", NOW, { elapsed: HOUR + off }).elapsedDuration === HOUR + off;
const longerBy = (span: number) => adjustPart(schedule([part("a", 5)]), "a", span, context(0)).ok;
/** Whether a push of so many bytes keeps its body whole. */
const fitsPush = (bytes: number) => {
  const frame = pushPayload({ title: "", body: "", url: "", series: null, key: "" }).length;
  const body = letters(bytes - frame);
  return JSON.parse(pushPayload({ title: "", body, url: "", series: null, key: "" })).body === body;
};
const named = (count: number) => Array.from({ length: count }, (_, n) => `@user${n}`).join(" ");
const address = (path: string) => new URL(path, "https://bothy.example");

type Bound = readonly [
  rule: string,
  what: string,
  inside: number,
  outside: number,
  isInside: (value: number) => boolean,
];

// biome-ignore format: a row a line
const BOUNDS: readonly Bound[] = [
  // sessions
  ["V-21", "seconds of the shortest session", 300, 299, (span) => sessionDurationProblem(span) === null],
  ["V-21", "seconds of the longest session", 2_592_000, 2_592_001, (span) => sessionDurationProblem(span) === null],
  ["R-29", "seconds by which a timer of five minutes grows", 2_591_700, 2_591_701, longerBy],
  ["G-29", "ms before the start at which a claim opens", 5 * MINUTE, 5 * MINUTE + 1, (span) => isClaimOpen({ startedAt: ahead(span), endedAt: null }, NOW)],
  ["G-38", "ms before the start at which the meeting link opens", 30 * MINUTE, 30 * MINUTE + 1, (span) => isMeetingOpen({ startedAt: ahead(span), endedAt: null }, NOW)],
  ["G-31", "minutes for which a session waits for a host", 15, 16, (minutes) => cancelsAfter(HOUR) === minutes],
  ["G-31", "minutes for which a session of ten waits for a host", 10, 15, (minutes) => cancelsAfter(10 * MINUTE) === minutes],

  // seats and waiting
  ["R-64", "ms before the start at which a seat returns its token", HOUR, HOUR - 1, (left) => returns(seat, left)],
  ["R-44", "ms before the start at which a standing seat returns its token", DAY, DAY - 1, (left) => returns(standing, left)],
  ["G-16", "ms before the start at which a holder who is asked gets the token back", HOUR, HOUR - 1, (left) => returns({ ...standing, askedAt: ago(MINUTE) }, left)],
  ["R-64", "ms by which a start moves before the token returns late", 15 * MINUTE + 1, 15 * MINUTE, (span) => returnsToken({ ...seat, joinedStart: ahead(MINUTE + span) }, ahead(MINUTE), NOW)],
  ["G-22", "ms before the start at which a freed seat is given", HOUR + 1, HOUR, (left) => waitingPhase({ startedAt: ahead(left) }, NOW) === "given"],
  ["G-22", "ms after the start at which a freed seat is offered", 15 * MINUTE - 1, 15 * MINUTE, (span) => waitingPhase({ startedAt: ago(span) }, NOW) === "offered"],

  // attendance
  ["G-24", "ms of absence that count as presence", 90 * SECOND, 90 * SECOND + 1, (span) => intervalsAfter(span) === 1],
  ["G-25", "ms after a crash within which presence goes on", 90 * SECOND, 90 * SECOND + 1, (span) => intervalsAfterCrash(span) === 1],
  ["G-26", "ms after the start at which an arrival counts", 15 * MINUTE, 15 * MINUTE + 1, (late) => wasThere(late, late + 1)],
  ["G-26", "ms of two hours that count as having come", HOUR, HOUR - 1, (span) => wasThere(2 * HOUR - span, 2 * HOUR)],
  ["G-28", "sessions from which on reliability shows", 3, 2, (came) => reliabilityOf({ came, missed: 0 }) !== null],
  ["G-28", "ms for which a session counts for the reliability", 30 * DAY, 30 * DAY + 1, (span) => ago(span) >= reliableSince(NOW)],
  ["R-68", "ms of silence after which a socket is here", 90 * SECOND - 1, 90 * SECOND, (span) => awayAt(ago(span)) > NOW],

  // the calendar
  ["F-05", "ms that a feed reaches back", 60 * DAY, 60 * DAY + 1, (span) => isInFeed(inCalendar(ago(span)), NOW)],
  ["F-05", "ms that a feed reaches ahead", 180 * DAY, 180 * DAY + 1, (span) => isInFeed(inCalendar(ahead(span)), NOW)],
  ["F-05", "entries of a feed", 1000, 1001, isNearest],
  ["F-10", "characters of a summary in an entry", 500, 501, (count) => entryText(letters(count), "").trim() === letters(count)],
  ["F-12", "ms for which a cancelled session stays in a feed", 30 * DAY - 1, 30 * DAY, (span) => isInFeed(cancelled(ago(span)), NOW)],
  ["F-22", "ms before the start at which news leaves without a debounce", 5 * MINUTE, 5 * MINUTE + 1, (span) => isUrgent({ knownBy: ahead(span) }, NOW)],

  // notices
  ["N-06", "ms before the start at which a reminder leaves", 1, 0, (left) => dropReason(reminder(ahead(left))) === null],
  ["N-06", "failed tries after which a delivery is tried again", 4, 5, (tries) => retryAfter(tries) !== null],
  ["N-16", "ms from a delivery to its latest instant", 0, -1, (left) => dueAt(NOW, "UTC", null, ahead(left)) === NOW],
  ["N-18", "minutes of the shortest reminder", 10, 9, (lead) => isSettingValue("session-reminder", lead)],
  ["N-18", "minutes of the middle reminder", 60, 61, (lead) => isSettingValue("session-reminder", lead)],
  ["N-18", "minutes of the longest reminder", 1440, 1441, (lead) => isSettingValue("session-reminder", lead)],
  ["N-24", "the last minute of the day for open goals", 1440, 1441, (value) => isSettingValue("still-open", value)],
  ["N-24", "whole minutes for open goals", 1, 1.5, (value) => isSettingValue("still-open", value)],
  ["N-26", "mentions of a text that count", 10, 11, (count) => mentionsIn(named(count)).length === count],
  ["N-36", "emails of 1,000 after which a digest leaves", 800, 801, (sent) => sent <= mailsOfDay("digest", 1000)],
  ["N-36", "emails of 1,000 after which a reminder leaves", 1000, 1001, (sent) => sent <= mailsOfDay("session-reminder", 1000)],
  ["N-39", "characters of a push's title", 200, 201, (count) => JSON.parse(pushPayload({ title: letters(count), body: "", url: "", series: null, key: "" })).title.length === count],
  ["N-39", "bytes of a push with a whole body", 3000, 3001, fitsPush],
  ["N-39", "seconds for which a push waits", 86_400, 86_401, (span) => pushTtlSeconds(NOW, ahead(span * SECOND)) === span],

  // safety
  ["Q-13", "ms for which a mute of five minutes holds", 300_000 - 1, 300_000, (span) => isInForce({ until: muteUntil(300, NOW) }, ahead(span))],
  ["Q-13", "ms for which a mute of half an hour holds", 1_800_000 - 1, 1_800_000, (span) => isInForce({ until: muteUntil(1800, NOW) }, ahead(span))],
  ["Q-19", "ms for which a post can be edited", 15 * MINUTE - 1, 15 * MINUTE, (span) => isPostEditable({ createdAt: ago(span) }, NOW)],
  ["Q-21", "ms for which a line can be edited", 5 * MINUTE - 1, 5 * MINUTE, (span) => isLineEditable({ createdAt: ago(span) }, NOW)],
  ["Q-23", "ms after which slow mode takes another line", 5 * SECOND, 5 * SECOND - 1, (span) => slow(5, span)],
  ["Q-38", "ms for which a check counts", 15 * MINUTE - 1, 15 * MINUTE, (span) => isChecked({ checkedAt: ago(span) }, NOW)],
  ["R-67", "ms of a deletion's grace", 14 * DAY, 14 * DAY + 1, (span) => ahead(span) <= deletionDueAt(NOW)],
  ["R-16", "characters of a line", 2000, 2001, (count) => isFine(() => readLine(letters(count), "n"))],
  ["R-16", "characters of a nonce", 100, 101, (count) => isFine(() => readLine("a", letters(count)))],

  // series
  ["G-05", "the largest interval of a rule", 12, 13, (value) => parseRule(`FREQ=WEEKLY;INTERVAL=${value}`) !== null],
  ["G-05", "the smallest interval of a rule", 1, 0, (value) => parseRule(`FREQ=WEEKLY;INTERVAL=${value}`) !== null],
  ["G-05", "the largest count of a rule", 500, 501, (value) => parseRule(`FREQ=DAILY;COUNT=${value}`) !== null],

  // forms and addresses
  ["V-04", "characters of the shortest username", 3, 2, (count) => accepts(accountRules.username, letters(count))],
  ["V-04", "characters of the longest username", 30, 31, (count) => accepts(accountRules.username, letters(count))],
  ["V-06", "characters of the shortest password", 8, 7, (count) => accepts(accountRules.password, "kq7zw1ph".slice(0, count))],
  ["V-06", "characters of the longest password", 256, 257, (count) => accepts(accountRules.password, "kq7".repeat(86).slice(0, count))],
  ["V-07", "characters of a name", 60, 61, (count) => accepts(accountRules.firstName, letters(count))],
  ["V-12", "the largest amount", 1e9, 1e9 + 1, (value) => decimalIn.safeParse(value).success],
  ["Q-37", "characters of a passkey's name", 60, 61, (count) => accepts(passkeyRules.name, letters(count))],
  ["R-06", "ms by which a client's measured time is ahead", 2000, 2001, isTaken],
  ["R-06", "ms by which a client's measured time is behind", -2000, -2001, isTaken],
  ["R-35", "bytes of a path", 1024, 1025, (count) => isMatchable(`/${letters(count - 1)}`)],
  ["R-35", "segments of a path", 12, 13, (count) => isMatchable("/a".repeat(count))],
  ["R-35", "keys of a query", 250, 251, (count) => isAnswerable(address(`/?${named(count).replaceAll(" ", "&")}`))],
  ["Y-01", "letters from which people are found", 2, 1, (count) => usernamePrefixOf(letters(count)) !== null],
  ["X-04", "the first instant that input names", Date.UTC(2000, 0), Date.UTC(2000, 0) - 1, mayBeNamed],
  ["X-04", "the last instant that input names", Date.UTC(2100, 0) - 1, Date.UTC(2100, 0), mayBeNamed],
  ["X-04", "the last instant that a page shows", Date.UTC(10_000, 0) - 1, Date.UTC(10_000, 0), isReadable],
];

test.each(BOUNDS)("%s %s: %d, and not %d", (_rule, _what, inside, outside, isInside) => {
  expect([isInside(inside), isInside(outside)]).toEqual([true, false]);
});
