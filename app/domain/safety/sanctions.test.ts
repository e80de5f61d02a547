// Of several mutes of a person, the one that ends last counts.
import { describe, expect, test } from "vitest";
import { instant } from "~/domain/time";
import { type HeldSanction, laterEnd, muteAmong } from "./sanctions";

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
