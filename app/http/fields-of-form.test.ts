import { expect, test } from "vitest";
import { z } from "zod";
import { sortErrors } from "./fields-of-form.server";

const named = z.object({ title: z.string(), hut: z.string(), days: z.array(z.string()).optional() });
const sorted = (schema: z.ZodType, ...names: string[]) => {
  const { fieldErrors, formErrors } = sortErrors(
    Object.fromEntries(names.map((name) => [name, [`at ${name}`]])),
    {
      schema,
      posted: ["title", "goals[0].title"],
      params: ["hut"],
      shows: ["rule"],
    },
  );
  return [Object.keys(fieldErrors), formErrors];
};

test.each([
  ["an object", named],
  ["a transformed object", named.transform(({ title }) => title)],
  ["a prepared object", z.preprocess((value) => value, named)],
  ["an intersection", z.intersection(named, z.object({ next: z.string() }))],
  ["a union", z.union([named, z.object({ title: z.string() })])],
])(
  "V-27 a refusal at no field of %s belongs to the whole form, and any other stays at its field",
  (_, schema) => {
    // An unticked box posts nothing; a row's field has its list's name; `hut` comes from the address.
    expect(sorted(schema, "title", "days", "goals[1].amount", "rule", "quiet", "hut", "quiet.from")).toEqual([
      ["title", "days", "goals[1].amount", "rule"],
      ["at quiet", "at hut", "at quiet.from"],
    ]);
  },
);

test("N-14 a refusal of a form without fixed names stays at its field", () => {
  for (const schema of [z.looseObject({}), z.string(), z.union([named, z.string()])])
    expect(sorted(schema, "quiet")).toEqual([["quiet"], []]);
});
