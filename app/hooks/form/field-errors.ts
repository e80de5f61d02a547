// The errors of a form's fields while the user corrects them.
type Errors = Readonly<Record<string, string[] | null | undefined>>;

/**
 * The server's error of a field ends when that field is corrected. The browser's errors are those of its latest check.
 */
export function remainingErrors(
  serverErrors: Errors | undefined,
  corrected: ReadonlySet<string>,
  browserErrors: Record<string, string[]> | null,
): Record<string, string[]> {
  const remaining: Record<string, string[]> = {};
  for (const [name, sentences] of Object.entries(serverErrors ?? {}))
    if (sentences && !corrected.has(name)) remaining[name] = sentences;
  return { ...remaining, ...browserErrors };
}

type Control = { name: string; validity?: { valid: boolean } };

/** The name of a field that was just changed and is right as far as the browser can tell, or null. */
export function correctedField(
  control: Control,
  browserErrors: Record<string, string[]> | null,
): string | null {
  const { name, validity } = control;
  return name && (validity?.valid ?? true) && !browserErrors?.[name] ? name : null;
}
