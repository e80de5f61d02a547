// Distances in millimetres, and in the unit of a reader (H-07).
import fc from "fast-check";
import { expect, test } from "vitest";
import { DISTANCE_UNITS, keptDistance, millimetresOf, thousandthsOf, unitOfLocale } from "./distances";

test.each([
  ["en-US", "mi"],
  ["en-GB", "mi"],
  ["es-PR", "mi"],
  ["en", "mi"],
  ["en-AU", "km"],
  ["de-DE", "km"],
  ["fr", "km"],
  ["ar-EG", "km"],
])("H-07 a reader of %s without a choice reads %s", (locale, unit) =>
  expect(unitOfLocale(locale)).toBe(unit),
);

test("H-07 each number of three places is stored as its own distance, in either unit", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }),
      fc.constantFrom(...DISTANCE_UNITS),
      (thousandths, unit) => thousandthsOf(millimetresOf(thousandths, unit), unit) === thousandths,
    ),
  );
});

test("H-07 kilometres add up to what people expect", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 50 }), (typed) => {
      const sum = typed.reduce((all, one) => all + millimetresOf(one, "km"), 0);
      return thousandthsOf(sum, "km") === typed.reduce((all, one) => all + one, 0);
    }),
  );
  expect(millimetresOf(8000, "km")).toBe(8_000_000);
  expect(thousandthsOf(8_000_000, "mi")).toBe(4971);
});

test("H-07 a distance that comes back as shown stays the stored one, and another replaces it", () => {
  expect(keptDistance(8_000_000, millimetresOf(4971, "mi"))).toBe(8_000_000);
  expect(keptDistance(8_046_720, millimetresOf(8047, "km"))).toBe(8_046_720);
  expect(keptDistance(8_000_000, millimetresOf(4972, "mi"))).toBe(millimetresOf(4972, "mi"));
  expect(keptDistance(8_000_000, null)).toBeNull();
  expect(keptDistance(null, 5)).toBe(5);
  expect(keptDistance(8_000_000, undefined)).toBeUndefined();
});
