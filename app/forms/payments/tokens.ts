// The forms of the Tokens page.
import { z } from "zod";

export const FreeTokensInput = z.object({
  amount: z.coerce.number("Please give a number of tokens above 0."),
});
