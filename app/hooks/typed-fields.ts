// What the fields of a form show: their own values, or after a refusal what was typed and what is wrong with it.

type Typed = Record<string, unknown>;
type Errors = Readonly<Record<string, string[] | null | undefined>>;

/** The fields of a form, or of a row of it, whose names then begin with `under`. Names are given as inside the row. */
export function typedFields(typed: Typed | null | undefined, errors: Errors, under = "") {
  const full = (name: string): string => `${under}${name}`;
  const isSent = (name: string): boolean => find(typed, name) !== undefined;
  const errorsOf = (name: string): string[] => errors[full(name)] ?? [];
  /**
   * The field's own value, or after a refusal what was typed. Empty fields are not sent back: a missing one was
   * emptied, unless all that it is in (`within`, a full name, by default its row or the form) was never sent.
   */
  const shown = (name: string, own = "", within = rowOf(full(name))): string =>
    isSent(within) ? (readText(typed, full(name)) ?? "") : own;
  return {
    full,
    errorsOf,
    errorsUnder: (name: string): string[] =>
      Object.entries(errors).flatMap(([key, list]) => (key.startsWith(full(name)) ? (list ?? []) : [])),
    hasErrorsUnder: (name: string): boolean => Object.keys(errors).some((key) => key.startsWith(full(name))),
    shown,
    /** Of boxes that share a name, the values of those that are on. */
    shownAll: (name: string, own: readonly string[]): readonly string[] =>
      isSent(rowOf(full(name))) ? [find(typed, full(name)) ?? []].flat().map(String) : own,
    /** The rows of a list as they were typed; undefined when nothing was. */
    typedRows: (name: string): readonly unknown[] | undefined => {
      if (!isSent(rowOf(full(name)))) return undefined;
      const rows = find(typed, full(name));
      return Array.isArray(rows) ? rows : [];
    },
    /** The props of a field. */
    field: (name: string, own = "", within?: string) => ({
      name: full(name),
      defaultValue: shown(name, own, within),
      error: errorsOf(name),
    }),
    /** A row of the form: its fields' names begin with `prefix`, such as `goals[0].` */
    row: (prefix: string): TypedFields => typedFields(typed, errors, full(prefix)),
  };
}

export type TypedFields = {
  full(name: string): string;
  errorsOf(name: string): string[];
  errorsUnder(name: string): string[];
  hasErrorsUnder(name: string): boolean;
  shown(name: string, own?: string, within?: string): string;
  shownAll(name: string, own: readonly string[]): readonly string[];
  typedRows(name: string): readonly unknown[] | undefined;
  field(name: string, own?: string, within?: string): { name: string; defaultValue: string; error: string[] };
  row(prefix: string): TypedFields;
};

/** "timers[2].title" is in "timers[2]", "title" in the form itself. */
const rowOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf(".")));

const find = (typed: unknown, name: string): unknown =>
  name
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>((value, key) => (value as Typed | null | undefined)?.[key], typed ?? undefined);

export function readText(typed: unknown, name: string): string | undefined {
  const found = find(typed, name);
  return typeof found === "string" ? found : undefined;
}
