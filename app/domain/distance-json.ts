// Stored JSON with distances, which the last release also reads (H-07). Pure.
import { millimetresOf, thousandthsOf } from "./distances";

type Json = Record<string, unknown>;
/**
 * JSON with distances, in which `distance` keeps its thousandths of a mile for the last release and `distanceMm` has the
 * millimetres.
 */
export const writeDistances = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => {
    if (typeof field !== "object" || field === null || typeof (field as Json).distance !== "number")
      return field;
    const { distance, ...otherFields } = field as Json & { distance: number };
    return { ...otherFields, distance: thousandthsOf(distance, "mi"), distanceMm: distance };
  });
/** The inverse of `writeDistances`. It also reads JSON of the last release. */
export const readDistances = (json: string): unknown =>
  JSON.parse(json, (_, field: unknown) => {
    if (typeof field !== "object" || field === null || typeof (field as Json).distance !== "number")
      return field;
    const { distanceMm, ...otherFields } = field as Json & { distance: number };
    return {
      ...otherFields,
      distance: typeof distanceMm === "number" ? distanceMm : millimetresOf(otherFields.distance, "mi"),
    };
  });
