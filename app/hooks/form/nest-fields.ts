// The typed values of a form, nested like those of a refusal, so that a draft fills the form as a refusal does.

export type NestedFields = Record<string, unknown>;

/** Empty fields are left out, as in refusals; fields of the same name become a list. */
export function nestFields(
  fields: Iterable<readonly [string, unknown]>,
  excludedNames: readonly string[],
): NestedFields {
  const root: NestedFields = {};
  for (const [name, value] of fields) {
    if (typeof value !== "string" || value === "" || excludedNames.includes(name)) continue;
    const keys = name.split(/[.[\]]+/).filter(Boolean);
    const last = keys.pop();
    if (last === undefined) continue;
    let node = root;
    for (const [index, key] of keys.entries()) {
      node[key] ??= /^\d+$/.test(keys[index + 1] ?? last) ? [] : {};
      node = node[key] as NestedFields;
    }
    node[last] = node[last] === undefined ? value : [node[last], value].flat();
  }
  return root;
}
