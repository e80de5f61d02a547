// The two ways a call names its session: `{event}` is its id, `{challenge}` its slug.
import { z } from "zod";
import { oneLine } from "~/domain/text-fields";
import { fields } from "~/wire/call";
import { flag, id } from "~/wire/values";

export const eventParams = { event: id };
export const slugParams = { challenge: oneLine().min(1).max(200) };
/** The session in inside words, for a call that names it by `{event}`. */
export const eventToSession = <S extends { event: number }>({ event, ...input }: S) => ({
  ...input,
  session: event,
});
/** The slug in inside words, for a call that names its session by `{challenge}`. */
export const challengeToSlug = <S extends { challenge: string }>({ challenge, ...input }: S) => ({
  ...input,
  slug: challenge,
});
export const sessionByEvent = fields({ params: eventParams }).transform(eventToSession);
export const sessionBySlug = fields({ params: slugParams }).transform(challengeToSlug);
/** The params of a call that joins, with the code of `?join_code=` or of `join_code` in the body. */
export const withJoinCode = <P extends Record<string, z.ZodType>>(params: P) =>
  z.preprocess(
    (raw) => {
      const { params, query, body } = raw as {
        params: object;
        query: Record<string, unknown>;
        body: unknown;
      };
      const sentBody = (body ?? {}) as Record<string, unknown>;
      return { ...params, joinCode: query.join_code ?? sentBody.join_code ?? undefined };
    },
    z.object({
      ...params,
      joinCode: z
        .union([oneLine(), z.number().transform(String)])
        .pipe(oneLine().max(200))
        .optional(),
    }),
  );
/** An optional flag. */
export const bit = flag.optional();
