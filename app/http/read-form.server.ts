// Reads the form of a page's action, and refuses a hostile form before it is parsed.
import { data } from "@remix-run/cloudflare";
import { AppError } from "~/domain/errors";
import { type Body, readBody } from "./read-body.server";
import { errorAnswer } from "./reply.server";

const KB = 1024;
/** Bytes of a form without long texts, such as signing in. */
export const MAX_BYTES_WITHOUT_TEXTS = 256 * KB;
/** Bytes of a form that holds texts, goals or a plan. */
export const MAX_BYTES_WITH_TEXTS = 2 * 1024 * KB;

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

const unreadableForm = () => new AppError("INVALID", "This form could not be read. Please reload the page.");

const isEmpty = async (request: Body, limit: number): Promise<boolean> =>
  (await readBody(request, limit)).byteLength === 0;

async function readChecked(request: Body, limit: number): Promise<FormData> {
  const type = request.headers.get("Content-Type") ?? "";
  // A post without a body is a form without fields, such as a bare sign-out.
  if (type === "" && (await isEmpty(request, limit))) return new FormData();
  if (!isForm(type)) throw new AppError("UNSUPPORTED_TYPE", "Please send a form.");
  const form = await parseForm(await readBody(request, limit), type);
  if (!form || !hasSafeNames(form.keys())) throw unreadableForm();
  return form;
}

const kindOf = (type: string) => type.split(";")[0]?.trim().toLowerCase();
export const isMultipart = (type: string): boolean => kindOf(type) === "multipart/form-data";
const isForm = (type: string): boolean =>
  kindOf(type) === "application/x-www-form-urlencoded" || isMultipart(type);

/** The fields of a form; null for a malformed one, and for one with too many fields or too long a boundary. */
export async function parseForm(body: Uint8Array<ArrayBuffer>, type: string): Promise<FormData | null> {
  const delimiter = isMultipart(type) ? `--${boundaryOf(type)}` : "&";
  if (delimiter.length > 2 + MAX_BOUNDARY) return null;
  // A field costs two bytes of the body and a hundred of memory, so they are counted before parsing.
  if (countFields(body, delimiter) > MAX_FIELDS) return null;
  return new Response(body, { headers: { "Content-Type": type } }).formData().catch(() => null);
}

/** RFC 2046; the parser's search costs the body times the boundary. */
const MAX_BOUNDARY = 70;

function boundaryOf(type: string): string {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  return boundary?.[1] ?? boundary?.[2] ?? "";
}

/**
 * The fields between delimiters, counted up to `MAX_FIELDS` by the algorithm of Knuth, Morris and Pratt, because bytes
 * that begin many delimiters must not be compared again for each.
 */
function countFields(body: Uint8Array, delimiter: string): number {
  const sought = new TextEncoder().encode(delimiter);
  const fallbacks = fallbacksOf(sought);
  let count = 1;
  let length = 0;
  for (const byte of body) {
    while (length > 0 && byte !== sought[length]) length = fallbacks[length - 1] ?? 0;
    if (byte === sought[length]) length++;
    if (length < sought.length) continue;
    if (++count > MAX_FIELDS) break;
    length = fallbacks[length - 1] ?? 0;
  }
  return count;
}

/** At each byte of `sought`, the length of its longest beginning that also ends there. */
function fallbacksOf(sought: Uint8Array): number[] {
  const fallbacks = [0];
  let length = 0;
  for (const byte of sought.subarray(1)) {
    while (length > 0 && byte !== sought[length]) length = fallbacks[length - 1] ?? 0;
    if (byte === sought[length]) length++;
    fallbacks.push(length);
  }
  return fallbacks;
}

/** Names that the parser interprets as instructions; no form of ours uses them. */
const RESERVED = new Set(["__intent__", "__state__"]);

/** True when the parser may expand these names: shallow, dense, and each path of one kind. */
function hasSafeNames(names: Iterable<string>): boolean {
  const kinds = new Map<string, "value" | "list" | "object">();
  const lengths = new Map<string, number>();
  let listSlots = 0;
  /** Records the kind of a path; false when the path has had another kind. */
  const hasOneKind = (path: string, kind: "value" | "list" | "object") => {
    const knownKind = kinds.get(path) ?? kind;
    kinds.set(path, knownKind);
    return knownKind === kind;
  };
  for (const name of names) {
    const steps = name.length > MAX_NAME || RESERVED.has(name) ? null : stepsOf(name);
    if (!steps) return false;
    let path = "";
    for (const [level, step] of steps.entries()) {
      if (level > 0) {
        if (!hasOneKind(path, typeof step === "number" ? "list" : "object")) return false;
        // A list is as long as its highest index, even if lower indexes are missing.
        const length = typeof step === "number" ? Math.max(lengths.get(path) ?? 0, step + 1) : 0;
        listSlots += length - (lengths.get(path) ?? 0);
        if (typeof step === "number") lengths.set(path, length);
        if (listSlots > MAX_FIELDS) return false;
      }
      path += typeof step === "number" ? `[${step}]` : `.${step}`;
    }
    if (!hasOneKind(path, "value")) return false;
    // The parser copies the values of a repeated name with each of them.
    const repeats = (lengths.get(path) ?? 0) + 1;
    if (repeats > MAX_INDEX + 1) return false;
    lengths.set(path, repeats);
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
