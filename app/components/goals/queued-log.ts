// A log that was typed by hand without a network, as the outbox keeps it (W-05).
import type { Day } from "~/domain/days";
import { millimetresOf } from "~/domain/distances";
import { parseDuration } from "~/domain/duration-parse";
import type { Goal } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { amountText, withPlus } from "~/domain/goals/measure-text";
import { NOT_A_NUMBER, type Reader, readNumber } from "~/domain/numbers";
import type { QueuedAct } from "~/hooks/outbox/sending";
import { storeQuickLog } from "~/wire/paths";

/** The call that stores the typed log, or the sentence about a field that cannot be read. */
export const queuedLogOf =
  (goal: Pick<Goal, "id" | "unit" | "title">, today: Day, reader: Reader) =>
  (textOf: (name: string) => string): QueuedAct | string => {
    if (textOf("status") !== String(LOG_STATUS.done))
      return "Only a log that is done can wait for the connection.";
    const [amount, distance] = ["amount", "distance"].map((name) =>
      textOf(name).trim() === "" ? null : (readNumber(textOf(name), reader.locale) ?? Number.NaN),
    ) as [number | null, number | null];
    if (Number.isNaN(amount) || Number.isNaN(distance)) return NOT_A_NUMBER;
    const span = parseDuration(textOf("duration"));
    if (span.error) return span.error;
    const day = textOf("day") || today;
    const title = textOf("title");
    const summary = amount === null ? title : withPlus(amountText(amount * 1000, goal.unit, reader));
    const millimetres = distance === null ? null : millimetresOf(distance * 1000, reader.unit);
    return {
      call: storeQuickLog,
      body: {
        goal_id: goal.id,
        uuid: crypto.randomUUID(),
        status: LOG_STATUS.done,
        amount,
        // In miles of all their places, from which the server makes the same millimetres (H-07).
        distance: millimetres === null ? null : millimetres / millimetresOf(1000, "mi"),
        duration: span.seconds ?? null,
        title,
        content: textOf("content"),
      },
      about: goal.title,
      words: summary || "A log",
      day,
    };
  };
