// What a JSON call is: one line of the table in calls.ts. Shared by the server's door and the browser's `useCall`.
import { z } from "zod";
import { type CallName, type Method, paths } from "./paths";

export type Call<Input = unknown, Result = unknown> = {
  method: Method;
  /** Exactly the documented path, `{name}` for a parameter (C-01). */
  path: string;
  /** Reads `{ params, query, body }` as it came over the wire; gives what the use case takes. */
  input: z.ZodType<Input>;
  /** 200, or 201 for a create, 204 for a delete. */
  status: 200 | 201 | 204;
  /** The result in the outside words; nothing for 204. */
  answer: (result: Result) => unknown;
  /** Refused before anything else for visitors (`signed-in`) or all but super admins. The use case decides the rest. */
  who: "anyone" | "signed-in" | "super-admin";
  /** A create, join or purchase: the same key within 24 hours does nothing twice. */
  isRepeatable: boolean;
  /** A GET that writes all the same (C-19, C-67): refused when another site's page makes a browser ask for it. */
  writes: boolean;
  /** Bytes of JSON body, 1 MiB unless said. */
  bodyLimit: number;
};

type CallOptions<Input, Result> = Pick<Call<Input, Result>, "input" | "answer"> &
  Partial<Omit<Call<Input, Result>, "method" | "path" | "input" | "answer">>;

/** A call of the table with the usual defaults: signed in, 200 (201 when repeatable), JSON up to 1 MiB. */
export const call = <Input, Result>(
  name: CallName,
  options: CallOptions<Input, Result>,
): Call<Input, Result> => ({
  method: paths[name][0],
  path: paths[name][1],
  who: "signed-in",
  isRepeatable: false,
  writes: false,
  status: options.isRepeatable ? 201 : 200,
  bodyLimit: 1024 * 1024,
  ...options,
});

/** Page data: a GET anyone may ask for unless said, wrapped as `{ serverData }` (C-02). */
export const pageCall = <Input, Result>(
  name: CallName,
  options: {
    input: z.ZodType<Input>;
    answer: (result: Result) => Record<string, unknown>;
    who?: Call["who"];
  },
): Call<Input, Result> =>
  call(name, {
    who: "anyone",
    ...options,
    answer: (result: Result) => ({ serverData: options.answer(result) }),
  });

/** A call that takes nothing. */
export const nothing = z.unknown().transform(() => undefined);

/** Whatever came; the domain's own schema reads it. */
export const raw = z.unknown().optional();

/** Wire fields → the domain's names → the domain's own schema, which says what is wrong. */
export const reads = <From extends z.ZodType, To extends z.ZodType>(
  from: From,
  rename: (fields: z.output<From>) => unknown,
  to: To,
): z.ZodType<z.output<To>> => from.transform(rename).pipe(to as never) as unknown as z.ZodType<z.output<To>>;

type Shape = Record<string, z.ZodType>;
type Nothing = Record<never, never>;
/**
 * `{ params, query, body }` → one flat object: `fields({ body: { title: z.string() }, params: { note: id } })`.
 * `within` names a wrapper of the body, such as `challenge` or `itemData`; bare fields are read too.
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
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
