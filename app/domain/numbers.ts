// Numbers as people write them, read and printed by locale (R-78). Pure.
import type { DistanceUnit } from "./distances";
import { memoiseByKey } from "./memoise";

/** The notation in which a person reads and writes numbers and distances; the page passes it to its forms. */
export type Reader = { locale: string; unit: DistanceUnit };
/** The reader of texts that no person's page shows. */
export const ANY_READER: Reader = { locale: "en-GB", unit: "mi" };

export const NOT_A_NUMBER = "Please enter a number, such as 2.5.";

/** The longest text that may be a number. */
export const NUMBER_LENGTH = 60;

const DIRECTION_MARKS = /\p{Cf}/gu;
const SUPERSCRIPTS = /[²³¹\u2070-\u209c]/gu;
const FRACTION = /[\u00bc-\u00be\u2150-\u215e\u2189]/u;
const DASHES = /[\u2212\u2010-\u2013]/gu;
const APOSTROPHES = /[’ʼ`´]/gu;
const NUMBER_CHARACTERS =
  /[\p{Nd}\p{Zs}\p{Cf}\u00bc-\u00be\u2150-\u215e\u2189\u2212\u2010-\u2013\ufe63\uff0d\uff07\uff0c\uff0e\u066b\u066c.,'’ʼ`´-]/u;

/** Leaves out the characters that can be no part of a number. */
export const keepNumber = (input: string): string =>
  [...input].filter((char) => NUMBER_CHARACTERS.test(char)).join("");

/** The texts that may be before and after a number: a currency, a unit, "about". */
const HEAD = /^[\p{L}\p{M}\p{Sc}\s%#+~≈°]*(-?)[\p{L}\p{M}\p{Sc}\s%#+~≈°]*([.,٫]?)$/u;
const TAIL = /^[.,٫]?[\p{L}\p{M}\p{Sc}\s%#+~≈°]*$/u;
/** "1k" and "2万" are other numbers than 1 and 2. */
const MULTIPLIES = /^\s*(?:[kKMG]$|[十百千万萬亿億兆])/u;

/** Digits grouped by threes, as in India, or by fours. */
const GROUPED = /^(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}|\d{1,4}(?:,\d{4})+)$/;
const GROUP_MARKS = [" ", "'", "٬"];

const thousandsMark = memoiseByKey((locale): string => {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567);
  return parts.find(({ type }) => type === "group")?.value ?? "";
});

/**
 * The number that a reader of `locale` means by what was typed, pasted or dictated; null for a text that is no number.
 */
export function readNumber(input: string, locale: string): number | null {
  if (input.length > NUMBER_LENGTH) return null;
  // NFKC would make digits of superscripts.
  const text = input.replace(DIRECTION_MARKS, "").replace(SUPERSCRIPTS, "^");
  const fraction = FRACTION.exec(text);
  if (!fraction) return readDecimal(asciiDigits(text), locale);
  const [numerator = 0, denominator = 1] = fraction[0].normalize("NFKC").split("\u2044").map(Number);
  const textBefore = asciiDigits(text.slice(0, fraction.index)).trim();
  if (!TAIL.test(asciiDigits(text.slice(fraction.index + 1)))) return null;
  const sign = textBefore.startsWith("-") ? -1 : 1;
  const whole = /\d/.test(textBefore)
    ? readDecimal(textBefore, locale)
    : textBefore.replace("-", "") === ""
      ? 0
      : null;
  return whole === null || !Number.isInteger(whole) ? null : whole + sign * (numerator / denominator);
}

/** Compatible forms as one, digits of every script as ours, one minus and one apostrophe. */
const asciiDigits = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/\p{Nd}/gu, digitOf)
    .replace(DASHES, "-")
    .replace(APOSTROPHES, "'")
    .replace(/\s+/gu, " ");

/** Unicode has the digits of each script as ten in a row. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}

function readDecimal(text: string, locale: string): number | null {
  const first = text.search(/\d/);
  if (first < 0) return null;
  const last = text.search(/\d\D*$/);
  const head = HEAD.exec(text.slice(0, first));
  const tail = text.slice(last + 1);
  if (!head || !TAIL.test(tail) || MULTIPLIES.test(tail)) return null;
  const [, sign = "", lead = ""] = head;
  const decimal = decimalOf(lead + text.slice(first, last + 1), locale);
  return decimal === null ? null : Number(sign + decimal);
}

/** "1.234,5" → "1234.5": digits and single marks between them. */
function decimalOf(text: string, locale: string): string | null {
  const marks = text.replace(/\d/g, "");
  if (![...marks].every((mark) => ".,٫".includes(mark) || GROUP_MARKS.includes(mark))) return null;
  const pointIndex = decimalPointIn(text, marks, locale);
  const whole = pointIndex === null ? text : text.slice(0, pointIndex);
  const places = pointIndex === null ? "" : text.slice(pointIndex + 1);
  if (/\D/.test(places)) return null;
  const groupedBy = new Set(whole.replace(/\d/g, ""));
  if (groupedBy.size > 1) return null;
  const [mark] = groupedBy;
  if (mark !== undefined && (mark === "٫" || !GROUPED.test(whole.replaceAll(mark, ",")))) return null;
  return `${whole.replace(/\D/g, "") || "0"}${places && `.${places}`}`;
}

/** The index of the decimal separator, or null without one. */
function decimalPointIn(text: string, marks: string, locale: string): number | null {
  if (marks.includes("٫")) return text.indexOf("٫");
  const points = [...marks].filter((mark) => mark === "." || mark === ",");
  const last = points.at(-1);
  if (last === undefined) return null;
  const index = text.lastIndexOf(last);
  if (points.length > 1) return points.every((mark) => mark === last) ? null : index;
  const areThousands = /^[1-9]\d{0,2}$/.test(text.slice(0, index)) && /^\d{3}$/.test(text.slice(index + 1));
  return areThousands && thousandsMark(locale) === last ? null : index;
}

const textFormatOf = memoiseByKey((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }));

/** A number to read, with its digits in groups: "12,345.678" or "12 345,678". */
export const numberText = (value: number, locale: string): string => textFormatOf(locale).format(value);

const fieldFormatOf = memoiseByKey(
  (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 3, useGrouping: false }),
);
/** A number in its own field, in the reader's separators and without groups, so that it is read as itself. */
export const numberField = (value: number, locale: string): string => fieldFormatOf(locale).format(value);
