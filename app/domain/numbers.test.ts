// Numbers as people write them, in many locales.
import { expect, test } from "vitest";
import { keepNumber, numberField, numberText, readNumber } from "./numbers";

/** Locales of many scripts, separators and groups. */
const LOCALES =
  "en-US en-GB en-IN de-DE de-AT de-CH fr-FR fr-CH it-IT es-ES es-MX pt-BR pt-PT nl-NL pl-PL cs-CZ sk-SK hu-HU ro-RO bg-BG ru-RU uk-UA el-GR tr-TR sv-SE nb-NO da-DK fi-FI et-EE lv-LV lt-LT he-IL ar-EG ar-MA fa-IR hi-IN bn-BD ne-NP th-TH ja-JP ko-KR zh-CN my-MM".split(
    " ",
  );
const en = (typed: string) => readNumber(typed, "en-US");
const de = (typed: string) => readNumber(typed, "de-DE");

test.each([
  ["2,5", 2.5],
  ["0,5", 0.5],
  ["1.234,5", 1234.5],
  ["1,234.5", 1234.5],
  ["−5", -5],
  ["–5", -5],
  ["１２", 12],
  ["－１２．５", -12.5],
  ["١٢", 12],
  ["١٬٢٣٤٫٥", 1234.5],
  ["½", 0.5],
  ["1½", 1.5],
  ["-1 ½", -1.5],
  ["¾ km", 0.75],
  ["1 234,5", 1234.5],
  ["1\u00a0234", 1234],
  ["1\u202f234\u202f567,25", 1234567.25],
  ["1’234.5", 1234.5],
  ["1'234'567", 1234567],
  ["12,34,567", 1234567],
  ["1,2345", 1.2345],
  ["0,125", 0.125],
  ["0.500", 0.5],
  [".5", 0.5],
  ["-,5", -0.5],
  ["5.", 5],
  ["5 km", 5],
  ["$5", 5],
  ["+5", 5],
  ["\u200e-5", -5],
  ["\u061c-٥", -5],
  ["१२.५", 12.5],
])("R-78 %j is %d everywhere", (typed, value) => {
  for (const locale of LOCALES) expect(readNumber(typed, locale), locale).toBe(value);
});

test("R-78 a comma or a point before three digits groups where the locale groups by it, and only there", () => {
  expect([en("1,234"), de("1,234"), en("1.234"), de("1.234")]).toEqual([1234, 1.234, 1.234, 1234]);
  expect([de("0.125"), de("1234.567"), en("0,125"), en("1234,567")]).toEqual([
    0.125, 1234.567, 0.125, 1234.567,
  ]);
  expect([readNumber("1,234", "fr-FR"), readNumber("1.234", "fr-FR")]).toEqual([1.234, 1.234]);
});

test.each([
  "",
  " ",
  "abc",
  "-",
  ".",
  "1e3",
  "1/2",
  "1-2",
  "3~4",
  "5 x 3",
  "5²",
  "m²5",
  "1,2,3",
  "1.2.3",
  "12.03.2026",
  "5, 6",
  "5 10",
  "1..5",
  "1.2,3,4",
  "1,234.567,8",
  "1 234'567",
  "1 234,567.8",
  "½½",
  "1.5½",
  "½1",
  "--5",
  "5-",
  "(5)",
  "1k",
  "2万",
  "十二",
  "Ⅻ",
  "1_000",
  "1.234 567",
  "9".repeat(61),
  "٫",
  "1٫2٫3",
  "²",
  "⅟2",
])("R-78 %j is no number", (typed) => {
  expect([en(typed), de(typed)]).toEqual([null, null]);
});

test("R-78 while somebody types, only characters that can be no part of a number are left out", () => {
  expect(keepNumber("1e3")).toBe("13");
  expect(keepNumber("€ −1’234,5 km")).toBe(" −1’234,5 ");
  expect(keepNumber("１２ ١٢ ½ ५")).toBe("１２ ١٢ ½ ५");
});

test("R-78 each digit of each script is a digit", () => {
  const digits = Array.from({ length: 0x1fbff }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((one) => /^\p{Nd}$/u.test(one));
  expect(digits.length).toBeGreaterThan(600);
  const read = digits.map(en);
  for (const [index, value] of read.entries()) {
    const before = read[index - 1];
    expect(value, digits[index]).toBe(before === undefined || before === 9 ? 0 : (before ?? 0) + 1);
  }
});

test("R-78 a printed number, with or without groups, is read as the same number in the same locale", () => {
  const values = [
    0, 0.001, 0.5, 1, 1.234, 2.5, 12.345, 123.456, 1234, 1234.5, 12345.678, 1e6, 123456789.125, 1e9,
  ];
  for (const locale of LOCALES)
    for (const value of values.flatMap((value) => [value, -value])) {
      const same = value === 0 ? 0 : value;
      expect(readNumber(numberField(same, locale), locale), `${locale} field ${value}`).toBe(same);
      expect(readNumber(numberText(same, locale), locale), `${locale} text ${value}`).toBe(same);
    }
});

test("R-78 a field prints its number in the separators of the locale, and without groups", () => {
  expect(["en-US", "de-DE", "fr-FR"].map((locale) => numberField(12345.678, locale))).toEqual([
    "12345.678",
    "12345,678",
    "12345,678",
  ]);
});

test("R-78 digits are shown in the groups of the locale", () => {
  expect([
    numberText(12345.678, "en-US"),
    numberText(12345.678, "de-DE"),
    numberText(1234567, "en-IN"),
  ]).toEqual(["12,345.678", "12.345,678", "12,34,567"]);
});
