// The limits of a session's fields.
import { expect, test } from "vitest";
import { SessionInput } from "./input";

const wrong = (given: object): string[] =>
  (SessionInput.safeParse({ title: "Run", ...given }).error?.issues ?? []).map(({ path }) => path.join("."));

test.each<[string, object, object]>([
  ["title", { title: "a".repeat(200) }, { title: "a".repeat(201) }],
  ["title", { title: "a" }, { title: "  " }],
  ["content", { content: "a".repeat(200_000) }, { content: "a".repeat(200_001) }],
  ["prompt", { prompt: "a".repeat(20_000) }, { prompt: "a".repeat(20_001) }],
  ["hutId", { hutId: 1 }, { hutId: 0 }],
  ["duration", { duration: 300 }, { duration: 300.5 }],
  ["participantLimit", { participantLimit: 0 }, { participantLimit: -1 }],
  ["participantLimit", { participantLimit: 1_000_000 }, { participantLimit: 1_000_001 }],
  ["participantLimit", { participantLimit: 2 }, { participantLimit: 2.5 }],
  ["joinCode", { joinCode: "a".repeat(60) }, { joinCode: "a".repeat(61) }],
  ["category", { category: "a".repeat(60) }, { category: "a".repeat(61) }],
  ["difficulty", { difficulty: 6 }, { difficulty: 5 }],
  ["goals", { goals: Array(100).fill({}) }, { goals: Array(101).fill({}) }],
  ["activitySlug", { activitySlug: "a".repeat(200) }, { activitySlug: "a".repeat(201) }],
  [
    "donationLink",
    { donationLink: `a.org/${"a".repeat(1994)}` },
    { donationLink: `a.org/${"a".repeat(1995)}` },
  ],
  ["donationLink", { donationLink: "mailhost.org" }, { donationLink: "mailto:a@b.org" }],
  ["donationLink", { donationLink: "https://a.org" }, { donationLink: "https://a b.org" }],
])("V-20 V-21 a session's %s has bounds", (field, right, outside) => {
  expect(wrong(right)).toEqual([]);
  expect(wrong(outside)).toEqual([field]);
});

test.each([
  ["", ""],
  ["  ", ""],
  ["example.org/give", "https://example.org/give"],
  ["http://example.org", "http://example.org"],
  ["HTTPS://example.org", "HTTPS://example.org"],
])("E-13 the donation link %j is stored as %j", (given, kept) => {
  expect(SessionInput.parse({ title: "Run", donationLink: given }).donationLink).toBe(kept);
});

test("V-20 a missing field is not set", () => {
  expect(SessionInput.parse({ title: " Run " })).toEqual({ title: "Run" });
});
