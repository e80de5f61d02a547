// What the form says before it is sent.
import { expect, test } from "vitest";
import { errorsOfAnswer, sentencesIn, sessionFormErrors } from "./session-form-rules";

const fine = { title: "Run", duration: "1h", participantLimit: "", timersLength: 0, problems: [] };

test("a form that is right says nothing", () => {
  expect(sessionFormErrors(fine)).toEqual({});
  expect(sessionFormErrors({ ...fine, duration: "", timersLength: 600, participantLimit: "12" })).toEqual({});
});

test.each([
  ["V-20", { title: " " }, "title", "Please set the challenge title."],
  ["V-21 nothing to last", { duration: "" }, "duration", "Please set the challenge duration."],
  ["V-21 zero", { duration: "0m" }, "duration", "Please set the challenge duration."],
  ["V-21 too short", { duration: "1m" }, "duration", "A session lasts from 5 minutes to 30 days."],
  ["V-21 too long", { duration: "31d" }, "duration", "A session lasts from 5 minutes to 30 days."],
])("%s", (_, over, field, sentence) => {
  expect(sessionFormErrors({ ...fine, ...over })).toEqual({ [field]: [sentence] });
});

test("the timers' problems are said once each", () => {
  const overlap =
    "Parts cannot overlap. The start dates must not occur before the previous timer's end date.";
  const problems = [
    { partId: "a", number: 1, sentence: overlap },
    { partId: "b", number: 2, sentence: overlap },
  ];
  const errors = sessionFormErrors({ ...fine, title: "", problems });
  expect(sentencesIn(errors)).toEqual(["Please set the challenge title.", overlap]);
});

test("a refused post is shown at the form's own fields", () => {
  expect(errorsOfAnswer({ parts: ["a"], "rows[1].duration": ["b"], title: ["c"] })).toEqual({
    schedule: ["a", "b"],
    title: ["c"],
  });
  expect(errorsOfAnswer(undefined)).toEqual({});
});
