// The declaration of a JSON call, an entry of the table in calls.ts.
import { z } from "zod";
import type { NeedsCheck } from "~/domain/accounts/sign-in";
import type { ErrorCode } from "~/domain/errors";
import type { Method } from "./call-path";

/**
 * The right that another program needs to send the call in a user's name: `read`, `write` for the user's own things,
 * `host` for what the user runs. `none` is only for our own pages.
 */
type Scope = "read" | "write" | "host" | "none";

export type Call<Input = unknown, Result = unknown> = {
  method: Method;
  /** Exactly the documented path, `{name}` for a parameter (C-01). */
  path: string;
  /** One line for the reference: "Create a goal". */
  summary: string;
  scope: Scope;
  /** A key of one goal opens it too, for that goal (W-04). */
  isForGoalKeys?: true;
  /** The codes beyond those that any call can answer; `errorsOf` lists all. */
  errors: readonly ErrorCode[];
  /** The counters of attempts that the use case takes from. */
  limits: readonly string[];
  /** Parses `{ params, query, body }` from the wire into the input of the use case. */
  input: z.ZodType<Input>;
  /** For the reference: the parameters and fields in the outside words, where `input` renames them itself. */
  sends?: z.ZodObject;
  /**
   * Fields of the answer that will be removed, such as "serverData.login", with the day from which another field replaces
   * them. They last 90 days from then (O-14).
   */
  deprecated?: Readonly<Record<string, string>>;
  /** 200, or 201 for a create, 204 for a delete. */
  status: 200 | 201 | 204;
  /** The status by the result, for a call that creates or updates. */
  statusOf?: (result: Result) => 200 | 201;
  /** The result in the outside words; unused for 204. */
  answer: (result: Result) => unknown;
  /** `signed-in` refuses visitors, `super-admin` all but super admins. The use case checks all other rights. */
  who: "anyone" | "signed-in" | "super-admin";
  /** REAUTH_REQUIRED unless the login was checked within 15 minutes (Q-38); true for super admins' calls. */
  needsCheck?: NeedsCheck<Input> | undefined;
  /** A create, join or purchase is idempotent: the same key takes effect once in 24 hours. */
  isRepeatable: boolean;
  /**
   * Why this call reads the key before the work. Other calls store the key with their first write, and read it when that
   * write is refused.
   */
  keyFirst?: string;
  /** A GET that writes (C-19, C-67); refused when another site's page triggers it. */
  writes: boolean;
  /** The field of the result with the rows of a list, which `limit` shortens. */
  rows?: string;
  /** Limit of the JSON body in bytes, by default 1 MiB. */
  bodyLimit: number;
};

type CallOptions<Input, Result> = Pick<Call<Input, Result>, "scope" | "input" | "answer"> &
  Partial<Omit<Call<Input, Result>, "method" | "path" | "summary" | "scope" | "input" | "answer">>;

/** `keyFirst` of the calls whose work happens in a room. */
export const IN_ROOM = "the room does the work, and stores no key";

/** `POST /api/notes`, exactly as documented (C-01). */
export type Route = `${Method} /${string}`;

/** A call with the defaults: signed in, 200 (201 when repeatable), JSON up to 1 MiB. */
export const call = <Input, Result>(
  route: Route,
  summary: string,
  options: CallOptions<Input, Result>,
): Call<Input, Result> => {
  const [method, path] = route.split(" ") as [Method, string];
  return {
    method,
    path,
    summary,
    errors: [],
    limits: [],
    who: "signed-in",
    isRepeatable: false,
    writes: false,
    needsCheck: options.who === "super-admin",
    status: options.isRepeatable ? 201 : 200,
    bodyLimit: 1024 * 1024,
    ...options,
  };
};

/** Page data: by default a public GET, wrapped as `{ serverData }` (C-02). */
export const pageCall = <Input, Result>(
  route: Route,
  summary: string,
  options: Pick<
    CallOptions<Input, Result>,
    "scope" | "isForGoalKeys" | "input" | "who" | "errors" | "limits"
  > & {
    answer: (result: Result) => Record<string, unknown>;
  },
): Call<Input, Result> =>
  call(route, summary, {
    who: "anyone",
    ...options,
    answer: (result: Result) => ({ serverData: options.answer(result) }),
  });

type FieldOf<Result> = Result extends unknown ? keyof Result & string : never;

/** Page data with a list. `limit` bounds its `rows`, and `next` is the cursor of the following rows. */
export const listCall = <Input, Result>(
  route: Route,
  summary: string,
  { rows, ...options }: Parameters<typeof pageCall<Input, Result>>[2] & { rows: FieldOf<Result> },
): Call<Input, Result> => ({ ...pageCall(route, summary, options), rows });

/** Every error code of a call: those that it declares, and those of all calls of its method. */
export function errorsOf({ method, needsCheck, writes, errors }: Call<never, never>): Set<ErrorCode> {
  const codes: ErrorCode[] = [...errors, ...EVERY_CALL];
  if (needsCheck) codes.push("REAUTH_REQUIRED");
  if (method !== "GET") codes.push(...EVERY_CHANGE);
  if (writes) codes.push("CONFLICT", "CSRF_MISMATCH");
  return new Set(codes);
}
const EVERY_CALL = [
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "NOT_FOUND",
  "INVALID",
  "RATE_LIMITED",
  "SERVER_ERROR",
] as const;
const EVERY_CHANGE = ["CONFLICT", "CSRF_MISMATCH", "TOO_LARGE", "UNSUPPORTED_TYPE"] as const;

/** A call without input. */
export const nothing = z.unknown().transform(() => undefined);

/** A text that the call does not check; the domain's schema parses it. */
export const uncheckedText = z.unknown().meta({ type: "string" }).optional();
/** An unchecked text that may be empty, which null clears. */
export const clearableText = z.preprocess((value) => (value === null ? "" : value), uncheckedText);

/** Renames wire fields, then parses them with the domain's schema, which reports the errors. */
export const reads = <From extends z.ZodType, To extends z.ZodType>(
  from: From,
  rename: (fields: z.output<From>) => unknown,
  to: To,
): z.ZodType<z.output<To>> => from.transform(rename).pipe(to as never) as unknown as z.ZodType<z.output<To>>;

type Shape = Record<string, z.ZodType>;
type Nothing = Record<never, never>;
/**
 * `{ params, query, body }` → one flat object: `fields({ body: { title: oneLine() }, params: { note: id } })`.
 * `within` names a wrapper of the body, such as `challenge` or `itemData`; unwrapped fields are accepted too.
 */
export const fields = <
  P extends Shape = Nothing,
  Q extends Shape = Nothing,
  B extends Shape = Nothing,
>(parts: {
  params?: P;
  query?: Q;
  body?: B;
  within?: string;
}) => {
  const shape = { ...parts.params, ...parts.query, ...parts.body } as P & Q & B;
  return z.preprocess((raw) => {
    const { params, query, body } = raw as { params: object; query: Record<string, unknown>; body: unknown };
    const bare = isObject(body) ? body : {};
    const inner = parts.within && isObject(bare[parts.within]) ? (bare[parts.within] as object) : {};
    const fromQuery = parts.query
      ? Object.fromEntries(Object.keys(parts.query).map((key) => [key, query[key]]))
      : {};
    return { ...bare, ...inner, ...fromQuery, ...params };
  }, z.object(shape));
};
/** True for a JSON object, which an array is not. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
