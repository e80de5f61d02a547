// The cues of a session, never one for each second.
import { describe, expect, test } from "vitest";
import { SECOND, seconds } from "~/domain/time";
import { type Cue, cuesAhead, presentSentence } from "./cues";
import { accepted, byHand, context, minute, part, START, schedule } from "./fixtures";
import { pausePart, startSchedule } from "./run";
import type { Schedule } from "./shape";

const begun = (given: Schedule, roster: readonly string[] = ["ann"]) =>
  startSchedule(given, START, context(0, roster));
const ahead = (given: Schedule, from = 0, roster: readonly string[] = ["ann"], me: string | null = "ann") =>
  cuesAhead(given, { now: minute(from), until: minute(600), roster, me });
const clock = (at: number) => {
  const total = (at - START) / SECOND;
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
};
const words = (cues: Cue[]) => cues.map(({ at, kind }) => `${clock(at)} ${kind}`);

describe("a plain part", () => {
  test("has cues at its half, 5 minutes, 1 minute, 10 seconds and its end", () => {
    expect(words(ahead(begun(schedule([part("a", 20, { title: "Run" })]))))).toEqual([
      "10:00 half",
      "15:00 warning",
      "19:00 warning",
      "19:50 last-seconds",
      "20:00 end",
    ]);
  });
  test.each<[string, number, string[]]>([
    ["5 minutes: its start says as much", 5, ["2:30 half", "4:00 warning", "4:50 last-seconds", "5:00 end"]],
    [
      "10 minutes: half and five minutes are one",
      10,
      ["5:00 warning", "9:00 warning", "9:50 last-seconds", "10:00 end"],
    ],
    ["1 minute", 1, ["0:30 half", "0:50 last-seconds", "1:00 end"]],
    ["half a minute: start and end only", 0.5, ["0:30 end"]],
  ])("%s", (_, minutes, expected) => {
    expect(words(ahead(begun(schedule([part("a", minutes)]))))).toEqual(expected);
  });
  test("has readable sentences", () => {
    const cues = ahead(begun(schedule([part("a", 20, { title: "Run" }), part("b", 5, { title: "Rest" })])));
    expect(cues.filter(({ at }) => at <= minute(20)).map(({ sentence }) => sentence)).toEqual([
      "Half of Run is over. 10 minutes left.",
      "5 minutes left of Run.",
      "1 minute left of Run.",
      "10 seconds left of Run.",
      "Run is over.",
      "Rest has started. 5 minutes.",
    ]);
    const host = begun(
      schedule([part("a", 0.5, { title: "Run" })], { ...byHand, parts: [part("b", 5, { title: "Rest" })] }),
    );
    expect(ahead(host).map(({ sentence }) => sentence)).toEqual(["Run is over. Next: Rest."]);
  });
  test("E-08 names the next part only once it starts, if its group is hidden", () => {
    const run = part("a", 0.5, { title: "Run" });
    const hidden = { isHidden: true, parts: [part("b", 0.5, { title: "Secret" })] };
    const sentences = (group: object) =>
      ahead(begun(schedule([run], { ...hidden, ...group }))).map(({ sentence }) => sentence);
    expect(sentences(byHand)).toEqual(["Run is over."]);
    expect(sentences({})).toContain("Secret has started. 30 seconds.");
  });
});

test("scheduled starts have cues, and parts that wait for the host have none", () => {
  const auto = begun(schedule([part("a", 0.5), part("b", 0.5)]));
  expect(words(ahead(auto))).toEqual(["0:30 end", "0:30 start", "1:00 end"]);
  const host = begun(schedule([part("a", 0.5)], { ...byHand, parts: [part("b", 0.5)] }));
  expect(words(ahead(host))).toEqual(["0:30 end"]);
});

test("past parts and paused parts have no cues", () => {
  const run = begun(schedule([part("a", 20)]));
  expect(words(ahead(run, 16))).toEqual(["19:00 warning", "19:50 last-seconds", "20:00 end"]);
  expect(ahead(accepted(pausePart(run, "a", context(3))), 4)).toEqual([]);
});

