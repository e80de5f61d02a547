// Builds the OpenAPI document from the call table (O-10, O-11).
import { z } from "zod";
import { LOG_SCOPE } from "~/domain/accounts/api-keys";
import { AppError, type ErrorCode, errorBody, STATUS_OF } from "~/domain/errors";
import { oneLine } from "~/domain/text-fields";
import { type Call, errorsOf } from "~/wire/call";
import { limit } from "~/wire/values";
import { type AnswerSchemas, answerSchemas, type Schema } from "./answer-schemas";
import { FIELD_TERMS, VALUE_NAMES } from "./field-terms";

/** A changed or removed field keeps its old form for 90 days; then this grows (O-14). */
const VERSION = "1.0.0";

type Shape = { properties: Record<string, Schema>; required: string[] };
const EMPTY: Shape = { properties: {}, required: [] };

/** The input of a schema; of one that prepares its input, what it expects then. */
function inputOf(schema: z.core.$ZodType): Schema {
  const { $schema, ...written } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      if (def.type === "pipe" && def.in._zod.def.type === "transform")
        Object.assign(jsonSchema, inputOf(def.out));
      if (JSON.stringify(jsonSchema.additionalProperties) === "{}") jsonSchema.additionalProperties = true;
      if (def.type === "undefined") Object.assign(jsonSchema, { not: {} });
      if (def.type === "file") Object.assign(jsonSchema, { type: "string", format: "binary" });
    },
  });
  return written as Schema;
}

/** The fields of the object in which an input begins, through its transforms. */
function shapeOf(schema: z.core.$ZodType): Shape {
  const { def } = schema._zod as { def: z.core.$ZodTypes["_zod"]["def"] };
  if (def.type === "pipe") return shapeOf(def.in._zod.def.type === "transform" ? def.out : def.in);
  if (def.type === "intersection") {
    const [left, right] = [shapeOf(def.left), shapeOf(def.right)];
    return {
      properties: { ...left.properties, ...right.properties },
      required: [...left.required, ...right.required],
    };
  }
  if (def.type !== "object") return EMPTY;
  const { properties = {}, required = [] } = inputOf(schema) as Partial<Shape>;
  return { properties, required };
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Calls whose input has the inside names (`bodyAs`), and a code that may be in the query or the body. */
const isRenamed = (section: string, name: string) => section === "accounts" || name === "joinCode";

const paramsIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** The fields without which the input is refused, by the call's own schema or by the domain's behind it. */
function neededBy({ input, path }: Call<never, never>): Set<string> {
  const params = Object.fromEntries(paramsIn(path).map((name) => [name, "1"]));
  const needed = new Set<string>();
  for (let before = -1; before < needed.size; ) {
    before = needed.size;
    // The domain's schema reads only what the call's has accepted.
    const body = Object.fromEntries([...needed].map((name) => [name, "1"]));
    const { error } = input.safeParse({ params, query: {}, body });
    for (const {
      path: [name],
    } of error?.issues ?? [])
      if (typeof name === "string" && !(name in body)) needed.add(name);
  }
  return new Set([...needed].map(snake));
}

/** The query of every list. */
const { properties: LIST_QUERY } = shapeOf(
  z.object({ limit: limit.optional(), after: oneLine().optional() }),
);

export function fieldsOf(call: Call<never, never>, section: string): Shape {
  const { properties, required } = shapeOf(call.sends ?? call.input);
  const all = call.rows === undefined ? properties : { ...properties, ...LIST_QUERY };
  const named = (name: string) => (isRenamed(section, name) ? snake(name) : name);
  const isSent = ([, schema]: [string, Schema]) => !("not" in schema);
  const sent = Object.entries(all).filter(isSent);
  const needed = new Set([...neededBy(call), ...(call.sends ? required.map(snake) : [])]);
  return {
    properties: Object.fromEntries(sent.map(([name, schema]) => [named(name), schema])),
    required: sent
      .map(([name]) => name)
      .filter((name) => needed.has(snake(name)))
      .map(named),
  };
}

/** Without the strictness of the tests: an answer may get more fields. */
function asPublished(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asPublished);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => name !== "additionalProperties" || value !== false)
      .map(([name, value]) => [
        name,
        name === "$ref" ? String(value).replace("#/$defs/", "#/components/schemas/") : asPublished(value),
      ]),
  );
}

/**
 * The schema with the field at `path` ("serverData.login") marked. References on the way are written out, so that other
 * answers stay as they are. Throws when there is no such field.
 */
export function withDeprecated(
  schema: Schema,
  path: string,
  { $defs }: Pick<AnswerSchemas, "$defs">,
): Schema {
  const [name = "", ...below] = path.split(".");
  const { $ref, ...own } = schema as Schema & { $ref?: string };
  const whole = $ref === undefined ? schema : { ...$defs[$ref.replace("#/$defs/", "")], ...own };
  if (whole.type === "array" && whole.items)
    return { ...whole, items: withDeprecated(whole.items as Schema, path, { $defs }) };
  const field = (whole.properties as Record<string, Schema> | undefined)?.[name];
  if (!field) throw new Error(`${path}: there is no such field to be deprecated.`);
  const marked =
    below.length > 0 ? withDeprecated(field, below.join("."), { $defs }) : { ...field, deprecated: true };
  return { ...whole, properties: { ...(whole.properties as object), [name]: marked } };
}

