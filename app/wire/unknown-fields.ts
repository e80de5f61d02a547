// The fields of a body that neither its call nor the entity of the answer has (C-01). body-fields.json is generated.
import written from "./body-fields.json";
import type { Call } from "./call";

/** Names with a space between them; `inside` has the place of the shape of a field's object, or of its rows. */
export type BodyShape = { names: string; inside: Record<string, number>; wrappers: string };

/** The card provider's own object, which a client passes on as it came (C-20). */
const OF_PROVIDER = /^payment_?intent$/i;
/** In every body (C-06, X-07). */
const EVERYWHERE = ["client_uuid", "request_uuid"];

type Shape = {
  names: ReadonlySet<string>;
  inside: ReadonlyMap<string, number>;
  wrappers: ReadonlySet<string>;
};
const places: Record<string, number> = written.calls;
const readShapes = new Map<number, Shape>();
function shapeAt(place: number): Shape {
  const before = readShapes.get(place);
  if (before) return before;
  const { names, inside, wrappers } = written.shapes[place] as BodyShape;
  const shape = {
    names: new Set(names.split(" ")),
    inside: new Map(Object.entries(inside)),
    wrappers: new Set(wrappers.split(" ")),
  };
  readShapes.set(place, shape);
  return shape;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Their paths, such as `parts.0.titel`, without wrappers. A body that is no object has none. */
export function unknownFields({ method, path }: Pick<Call, "method" | "path">, body: unknown): string[] {
  const place = places[`${method} ${path}`];
  if (place === undefined) return [];
  const unknownNames: string[] = [];
  const within = (value: unknown, place: number, at: string, isBody: boolean) => {
    if (Array.isArray(value)) {
      for (const [index, row] of value.entries()) within(row, place, isBody ? at : `${at}${index}.`, isBody);
      return;
    }
    if (!isObject(value)) return;
    const { names, inside, wrappers } = shapeAt(place);
    for (const [name, field] of Object.entries(value)) {
      const inner = inside.get(name);
      if (!names.has(name) && !(isBody && EVERYWHERE.includes(name))) unknownNames.push(at + name);
      else if (wrappers.has(name)) within(field, place, at, isBody);
      else if (inner !== undefined && !OF_PROVIDER.test(name)) within(field, inner, `${at}${name}.`, false);
    }
  };
  within(body, place, "", true);
  return unknownNames;
}
