// The fields that the body of each changing call may have: those that the call reads, and those of its answer (C-01).
import type { Call } from "~/wire/call";
import type { StoredShape } from "~/wire/unknown-fields";
import type { AnswerSchemas, Schema } from "./answer-schemas";
import { fieldsOf, sections } from "./openapi";

/** Each field with its schemas. */
type Fields = Map<string, Schema[]>;

/** Documented fields of entities that no answer has. */
const UNANSWERED: Record<string, Schema> = {
  Activity: { properties: { hut: {} } },
  Timer: { properties: { intervals: {} } },
  ItemItems: { properties: { isEdit: {} } },
};

const propertiesOf = (schema: Schema) => Object.entries((schema.properties ?? {}) as Record<string, Schema>);

function union(all: readonly Iterable<[string, Schema[]]>[]): Fields {
  const fields: Fields = new Map();
  for (const [name, schemas] of all.flatMap((one) => [...one]))
    fields.set(name, [...(fields.get(name) ?? []), ...schemas]);
  return fields;
}

/** The names that a call reads in its body by itself, each with those that it reads inside. */
function readsOf({ input }: Call<never, never>): Map<string, Set<string>> {
  const reads = new Map<string, Set<string>>();
  const recorder = (read: (name: string) => unknown): object =>
    new Proxy(
      {},
      { get: (target, name) => (typeof name !== "string" || name in target ? undefined : read(name)) },
    );
  const bodyWith = (inside: (read: Set<string>) => unknown) =>
    recorder((name) => {
      const inner = reads.get(name) ?? new Set();
      reads.set(name, inner);
      return inside(inner);
    });
  const wrappers = bodyWith((inner) => recorder((name) => void inner.add(name)));
  // A field may be read in place of one that is missing.
  for (const body of [wrappers, bodyWith(() => undefined)]) input.safeParse({ params: {}, query: {}, body });
  return reads;
}

class Shapes {
  readonly written: StoredShape[] = [];
  private readonly places = new Map<string, number>();
  constructor(private readonly $defs: AnswerSchemas["$defs"]) {
    const unnamed = Object.keys(UNANSWERED).filter((name) => !$defs[name]);
    if (unnamed.length > 0) throw new Error(`No answer has the shape ${unnamed.join(", ")}.`);
  }

  /** The alternatives of a schema; of a list those of its rows. */
  private alternatives(schema: Schema): Schema[] {
    const { $ref, anyOf, oneOf, allOf, items } = schema as Record<string, Schema[] | undefined>;
    const name = String($ref ?? "").replace("#/$defs/", "");
    if ($ref) return [...this.alternatives(this.$defs[name] ?? {}), UNANSWERED[name] ?? {}];
    const all = [
      ...(anyOf ?? []),
      ...(oneOf ?? []),
      ...(allOf ?? []),
      ...(items ? [items as unknown as Schema] : []),
    ];
    return all.length > 0 ? all.flatMap((one) => this.alternatives(one)) : [schema];
  }

  /** The fields of the objects among the schemas; none where a name may be any text. */
  private fieldsIn(schemas: readonly Schema[] = []): Fields {
    const all = schemas.flatMap((one) => this.alternatives(one));
    if (all.some(({ additionalProperties: others }) => others === true || typeof others === "object"))
      return new Map();
    return union(all.map((one) => propertiesOf(one).map(([name, schema]) => [name, [schema]])));
  }

  /** The fields of an answer and of the things in it. */
  answered(answer: Schema = {}): Fields {
    const outer = this.fieldsIn([answer]);
    return union([outer, ...[...outer.values()].map((schemas) => this.fieldsIn(schemas))]);
  }

  /** The place of the shape with the fields of `sent` and `answered`; the fields of a wrapper are those of the body. */
  placeOf(sent: Fields, answered: Fields, wrappers: readonly string[] = []): number {
    const inside: Record<string, number> = {};
    for (const [name, schemas] of sent) {
      const fields = this.fieldsIn(schemas);
      // A part may be sent outside its group.
      const bare = name === "parts" ? this.fieldsIn(fields.get("parts")) : [];
      const known = this.fieldsIn(answered.get(name));
      if (fields.size > 0) inside[name] = this.placeOf(union([fields, bare]), known);
    }
    const names = [...new Set([...sent.keys(), ...answered.keys(), ...wrappers])].sort().join(" ");
    const shape = { names, inside, wrappers: wrappers.join(" ") };
    const key = JSON.stringify(shape);
    const place = this.places.get(key) ?? this.written.push(shape) - 1;
    this.places.set(key, place);
    return place;
  }
}

export function bodyFields({ answers, $defs }: AnswerSchemas) {
  const shapes = new Shapes($defs);
  const calls: Record<string, number> = {};
  for (const [section, table] of Object.entries(sections))
    for (const [name, call] of Object.entries(table)) {
      if (call.method === "GET" || name === "uploadImage") continue;
      const route = `${call.method} ${call.path}`;
      const sent: Fields = new Map(
        Object.entries(fieldsOf(call, section).properties).map(([field, schema]) => [field, [schema]]),
      );
      const reads = [...readsOf(call)].filter(
        ([field]) => !sent.has(field) || call.path.includes(`{${field}}`),
      );
      const wrappers = reads.flatMap(([field, inner]) => [
        field,
        ...[...inner].filter((one) => !sent.has(one)),
      ]);
      calls[route] = shapes.placeOf(sent, shapes.answered(answers[route]), wrappers);
    }
  return { calls, shapes: shapes.written };
}
