// Malformed requests from a seed: a correct call, form or page with one to five faults.

import { BODIES as CALL_BODIES, QUERIES as CALL_QUERIES, CALL_ROWS } from "../roles/calls";
import { type Actor, TARGETS, type Target, type Thing } from "../roles/cast";
import { ADDRESS_OF, FORMS, INTENT_ROWS } from "../roles/forms";
import { PAGE_ROWS, place } from "../roles/pages";
import type { Row } from "../roles/table";
import { type CallName, everyCall } from "../support/every-call";
import { BOUNDARY_TYPE, type Door, type Draft, draftOf, escaped, requestOf } from "./drafts";
import type { Draw } from "./drawn";
import {
  BODIES,
  COOKIES,
  FIELD_NAMES,
  HEADERS,
  INTENTS,
  jsonOf,
  METHODS,
  MULTIPART,
  PATHS,
  QUERIES,
  QUERY_NAMES,
  SEGMENTS,
  STRINGS,
  TYPES,
  VALUES,
} from "./hostile";

/** The target of a request before any fault; `row` decides the thing that its path names. */
export type Base = { kind: Door; row: Row };

const NO_ROW: Row = { name: "", kind: "-", expected: () => null, isNamed: () => false };
/** Calls that change something, because lists show their results. */
const CHANGING_ROWS = CALL_ROWS.filter(({ name }) => everyCall[name as CallName]?.method !== "GET");
const KINDS = {
  change: ["call", CHANGING_ROWS],
  call: ["call", CALL_ROWS],
  form: ["form", INTENT_ROWS],
  page: ["page", PAGE_ROWS],
  path: ["path", [NO_ROW]],
} as const;
export function drawBase(draw: Draw): Base {
  const [kind, rows] =
    KINDS[draw.one(["change", "change", "change", "call", "form", "form", "page", "path"] as const)];
  return { kind, row: draw.one<Row>(rows) };
}

/** Draws an actor and a thing; mostly an actor who may access the thing. */
export function drawAim(draw: Draw, { row }: Base, actors: readonly Actor[]): [Actor, Target] {
  const all = actors.flatMap((actor) => TARGETS.map((target): [Actor, Target] => [actor, target]));
  const open = all.filter(([{ role }, target]) => row.expected(target, role) === "ok");
  const [actor, target] = draw.one(open.length === 0 || draw.isOnceIn(6) ? all : open);
  // A visitor owns nothing.
  return [actor, actor.user || target !== "own" ? target : "theirs"];
}

export const wellFormed: Record<Base["kind"], (row: Row, thing: Thing, actor: Actor) => Partial<Draft>> = {
  call({ name }, thing, actor) {
    if (name === "stripeWebhook")
      return { method: "POST", path: "/webhooks/stripe", body: { kind: "json", value: { type: "x" } } };
    const call = name as CallName;
    const { method, path: template } = everyCall[call];
    return {
      method,
      path: template.replace(/\{(\w+)\}/g, (_, placeholder: string) =>
        encodeURIComponent(call === "createSubscription" ? "goals_sub" : String(thing[placeholder])),
      ),
      query: CALL_QUERIES[call]?.(thing).slice(1) ?? "",
      body:
        method === "GET"
          ? { kind: "none" }
          : { kind: "json", value: CALL_BODIES[call]?.(thing, actor) ?? {} },
    };
  },
  form({ name }, thing, actor) {
    const [file = "", intent = ""] = name.split(" ");
    const fields = Object.entries(FORMS[name]?.(thing, actor) ?? {});
    return {
      method: "POST",
      path: place(ADDRESS_OF[name] ?? ADDRESS_OF[file] ?? "/", thing),
      body: { kind: "form", fields: [["intent", intent], ...fields], isMultipart: false },
    };
  },
  page: ({ name }, thing) => ({ path: `/${place(name, thing).replace(/^\//, "")}` }),
  path: () => ({}),
};

