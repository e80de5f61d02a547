// Distances in whole millimetres, and the kilometres or miles in which a person types and reads them (H-07). Pure.
import { memoiseByKey } from "./memoise";

export const DISTANCE_UNITS = ["km", "mi"] as const;
export type DistanceUnit = (typeof DISTANCE_UNITS)[number];

const MILLIMETRES: Record<DistanceUnit, number> = { km: 1_000_000, mi: 1_609_344 };
/** The regions whose roads are measured in miles (CLDR). */
const MILE_REGIONS = new Set("US GB LR MM PR GU VI AS MP UM".split(" "));

/** The unit of a locale, for a person who has chosen none. */
export const unitOfLocale = memoiseByKey(
  (locale): DistanceUnit => (MILE_REGIONS.has(new Intl.Locale(locale).maximize().region ?? "") ? "mi" : "km"),
);

// Math.round rounds halves of negative numbers up.
const roundHalfAwayFromZero = (value: number): number => Math.sign(value) * Math.round(Math.abs(value)) || 0;

/** Thousandths of a unit in millimetres. */
export const millimetresOf = (thousandths: number, unit: DistanceUnit): number =>
  roundHalfAwayFromZero((thousandths * MILLIMETRES[unit]) / 1000);

/** Millimetres in thousandths of a unit: three places, as amounts have. */
export const thousandthsOf = (millimetres: number, unit: DistanceUnit): number =>
  roundHalfAwayFromZero((millimetres * 1000) / MILLIMETRES[unit]);

/** Miles with three places, as calls and exports write them. */
export const milesOut = (millimetres: number | null): number | null =>
  millimetres === null ? null : thousandthsOf(millimetres, "mi") / 1000;

/**
 * The distance to store. Forms and answers show three places; a given distance that equals the shown one keeps the stored
 * one, which may be more exact.
 */
export function keptDistance<D extends number | null | undefined>(
  storedDistance: number | null,
  givenDistance: D,
): D | number {
  if (storedDistance === null || givenDistance === null || givenDistance === undefined) return givenDistance;
  const isAsShown = DISTANCE_UNITS.some(
    (unit) => millimetresOf(thousandthsOf(storedDistance, unit), unit) === givenDistance,
  );
  return isAsShown ? storedDistance : givenDistance;
}
