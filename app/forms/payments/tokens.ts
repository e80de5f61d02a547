// The forms of the Tokens page.
import { z } from "zod";
import { typedNumber } from "~/forms/fields";
import { ownId } from "~/wire/values";

export const FreeTokensInput = z
  .object({ uuid: ownId, amount: typedNumber(z.number("Please give a number of tokens above 0.")) })
  .transform(({ uuid, amount }) => ({ key: uuid, amount }));
