// Serves the OpenAPI document, and the reference made from it as pages without a script (O-10, O-13).
import type { Context } from "hono";
import { html } from "hono/html";
import { AppError } from "~/domain/errors";
import document from "~/wire/openapi.json";
import { bareError } from "./bare-page";
import listProgram from "./programs/list.mjs?raw";
import logProgram from "./programs/log.mjs?raw";
import sessionProgram from "./programs/session.mjs?raw";
import type { HonoEnv } from "./serve";

type Schema = {
  description?: string;
  type?: string | string[];
  $ref?: string;
  enum?: unknown[];
  "x-enum-varnames"?: string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema;
};
type Parameter = { name: string; in: string; required: boolean; description: string; schema: Schema };
type Content = { content?: Record<string, { schema: Schema }> };
type Operation = {
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { $ref?: string }>;
};
type DocumentedCall = { method: string; path: string; operation: Operation };

const documentedCalls: DocumentedCall[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Record<string, Operation>).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
  })),
);
const sections = document.tags.map(({ name }) => name);
const shapes = document.components.schemas as unknown as Record<string, Schema>;
/** The sections besides the tags: shapes that several answers share, fields by name, and whole programs. */
const SHAPES = "shapes";
const FIELDS = "fields";
const PROGRAMS = "programs";

/** All fields inside a schema, at any depth. */
function* fieldsIn(schema: unknown): Generator<[name: string, field: Schema]> {
  if (typeof schema !== "object" || schema === null) return;
  const { properties = {} } = schema as Schema;
  yield* Object.entries(properties);
  for (const inner of Object.values(schema)) yield* fieldsIn(inner);
}
/** The names of all fields, sorted, each with its descriptions. */
function listFields(): [name: string, texts: Set<string>][] {
  const textsByName = new Map<string, Set<string>>();
  for (const [name, field] of fieldsIn({ shapes, paths: document.paths })) {
    const { description = "", enum: values = [], "x-enum-varnames": names } = field;
    const text = names
      ? `${description} ${values.map((value, index) => `${value}: ${names[index]}`).join(", ")}.`
      : description;
    if (text) textsByName.set(name, (textsByName.get(name) ?? new Set()).add(text));
  }
  return [...textsByName].sort(([a], [b]) => (a < b ? -1 : 1));
}

const CACHE_HEADERS = { "Cache-Control": "public, max-age=300" };

export const serveDocument = (c: Context<HonoEnv>): Response => c.json(document, 200, CACHE_HEADERS);

