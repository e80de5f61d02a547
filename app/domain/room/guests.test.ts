import { expect, test } from "vitest";
import { usernameRule } from "~/domain/accounts/rules";
import { isHandle } from "./aliases";
import { goneGuestName, isGuestName, nameAmong, shownGuestName } from "./guest-names";
import { GUEST_NAME_SENTENCES, guestNameRefusal, guestUsername, needsSuffix } from "./guests";
import { lookOf } from "./look-alikes";

test("H-23 a guest's username is ~ and the name in the characters of V-04", () => {
  const names = ["Ada Lovelace", "Zoë", "李", "  J.-P. ", "a".repeat(60), "~Ada"];
  expect(names.map((name) => guestUsername(name))).toEqual([
    "~Ada-Lovelace",
    "~Zoe",
    "~guest",
    "~J-P",
    `~${"a".repeat(22)}`,
    "~Ada",
  ]);
  for (const name of names) expect(guestUsername(name, "x7f2").length).toBeLessThanOrEqual(30);
});

test("H-23 no account can have the username of a guest", () => {
  for (const name of ["~Ada", "~guest", goneGuestName(7)]) {
    expect(isGuestName(name)).toBe(true);
    expect(usernameRule(name, {})).not.toBeNull();
  }
  expect(isGuestName("Ada")).toBe(false);
});

test("H-23 a guest's username that is too short or reads like a seat's handle gets a suffix", () => {
  const likeAHandle = guestUsername("0123456789abcdef");
  expect([needsSuffix(guestUsername("A")), isHandle(likeAHandle), needsSuffix(likeAHandle)]).toEqual([
    true,
    true,
    true,
  ]);
  expect(isHandle(guestUsername("0123456789abcdef", "x7f2"))).toBe(false);
});

test.each([
  ["ADA", "ada"],
  ["Ada ", "A d a"],
  ["Аdа", "Ada"],
  ["lan", "Ian"],
  ["Ad4", "Аd4"],
  ["b0b", "Bob"],
  ["Zoë", "Zoe"],
  ["rnax", "max"],
  ["𝐀𝐝𝐚", "ada"],
])("H-23 %s and %s look alike", (one, other) => expect(lookOf(one)).toBe(lookOf(other)));

test("H-23 names that differ do not look alike", () => {
  const names = ["Ada", "Adam", "Bob", "李", "王", "Ольга", "🦊", "🐻"];
  expect(new Set(names.map(lookOf)).size).toBe(names.length);
});

test("H-23 a guest has no name that somebody in the room has, none of ours, and no empty or long one", () => {
  const { missing, long, letterless, taken } = GUEST_NAME_SENTENCES;
  const refused = (name: string) => guestNameRefusal(name, ["nora", "Theo Berg"]);
  expect(["", "a".repeat(31), "🦊", "N0RA", "theo-berg", "Host", "Support", "guest"].map(refused)).toEqual([
    missing,
    long,
    letterless,
    taken,
    taken,
    taken,
    taken,
    taken,
  ]);
  expect(["Ada", "a".repeat(30), "李"].map(refused)).toEqual([null, null, null]);
});

test("H-21 the name of a guest who has gone is a number, and reads as guest", () => {
  expect([goneGuestName(12), shownGuestName(goneGuestName(12)), shownGuestName("~Ada")]).toEqual([
    "~guest.12",
    "guest",
    "Ada (guest)",
  ]);
});

test("H-23 a guest is shown by the name as typed, with guest", () => {
  const people = [{ username: "~Ada", guestName: "Ada 🦊" }, { username: "nora" }];
  expect(["~Ada", "~Bo", "nora", "~guest.4"].map((name) => nameAmong(people, name))).toEqual([
    "Ada 🦊 (guest)",
    "Bo (guest)",
    "nora",
    "guest",
  ]);
});
