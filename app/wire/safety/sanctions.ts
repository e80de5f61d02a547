// The wire format of sanctions.
import { choiceIn } from "~/domain/number-fields";
import { MUTE_ORDERS, REASON_LENGTH } from "~/domain/safety/sanctions";
import { manyLines } from "~/domain/text-fields";

export const mute = choiceIn(MUTE_ORDERS, "Please choose 300, 1800, 1 (no end) or 0 (lift).");
export const reason = manyLines()
  .trim()
  .max(REASON_LENGTH, `Please keep the reason under ${REASON_LENGTH} characters.`);
