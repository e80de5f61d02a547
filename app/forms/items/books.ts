// The forms of a book's passages.
import { z } from "zod";
import { ParaphraseChange, ParaphraseInput } from "~/domain/items/items";
import { optionalLines, optionalText } from "~/forms/fields";
import { id } from "~/wire/values";

const text = { title: optionalText, content: optionalLines };

export const ParaphraseFormInput = z
  .object({ snippet: id, ...text })
  .transform(({ snippet, ...rest }) => ({ snippetId: snippet, ...rest }))
  .pipe(ParaphraseInput as never) as unknown as z.ZodType<ParaphraseInput>;
export const ParaphraseFormChange = z
  .object({ paraphrase: id, ...text })
  .transform(({ paraphrase, ...rest }) => ({ id: paraphrase, ...rest }))
  .pipe(ParaphraseChange as never) as unknown as z.ZodType<ParaphraseChange>;
