// The typed values of a form, nested like those of a refusal, so that a draft fills the form as a refusal does.

export type NestedFields = Record<string, unknown>;

/** Empty fields are left out, as in refusals; fields of the same name become a list. */
export function nestFields(
  fields: Iterable<readonly [string, unknown]>,
  unseen: readonly string[],
): NestedFields {
  const root: NestedFields = {};
  for (const [name, value] of fields) {
    if (typeof value !== "string" || value === "" || unseen.includes(name)) continue;
    const keys = name.split(/[.[\]]+/).filter(Boolean);
    const last = keys.pop();
    if (last === undefined) continue;
    let at = root;
    for (const [index, key] of keys.entries()) {
      at[key] ??= /^\d+$/.test(keys[index + 1] ?? last) ? [] : {};
      at = at[key] as NestedFields;
    }
    at[last] = at[last] === undefined ? value : [at[last], value].flat();
  }
  return root;
}
