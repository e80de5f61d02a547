// Every number that a call takes, with writings that `Number` reads and JSON does not.
import { beforeAll, expect, test, vi } from "vitest";
import { fieldsOf, sections } from "#tests/support/openapi";
import type { AppError } from "~/domain/errors";
import { limitedList } from "~/wire/limited-lists";

type Schema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  pattern?: string;
  minimum?: number;
};
type Value = Record<string, unknown>;
/** A number somewhere in a body, and the body with another value there. */
type Place = { path: string[]; low: number; around(value: unknown): unknown };

const optionsOf = ({ anyOf, oneOf }: Schema): Schema[] => anyOf ?? oneOf ?? [];
/** A flag is a choice of the numbers 0 and 1. */
const isNumber = (schema: Schema) =>
  /^(number|integer)$/.test(schema.type ?? "") && schema.const === undefined && schema.enum === undefined;
/** A text of digits; an id or an instant may be any text. */
const isDigits = ({ type, pattern }: Schema) => type === "string" && pattern !== undefined;
const isNull = ({ type }: Schema) => type === "null";

function sampleOf(schema: Schema): unknown {
  const { type, const: only, enum: names, properties = {}, required = [] } = schema;
  if (only !== undefined) return only;
  if (names) return names[0];
  const [first] = optionsOf(schema);
  if (first) return sampleOf(first);
  if (type === "object")
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
  if (type === "array") return [];
  return type === "boolean" ? true : isNumber(schema) ? 1 : "1";
}

function placesIn(schema: Schema): Place[] {
  const options = optionsOf(schema);
  if (options.some(isNumber) && options.some((one) => one.type === "string" && !isDigits(one))) return [];
  if (isNumber(schema) || options.some(isNumber))
    return [{ path: [], low: [schema, ...options].find(isNumber)?.minimum ?? 1, around: (value) => value }];
  const below = (name: string, inner: Schema, around: (value: unknown) => unknown) =>
    placesIn(inner).map((place) => ({
      path: [name, ...place.path],
      low: place.low,
      around: (value: unknown) => around(place.around(value)),
    }));
  const { properties = {}, items, additionalProperties: any } = schema;
  const beside = sampleOf(schema) as Value;
  return [
    ...options.filter((one) => !isNull(one)).flatMap(placesIn),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      below(name, inner, (value) => ({ ...beside, [name]: value })),
    ),
    ...(items ? below("0", items, (value) => [value]) : []),
    ...(typeof any === "object" ? below("a", any, (value) => ({ a: value })) : []),
  ];
}

type Answer = { data: unknown } | { refused: { path: string[]; message: string }[] };
/** The input that the call reads; a slug decides which of its functions reads the rest. */
function read(call: (typeof sections)[string][string], sent: object): Answer {
  const parsed = call.input.safeParse(sent);
  if (!parsed.success)
    return { refused: parsed.error.issues.map(({ path, message }) => ({ path: path.map(String), message })) };
  try {
    const { query = {} } = sent as { query?: Record<string, string> };
    if (call.rows !== undefined && "limit" in query) limitedList(call, query);
    const parts = Object.entries((parsed.data ?? {}) as Value);
    return { data: parts.map(([name, part]) => [name, typeof part === "function" ? part() : part]) };
  } catch (error) {
    const named = Object.entries((error as AppError).fields ?? {});
    return { refused: named.map(([path, [message = ""]]) => ({ path: path.split("."), message })) };
  }
}

