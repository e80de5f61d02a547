// Building URLs from records.
import { expect, test } from "vitest";
import { callPath } from "./call-path";
import { routeTo } from "./named-routes";
import * as paths from "./paths";

test("V-30 a record is bound by its key, else by its id; a parameter with neither, or a missing one, throws", () => {
  expect(callPath("/activities/{challenge}", { challenge: { id: 7, slug: "hill-walk" } })).toBe(
    "/activities/hill-walk",
  );
  expect(callPath("/activities/{challenge}", { challenge: { id: 7 } })).toBe("/activities/7");
  expect(callPath("/sessions/{event}", { event: { id: 12, slug: "evening" } })).toBe("/sessions/12");
  expect(callPath("/sessions/{event}", { event: 12 })).toBe("/sessions/12");
  expect(callPath("/me/{group}", { group: "a b/c" })).toBe("/me/a%20b%2Fc");
  expect(() => callPath("/activities/{challenge}", { challenge: {} })).toThrow(
    'The route /activities/{challenge} needs the "slug" of its parameter "challenge".',
  );
  expect(() => callPath("/sessions/{event}", { event: { slug: "evening" } })).toThrow('needs the "id"');
  expect(() => callPath("/sessions/{event}")).toThrow('needs the parameter "event"');
  expect(() => callPath("/sessions/{event}", { event: "" })).toThrow('needs the parameter "event"');
});

test("P-27 P-29 C-86 the named routes fill their parameters", () => {
  expect(routeTo("UpdateChallengeEvent", { event: { id: 12 } })).toBe("/events/12/update");
  expect(routeTo("UpdateChallengeGroup", { group: { slug: "hill-folk" } })).toBe("/groups/hill-folk/update");
  expect(routeTo("huts.store")).toBe(paths.createHut[1]);
});
