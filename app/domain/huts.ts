// Huts: their inputs. Pure.
import { z } from "zod";

const title = z
  .string("Please give the hut a name.")
  .trim()
  .min(1, "Please give the hut a name.")
  .max(100, "Please keep the name under 100 characters.");
const content = z.string().max(200_000, "Please keep the description under 200,000 characters.");

export const HutInput = z.object({ title, content: content.default("") });
export type HutInput = z.output<typeof HutInput>;
export const HutChange = z.object({ slug: z.string(), title: title.optional(), content: content.optional() });
export type HutChange = z.output<typeof HutChange>;
