// Requests to the calls of the OpenAPI document, from a seed: valid ones by its schemas, and the same with hostile
// values in the places of their input.
import document from "~/wire/openapi.json";
import { CALL_ROWS } from "../roles/calls";
import type { Actor, Thing } from "../roles/cast";
import type { Row } from "../roles/table";
import { type CallName, everyCall } from "../support/every-call";
import { type Draft, draftOf, escaped, requestOf } from "./drafts";
import type { Draw } from "./drawn";
import { QUERIES, STRINGS } from "./hostile";
import { type Fault, hostileText, jsonValue, ofJson, putFaults, wellFormed } from "./malformed";

type Schema = {
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  pattern?: string;
};
type Operation = {
  parameters?: { name: string; in: string; schema: Schema; required: boolean }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string }>;
};

/** The calls that the document has; the webhook's answers are the provider's. */
export const DOCUMENTED_ROWS = CALL_ROWS.filter(({ name }) => name in everyCall);
const operationOf = (name: string): Operation => {
  const { method, path } = everyCall[name as CallName];
  const methods = (document.paths as unknown as Record<string, Record<string, Operation>>)[path];
  const found = methods?.[method.toLowerCase()];
  if (!found) throw new Error(`The document has no ${method} ${path}.`);
  return found;
};

/** The codes that the document names for this status of a call; null for a status that it does not name. */
export function codesOf(name: string, status: number): string[] | null {
  const answer = operationOf(name).responses[status];
  if (!answer) return null;
  const shared = answer.$ref?.split("/").at(-1) ?? "";
  const { responses } = document.components as { responses: Record<string, Shared> };
  return Object.keys(responses[shared]?.content["application/json"].examples ?? {});
}
type Shared = { content: { "application/json": { examples: object } } };

const hex = (draw: Draw, length: number) =>
  Array.from({ length }, () => draw.number(16).toString(16)).join("");
const uuid = (draw: Draw) =>
  `${hex(draw, 8)}-${hex(draw, 4)}-4${hex(draw, 3)}-a${hex(draw, 3)}-${hex(draw, 12)}`;
/** A text for each pattern of the document. */
const BY_PATTERN: [RegExp, (draw: Draw) => string][] = [
  [/A-F.*-\[1-8\]|^\^\[0-9a-f\]\{8\}/, uuid],
  [/^\^-\?\\d/, (draw) => String(draw.number(1000) / 10)],
  [/^\^\\d\+\$/, (draw) => String(draw.number(1000))],
  [/^\^e\[/, (draw) => `e${hex(draw, 12)}`],
  [/^\^B/, (draw) => `B${hex(draw, 86)}`],
  [/\{22\}/, (draw) => hex(draw, 22)],
];
const WORDS = [
  "tea",
  "a long walk",
  "Übung",
  "読書",
  "שלום",
  "🦉",
  "<b>",
  "it's 100 %",
  "x_y",
  "\n- one\n- two\n",
];
/** The instants of fields that take any text. */
const IS_TIME = /(_at|^before|^after|^from|^to|^since|^until)$/;
const MAX_DRAWN = 2000;

function textOf(schema: Schema, name: string, draw: Draw): string {
  const { pattern, minLength = 0, maxLength = MAX_DRAWN } = schema;
  if (pattern !== undefined) {
    const write = BY_PATTERN.find(([of]) => of.test(pattern))?.[1];
    if (!write) throw new Error(`${name}: no text is known for ${pattern}.`);
    return write(draw);
  }
  if (IS_TIME.test(name) && draw.number(4) > 0)
    return new Date(Date.now() + (draw.number(4000) - 2000) * 3_600_000).toISOString();
  const most = draw.isOnceIn(30) ? Math.min(maxLength, MAX_DRAWN) : Math.min(maxLength, 40);
  let text = draw.isOnceIn(20) ? "" : draw.one(WORDS);
  while (text.length < minLength || (draw.number(3) > 0 && text.length < most / 2))
    text += ` ${draw.one(WORDS)}`;
  // Never half of a pair.
  const cut = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return cut.length < minLength ? cut.padEnd(minLength, "x") : cut;
}

function numberOf(schema: Schema, name: string, draw: Draw, isWhole: boolean): number {
  const { minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER } = schema;
  const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + (isWhole ? 1 : 0.25));
  if (IS_TIME.test(name) && draw.number(4) > 0)
    return Math.min(maximum, Date.now() + (draw.number(4000) - 2000) * 3_600_000);
  if (draw.isOnceIn(30)) return draw.one([least, maximum]);
  const drawn = Math.max(least, 0) + draw.number(draw.one([3, 100, 5000]));
  return Math.min(maximum, isWhole ? drawn : drawn + draw.one([0, 0.5, 0.25]));
}

/** A value that the schema accepts. */
function drawValue(schema: Schema, name: string, draw: Draw, depth = 0): unknown {
  const ways = schema.anyOf ?? schema.oneOf;
  if (ways) {
    const rest = ways.filter(({ type }) => type !== "null");
    return drawValue(draw.one(rest.length > 0 && draw.number(5) > 0 ? rest : ways), name, draw, depth);
  }
  if ("const" in schema) return schema.const;
  if (schema.enum) return draw.one(schema.enum);
  const type = Array.isArray(schema.type) ? draw.one(schema.type) : (schema.type ?? "string");
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return draw.isOnceIn(2);
    case "integer":
    case "number":
      return numberOf(schema, name, draw, type === "integer");
    case "array": {
      const { items = {}, maxItems = 3 } = schema;
      const length = draw.number(Math.min(3, maxItems) + 1);
      return Array.from({ length: depth > 4 ? 0 : length }, () => drawValue(items, name, draw, depth + 1));
    }
    case "object":
      return objectOf(schema, draw, depth);
    default:
      return textOf(schema, name, draw);
  }
}

