// Every text field of the calls, the forms and the room's messages is of one line, of several, or secret.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as accounts from "~/domain/accounts/accounts";
import { ActivityChange } from "~/domain/activities/activities";
import { ScopedChange } from "~/domain/sessions/input";
import { manyLines, oneLine, secret } from "~/domain/text-fields";
import { nothing } from "~/wire/call";
import { calls } from "~/wire/calls";
import { wireGoal } from "~/wire/goals/input";
import { ClientMessageSchema } from "~/wire/room/messages";
import { timedPayload } from "~/wire/sessions/input";

type Checked = { _zod: { def: { check: string; format?: string; tx?: unknown } } };
const checksOf = (schema: z.ZodType): Checked[] => (schema._zod.def as { checks?: Checked[] }).checks ?? [];
const changesOf = (schema: z.ZodType): unknown[] => checksOf(schema).map(({ _zod }) => _zod.def.tx);
const KINDS = { "one-line": oneLine(), "many-lines": manyLines(), secret: secret() };
type Kind = keyof typeof KINDS;
/** The kind that a text was made with; null for none. */
const kindOf = (schema: z.ZodType): Kind | null =>
  (Object.keys(KINDS) as Kind[]).find((kind) => changesOf(schema).includes(changesOf(KINDS[kind])[0])) ??
  null;

type Found = { place: string; kind: Kind | null | "fixed" | "unknown"; schema: z.ZodType };
type Def = {
  type: string;
  in?: z.ZodType;
  out?: z.ZodType;
  innerType?: z.ZodType;
  element?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
  options?: z.ZodType[];
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
};
const INNER = ["innerType", "element", "keyType", "valueType", "left", "right", "catchall"] as const;
/** A text of a fixed shape, such as a UUID: its expression admits neither a control nor a space at its ends. */
const isFixed = (schema: z.ZodType): boolean =>
  "format" in schema._zod.def || checksOf(schema).some(({ _zod }) => _zod.def.check === "string_format");

/** The text fields of a schema. An unknown value counts unless a schema behind it parses it again. */
function textsOf(schema: z.ZodType, place: string, isParsedLater = false): Found[] {
  if (schema === nothing) return [];
  const def = schema._zod.def as unknown as Def;
  const within = (inner: z.ZodType, name = "") => textsOf(inner, `${place}${name}`, isParsedLater);
  if (def.type === "string") {
    const kind = kindOf(schema) ?? (isFixed(schema) ? "fixed" : null);
    return [{ place, kind, schema }];
  }
  if (def.type === "unknown" || def.type === "any" || def.type === "custom")
    return isParsedLater ? [] : [{ place, kind: "unknown", schema }];
  if (def.type === "pipe" && def.in && def.out) {
    const isParsed = isParsedLater || !["transform", "unknown"].includes(def.out._zod.def.type);
    return [...textsOf(def.in, place, isParsed), ...within(def.out)];
  }
  return [
    ...Object.entries(def.shape ?? {}).flatMap(([name, inner]) => within(inner, `.${name}`)),
    ...(def.options ?? []).flatMap((inner) => within(inner)),
    ...INNER.flatMap((name) => (def[name] ? within(def[name]) : [])),
  ];
}

const forms: Record<string, Record<string, unknown>> = import.meta.glob(
  ["../app/forms/**/*.ts", "!**/*.test.ts"],
  {
    eager: true,
  },
);
const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType;
const named = (module: Record<string, unknown>, file: string): [string, z.ZodType][] =>
  Object.entries(module).flatMap(([name, value]) => (isSchema(value) ? [[`${file} ${name}`, value]] : []));
const SCHEMAS: [string, z.ZodType][] = [
  ...Object.entries(calls).map(([name, { input }]): [string, z.ZodType] => [name, input]),
  ...Object.entries(forms).flatMap(([file, module]) => named(module, file.replace(/^.*\//, ""))),
  ...named(accounts, "accounts.ts"),
  // Parsed within a transform.
  ["part", timedPayload.read],
  ["goal", wireGoal(true)],
  ["activity", ActivityChange],
  ["session", ScopedChange],
  ["message", ClientMessageSchema],
];
const FOUND = SCHEMAS.flatMap(([name, schema]) => textsOf(schema, name));

/** Values that are no text of a person, or whose texts another schema parses. */
const OPAQUE = [
  // The library of passkeys reads the browser's answer.
  /response(\.response)?$/,
  /PasskeyResponseInput$/,
  // Drafts of goals, from `goalFields`.
  /\.goals$/,
  // A transform parses them with schemas of this list.
  /^(update|patch)Activity$/,
  /^(add|update)Part$/,
];

describe("R-59 the text fields of calls and forms", () => {
  test("are many, or this test reads the schemas wrongly", () => {
    const count = (kind: Found["kind"]) => FOUND.filter((one) => one.kind === kind).length;
    expect(count("one-line")).toBeGreaterThan(300);
    expect(count("many-lines")).toBeGreaterThan(50);
    expect(count("secret")).toBeGreaterThan(10);
  });

  test("each say whether they are of one line, of several, or secret", () => {
    const undeclared = FOUND.filter(
      ({ kind, place }) => (kind === null || kind === "unknown") && !OPAQUE.some((one) => one.test(place)),
    );
    expect([...new Set(undeclared.map(({ place }) => place))]).toEqual([]);
  });

  test("are of one line where they are titles, names, tags, units, codes and labels", () => {
    const short =
      /\.(title|name|first_?name|last_?name|username|tags|unit|action|join_?code|code|category|link|url)$/i;
    const wrong = FOUND.filter(
      ({ place, kind }) => short.test(place) && kind !== "one-line" && kind !== "fixed",
    );
    expect(wrong.map(({ place, kind }) => `${place} ${kind}`)).toEqual([]);
  });

  test("fold, and are empty if nobody sees anything in them", () => {
    const taken = { text: 0, unseen: 0 };
    for (const { kind, schema, place } of FOUND) {
      if (kind !== "one-line") continue;
      // A field with a rule of its own may refuse the text.
      const text = schema.safeParse("\u200b a\r\nBEGIN:b\u2028c\u0000\ud800  d\t");
      if (text.success) {
        taken.text++;
        expect(text.data, place).toBe("\u200b a BEGIN:b c d");
      }
      const unseen = schema.safeParse("\u200b\u00ad\u3164\u2800 \u0007");
      if (unseen.success) {
        taken.unseen++;
        expect(unseen.data, place).toBe("");
      }
    }
    expect(taken.text).toBeGreaterThan(20);
    expect(taken.unseen).toBeGreaterThan(10);
  });
});
