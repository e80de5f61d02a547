// Of several mutes of a person, the one that ends last counts; and the sentence for a browser whose accounts have sanctions.
import { describe, expect, test } from "vitest";
import { instant } from "~/domain/time";
import { browserRefusal, type HeldSanction, KEPT_OUT, laterEnd, muteAmong } from "./sanctions";

const NOW = instant(1_000_000);
const [soon, late] = [instant(NOW + 1000), instant(NOW + 2000)];
const mute = (scope: "session" | "hut", until: HeldSanction["until"]): HeldSanction => ({
  scope,
  kind: "mute",
  until,
  reason: "",
});

describe.each([
  ["two instants", soon, late, late],
  ["an instant and no end", late, null, null],
])("Q-13 Q-16 of %s the later is the end", (_name, first, second, end) => {
  test.each([
    [first, second],
    [second, first],
  ])("in either order", (one, other) => {
    expect(laterEnd(one, other)).toBe(end);
    expect(muteAmong([mute("session", one), mute("hut", other)], NOW)).toEqual({
      until: end,
      place: "session",
    });
  });
});

describe("H-24 Q-13 Q-15 Q-18 a browser whose accounts have sanctions reads the cause", () => {
  const reader = { timeZone: "UTC", locale: "en-GB" };
  const ban = (scope: HeldSanction["scope"], until: HeldSanction["until"] = null): HeldSanction => ({
    scope,
    kind: "ban",
    until,
    reason: "",
  });
  const HUT = "The owner or a moderator has closed this hut to you.";
  const ended = instant(NOW - 1);
  test.each<[string, HeldSanction[], string | null]>([
    ["nothing", [], null],
    ["what has ended", [ban("session", ended), ban("site", ended), mute("hut", ended)], null],
    ["a ban of the session", [mute("session", late), ban("site"), ban("hut"), ban("session")], KEPT_OUT],
    ["a ban of the series", [ban("hut"), ban("series")], KEPT_OUT],
    ["a ban of the hut", [ban("site"), ban("hut")], HUT],
    ["a suspension", [mute("session", null), ban("site", late)], "Your account is suspended until 2000."],
    ["two suspensions", [ban("site", late), ban("site")], "Your account is suspended."],
    ["a mute", [mute("session", null), mute("hut", soon)], "You are muted until the end of this session."],
  ])("%s", (_name, sanctions, sentence) => {
    expect(browserRefusal(sanctions, NOW, reader, (at) => String(at - NOW))).toBe(sentence);
  });
});
