// The two ways a call names its session: `{event}` is its id, `{challenge}` its slug.
import { oneLine } from "~/domain/text-fields";
import { fields } from "~/wire/call";
import { flag, id } from "~/wire/values";

export const ofEvent = { event: id };
export const ofSlug = { challenge: oneLine().min(1).max(200) };
export const idApart = <S extends { event: number }>({ event, ...input }: S) => ({
  ...input,
  session: event,
});
export const slugApart = <S extends { challenge: string }>({ challenge, ...input }: S) => ({
  ...input,
  slug: challenge,
});
export const byEvent = fields({ params: ofEvent }).transform(idApart);
export const bySlug = fields({ params: ofSlug }).transform(slugApart);
/** An optional flag. */
export const bit = flag.optional();
