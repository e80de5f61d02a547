// Finds a newer save that an edit would replace unseen.
import type { Newer } from "./errors";
import type { Instant } from "./time";

export const CHANGED_ELSEWHERE =
  "This was changed elsewhere after you began. Save again to replace it with yours.";

/** Labels of the fields that a form shows beside the typed ones; other fields are compared and not shown. */
const LABELS: Readonly<Record<string, string>> = {
  title: "Title",
  content: "Text",
  prompt: "Prompt",
  todo: "Todo",
  done: "Done",
  unit: "Unit",
  action: "Action",
};

/** True if `storedValue` has every value of `typedValue`. Fields that the form does not contain may be anything. */
function isWithin(typedValue: unknown, storedValue: unknown): boolean {
  if (
    typeof typedValue !== "object" ||
    typedValue === null ||
    typeof storedValue !== "object" ||
    storedValue === null
  )
    return typedValue === storedValue;
  if (Array.isArray(typedValue) && typedValue.length !== (storedValue as unknown[]).length) return false;
  return Object.entries(typedValue).every(
    ([name, value]) => value === undefined || isWithin(value, (storedValue as Record<string, unknown>)[name]),
  );
}

/**
 * The newer save, if `stored` is newer than `since`, the version from which the edit began, and differs from `typed` in
 * `fields`. Without `since` the last save wins; a repeated save changes nothing, so it passes. No edit changes the uuid; a
 * form without JavaScript carries one of its own.
 */
export function findNewerSave(
  stored: { updatedAt: Instant } & Readonly<Record<string, unknown>>,
  typed: object,
  since: Instant | undefined,
): { newer: Newer; fields: string[] } | null {
  if (since === undefined || stored.updatedAt <= since) return null;
  const differingFields = Object.entries(typed).filter(
    ([name, value]) =>
      name !== "uuid" && value !== undefined && name in stored && !isWithin(value, stored[name]),
  );
  if (differingFields.length === 0) return null;
  const texts = differingFields.flatMap(([name]) => {
    const [label, text] = [LABELS[name], stored[name]];
    return label === undefined ? [] : [{ label, text: String(text ?? "") }];
  });
  return { newer: { updatedAt: stored.updatedAt, texts }, fields: differingFields.map(([name]) => name) };
}
