// The wire format of sanctions.
import { z } from "zod";
import { MUTE_ORDERS, REASON_LENGTH } from "~/domain/safety/sanctions";
import { manyLines } from "~/domain/text-fields";

export const mute = z.coerce
  .number()
  .pipe(z.literal([...MUTE_ORDERS], "Please choose 300, 1800, 1 (no end) or 0 (lift)."));
export const reason = manyLines()
  .trim()
  .max(REASON_LENGTH, `Please keep the reason under ${REASON_LENGTH} characters.`);
