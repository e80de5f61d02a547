// The sentence under the goal form: the goal that its fields describe. Pure.
import { millimetresOf } from "~/domain/distances";
import { parseDuration } from "~/domain/duration-parse";
import { type Reader, readNumber } from "~/domain/numbers";
import type { Seconds } from "~/domain/time";
import { NEW_GOAL, type Recurrence } from "./goals";
import { goalMeasures } from "./measure-text";
import { describeRecurrence } from "./recurrence";

/** The texts of the form's fields, by name; `valuesOf` reads a field with several values. */
export type GoalTexts = { text: (name: string) => string; valuesOf: (name: string) => string[] };

/** "read 300 pages" and ", every day": the part in bold, and what follows it. */
export function goalSentence({ text, valuesOf }: GoalTexts, reader: Reader): { deed: string; rest: string } {
  const action = text("action").trim() || NEW_GOAL.action;
  const span = parseSpan(text("actionDuration"));
  const distanceThousandths = parseThousandths(text("distance"), reader);
  const distance = distanceThousandths === null ? null : millimetresOf(distanceThousandths, reader.unit);
  const hasOtherTarget = span !== null || distance !== null;
  const measures = goalMeasures(
    {
      amount: parseThousandths(text("amount"), reader) ?? (hasOtherTarget ? null : NEW_GOAL.amount),
      unit: text("unit").trim(),
      duration: null,
      actionDuration: span,
      distance,
    },
    reader,
  );
  const times = readNumber(text("completionsRequired"), reader.locale) ?? 1;
  const repeats = recurrenceOf(text, valuesOf);
  const actionText = `${action.charAt(0).toLowerCase()}${action.slice(1)}`;
  return {
    deed: [actionText, measures === "1 time" ? (action === NEW_GOAL.action ? "it once" : "once") : measures]
      .filter(Boolean)
      .join(" "),
    rest: [times > 1 ? `${times} times` : "", repeats ? describeRecurrence(repeats) : ""]
      .filter(Boolean)
      .map((part) => `, ${part}`)
      .join(""),
  };
}

function parseThousandths(input: string, { locale }: Reader): number | null {
  const number = readNumber(input, locale) ?? 0;
  return number > 0 ? Math.round(number * 1000) : null;
}

function parseSpan(input: string): Seconds | null {
  const span = parseDuration(input);
  return span.seconds ?? null;
}

function recurrenceOf(text: GoalTexts["text"], valuesOf: GoalTexts["valuesOf"]): Recurrence | null {
  const everyText = text("every");
  if (everyText === "day") return { every: everyText };
  if (everyText === "weekdays") {
    const weekdays = valuesOf("weekdays").map(Number);
    return weekdays.length > 0 ? { every: everyText, weekdays } : null;
  }
  return everyText === "week" ? { every: everyText, times: Number(text("times")) || 1 } : null;
}
