// The browser's validation of the session form.
import { expect, test } from "vitest";
import { problemsOf } from "~/domain/field-rules";
import { ANY_READER } from "~/domain/numbers";
import { seconds } from "~/domain/time";
import { sessionRules } from "./rules";

const fine = { title: "Run", duration: "1h", participantLimit: "" };
const none = { length: seconds(0), problems: [] };
const check = (typed: Partial<typeof fine>, timers: Parameters<typeof sessionRules>[0] = none) =>
  problemsOf(sessionRules(timers, ANY_READER), { ...fine, ...typed });

test("V-20 V-21 a valid session form has no problem", () => {
  expect(check({})).toBeNull();
  const timers = { length: seconds(600), problems: [] };
  expect(check({ duration: "", participantLimit: "12" }, timers)).toBeNull();
});

test.each([
  ["V-20 no title", { title: " " }, "title", "Please set the challenge title."],
  ["V-21 nothing to last", { duration: "" }, "duration", "Please set the challenge duration."],
  ["V-21 zero", { duration: "0m" }, "duration", "Please set the challenge duration."],
  ["V-21 too short", { duration: "1m" }, "duration", "A session lasts from 5 minutes to 30 days."],
  ["V-21 too long", { duration: "31d" }, "duration", "A session lasts from 5 minutes to 30 days."],
  [
    "no number",
    { participantLimit: "x" },
    "participantLimit",
    "Please give a whole number of participants, or leave it empty.",
  ],
])("%s", (_, typed, field, sentence) => {
  expect(check(typed)).toEqual({ [field]: [sentence] });
});

test("V-27 each problem of the timers appears once, beside those of other fields", () => {
  const sentence =
    "Parts cannot overlap. The start dates must not occur before the previous timer's end date.";
  const problems = [{ sentence }, { sentence }, { sentence: "The duration cannot be 0" }];
  expect(check({ title: "" }, { length: seconds(0), problems })).toEqual({
    title: ["Please set the challenge title."],
    schedule: [sentence, "The duration cannot be 0"],
  });
});
