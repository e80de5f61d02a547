// Reads the form of a page's action, and refuses a hostile form before it is parsed.
import { data } from "@remix-run/cloudflare";
import { AppError } from "~/domain/errors";
import { type Body, readBody } from "./read-body.server";
import { errorAnswer } from "./reply.server";

const KB = 1024;
/** Bytes of a form without long texts, such as signing in. */
export const SMALL_FORM = 256 * KB;
/** Bytes of a form that holds texts, goals or a plan. */
export const FORM_WITH_TEXTS = 2 * 1024 * KB;

const MAX_FIELDS = 5000;
const MAX_NAME = 200;
/** Levels of nesting: a timer of an interval of a goal has a path of four names and six containers. */
const MAX_LEVELS = 6;
const MAX_INDEX = 999;

/**
 * The fields of the request's form. Throws the error page: TOO_LARGE over `limit` bytes, UNSUPPORTED_TYPE for a body
 * that is no form, INVALID for a malformed form and for names that would cost memory or time.
 */
export async function readForm(request: Body, limit: number): Promise<FormData> {
  try {
    return await readChecked(request, limit);
  } catch (thrown) {
    const { status, body, headers } = errorAnswer(thrown);
    throw data(body, { status, headers });
  }
}

const unreadable = () => new AppError("INVALID", "This form could not be read. Please reload the page.");

async function readChecked(request: Body, limit: number): Promise<FormData> {
  const type = request.headers.get("Content-Type") ?? "";
  const delimiter = delimiterOf(type);
  if (delimiter === null) throw new AppError("UNSUPPORTED_TYPE", "Please send a form.");
  const body = await readBody(request, limit);
  // A field costs two bytes of the body and a hundred of memory, so they are counted before parsing.
  if (countFields(body, delimiter) > MAX_FIELDS) throw unreadable();
  const form = await new Response(body, { headers: { "Content-Type": type } }).formData().catch(() => {
    throw unreadable();
  });
  if (!hasSafeNames(form.keys())) throw unreadable();
  return form;
}

/** The delimiter between fields for this content type; null for a type that is no form. */
function delimiterOf(type: string): string | null {
  const kind = type.split(";")[0]?.trim().toLowerCase();
  if (kind === "application/x-www-form-urlencoded") return "&";
  if (kind !== "multipart/form-data") return null;
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  return `--${boundary?.[1] ?? boundary?.[2] ?? ""}`;
}

function countFields(body: Uint8Array, delimiter: string): number {
  const sought = new TextEncoder().encode(delimiter);
  const [first = 0] = sought;
  let count = 1;
  for (let at = body.indexOf(first); at !== -1 && count <= MAX_FIELDS; at = body.indexOf(first, at + 1))
    if (sought.every((byte, i) => body[at + i] === byte)) count++;
  return count;
}

/** Names that the parser interprets as instructions; no form of ours uses them. */
const RESERVED = new Set(["__intent__", "__state__"]);

/** True when the parser may expand these names: shallow, dense, and each path of one kind. */
function hasSafeNames(names: Iterable<string>): boolean {
  const kinds = new Map<string, "value" | "list" | "object">();
  const lengths = new Map<string, number>();
  let places = 0;
  const isKind = (path: string, kind: "value" | "list" | "object") => {
    const known = kinds.get(path) ?? kind;
    kinds.set(path, known);
    return known === kind;
  };
  for (const name of names) {
    const steps = name.length > MAX_NAME || RESERVED.has(name) ? null : stepsOf(name);
    if (!steps) return false;
    let path = "";
    for (const [level, step] of steps.entries()) {
      if (level > 0) {
        if (!isKind(path, typeof step === "number" ? "list" : "object")) return false;
        // A list is as long as its highest index, even if lower indexes are missing.
        const length = typeof step === "number" ? Math.max(lengths.get(path) ?? 0, step + 1) : 0;
        places += length - (lengths.get(path) ?? 0);
        if (typeof step === "number") lengths.set(path, length);
        if (places > MAX_FIELDS) return false;
      }
      path += typeof step === "number" ? `[${step}]` : `.${step}`;
    }
    if (!isKind(path, "value")) return false;
  }
  return true;
}

/** `goals[0].title` → goals, 0, title; null for a name that is malformed, too deep, or reaches a prototype. */
function stepsOf(name: string): (string | number)[] | null {
  if (name === "") return [""];
  if (!/^[^.[\]]+(?:\.[^.[\]]+|\[\d*\])*$/.test(name)) return null;
  const steps = name
    .match(/[^.[\]]+|\[\d*\]/g)
    ?.map((step) => (step[0] === "[" ? Number(step.slice(1, -1)) : step));
  if (!steps || steps.length > MAX_LEVELS + 1) return null;
  if (steps.filter((step) => typeof step === "string").length > MAX_LEVELS) return null;
  const isSafe = (step: string | number) =>
    typeof step === "number" ? step <= MAX_INDEX : step !== "prototype" && !(step in {});
  return steps.every(isSafe) ? steps : null;
}
