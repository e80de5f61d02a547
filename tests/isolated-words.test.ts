// People's words that run from right to left, in every sentence of ours: each is isolated, so that it moves no other word.
import { expect, test } from "vitest";
import type { Day } from "~/domain/days";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { loggedText } from "~/domain/goals/logged-text";
import { buttonLabel, deedText, goalMeasures, logMeasures, totalsText } from "~/domain/goals/measure-text";
import { EVENTS } from "~/domain/notices/event-rules";
import type { EventKind } from "~/domain/notices/events";
import { calendarSentence, writeNotice } from "~/domain/notices/texts";
import { instant, millis, seconds } from "~/domain/time";
import * as emails from "~/use-cases/notices/emails.server";

const HEBREW = "ריצה 5!";
const NOW = instant(Date.UTC(2026, 10, 21, 9, 30));
const READER = { timeZone: "UTC", locale: "en-US" };

/** Letters from right to left that no pair of isolating marks holds. */
const loose = (text: string): string[] =>
  text.replace(/\u2068[^\u2068\u2069]*\u2069/g, "").match(/[\u0590-\u05ff]+/g) ?? [];
const held = (text: string): number => text.match(/\u2068[^\u2068\u2069]*\u2069/g)?.length ?? 0;

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

test("R-80 the measures of goals and logs isolate a unit and an action", () => {
  const reader = { locale: "en-US", unit: "km" } as const;
  const totals = { amountElapsed: 22_000, durationElapsed: 3_600_000, distanceElapsed: 1_000_000 };
  const goal = { unit: HEBREW, amount: 300_000, distance: 5_000_000, duration: null, actionDuration: null };
  const log = {
    ...{ status: LOG_STATUS.done, isTimed: false, duration: seconds(60), elapsedDuration: millis(0) },
    ...{ amount: 10_000, distance: 1_000_000 },
  };
  const button = { title: "", action: HEBREW, amount: 1000, duration: null, distance: null };
  const texts = [
    goalMeasures(goal, reader),
    deedText(HEBREW, goalMeasures(goal, reader)),
    logMeasures(log, HEBREW, 0, reader),
    totalsText(totals, HEBREW, reader),
    buttonLabel(button as never, HEBREW, reader),
    ...[LOG_STATUS.done, LOG_STATUS.active, LOG_STATUS.paused].map((status) =>
      loggedText({ ...log, status }, { ...goal, completionsRequired: 1, recurrence: null }, totals, reader),
    ),
  ];
  expect(texts.flatMap(loose)).toEqual([]);
  expect(texts.filter((text) => held(text) === 0)).toEqual([]);
  expect(logMeasures({ ...log, amount: 1000 }, HEBREW, 0, reader)).toContain(`1 \u2068${HEBREW}\u2069 · `);
});
