// Null in every field of every call that changes something: it clears the field, or the call refuses it by name.
import { expect, test } from "vitest";
import { fieldsOf, sections } from "#tests/support/openapi";
import type { AppError } from "~/domain/errors";
import { activityFields, activityNames } from "~/wire/calls/activities";
import { sessionFields, sessionInputOf } from "~/wire/sessions/input";

type Fields = Record<string, unknown>;
type Schema = { type?: string; enum?: unknown[]; const?: unknown; anyOf?: Schema[] };
type Parsed = { data: unknown } | { refused: string[] };

/** A value that the schema takes, for fields that the call requires. */
function sampleOf(name: string, { type, enum: names, const: only, anyOf }: Schema): unknown {
  if (only !== undefined) return only;
  if (names) return names[0];
  if (anyOf) return sampleOf(name, anyOf.find((one) => one.type !== "null") ?? {});
  if (name.endsWith("_at")) return "2026-11-21T10:00:00.000Z";
  if (type === "array") return [];
  if (type === "object") return {};
  if (type === "boolean") return true;
  return type === "number" || type === "integer" ? 1 : "1";
}

/** Fields in which null says the same as no field, with the reason. */
const NONE: Record<string, string> = {
  uuid: "a new thing without an id gets one, and a change ignores it",
  client_uuid: "comes back with the news",
  updated_at: "without it the call compares no version",
  slug: "the address names the hut",
  challenge_id: "a session keeps its activity",
  challenge_slug: "a session keeps its activity",
  join_code: "no code is given",
  current_password: "no password is given",
  type: "a part is an event unless it says task, and an item keeps its type",
  events_group_uuid: "the order of all groups",
};

/** Calls whose slug decides which schema reads the body read it in the use case. */
function lazily(data: unknown, kind: "activity" | "session"): Parsed {
  const read = (data as Record<string, unknown>)[kind];
  if (typeof read !== "function") return { data };
  try {
    return { data: read() };
  } catch (error) {
    return { refused: Object.keys((error as AppError).fields ?? {}) };
  }
}

const answers: Record<string, string> = {};
for (const [section, calls] of Object.entries(sections))
  for (const [name, call] of Object.entries(calls)) {
    if (call.method !== "PATCH" && call.method !== "PUT") continue;
    const { properties, required } = fieldsOf(call as never, section);
    const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, param = ""]) => param);
    const params = Object.fromEntries(inPath.map((param) => [param, "1"]));
    const sent = Object.keys(properties).filter((field) => !inPath.includes(field));
    const whole: Fields = Object.fromEntries(
      required
        .filter((field) => sent.includes(field))
        .map((field) => [field, sampleOf(field, properties[field] as Schema)]),
    );
    const parse = (body: Fields, kind: "activity" | "session"): Parsed => {
      const parsed = call.input.safeParse({ params, query: {}, body });
      if (parsed.success) return lazily(parsed.data, kind);
      return { refused: parsed.error.issues.map(({ path }) => String(path[0])) };
    };
    const answerTo = (field: string, kind: "activity" | "session") => {
      const [before, after] = [parse(whole, kind), parse({ ...whole, [field]: null }, kind)];
      if ("refused" in after) {
        const names = [field, field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
        return after.refused.some((one) => names.includes(one)) ? "refused" : `unread ${after.refused}`;
      }
      return JSON.stringify(before) === JSON.stringify(after) ? "ignored" : "cleared";
    };
    for (const field of sent) {
      const [one, other] = [answerTo(field, "activity"), answerTo(field, "session")];
      answers[`${name} ${field}`] = one === "ignored" ? other : one;
      // Where the slug decides, a field of both kinds clears in both.
      if (one !== other && field in activityFields && field in sessionFields)
        answers[`${name} ${field} of both`] = one === "ignored" ? one : other;
    }
  }
const listed = (answer: string) => Object.keys(answers).filter((name) => answers[name]?.startsWith(answer));

test("C-38 null clears a field or is refused by name, and is never ignored", () => {
  expect(listed("unread")).toEqual([]);
  expect(listed("ignored").filter((name) => !((name.split(" ")[1] as string) in NONE))).toEqual([]);
});

test("C-52 C-71 a hut that is null beside the one that was read takes an activity out as it does a session", () => {
  const body = { hut_id: null, group_id: 7 };
  expect([activityNames(body as never).hutId, sessionInputOf(body as never).hutId]).toEqual([null, null]);
  expect([activityNames({ group_id: 7 } as never).hutId, activityNames({} as never).hutId]).toEqual([
    7,
    undefined,
  ]);
});

test.each([
  ["refused", "updateHut is_private"],
  ["refused", "patchSession slow_mode"],
  ["cleared", "updateHut content"],
  ["cleared", "updateProfile first_name"],
  ["cleared", "updateGoal tags"],
  ["cleared", "patchSession join_code"],
])("C-38 null is %s in %s", (answer, name) => expect([name, answers[name]]).toEqual([name, answer]));
