// The hidden field of a form with numbers. It holds the locale and unit of the page, in which typed numbers are read
//
import { DISTANCE_UNITS, type DistanceUnit, unitOfLocale } from "~/domain/distances";
import type { Reader } from "~/domain/numbers";

export const READER_FIELD = "reader";

export const readerField = ({ locale, unit }: Reader): string => `${locale} ${unit}`;

/** Null without the field, or for a locale that does not exist. */
export function readerOfField(field: unknown): Reader | null {
  if (typeof field !== "string" || field === "" || field.length > 60) return null;
  try {
    const [name, unit] = field.split(" ");
    const { locale } = new Intl.NumberFormat(name).resolvedOptions();
    const isUnit = DISTANCE_UNITS.includes(unit as DistanceUnit);
    return { locale, unit: isUnit ? (unit as DistanceUnit) : unitOfLocale(locale) };
  } catch {
    return null;
  }
}