function objectOf(schema: Schema, draw: Draw, depth: number, known: Record<string, unknown> = {}) {
  const { properties = {}, required = [], additionalProperties, propertyNames = {} } = schema;
  const made: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(properties)) {
    // The values of the role matrix name things that exist.
    if (name in known && draw.number(4) > 0) made[name] = known[name];
    else if (required.includes(name) || draw.isOnceIn(depth > 1 ? 2 : 4))
      made[name] = drawValue(field, name, draw, depth + 1);
  }
  if (typeof additionalProperties === "object")
    for (let count = draw.number(3); count > 0; count--)
      made[String(drawValue(propertyNames, "name", draw))] = drawValue(
        additionalProperties,
        "value",
        draw,
        depth + 1,
      );
  return made;
}

/** The fields of a body of the role matrix, which may be inside a wrapper that the document does not show. */
function knownOf(body: Draft["body"], properties: Record<string, Schema>): Record<string, unknown> {
  if (body.kind !== "json" || !isRecord(body.value)) return {};
  const inner = Object.entries(body.value)
    .filter(([name, value]) => !(name in properties) && isRecord(value))
    .map(([, value]) => value as Record<string, unknown>);
  return Object.assign({}, body.value, ...inner);
}
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A request that the document allows; half of those that a key may send have one. */
function validDraft(draw: Draw, row: Row, thing: Thing, actor: Actor, key: string | undefined): Draft {
  const { parameters = [], requestBody } = operationOf(row.name);
  const draft = draftOf(draw, "call", actor, wellFormed.call(row, thing, actor));
  const asked = new URLSearchParams(draft.query);
  for (const { name, in: place, schema, required } of parameters) {
    if (place === "query" && !asked.has(name) && (required || draw.isOnceIn(2))) {
      const value = drawValue(schema, name, draw);
      if (value !== null && typeof value !== "object") asked.set(name, String(value));
    }
    if (place === "header" && draw.isOnceIn(3)) draft.headers[name] = `k${hex(draw, 8)}`;
  }
  draft.query = asked.toString();
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema)
    draft.body = {
      kind: "json",
      value: objectOf(schema, draw, 0, knownOf(draft.body, schema.properties ?? {})),
    };
  if (key !== undefined && everyCall[row.name as CallName].scope !== "none" && draw.isOnceIn(2)) {
    draft.headers.Authorization = `Bearer ${key}`;
    draft.cookies = {};
  }
  return draft;
}

const parameter =
  (name: string): Fault =>
  (draft, draw) => {
    const places = everyCall[name as CallName].path.split("/");
    const open = [...places.keys()].filter((at) => places[at]?.startsWith("{"));
    const value = draw.one(STRINGS).slice(0, 500);
    // A browser resolves these two, and an empty one is another path.
    if (open.length === 0 || ["", ".", ".."].includes(value)) return null;
    const parts = draft.path.split("/");
    parts[draw.one(open)] = escaped(value);
    draft.path = parts.join("/");
    return value.slice(0, 30);
  };
const query =
  (name: string): Fault =>
  (draft, draw) => {
    const known = (operationOf(name).parameters ?? []).filter((one) => one.in === "query");
    const added =
      known.length === 0 || draw.isOnceIn(4)
        ? draw.one(QUERIES)
        : `${draw.one(known).name}=${escaped(draw.one(STRINGS).slice(0, 500))}`;
    draft.query = [added, draft.query].filter(Boolean).join("&");
    return added.slice(0, 40);
  };
const repeatKey: Fault = (draft, draw) => {
  // Headers carry only bytes.
  const value = draw
    .one(STRINGS)
    .slice(0, 400)
    .replace(/[^\x20-\x7e]/g, "");
  draft.headers["Idempotency-Key"] = value;
  return value.slice(0, 30);
};

export function drawDocumented(
  draw: Draw,
  row: Row,
  {
    thing,
    actor,
    key,
    isHostile,
  }: { thing: Thing; actor: Actor; key: string | undefined; isHostile: boolean },
): { request: Request; said: string } {
  const draft = validDraft(draw, row, thing, actor, key);
  const places: [string, Fault][] = [
    ["parameter", parameter(row.name)],
    ["query", query(row.name)],
    ["repeat key", repeatKey],
    ["text", hostileText],
    ["value", jsonValue],
    ["value", jsonValue],
    ...Object.entries(ofJson),
  ];
  const faults = isHostile ? putFaults(draft, draw, places, draw.one([1, 1, 2, 3])) : [];
  const { request, line } = requestOf(draft, "call");
  const sent = draft.body.kind === "json" ? JSON.stringify(draft.body.value)?.slice(0, 600) : "";
  return { request, said: `${line} as ${actor.role} (${row.name}: ${faults.join(", ")}) ${sent}` };
}