const isObject = (value: unknown): value is Schema => typeof value === "object" && value !== null;
/** The entry of the field inside the nearest of these places. */
const entryOf = <T>(of: Record<string, T>, field: string, places: readonly string[]): T | undefined =>
  places.map((place) => of[`${place}.${field}`]).find((one) => one !== undefined) ?? of[field];

/** The description of a field. Throws for a field that has none in field-terms.ts. */
function termOf(field: string, places: readonly string[]): Schema {
  const term = entryOf(FIELD_TERMS, field, places);
  if (term === undefined)
    throw new Error(`${places.at(-1)}.${field} has no description in tests/support/field-terms.ts.`);
  return { description: term };
}

const isNumber = ({ type }: Schema) => [type].flat().some((one) => one === "number" || one === "integer");

/** The schema of a field whose numbers have names: they become its only values. */
function withNames(schema: Schema, names: Record<number, string> | undefined): Schema {
  if (!names) return schema;
  if (Array.isArray(schema.anyOf))
    return { ...schema, anyOf: schema.anyOf.map((one) => withNames(one as Schema, names)) };
  if (!isNumber(schema)) return schema;
  const values = (schema.enum as number[] | undefined) ?? Object.keys(names).map(Number);
  const texts = values.map((value) => names[value]);
  // The names belong to another field of this name.
  if (texts.includes(undefined)) return schema;
  const isNullable = [schema.type].flat().includes("null");
  return {
    ...schema,
    enum: [...values, ...(isNullable ? [null] : [])],
    "x-enum-varnames": [...texts, ...(isNullable ? ["none"] : [])],
  };
}

/** A schema whose fields have their descriptions; `places` are the shape or call and the fields on the way. */
function described(schema: unknown, places: readonly string[]): unknown {
  if (Array.isArray(schema)) return schema.map((one) => described(one, places));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === "properties" && isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([field, own]) => [
              field,
              describedField(field, own as Schema, places),
            ]),
          )
        : described(value, places),
    ]),
  );
}

function describedField(field: string, schema: Schema, places: readonly string[]): Schema {
  const own = withNames(schema, entryOf(VALUE_NAMES, field, places));
  return { ...termOf(field, places), ...(described(own, [field, ...places]) as Schema) };
}

/** The answers with these codes, which calls share. */
const refusals: Record<string, object> = {};
const refusalOf = (codes: readonly ErrorCode[]): object => {
  const name = codes.join("_");
  refusals[name] = {
    description: codes.join(" or "),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
  return { $ref: `#/components/responses/${name}` };
};

/** By status. */
function refusalsOf(call: Call<never, never>): Record<string, object> {
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of [...errorsOf(call)].sort())
    byStatus[STATUS_OF[code]] = [...(byStatus[STATUS_OF[code]] ?? []), code];
  return Object.fromEntries(Object.entries(byStatus).map(([status, codes]) => [status, refusalOf(codes)]));
}

const security = ({ scope, who, isForGoalKeys }: Call<never, never>) => [
  ...(who === "anyone" ? [{}] : []),
  scope === "none" ? { login: [] } : { key: [scope] },
  ...(isForGoalKeys ? [{ key: [LOG_SCOPE] }] : []),
];

function operationOf(
  name: string,
  call: Call<never, never>,
  section: string,
  answers: AnswerSchemas,
): object {
  const { method, path, summary, scope, status } = call;
  const { properties, required } = fieldsOf(call, section);
  const inPath = paramsIn(path);
  const others = Object.entries(properties).filter(([field]) => !inPath.includes(field));
  const body = {
    type: "object",
    properties: Object.fromEntries(others),
    required: required.filter((field) => !inPath.includes(field)),
  };
  const parameters = [
    ...inPath.map((field) => ({
      name: field,
      in: "path",
      required: true,
      ...termOf(field, [name]),
      schema: properties[field] ?? { type: "string" },
    })),
    ...(method === "GET"
      ? others.map(([field, schema]) => ({
          name: field,
          in: "query",
          required: required.includes(field),
          ...termOf(field, [name]),
          schema,
        }))
      : []),
    ...(call.isRepeatable
      ? [
          {
            name: "Idempotency-Key",
            in: "header",
            required: false,
            ...termOf("Idempotency-Key", [name]),
            schema: { type: "string", maxLength: 300 },
          },
        ]
      : []),
  ];
  const written = answers.answers[`${method} ${path}`];
  const answer =
    written &&
    Object.keys(call.deprecated ?? {}).reduce(
      (schema, field) => withDeprecated(schema, field, answers),
      written,
    );
  const type = name === "streamSummary" ? "text/event-stream" : "application/json";
  const done = {
    description: status === 204 ? "Done" : summary,
    ...(answer ? { content: { [type]: { schema: described(asPublished(answer), [name]) } } } : {}),
    ...(call.deprecated ? { headers: { Deprecation: { schema: { type: "string" } } } } : {}),
  };
  const media = name === "uploadImage" ? "multipart/form-data" : "application/json";
  return {
    operationId: name,
    tags: [section],
    summary,
    description:
      scope === "none"
        ? "Only for our own pages: no key opens it."
        : call.isForGoalKeys
          ? `Scope: ${scope}, or ${LOG_SCOPE} for the goal of the key.`
          : `Scope: ${scope}.`,
    security: security(call),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(method !== "GET" && others.length > 0
      ? {
          requestBody: {
            required: body.required.length > 0,
            content: { [media]: { schema: described(body, [name]) } },
          },
        }
      : {}),
    responses: {
      [status]: done,
      ...(call.statusOf && status !== 200 ? { 200: done } : {}),
      ...(call.statusOf && status === 200 ? { 201: done } : {}),
      ...refusalsOf(call),
    },
  };
}