/** Reads the names of fields from the sources with schemas, so that new fields are included. */
const sources = import.meta.glob<string>(
  ["../../app/{domain,forms,use-cases,wire,http,routes}/**/*.{ts,tsx}", "!../../app/**/*.test.{ts,tsx}"],
  { query: "?raw", import: "default", eager: true },
);
export const NAMES: readonly string[] = [
  ...new Set(
    Object.values(sources)
      .filter((source) => source.includes('from "zod"'))
      .flatMap((source) => [...source.matchAll(/(?:^|[{,])\s*([A-Za-z_]\w*): [a-z]\w*(?:[(.,]|\s*\})/gm)])
      .map(([, name = ""]) => name),
  ),
].sort();

const isList = Array.isArray;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !isList(value);

/** All objects within a body, itself included. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (isList(value)) return value.flatMap(objectsIn);
  return isRecord(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

export type Fault = (draft: Draft, draw: Draw) => string | null;

/** A copy, because a later fault may write into it. */
const aValue = (draw: Draw): unknown => structuredClone(draw.one(VALUES));

export const jsonValue: Fault = ({ body }, draw) => {
  if (body.kind !== "json") return null;
  const object = draw.one([...objectsIn(body.value), {}]);
  const known = Object.keys(object);
  const name = known.length > 0 && draw.isOnceIn(2) ? draw.one(known) : draw.one(NAMES);
  object[name] = aValue(draw);
  return name;
};

export const ofJson: Record<string, Fault> = {
  "missing field"({ body }, draw) {
    if (body.kind !== "json") return null;
    const object = draw.one([...objectsIn(body.value), {}]);
    const known = Object.keys(object);
    if (known.length === 0) return null;
    const name = draw.one(known);
    delete object[name];
    return name;
  },
  "every field"(draft, draw) {
    if (draft.body.kind !== "json") return null;
    const value = structuredClone(draw.one(VALUES.filter((value) => jsonOf(value).length < 1000)));
    const flat = Object.fromEntries(NAMES.map((name) => [name, value]));
    const wrapped = Object.fromEntries(
      ["challenge", "hut", "item", "itemData", "userData"].map((name) => [
        name,
        { ...flat, tasks: [flat], parts: [flat] },
      ]),
    );
    draft.body = { kind: "json", value: { ...flat, ...wrapped } };
    return jsonOf(value).slice(0, 30);
  },
  "another body"(draft, draw) {
    if (draft.body.kind !== "json") return null;
    draft.body = { kind: "json", value: aValue(draw) };
    return "";
  },
  "broken JSON"(draft, draw) {
    if (draft.body.kind !== "json") return null;
    const text = draw.one(BODIES);
    draft.body = { kind: "text", text };
    return text.slice(0, 30);
  },
};

const formValue: Fault = ({ body }, draw) => {
  if (body.kind !== "form") return null;
  const value = draw.one(STRINGS);
  const known = draw.one(body.fields);
  if (draw.isOnceIn(2)) known[1] = value;
  else body.fields.push([draw.one(NAMES), value]);
  return value.slice(0, 30);
};

const ofForm: Record<string, Fault> = {
  "nested field"({ body }, draw) {
    if (body.kind !== "form") return null;
    const name = [draw.one(NAMES), draw.one(NAMES), draw.one(NAMES)]
      .slice(0, 2 + draw.number(2))
      .join(draw.one([".", "[0].", "[1].", "[999]."]));
    body.fields.push([name, draw.one(STRINGS)]);
    return name;
  },
  "hostile name"({ body }, draw) {
    if (body.kind !== "form") return null;
    const name = draw.one(FIELD_NAMES);
    body.fields.push([name, draw.one(STRINGS)]);
    return name.slice(0, 30);
  },
  "field twice"({ body }, draw) {
    if (body.kind !== "form") return null;
    const [name] = draw.one(body.fields);
    body.fields.push([name, draw.one(STRINGS)]);
    return name;
  },
  "missing field"({ body }, draw) {
    if (body.kind !== "form") return null;
    const [gone] = body.fields.splice(draw.number(body.fields.length), 1);
    if (body.fields.length === 0) body.fields.push(["", ""]);
    return gone?.[0] ?? "";
  },
  "hostile intent"({ body }, draw) {
    if (body.kind !== "form") return null;
    const value = draw.one(INTENTS);
    const intent = body.fields.find(([name]) => name === "intent");
    if (intent) intent[1] = value;
    return value.slice(0, 30);
  },
  "stays in place"({ body }) {
    if (body.kind !== "form") return null;
    body.fields.push(["stay", "1"]);
    return "";
  },
  "as multipart"({ body }) {
    if (body.kind !== "form") return null;
    body.isMultipart = true;
    return "";
  },
  "broken multipart"(draft, draw) {
    if (draft.body.kind !== "form") return null;
    const text = draw.one(MULTIPART);
    draft.body = { kind: "text", text };
    draft.type = BOUNDARY_TYPE;
    return text.slice(0, 40);
  },
  "broken escapes"(draft, draw) {
    if (draft.body.kind !== "form") return null;
    const text = draw.one([
      "%",
      "title=%E0%A4%A",
      "title=%ED%A0%80",
      "%00=%00",
      "=&=&=",
      "a".repeat(200_000),
      "&".repeat(9000),
    ]);
    draft.body = { kind: "text", text };
    return text.slice(0, 30);
  },
};

const ofAnything: Record<string, Fault> = {
  method(draft, draw) {
    draft.method = draw.one(METHODS);
    return draft.method;
  },
  "content type"(draft, draw) {
    draft.type = draw.one(TYPES);
    return draft.type.slice(0, 40);
  },
  segment(draft, draw) {
    const parts = draft.path.split("/");
    const at = 1 + draw.number(parts.length - 1);
    const segment = draw.one(SEGMENTS);
    if (draw.isOnceIn(3)) parts.splice(at, 0, segment);
    else parts[at] = segment;
    draft.path = parts.join("/");
    return segment.slice(0, 30);
  },
  "data request"(draft) {
    draft.path = `${draft.path === "/" ? "/_root" : draft.path}.data`;
    return "";
  },
  query(draft, draw) {
    const added = draw.isOnceIn(4)
      ? draw.one(QUERIES)
      : `${draw.isOnceIn(3) ? draw.one(NAMES) : draw.one(QUERY_NAMES)}=${escaped(draw.one(STRINGS).slice(0, 9000))}`;
    draft.query = [draft.query, added].filter(Boolean).join("&");
    return added.slice(0, 40);
  },
  header({ headers }, draw) {
    const name = draw.one(Object.keys(HEADERS));
    headers[name] = draw.one(HEADERS[name] ?? [""]);
    return `${name}: ${headers[name].slice(0, 30)}`;
  },
  cookie({ cookies }, draw) {
    const name = draw.one(Object.keys(COOKIES));
    cookies[name] = draw.one(COOKIES[name] ?? [""]);
    return `${name}=${cookies[name].slice(0, 30)}`;
  },
};

/** Fields that take any text, and the hostile texts short enough for a title. */
const IS_TEXT = /^(title|content|description|prompt|contribution|todo|done|action|unit|name|first_name)$/;
const NEW_TEXTS = ["title", "content", "description"];
const SHORT_TEXTS = STRINGS.filter((text) => text.length <= 120);

export const hostileText: Fault = ({ body }, draw) => {
  const text = draw.one(SHORT_TEXTS);
  if (body.kind === "json") {
    const object = draw.one([...objectsIn(body.value), {}]);
    const known = Object.keys(object).filter((name) => IS_TEXT.test(name));
    const name = draw.one(known.length > 0 ? known : NEW_TEXTS);
    object[name] = text;
    return `${name} ${text.slice(0, 30)}`;
  }
  if (body.kind !== "form") return null;
  const known = body.fields.filter(([name]) => IS_TEXT.test(name));
  if (known.length > 0) draw.one(known)[1] = text;
  else body.fields.push([draw.one(NEW_TEXTS), text]);
  return text.slice(0, 30);
};

/** A hostile text in an otherwise valid request gets furthest and stays in lists; then a hostile value. */
const FAULTS: [string, Fault][] = [
  ...Array<[string, Fault]>(50).fill(["text", hostileText]),
  ...Array<[string, Fault]>(12).fill(["value", jsonValue]),
  ...Array<[string, Fault]>(12).fill(["value", formValue]),
  ...[ofJson, ofForm, ofAnything].flatMap((faults) => Object.entries(faults)),
];

/** Puts so many faults of the list into the draft, and names them. */
export function putFaults(draft: Draft, draw: Draw, list: [string, Fault][], wanted: number): string[] {
  const faults: string[] = [];
  // Most faults apply only to some bodies.
  for (let tries = 0; faults.length < wanted && tries < 40; tries++) {
    const [name, put] = draw.one(list);
    const what = put(draft, draw);
    if (what !== null) faults.push(what ? `${name} ${JSON.stringify(what)}` : name);
  }
  return faults;
}

/** The request with its faults, and a sentence for the report. */
export function malformed(
  draw: Draw,
  { kind, row }: Base,
  thing: Thing,
  actor: Actor,
): { request: Request; said: string } {
  const path = draw.one(PATHS);
  const draft = draftOf(draw, kind, actor, { path, ...wellFormed[kind](row, thing, actor) });
  const wanted = kind === "path" ? draw.number(3) : draw.one([1, 1, 1, 1, 2, 3, 5]);
  const faults = putFaults(draft, draw, FAULTS, wanted);
  const { request, line } = requestOf(draft, kind);
  return { request, said: `${line} as ${actor.role} (${row.name}: ${faults.join(", ")})` };
}
