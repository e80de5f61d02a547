// Derives the schema of each call's answer from the type of its presenter, so that the two never differ (O-10, O-11).
import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

export type Schema = { [key: string]: unknown };
/** By `METHOD /path`; shapes that several answers have are in `$defs`. */
export type AnswerSchemas = { answers: Record<string, Schema>; $defs: Record<string, Schema> };

const root = join(import.meta.dirname, "../..");

function programOf(files: string[]): ts.Program {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const config = ts.getParsedCommandLineOfConfigFile(join(root, "tsconfig.json"), {}, host);
  return ts.createProgram(files, { ...config?.options, noEmit: true, incremental: false });
}

const { TypeFlags, SymbolFlags } = ts;
const is = (type: ts.Type, flags: ts.TypeFlags): boolean => (type.flags & flags) !== 0;
const isValue = (type: ts.Type): type is ts.StringLiteralType | ts.NumberLiteralType =>
  is(type, TypeFlags.StringLiteral | TypeFlags.NumberLiteral);
const isMissing = (type: ts.Type): boolean => is(type, TypeFlags.Undefined | TypeFlags.Void);

/** `goalOut` → Goal; null for shapes of one call, which have no name of their own. */
function nameOf(type: ts.Type): string | null {
  const named = type.aliasSymbol?.name;
  if (named && /^[A-Z]\w+$/.test(named) && named !== "Record") return named;
  for (let node = type.symbol?.declarations?.[0]?.parent; node; node = node.parent) {
    if (!ts.isVariableDeclaration(node) && !ts.isFunctionDeclaration(node)) continue;
    const [, presenter] = /^(\w+)Out$/.exec(node.name?.getText() ?? "") ?? [];
    if (presenter) return presenter.charAt(0).toUpperCase() + presenter.slice(1);
  }
  return null;
}

class Writer {
  readonly $defs: Record<string, Schema> = {};
  private readonly names = new Map<ts.Type, string>();
  constructor(private readonly checker: ts.TypeChecker) {}

  /** Throws for a type that says nothing, such as `unknown`; `at` names the place. */
  schemaOf(type: ts.Type, at: string): Schema {
    const { checker } = this;
    if (is(type, TypeFlags.Null)) return { type: "null" };
    if (isValue(type)) return { type: typeof type.value, enum: [type.value] };
    if (is(type, TypeFlags.BooleanLiteral))
      return { type: "boolean", enum: [checker.typeToString(type) === "true"] };
    if (is(type, TypeFlags.StringLike)) return { type: "string" };
    if (is(type, TypeFlags.NumberLike)) return { type: "number" };
    if (is(type, TypeFlags.Boolean)) return { type: "boolean" };
    if (type.isUnion()) return this.unionOf(type, at);
    if (type.isIntersection()) {
      // A number or text with a brand.
      const plain = type.types.find((part) => is(part, TypeFlags.StringLike | TypeFlags.NumberLike));
      if (plain) return this.schemaOf(plain, at);
    }
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      const parts = checker.getTypeArguments(type as ts.TypeReference);
      if (parts.every((part) => is(part, TypeFlags.Never))) return { type: "array", maxItems: 0 };
      const items = parts.map((part) => this.schemaOf(part, `${at}[]`));
      return { type: "array", items: items.length === 1 ? items[0] : { anyOf: items } };
    }
    if (is(type, TypeFlags.Object) || type.isIntersection()) return this.objectOf(type, at);
    throw new Error(`The answer of ${at} has no shape: ${checker.typeToString(type)}.`);
  }

  private unionOf(type: ts.UnionType, at: string): Schema {
    const parts = type.types.filter((part) => !isMissing(part));
    const literals = parts.filter(isValue);
    const truths = parts.filter((part) => is(part, TypeFlags.BooleanLiteral));
    const isBoolean = truths.length === 2;
    const rest = parts.filter((part) => !isValue(part) && !(isBoolean && truths.includes(part)));
    const values = literals.map(({ value }) => value);
    const schemas = [
      ...["string", "number"].flatMap((kind) => {
        const ofKind = values.filter((value) => typeof value === kind);
        return ofKind.length > 0 ? [{ type: kind, enum: ofKind }] : [];
      }),
      ...(isBoolean ? [{ type: "boolean" }] : []),
      ...rest.map((part) => this.schemaOf(part, at)),
    ];
    const [only] = schemas;
    return schemas.length === 1 && only ? only : { anyOf: schemas };
  }

  private objectOf(type: ts.Type, at: string): Schema {
    const known = this.names.get(type);
    if (known) return { $ref: `#/$defs/${known}` };
    const base = nameOf(type);
    if (!base) return this.fieldsOf(type, at);
    const name = this.freeName(base, at);
    this.names.set(type, name);
    this.$defs[name] = this.fieldsOf(type, name);
    return { $ref: `#/$defs/${name}` };
  }

  /** Shapes of one name differ by the field that holds them, such as SeriesHosts, or by their parent. */
  private freeName(base: string, at: string): string {
    const [parent = "", ...path] = at.split(/[^\w]+/).filter((part) => !/^(|api|[A-Z]+)$/.test(part));
    const upper = (text: string) => text.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const field = upper(path.at(-1) ?? "");
    const taken = new Set(this.names.values());
    const names = [base, ...(field === base ? [] : [`${base}${field}`]), `${upper(parent)}${base}`];
    const free = names.find((name) => !taken.has(name));
    if (!free) throw new Error(`The shape at ${at} needs a name: ${names.join(", ")} are taken.`);
    return free;
  }

  private fieldsOf(type: ts.Type, at: string): Schema {
    const { checker } = this;
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const field of checker.getPropertiesOfType(type)) {
      const own = checker.getTypeOfSymbol(field);
      if (isMissing(own)) continue;
      properties[field.name] = this.schemaOf(own, `${at}.${field.name}`);
      const isOptional =
        (field.flags & SymbolFlags.Optional) !== 0 || (own.isUnion() && own.types.some(isMissing));
      if (!isOptional) required.push(field.name);
    }
    const others =
      checker.getIndexInfoOfType(type, ts.IndexKind.String) ??
      checker.getIndexInfoOfType(type, ts.IndexKind.Number);
    if (!others && Object.keys(properties).length === 0) throw new Error(`The answer of ${at} is empty.`);
    return {
      type: "object",
      ...(Object.keys(properties).length > 0 ? { properties, required } : {}),
      additionalProperties: others ? this.schemaOf(others.type, `${at}{}`) : false,
    };
  }
}

