// What a list may be asked for (P-01): everything stands in the URL and works without JavaScript.
import { z } from "zod";
import { DIFFICULTIES } from "./list-terms";

const flag = z
  .union([z.boolean(), z.number(), z.string()])
  .transform((value) => value === true || value === 1 || value === "1" || value === "true")
  .catch(false)
  .default(false);

export const ListQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).catch(1).default(1),
  joined: flag,
  templates: flag,
  category: z.string().trim().max(60).catch("").default(""),
  difficulty: z.coerce
    .number()
    .refine((value) => DIFFICULTIES.some((one) => one.value === value))
    .nullable()
    .catch(null)
    .default(null),
  q: z.string().trim().max(200).catch("").default(""),
});
export type ListQuery = z.output<typeof ListQuery>;

/** The words of a search, at most eight; each is looked for as the beginning of a word. */
export const searchWordsOf = (q: string): string[] =>
  q
    .normalize("NFKC")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .slice(0, 8)
    .map((word) => word.slice(0, 40));
