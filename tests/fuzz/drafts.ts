// The draft of a request, into which a fuzz writes faults, and the request that it becomes.
import type { Actor } from "../roles/cast";
import { ORIGIN } from "../support/ask";
import type { Draw } from "./drawn";
import { jsonOf } from "./hostile";

const XSRF = "test-xsrf-token-0123456789";
export const BOUNDARY_TYPE = "multipart/form-data; boundary=edge";

type Cookies = Record<string, string>;
type Body =
  | { kind: "none" }
  | { kind: "json"; value: unknown }
  | { kind: "form"; fields: [string, string][]; isMultipart: boolean }
  | { kind: "text"; text: string };
/** A request into which faults are written. */
export type Draft = {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  cookies: Cookies;
  body: Body;
  type: string | null;
};

/** The door that a request is for. */
export type Door = "call" | "form" | "page" | "path";

/** A lone surrogate cannot be escaped in an address, but its three bytes can. */
export function escaped(text: string): string {
  return text.replace(/./gsu, (letter) => {
    try {
      return encodeURIComponent(letter);
    } catch {
      return "%ED%A0%80";
    }
  });
}

const partOf = ([name, value]: [string, string]) =>
  `--edge\r\nContent-Disposition: form-data; name="${name.replace(/"/g, "%22")}"\r\n\r\n${value}\r\n`;

function written(body: Body): { text: string | null; type: string | null } {
  if (body.kind === "json") return { text: jsonOf(body.value), type: "application/json" };
  if (body.kind === "text") return { text: body.text, type: "application/json" };
  if (body.kind === "none") return { text: null, type: null };
  if (body.isMultipart) return { text: `${body.fields.map(partOf).join("")}--edge--`, type: BOUNDARY_TYPE };
  return { text: new URLSearchParams(body.fields).toString(), type: "application/x-www-form-urlencoded" };
}

/** A request by `actor` without a fault; `over` is its own part. */
export const draftOf = (draw: Draw, kind: Door, actor: Actor, over: Partial<Draft>): Draft => ({
  method: "GET",
  path: "/",
  query: "",
  headers: {
    Accept: kind === "call" ? "application/json" : "text/html",
    Origin: ORIGIN,
    Host: new URL(ORIGIN).host,
    "X-XSRF-TOKEN": XSRF,
    "CF-Connecting-IP": `10.${draw.number(256)}.${draw.number(256)}.${draw.number(256)}`,
  },
  cookies: { "XSRF-TOKEN": XSRF, ...(actor.user ? { login: actor.user.loginToken } : {}) },
  body: { kind: "none" },
  type: null,
  ...structuredClone(over),
});

/** The request of a draft, and its line for the report. */
export function requestOf(draft: Draft, kind: Door): { request: Request; line: string } {
  const { text, type } = written(draft.body);
  const hasBody = text !== null && !["GET", "HEAD"].includes(draft.method.toUpperCase());
  const headers = new Headers(draft.headers);
  const contentType =
    draft.type ??
    (kind === "form" && draft.body.kind === "text" ? "application/x-www-form-urlencoded" : type);
  if (contentType !== null) headers.set("Content-Type", contentType);
  headers.set(
    "Cookie",
    Object.entries(draft.cookies)
      .map(([name, value]) => (name ? `${name}=${value}` : value))
      .join("; "),
  );
  const address = draft.path + (draft.query && `${draft.path.includes("?") ? "&" : "?"}${draft.query}`);
  const request = new Request(ORIGIN + address, {
    method: draft.method,
    headers,
    redirect: "manual",
    ...(hasBody ? { body: text } : {}),
  });
  const short = address.length > 120 ? `${address.slice(0, 120)}… (${address.length})` : address;
  return { request, line: `${draft.method} ${short}` };
}