/** A schema as a line of text, such as `{ id: number, title?: string, tags: string[] }`. */
function outline(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map(outline).join(" | ");
  if (schema.items) {
    const items = outline(schema.items);
    return items.includes(" | ") ? `(${items})[]` : `${items}[]`;
  }
  if (schema.properties) {
    const required = new Set(schema.required);
    const fields = Object.entries(schema.properties).map(
      ([name, field]) => `${name}${required.has(name) ? "" : "?"}: ${outline(field)}`,
    );
    return `{ ${fields.join(", ")} }`;
  }
  if (schema.additionalProperties) return `{ [name]: ${outline(schema.additionalProperties)} }`;
  return [schema.type ?? "any"].flat().join(" | ");
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
html { background: Canvas; color: CanvasText; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; overflow-wrap: anywhere; }
a { color: inherit; } nav a { display: inline-block; padding: .6rem .6rem .6rem 0; }
article { border-top: 1px solid #8885; padding: 1rem 0; } h2 { font-size: 1.1rem; margin: 0; }
code, pre { font-size: .875rem; } pre { white-space: pre-wrap; background: color-mix(in srgb, CanvasText 8%, Canvas); padding: .75rem; border-radius: .5rem; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; }`;

const page = (c: Context<HonoEnv>, title: string, content: unknown) =>
  c.html(
    html`<!doctype html><html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><title>${title}</title><style>${STYLE}</style></head><body><header><a href="/api/docs">Reference</a></header><main><h1>${title}</h1>${content}</main></body></html>`,
    200,
    CACHE_HEADERS,
  );

const links = () =>
  html`<nav aria-label="Sections">${[PROGRAMS, ...sections, FIELDS, SHAPES].map((name) => html`<a href="/api/docs/${name}">${name}</a> `)}</nav>`;

export const serveContents = (c: Context<HonoEnv>): Response | Promise<Response> =>
  page(
    c,
    "Reference of the API",
    html`<p>Programs send JSON calls with a personal key, which <a href="/account/api">your account</a> makes. A key allows 300 reads and 60 writes a minute. Version ${document.info.version}; also as <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
<pre><code>curl ${c.env.APP_ORIGIN || new URL(c.req.url).origin}/get-user -H "Authorization: Bearer $KEY"</code></pre>${links()}`,
  );

export function serveSection(c: Context<HonoEnv>): Response | Promise<Response> {
  const name = c.req.param("section") ?? "";
  if (name === PROGRAMS)
    return page(
      c,
      "Programs",
      html`${links()}<p>Whole programs for Node 20 and later, which our tests run as they are here.</p>${[logProgram, listProgram, sessionProgram].map((text) => html`<pre><code>${text}</code></pre>`)}`,
    );
  if (name === FIELDS)
    return page(
      c,
      "Fields",
      html`${links()}<p>A name means the same in every call. Planned spans are seconds, measured spans milliseconds, distances miles, instants ISO 8601 in UTC, and flags 0 or 1.</p><dl>${listFields().map(([field, texts]) => html`<dt id="${field}">${field}</dt>${[...texts].map((text) => html`<dd>${text}</dd>`)}`)}</dl>`,
    );
  if (name === SHAPES)
    return page(
      c,
      "Shapes",
      html`${links()}<dl>${Object.entries(shapes).map(([shape, schema]) => html`<dt id="${shape}">${shape}</dt><dd><code>${outline(schema)}</code></dd>`)}</dl>`,
    );
  const calls = documentedCalls.filter(({ operation }) => operation.tags.includes(name));
  if (calls.length === 0) return bareError(c, new AppError("NOT_FOUND"));
  const origin = c.env.APP_ORIGIN || new URL(c.req.url).origin;
  return page(c, `Calls: ${name}`, html`${links()}${calls.map((call) => callArticle(call, origin))}`);
}

function callArticle({ method, path, operation }: DocumentedCall, origin: string) {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  const successes = Object.entries(responses).filter(([status]) => status < "300");
  const refusals = Object.entries(responses).filter(([status]) => status >= "300");
  return html`<article><h2>${summary}</h2><p><code>${method} ${path}</code></p><p>${description}</p><dl>
${parameters.map(({ name, in: location, required, description, schema }) => html`<dt>${name}</dt><dd>${location}${required ? "" : ", optional"}: <code>${outline(schema)}</code> ${description}</dd>`)}
${body ? html`<dt>Body</dt><dd><code>${outline(body.schema)}</code></dd>` : ""}
${successes.map(([status, { content = {} }]) => html`<dt>${status}</dt><dd>${Object.values(content).map(({ schema }) => html`<code>${outline(schema)}</code>`)}</dd>`)}
<dt>Errors</dt><dd>${refusals.map(([status, { $ref = "" }]) => `${status} ${codesIn($ref)}`).join(", ")}</dd></dl>
<pre><code>${curlOf({ method, path, operation }, origin)}</code></pre></article>`;
}

const codesIn = (ref: string): string =>
  (document.components.responses as Record<string, { description: string }>)[ref.split("/").at(-1) ?? ""]
    ?.description ?? "";

/** A curl command with a value for each required part. A call that takes no key shows the cookie of our own pages. */
function curlOf({ method, path, operation }: DocumentedCall, origin: string): string {
  const { parameters = [], requestBody, security } = operation;
  const sampleOf = (name: string): string =>
    String(
      exampleOf(
        parameters.find((parameter) => parameter.in === "path" && parameter.name === name)?.schema ?? {},
      ),
    );
  const address = `${origin}${path.replace(/\{(\w+)\}/g, (_, name: string) => sampleOf(name))}`;
  const isForKeys = security.some((scheme) => "key" in scheme);
  const parts = [`curl${method === "GET" ? "" : ` -X ${method}`} "${address}"`];
  parts.push(isForKeys ? '-H "Authorization: Bearer $KEY"' : '-b "$COOKIES" -H "X-XSRF-TOKEN: $TOKEN"');
  const [[type, body] = []] = Object.entries(requestBody?.content ?? {});
  if (type === "multipart/form-data") parts.push('-F "file=@image.png"');
  else if (body) {
    const { properties = {}, required = [] } = body.schema;
    const [first] = Object.keys(properties);
    const shownNames = required.length > 0 ? required : first ? [first] : [];
    const fields = Object.fromEntries(shownNames.map((name) => [name, exampleOf(properties[name] ?? {})]));
    parts.push(`-H "Content-Type: application/json" -d '${JSON.stringify(fields)}'`);
  }
  return parts.join(" \\\n  ");
}

function exampleOf(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {});
  const [type] = [schema.type ?? "string"].flat();
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return true;
  if (type === "array") return schema.items ? [exampleOf(schema.items)] : [];
  if (type !== "object") return type === "null" ? null : "text";
  const shownFields = (schema.required ?? []).map((name) => [
    name,
    exampleOf(schema.properties?.[name] ?? {}),
  ]);
  return Object.fromEntries(shownFields);
}
