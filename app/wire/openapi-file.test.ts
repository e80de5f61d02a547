// openapi.json, answers.json and body-fields.json are generated from the call table; `npm run paths` writes them.
import { expect, test } from "vitest";
import { z } from "zod";
import { answerSchemas, type Schema, writeSchemas } from "#tests/support/answer-schemas";
import { bodyFields } from "#tests/support/body-fields";
import { everyCall } from "#tests/support/every-call";
import { FIELD_TERMS } from "#tests/support/field-terms";
import { openApi, sections, withDeprecated, writeOpenApi } from "#tests/support/openapi";
import { LOG_SCOPE } from "~/domain/accounts/api-keys";
import { AppError, errorBody } from "~/domain/errors";
import { instant } from "~/domain/time";
import { errorsOf } from "./call";

const calls = Object.values(everyCall);
const written = answerSchemas();
const document = openApi(written);
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
};
type Shared = { content: { "application/json": { examples: object } } };
const operationOf = ({ method, path }: { method: string; path: string }) =>
  document.paths[path]?.[method.toLowerCase()] as Operation;

test("O-11 answers.json has the schema of every call that answers something", async () => {
  const routes = calls.filter(({ status }) => status !== 204).map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(written.answers).sort()).toEqual(routes.sort());
  await expect(writeSchemas(written)).toMatchFileSnapshot("./answers.json");
});

test("O-10 openapi.json is built from the call table", async () => {
  await expect(writeOpenApi(document)).toMatchFileSnapshot("./openapi.json");
});

test("C-01 body-fields.json has the fields of every body", async () => {
  const text = JSON.stringify(bodyFields(written)).replace(
    /(?<=\{|,)(?="(?:(?:POST|PUT|PATCH|DELETE) )|\{"names")/g,
    "\n",
  );
  await expect(`${text}\n`).toMatchFileSnapshot("./body-fields.json");
});

test("O-10 the document has every call once, with parameters, answer, scope and each error with an example", () => {
  expect(
    Object.values(sections)
      .flatMap((of) => Object.keys(of))
      .sort(),
  ).toEqual(Object.keys(everyCall).sort());
  for (const [name, call] of Object.entries(everyCall)) {
    const operation = operationOf(call);
    expect(operation.operationId).toBe(name);
    expect(operation.description, name).toContain(call.scope === "none" ? "no key" : call.scope);
    expect(operation.description.includes(`or ${LOG_SCOPE} for the goal`), name).toBe(
      call.isForGoalKeys === true,
    );
    const inPath = (operation.parameters ?? []).filter((one) => one.in === "path").map((one) => one.name);
    expect(inPath, name).toEqual([...call.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param));
    const examples = Object.values(operation.responses).flatMap(({ $ref = "" }) => {
      const shared = document.components.responses[$ref.split("/").at(-1) ?? ""] as Shared | undefined;
      return Object.keys(shared?.content["application/json"].examples ?? {});
    });
    expect(new Set(examples), name).toEqual(errorsOf(call as never));
  }
});

/** Places in a schema that say nothing of a value. */
function emptiesIn(schema: unknown, at: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, items, anyOf, allOf, oneOf, additionalProperties, ...rest } = schema as Schema;
  const inside = [
    ...Object.entries(properties as object).flatMap(([name, one]) => emptiesIn(one, `${at}.${name}`)),
    ...(items ? emptiesIn(items, `${at}[]`) : []),
    ...[anyOf, allOf, oneOf].flatMap((list) =>
      ((list ?? []) as object[]).flatMap((one, index) => emptiesIn(one, `${at}|${index}`)),
    ),
    ...(typeof additionalProperties === "object" ? emptiesIn(additionalProperties, `${at}{}`) : []),
  ];
  const saysSomething = ["type", "$ref", "enum", "const", "format"].some((name) => name in rest);
  const isEmpty = !saysSomething && !anyOf && !allOf && !oneOf;
  return isEmpty ? [at, ...inside] : inside;
}

test("O-11 every call has a summary and an answer, and no input or answer is an empty schema", () => {
  const empty = calls.flatMap((call) => {
    const { operationId, summary, parameters = [], requestBody, responses } = operationOf(call);
    expect(summary.length, operationId).toBeGreaterThan(5);
    const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
    const answers = Object.values(responses).flatMap(({ content }) =>
      Object.values(content ?? {}).map(({ schema }) => schema),
    );
    return [
      ...parameters.flatMap(({ name, schema }) => emptiesIn(schema, `${operationId}?${name}`)),
      ...bodies.flatMap((schema) => emptiesIn(schema, `${operationId} body`)),
      ...answers.flatMap((schema) => emptiesIn(schema, `${operationId} answer`)),
    ];
  });
  const shared = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    emptiesIn(schema, name),
  );
  expect([...empty, ...shared]).toEqual([]);
});

