// The hidden field of a form with numbers: how the page printed them, and so how what is typed beside them is read.
import type { Reader } from "~/domain/numbers";

export const READER_FIELD = "reader";

export const readerField = ({ locale }: Reader): string => locale;

/** Null without the field, or for a locale that does not exist. */
export function readerOfField(field: unknown): Reader | null {
  if (typeof field !== "string" || field === "" || field.length > 60) return null;
  try {
    return { locale: new Intl.NumberFormat(field).resolvedOptions().locale };
  } catch {
    return null;
  }
}
