// The bounds of the rules: the value at each bound, and the next beside it.
import { expect, test } from "vitest";
import { type CalendarRow, entryText, isInFeed } from "./calendar";
import { chatCopyText, nightAfter, readChatCopy } from "./chat-copy";
import { parseDuration } from "./duration-parse";
import { isSettingValue } from "./notices";
import { kindOf, PART_KINDS } from "./part-kinds";
import { pushPayload } from "./push";
import { placeOfReport } from "./reports";
import { accepted, context, part, refused, schedule } from "./schedule-fixtures";
import { adjustPart } from "./schedule-run";
import { findPart } from "./schedule-shape";
import { type RuleTyped, ruleOfTyped } from "./series-form";
import { describeRule, parseRule } from "./series-rule";
import { isClaimOpen, isMeetingOpen } from "./session-status";
import { DAY, HOUR, instant, isReadable, MINUTE, plusMillis, seconds } from "./time";

const NOW = instant(Date.UTC(2026, 10, 23, 12));

test("F-10 an entry has the first 500 characters of the summary", () => {
  expect(entryText("a".repeat(600), "https://bothy.example/sessions/1")).toBe(
    `${"a".repeat(500)}\n\nhttps://bothy.example/sessions/1`,
  );
});

test("F-12 a feed shows a cancelled session for less than 30 days", () => {
  const cancelledAt = (closedAt: number): CalendarRow => ({
    id: 1,
    title: "",
    summary: "",
    startedAt: instant(closedAt),
    endedAt: instant(closedAt),
    closedAt: instant(closedAt),
    cancelledStart: NOW,
    duration: seconds(3600),
    sequence: 0,
    changedAt: instant(closedAt),
  });
  expect(isInFeed(cancelledAt(NOW - 30 * DAY + 1), NOW)).toBe(true);
  expect(isInFeed(cancelledAt(NOW - 30 * DAY), NOW)).toBe(false);
});

test("F-05 a feed shows a session that ran, after its end too", () => {
  const [startedAt, endedAt] = [instant(NOW - 2 * DAY), instant(NOW - DAY)];
  const ran: CalendarRow = {
    id: 1,
    title: "",
    summary: "",
    startedAt,
    endedAt,
    closedAt: endedAt,
    cancelledStart: null,
    duration: seconds(3600),
    sequence: 0,
    changedAt: endedAt,
  };
  expect(isInFeed(ran, NOW)).toBe(true);
});

test("G-01 a monthly series names the weekday's place, from the fifth on the last", () => {
  const typed = { every: "MONTHLY", monthly: "weekday", interval: "1", days: [] } as unknown as RuleTyped;
  expect(ruleOfTyped(typed, "2026-11-26")).toBe("FREQ=MONTHLY;INTERVAL=1;BYDAY=4TH");
  expect(ruleOfTyped(typed, "2026-11-30")).toBe("FREQ=MONTHLY;INTERVAL=1;BYDAY=-1MO");
});

test("Q-43 a copy of the chat names its format, and another format is refused", () => {
  const copy = { sessionId: 1, seq: 0, gone: [], blocks: [], mentions: [], lines: [] };
  const text = chatCopyText(copy as never);
  expect(JSON.parse(text)).toMatchObject({ format: 1 });
  expect(() => readChatCopy(text.replace('"format":1', '"format":2'))).toThrow("unknown format 2");
});

test("Q-43 the copies of all rooms spread over the hour after three at night", () => {
  const midnight = NOW + 12 * HOUR;
  const after = (session: number) => nightAfter(NOW, session) - midnight;
  expect([after(0), after(3599), after(3600)]).toEqual([3 * HOUR, 4 * HOUR - 1000, 3 * HOUR]);
});

test("T-17 a year has 365 days and a quarter", () => {
  expect(parseDuration("1 year")).toMatchObject({ seconds: 31_557_600 });
});

test("N-18 a reminder goes out 10, 60 or 1,440 minutes before", () => {
  const isLead = (value: number) => isSettingValue("session-reminder", value);
  expect([10, 11, 60, 61, 1440, 1441].map(isLead)).toEqual([true, false, true, false, true, false]);
});

test("N-24 a reminder of open goals may have any minute of the day", () => {
  const isTime = (value: number) => isSettingValue("still-open", value);
  expect([0, 1, 1440, 1441, 1.5].map(isTime)).toEqual([true, true, true, false, false]);
});

test("N-39 a push has the first 200 characters of its title", () => {
  const sent = pushPayload({ title: "t".repeat(300), body: "", url: "/", key: "1" });
  expect(JSON.parse(sent)).toMatchObject({ title: "t".repeat(200) });
});

test("Q-07 only the id of a chat line names its session", () => {
  expect(placeOfReport({ kind: "message", id: "7:3" }, "/")).toEqual({ kind: "session", session: 7 });
  expect(placeOfReport({ kind: "user", id: "7:3" } as never, "/")).toBe(null);
});

test("R-29 a timer may be lengthened to 30 days", () => {
  const given = schedule([part("a", 5)]);
  const longer = (span: number) => adjustPart(given, "a", span, context(0));
  const most = (30 * DAY) / 1000;
  expect(findPart(accepted(longer(most - 300)), "a")?.duration).toBe(most);
  expect(refused(longer(most - 299))).toBe("A timer lasts at most 30 days.");
});

test("G-06 a rule names a place that is counted from the end", () => {
  const words = (text: string) => describeRule(parseRule(text) as never, "2026-11-27T18:00", "UTC");
  expect(words("FREQ=MONTHLY;BYDAY=-2FR")).toContain("second-to-last Friday");
  expect(words("FREQ=MONTHLY;BYDAY=-1FR")).toContain("the last Friday");
});

test("G-38 the meeting link opens half an hour before the start", () => {
  const session = { startedAt: plusMillis(NOW, 30 * MINUTE), endedAt: null };
  expect([isMeetingOpen(session, NOW), isMeetingOpen(session, NOW - 1)]).toEqual([true, false]);
});

test("G-29 a session without a start is never claimed", () => {
  expect(isClaimOpen({ startedAt: null, endedAt: null }, NOW)).toBe(false);
  expect(isClaimOpen({ startedAt: NOW + 5 * MINUTE, endedAt: null }, NOW)).toBe(true);
});

test("an instant after the year 9999 is unreadable", () => {
  expect([isReadable(Date.UTC(10_000, 0) - 1), isReadable(Date.UTC(10_000, 0))]).toEqual([true, false]);
});

test("T-14 the list of parts names intervals and, if there are several, sets", () => {
  const of = (sets: number) => {
    const one = part("a", 5, { sets, intervals: [{ id: "i", title: "", duration: seconds(60) }] });
    return PART_KINDS[kindOf(one)].summary(one);
  };
  expect([of(1), of(2)]).toEqual([["1 interval"], ["1 interval, 2 sets"]]);
});