/** The name of each field and parameter, with its description. */
function* described(at: unknown): Generator<[name: string, description: unknown]> {
  if (typeof at !== "object" || at === null) return;
  const { properties, parameters } = at as { properties?: Record<string, Schema>; parameters?: Schema[] };
  for (const [name, field] of Object.entries(properties ?? {})) yield [name, field.description];
  for (const { name, description } of parameters ?? []) yield [String(name), description];
  for (const inner of Object.values(at)) yield* described(inner);
}

test("O-10 every field and parameter has a description, and every description a field", () => {
  const all = [...described(document)];
  expect(all.length).toBeGreaterThan(3000);
  expect(all.filter(([, description]) => !description)).toEqual([]);
  const names = new Set(all.map(([name]) => name));
  const lost = Object.keys(FIELD_TERMS).filter((key) => !names.has(key.split(".").at(-1) ?? ""));
  expect(lost).toEqual([]);
});

test("O-10 shapes have names of their own, and states, roles and difficulties have named values", () => {
  const shapes = document.components.schemas as unknown as Record<
    string,
    { properties: Record<string, Schema> }
  >;
  expect(Object.keys(shapes).filter((name) => /\d$/.test(name))).toEqual([]);
  expect(shapes.Session?.properties.status).toMatchObject({
    enum: [0, 1, 2],
    "x-enum-varnames": ["waiting", "running", "ended"],
  });
  expect(shapes.Log?.properties.status).toMatchObject({ enum: [1, 2, 3, 4] });
  const numbers = Object.entries(shapes).flatMap(([shape, { properties }]) =>
    Object.entries(properties ?? {}).flatMap(([field, schema]) =>
      ["status", "role"].includes(field) && !JSON.stringify(schema).includes("x-enum-varnames")
        ? [`${shape}.${field}`]
        : [],
    ),
  );
  expect(numbers).toEqual([]);
});

test("O-10 every reference in the document resolves, and every call has an id of its own", () => {
  const text = JSON.stringify(document);
  for (const [, path = ""] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = path.split("/").reduce<unknown>((at, key) => (at as Schema | undefined)?.[key], document);
    expect(found, path).toBeDefined();
  }
  const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("O-11 a required field is one that the body has", () => {
  const missing = calls.flatMap((call) => {
    const { operationId, requestBody } = operationOf(call);
    const [body] = Object.values(requestBody?.content ?? {});
    const { properties = {}, required = [] } = (body?.schema ?? {}) as {
      properties?: object;
      required?: string[];
    };
    return required.filter((name) => !(name in properties)).map((name) => `${operationId}.${name}`);
  });
  expect(missing).toEqual([]);
});

test("O-10 the schema of an error has each field that an error can carry", () => {
  const newer = { updatedAt: instant(0), texts: [{ label: "Title", text: "Read" }] };
  const bodies = [
    errorBody(new AppError("CONFLICT", undefined, { newer })),
    errorBody(new AppError("INSUFFICIENT_TOKENS")),
  ];
  const check = z.fromJSONSchema({
    ...document.components.schemas.Error,
    additionalProperties: false,
  } as z.core.JSONSchema.JSONSchema);
  for (const body of bodies) expect(check.safeParse(body).error).toBeUndefined();
});

test("O-14 the document has a version", () => {
  expect(document.info.version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("O-14 a deprecated field is marked only in its call's answer", () => {
  const $defs = {
    Person: { type: "object", properties: { login: { type: "string" }, id: { type: "number" } } },
  };
  const answer = {
    type: "object",
    properties: { people: { type: "array", items: { $ref: "#/$defs/Person" } } },
  };
  expect(withDeprecated(answer, "people.login", { $defs })).toEqual({
    type: "object",
    properties: {
      people: {
        type: "array",
        items: {
          type: "object",
          properties: { login: { type: "string", deprecated: true }, id: { type: "number" } },
        },
      },
    },
  });
  expect(JSON.stringify($defs)).not.toContain("deprecated");
  expect(() => withDeprecated(answer, "people.name", { $defs })).toThrow("name: there is no such field");
});