type Tables = Record<string, Record<string, Record<string, Call<never, never>>>>;
const tables: Tables = import.meta.glob("../../app/wire/calls/*.ts", { eager: true });
/** The calls of each file of app/wire/calls. */
export const sections: Record<string, Record<string, Call<never, never>>> = Object.fromEntries(
  Object.entries(tables)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, exported]) => [
      /([\w-]+)\.ts$/.exec(file)?.[1] ?? "",
      Object.fromEntries(
        Object.entries(exported)
          .filter(([name]) => name.endsWith("Calls"))
          .flatMap(([, calls]) => Object.entries(calls)),
      ),
    ]),
);

const exampleOf = (code: ErrorCode) => {
  const fields = code === "INVALID" ? { fields: { title: ["Please give a title."] } } : {};
  return { value: errorBody(new AppError(code, undefined, fields)) };
};

export function openApi(answers: AnswerSchemas = answerSchemas()) {
  const paths: Record<string, Record<string, object>> = {};
  for (const [section, calls] of Object.entries(sections))
    for (const [name, call] of Object.entries(calls))
      paths[call.path] = {
        ...paths[call.path],
        [call.method.toLowerCase()]: operationOf(name, call, section, answers),
      };
  const codes = Object.keys(STATUS_OF) as ErrorCode[];
  return {
    openapi: "3.1.0",
    info: {
      title: "API",
      version: VERSION,
      description:
        "Send a personal key of /account/api as `Authorization: Bearer {key}`. A key allows 300 reads and 60 writes a minute. Writes may be repeated with the same `Idempotency-Key`. A list with `limit` answers `next`, which goes back as `after` until it is null. Another method at the path of a call answers 405 with `Allow`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: Object.keys(sections).map((name) => ({ name, description: `The calls of ${name}.` })),
    paths,
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "A personal key with the scope of the call." },
        login: { type: "apiKey", in: "cookie", name: "login", description: "The cookie of our own pages." },
      },
      schemas: {
        Error: described(
          {
            type: "object",
            properties: {
              message: { type: "string" },
              error: { type: "string" },
              error_code: { type: "string", enum: codes },
              errors: { type: "array", items: { type: "string" } },
              fields: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } },
              lacks_tokens: {
                type: "string",
                enum: ["you", "host", "reserve"],
              },
              newer: {
                type: "object",
                properties: {
                  updatedAt: { type: "number" },
                  texts: {
                    type: "array",
                    items: {
                      type: "object",
                      properties: { label: { type: "string" }, text: { type: "string" } },
                      required: ["label", "text"],
                    },
                  },
                },
                required: ["updatedAt", "texts"],
              },
            },
            required: ["message", "error", "error_code", "errors", "fields"],
          },
          ["Error"],
        ) as Schema,
        ...Object.fromEntries(
          Object.entries(answers.$defs).map(([name, schema]) => [
            name,
            described(asPublished(schema), [name]),
          ]),
        ),
      },
      responses: refusals,
      // A call never answers METHOD_NOT_ALLOWED.
      examples: Object.fromEntries(
        codes.filter((code) => code !== "METHOD_NOT_ALLOWED").map((code) => [code, exampleOf(code)]),
      ),
    },
  };
}

/** A line for each call and each component. */
export function writeOpenApi(document: ReturnType<typeof openApi>): string {
  const lines = (of: Record<string, unknown>) =>
    Object.entries(of)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(",\n");
  const { paths, components, ...head } = document;
  const { schemas, ...others } = components;
  const start = JSON.stringify(head).slice(0, -1);
  const end = JSON.stringify(others).slice(0, -1);
  return `${start},\n"paths":{\n${lines(paths)}\n},\n"components":${end},\n"schemas":{\n${lines(schemas)}\n}}}\n`;
}
