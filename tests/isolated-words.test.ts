// People's words that run from right to left, in every sentence of ours: each is isolated, so that it moves no other word.
import { expect, test } from "vitest";
import type { Day } from "~/domain/days";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { loggedText } from "~/domain/goals/logged-text";
import { EVENTS } from "~/domain/notices/event-rules";
import type { EventKind } from "~/domain/notices/events";
import { calendarSentence, writeNotice } from "~/domain/notices/texts";
import { instant, millis } from "~/domain/time";
import * as emails from "~/use-cases/notices/emails.server";

const HEBREW = "ריצה 5!";
const NOW = instant(Date.UTC(2026, 10, 21, 9, 30));
const READER = { timeZone: "UTC", locale: "en-US" };

/** The text that no pair of isolating marks holds; pairs may hold pairs. */
function outside(text: string): string {
  const rest = text.replace(/\u2068[^\u2068\u2069]*\u2069/g, "");
  return rest === text ? rest : outside(rest);
}
const loose = (text: string): string[] => outside(text).match(/[\u0590-\u05ff\u2068\u2069]+/g) ?? [];
const held = (text: string): number => text.match(/\u2068/g)?.length ?? 0;

const BODY = {
  name: HEBREW,
  title: HEBREW,
  hut: HEBREW,
  content: HEBREW,
  reason: HEBREW,
  titles: [HEBREW, HEBREW],
  path: "/x",
  hutPath: "/x",
  sentence: "So.",
  outcome: "So.",
  act: "So.",
  by: 1,
  day: "2026-11-21" as Day,
  ...{ startedAt: NOW, until: NOW, planned: NOW, endsAt: NOW },
};
const WITHOUT_WORDS = new Set(["account-changed", "calendar", "report-closed"]);

test.each(Object.keys(EVENTS) as EventKind[])(
  "R-80 the sentence and the subject of %s isolate people's words",
  (kind) => {
    const written = [{}, { merged: 1, others: [{ name: HEBREW, by: 2, path: "/y" }] }].flatMap((more) =>
      [false, true].map((isMailed) => writeNotice({ kind, body: BODY, ...more }, READER, isMailed)),
    );
    for (const { text, subject = "" } of written) {
      expect([text, subject].flatMap(loose)).toEqual([]);
      if (!WITHOUT_WORDS.has(kind) && !/reply|replied/.test(kind + text))
        expect(held(text)).toBeGreaterThan(0);
    }
  },
);

test("R-80 the subject and the text of every email isolate people's words", () => {
  const { text } = writeNotice({ kind: "session-cancelled", body: BODY }, READER, true);
  const facts = {
    ...{ to: "a@b.c", appName: "Bothy", username: "ada", url: "/x", settingsUrl: "/s", because: "so" },
    ...{ minutes: 1, hours: 48, days: 7, newEmail: "x@y.z", day: "Monday", what: "So.", sentence: "So." },
    ...{ reason: HEBREW, isGranted: true, kind: "notice" as const, series: null, text },
    lines: [{ text, url: "/e", series: null }],
    rest: 0,
  };
  const written = Object.values(emails).map((write) => write(facts));
  expect(written.flatMap(({ subject, text, html }) => [subject, text, html]).flatMap(loose)).toEqual([]);
  expect(written.filter(({ text }) => held(text) > 0)).toHaveLength(4);
});

test("R-80 the sentences of calendar mail isolate a title", () => {
  for (const news of ["invited", "updated", "left", "undated", "cancelled"] as const) {
    const text = calendarSentence(news, { title: HEBREW, start: NOW }, READER);
    expect([loose(text), held(text)]).toEqual([[], 1]);
  }
});

test("R-80 the sentence of a log isolates a unit with its number", () => {
  const reader = { locale: "en-US", unit: "km" } as const;
  const totals = { amountElapsed: 22_000, durationElapsed: 0, distanceElapsed: 0 };
  const goal = { unit: HEBREW, amount: 300_000, distance: null, duration: null, actionDuration: null };
  const log = {
    ...{
      status: LOG_STATUS.done,
      isTimed: false,
      duration: null,
      sessionGoalUuid: null,
      elapsedDuration: millis(0),
    },
    ...{ amount: 10_000, distance: null },
  };
  const text = loggedText(log, { ...goal, completionsRequired: 1, recurrence: null }, totals, reader);
  expect(text).toBe(`\u2068+10 ${HEBREW}\u2069, 22 of 300`);
});
