// The values and errors of a form's fields: stored values at first, typed values after a refusal.

type Typed = Record<string, unknown>;
type Errors = Readonly<Record<string, string[] | null | undefined>>;

/** The fields of a form, or of a row whose names begin with `under`. Callers name fields relative to the row. */
export function typedFields(values: Typed | null | undefined, errors: Errors, under = "") {
  const fullName = (name: string): string => `${under}${name}`;
  const isSent = (name: string): boolean => findValue(values, name) !== undefined;
  const errorsOf = (name: string): string[] => errors[fullName(name)] ?? [];
  /**
   * The stored value, or the typed value after a refusal. Refusals omit empty fields, so a missing one was emptied,
   * unless its whole container was never sent. `within` is the container's full name, by default the row or the form.
   */
  const shownValue = (name: string, ownValue = "", within = rowOf(fullName(name))): string =>
    isSent(within) ? (readText(values, fullName(name)) ?? "") : ownValue;
  return {
    full: fullName,
    errorsOf,
    errorsUnder: (name: string): string[] =>
      Object.entries(errors).flatMap(([key, list]) => (key.startsWith(fullName(name)) ? (list ?? []) : [])),
    hasErrorsUnder: (name: string): boolean =>
      Object.keys(errors).some((key) => key.startsWith(fullName(name))),
    shownValue,
    /** The checked values among checkboxes that share a name. */
    checkedValues: (name: string, ownValues: readonly string[]): readonly string[] =>
      isSent(rowOf(fullName(name)))
        ? [findValue(values, fullName(name)) ?? []].flat().map(String)
        : ownValues,
    /** The typed rows of a list; undefined before a refusal. */
    typedRows: (name: string): readonly unknown[] | undefined => {
      if (!isSent(rowOf(fullName(name)))) return undefined;
      const rows = findValue(values, fullName(name));
      return Array.isArray(rows) ? rows : [];
    },
    /** The props of a field. */
    field: (name: string, ownValue = "", within?: string) => ({
      name: fullName(name),
      defaultValue: shownValue(name, ownValue, within),
      error: errorsOf(name),
    }),
    /** A row of the form: its fields' names begin with `prefix`, such as `goals[0].` */
    row: (prefix: string): TypedFields => typedFields(values, errors, fullName(prefix)),
  };
}

export type TypedFields = {
  full(name: string): string;
  errorsOf(name: string): string[];
  errorsUnder(name: string): string[];
  hasErrorsUnder(name: string): boolean;
  shownValue(name: string, ownValue?: string, within?: string): string;
  checkedValues(name: string, ownValues: readonly string[]): readonly string[];
  typedRows(name: string): readonly unknown[] | undefined;
  field(
    name: string,
    ownValue?: string,
    within?: string,
  ): { name: string; defaultValue: string; error: string[] };
  row(prefix: string): TypedFields;
};

/** The container of "timers[2].title" is "timers[2]"; that of "title" is the form. */
const rowOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf(".")));

const findValue = (values: unknown, name: string): unknown =>
  name
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>((value, key) => (value as Typed | null | undefined)?.[key], values ?? undefined);

export function readText(values: unknown, name: string): string | undefined {
  const value = findValue(values, name);
  return typeof value === "string" ? value : undefined;
}