const NUMBERS = Object.entries(sections).flatMap(([section, calls]) =>
  Object.entries(calls).flatMap(([name, call]) => {
    const { properties, required } = fieldsOf(call as never, section);
    const schema = { type: "object", properties, required } as Schema;
    const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, param = ""]) => param);
    const whole = sampleOf(schema) as Value;
    return placesIn(schema).map(({ path, low, around }) => {
      const isText = call.method === "GET" || inPath.includes(path[0] ?? "");
      const answerTo = (value: unknown) => {
        const sent = { ...whole, ...(around(value) as Value) };
        const params = Object.fromEntries(inPath.map((param) => [param, sent[param] ?? "1"]));
        const others = Object.fromEntries(Object.entries(sent).filter(([field]) => !inPath.includes(field)));
        return read(
          call,
          call.method === "GET" ? { params, query: others } : { params, query: {}, body: others },
        );
      };
      return { title: `${name} ${path.join(".")}`, path, low, isText, answerTo };
    });
  }),
);

const TEXTS = [" 5 ", "0x10", "0b1", "1e2", "+5", "5.", "5,0", "1_000", "٥", "½", "Infinity", "five"];
const VALUES = [true, false, [5], ["5"], { 5: 5 }];
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
/** The answer says which field it is, or the field around it. */
const isNamed = (answer: Answer, path: string[]) =>
  "refused" in answer &&
  answer.refused.some(({ path: named, message }) => {
    const last = named.filter((one) => !/^\d+$/.test(one)).at(-1);
    const isIt = path.some((name) => last === name || last === camel(name));
    return isIt && !/^(Invalid|Too)\b/.test(message);
  });
/** Of a query: a list without such a place begins at its first row (C-05). */
const LENIENT = /^\w+ (page|earlier)$|^viewSessionChat before$|^viewMe book_id$/;
const asJson = (answer: Answer) => JSON.stringify(answer);

beforeAll(() => void vi.spyOn(crypto, "randomUUID").mockReturnValue("0-0-0-0-0"));

test("R-78 the numbers of all calls are found, those in lists and rows as well", () => {
  const titles = NUMBERS.map(({ title }) => title);
  for (const title of [
    "createActivity hut_id",
    "patchSession tasks.0.quick_log_buttons.0.order",
    "viewMe book_id",
  ])
    expect(titles).toContain(title);
  expect(titles.length).toBeGreaterThan(400);
});

test("R-78 a number is refused by name when it is written otherwise than in digits", () => {
  const taken = NUMBERS.flatMap(({ title, path, isText, answerTo }) =>
    [...TEXTS, ...(isText ? [] : VALUES)].flatMap((value) => {
      const answer = answerTo(value);
      const isFine = LENIENT.test(title) ? asJson(answer) === asJson(answerTo("")) : isNamed(answer, path);
      return isFine ? [] : [`${title} ${JSON.stringify(value)}: ${asJson(answer).slice(0, 200)}`];
    }),
  );
  expect(taken).toEqual([]);
});

test("R-78 an empty text and null are no 0", () => {
  // A button without an order keeps its place, which is 0 here.
  const asked = NUMBERS.filter(
    ({ title, isText }) => !isText && !title.endsWith("quick_log_buttons.0.order"),
  );
  const taken = asked.flatMap(({ title, answerTo }) => {
    const zero = asJson(answerTo(0));
    return [null, ""].flatMap((value) => {
      const answer = answerTo(value);
      return "data" in answer && asJson(answer) === zero ? [`${title} ${JSON.stringify(value)}`] : [];
    });
  });
  expect(taken).toEqual([]);
});

test("R-78 a text of digits with a dot is its number", () => {
  // A row of these settings takes only numbers.
  const asked = NUMBERS.filter(({ title }) => title !== "changeNoticeSettings settings.0.value");
  const others = asked.flatMap(({ title, low, answerTo }) =>
    [low, low + 2, low + 0.5].flatMap((value) => {
      const [number, text] = [answerTo(value), answerTo(String(value))];
      const isSame = asJson(number) === asJson(text) || ("refused" in number && "refused" in text);
      return isSame
        ? []
        : [`${title} ${value}: ${asJson(number).slice(0, 100)} ${asJson(text).slice(0, 100)}`];
    }),
  );
  expect(others).toEqual([]);
});