test("T-14 each change of interval has a cue, with a sentence if the interval is long enough", () => {
  const intervals = [
    { id: "i", title: "Run", duration: seconds(40) },
    { id: "j", title: "Breathe", duration: seconds(5) },
    { id: "k", title: "", duration: seconds(15) },
  ];
  const cues = ahead(begun(schedule([part("a", 0, { title: "HIIT", intervals, sets: 2 })])));
  expect(cues.map(({ at, kind, sentence }) => `${clock(at)} ${kind} ${sentence}`)).toEqual([
    "0:40 interval ",
    "0:45 interval Interval 3, 15 seconds.",
    "1:00 interval Set 2 of 2. Run, 40 seconds.",
    "1:00 warning 1 minute left of HIIT.",
    "1:40 interval ",
    "1:45 interval Interval 3, 15 seconds.",
    "2:00 end HIIT is over.",
  ]);
});

test("T-15 turns: my own with its last ten seconds, those of others once", () => {
  const roster = ["ann", "bob", "cy"];
  const given = begun(schedule([part("a", 2, { isPerParticipant: true })]), roster);
  const cues = ahead(given, 0, roster, "bob").map(({ at, sentence }) => `${clock(at)} ${sentence}`);
  expect(cues).toEqual([
    "2:00 It is your turn: 2 minutes.",
    "3:50 10 seconds left of your turn.",
    "4:00 It is cy's turn.",
    "6:00 Timer is over.",
  ]);
});

test("H-23 a cue and the sentence for a newcomer name the speaker as people read it", () => {
  const roster = ["~guest", "~guest-1a2b"];
  const given = begun(schedule([part("a", 2, { isPerParticipant: true })]), roster);
  const names = new Map([
    ["~guest", "Мария (guest)"],
    ["~guest-1a2b", "李雷 (guest)"],
  ]);
  const view = { roster, me: null, nameFor: (name: string) => names.get(name) ?? name };
  const cues = cuesAhead(given, { ...view, now: START, until: minute(60) }).map(({ sentence }) => sentence);
  expect(cues).toContain("It is 李雷 (guest)'s turn.");
  expect(presentSentence(given, { ...view, now: minute(1) })).toContain("It is Мария (guest)'s turn.");
});

test("a whole day of a session has few cues", () => {
  const long = begun(schedule([part("a", 600), part("b", 600)]));
  const cues = cuesAhead(long, { now: START, until: minute(1440), roster: ["ann"], me: null });
  expect(cues.length).toBeLessThan(14);
});

test("a newcomer gets a sentence about the current part", () => {
  const view = { now: minute(3), roster: ["ann", "bob"], me: "bob" };
  const given = begun(schedule([part("a", 20, { title: "Run" })]), view.roster);
  expect(presentSentence(given, view)).toBe("Run: 17 minutes left.");
  expect(presentSentence(accepted(pausePart(given, "a", context(2, view.roster))), view)).toBe(
    "Run: 18 minutes left, paused.",
  );
  const turns = begun(schedule([part("a", 2, { isPerParticipant: true })]), view.roster);
  expect(presentSentence(turns, view)).toBe("Timer: 1 minute left. It is your turn.");
  expect(presentSentence(schedule(), view)).toBe("");
});

test("the session's own start and end have cues, unless a timer's cue is close", () => {
  const cues = (given: Schedule, view: { startsAt?: number; endsAt?: number }) =>
    cuesAhead(given, {
      now: minute(-30),
      until: minute(600),
      roster: [],
      me: null,
      startsAt: view.startsAt === undefined ? null : minute(view.startsAt),
      endsAt: view.endsAt === undefined ? null : minute(view.endsAt),
    }).map(({ at, sentence }) => `${(at - START) / 60_000} ${sentence}`);
  expect(cues(schedule(), { startsAt: 0, endsAt: 30 })).toEqual([
    "-5 The session starts in 5 minutes.",
    "-1 The session starts in 1 minute.",
    "0 The session has started!",
    "25 The session ends in 5 minutes.",
    "29 The session ends in 1 minute.",
    "30 This session has ended.",
  ]);
  const run = begun(schedule([part("a", 20, { title: "Run" })]));
  expect(cues(run, { endsAt: 20 }).slice(-3)).toEqual([
    "19.833333333333332 10 seconds left of Run.",
    "20 Run is over.",
    "20 This session has ended.",
  ]);
});
