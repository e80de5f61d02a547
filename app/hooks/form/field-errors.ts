// The errors of a form's fields while the person corrects them.
type Errors = Readonly<Record<string, string[] | null | undefined>>;

/**
 * The server's errors end field by field, when that field has become right. The browser's own are those of the latest
 * check.
 */
export function errorsLeft(
  server: Errors | undefined,
  corrected: ReadonlySet<string>,
  browser: Record<string, string[]> | null,
): Record<string, string[]> {
  const remaining: Record<string, string[]> = {};
  for (const [name, sentences] of Object.entries(server ?? {}))
    if (sentences && !corrected.has(name)) remaining[name] = sentences;
  return { ...remaining, ...browser };
}

type Control = { name: string; validity?: { valid: boolean } };

/** The name of a field that was just changed and is right as far as the browser can tell, or null. */
export function correctedField(control: Control, browser: Record<string, string[]> | null): string | null {
  const { name, validity } = control;
  return name && (validity?.valid ?? true) && !browser?.[name] ? name : null;
}