/** Adds the cursor that a list has with `limit`. */
function addNext(schema: Schema, $defs: Record<string, Schema>, route: string): void {
  const ways = ((schema.anyOf as Schema[] | undefined) ?? [schema]).map(
    (way) => $defs[String(way.$ref).replace("#/$defs/", "")] ?? way,
  );
  const lists = ways
    .map(({ properties }) => properties as Record<string, Schema>)
    .filter((fields) => ["page", "after", "before"].some((name) => name in fields));
  if (lists.length === 0) throw new Error(`The answer of ${route} has no page of a list.`);
  for (const fields of lists) fields.next = { anyOf: [{ type: "string" }, { type: "null" }] };
}

/** The schemas of all calls that answer JSON. */
export function answerSchemas(): AnswerSchemas {
  const folder = join(root, "app/wire/calls");
  const files = readdirSync(folder)
    .map((name) => join(folder, name))
    .sort();
  const program = programOf(files);
  const checker = program.getTypeChecker();
  const writer = new Writer(checker);
  const answers: Record<string, Schema> = {};
  const visit = (node: ts.Node): void => {
    if (!ts.isCallExpression(node) || !/^(call|pageCall|listCall)$/.test(node.expression.getText())) {
      ts.forEachChild(node, visit);
      return;
    }
    const [route, , options] = node.arguments;
    if (!route || !options || !ts.isStringLiteral(route)) return;
    const answer = checker.getTypeAtLocation(options).getProperty("answer");
    const [presents] = answer ? checker.getTypeOfSymbol(answer).getCallSignatures() : [];
    if (!presents) return;
    const type = checker.getReturnTypeOfSignature(presents);
    if (is(type, TypeFlags.Null)) return;
    const schema = writer.schemaOf(type, route.text);
    if (node.expression.getText() === "listCall") addNext(schema, writer.$defs, route.text);
    answers[route.text] =
      node.expression.getText() === "call"
        ? schema
        : {
            type: "object",
            properties: { serverData: schema },
            required: ["serverData"],
            additionalProperties: false,
          };
  };
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source) visit(source);
  }
  return { answers, $defs: writer.$defs };
}

/** A line for each answer and each shape, in the order of the names. */
export function writeSchemas({ answers, $defs }: AnswerSchemas): string {
  const lines = (of: Record<string, Schema>) =>
    Object.entries(of)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => `${JSON.stringify(name)}: ${JSON.stringify(schema)}`)
      .join(",\n");
  return `{\n"answers": {\n${lines(answers)}\n},\n"$defs": {\n${lines($defs)}\n}\n}\n`;
}
