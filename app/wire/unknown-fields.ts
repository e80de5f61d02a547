// Finds the fields of a request body that neither its call nor the answer's entity has (C-01). `npm run paths` writes
// body-fields.json.
import bodyFields from "./body-fields.json";
import { type Call, isObject } from "./call";

/**
 * `names` and `wrappers` are separated by spaces. `inside` maps a field to the index of the shape of its object or
 * rows.
 */
export type StoredShape = { names: string; inside: Record<string, number>; wrappers: string };

/** The card provider's object, which a client passes on unchanged (C-20). */
const PROVIDER_OBJECT = /^payment_?intent$/i;
/** Fields that every body may have (C-06, X-07). */
const COMMON_BODY_FIELDS = ["client_uuid", "request_uuid"];

type Shape = {
  names: ReadonlySet<string>;
  inside: ReadonlyMap<string, number>;
  wrappers: ReadonlySet<string>;
};
const shapeIndexes: Record<string, number> = bodyFields.calls;
const cachedShapes = new Map<number, Shape>();
function shapeAt(index: number): Shape {
  const cachedShape = cachedShapes.get(index);
  if (cachedShape) return cachedShape;
  const { names, inside, wrappers } = bodyFields.shapes[index] as StoredShape;
  const shape = {
    names: new Set(names.split(" ")),
    inside: new Map(Object.entries(inside)),
    wrappers: new Set(wrappers.split(" ")),
  };
  cachedShapes.set(index, shape);
  return shape;
}

/** Whether the body of the call may have a field of this name, which some calls do not write in snake case. */
export function hasField({ method, path }: Pick<Call, "method" | "path">, name: string): boolean {
  const bodyIndex = shapeIndexes[`${method} ${path}`];
  return bodyIndex !== undefined && shapeAt(bodyIndex).names.has(name);
}

/** The paths of unknown fields, such as `parts.0.titel`, without wrappers. A body that is not an object has none. */
export function findUnknownFields({ method, path }: Pick<Call, "method" | "path">, body: unknown): string[] {
  const bodyIndex = shapeIndexes[`${method} ${path}`];
  if (bodyIndex === undefined) return [];
  const unknownNames: string[] = [];
  const visit = (value: unknown, shapeIndex: number, prefix: string) => {
    const isBody = prefix === "";
    if (Array.isArray(value)) {
      for (const [index, row] of value.entries())
        visit(row, shapeIndex, isBody ? prefix : `${prefix}${index}.`);
      return;
    }
    if (!isObject(value)) return;
    const { names, inside, wrappers } = shapeAt(shapeIndex);
    for (const [name, field] of Object.entries(value)) {
      const innerIndex = inside.get(name);
      if (!names.has(name) && !(isBody && COMMON_BODY_FIELDS.includes(name)))
        unknownNames.push(prefix + name);
      else if (wrappers.has(name)) visit(field, shapeIndex, prefix);
      else if (innerIndex !== undefined && !PROVIDER_OBJECT.test(name))
        visit(field, innerIndex, `${prefix}${name}.`);
    }
  };
  visit(body, bodyIndex, "");
  return unknownNames;
}
