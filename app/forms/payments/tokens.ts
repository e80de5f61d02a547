// The forms of the Tokens page.
import { z } from "zod";
import { typedNumber } from "~/forms/fields";

export const FreeTokensInput = z.object({
  amount: typedNumber(z.number("Please give a number of tokens above 0.")),
});
