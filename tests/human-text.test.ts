// One function shortens what people wrote, between grapheme clusters.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}
const sources = ["app", "db", "workers"]
  .flatMap((folder) => [...filesIn(folder)])
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\bfixtures\.ts$|\.model\.ts$/.test(path));

/** A length that a constant or a large number gives; smaller numbers are places in dates, codes and ids. */
const isLength = (node: ts.Node | undefined): boolean =>
  node !== undefined &&
  (ts.isNumericLiteral(node)
    ? Number(node.text) >= 24
    : ts.isBinaryExpression(node)
      ? isLength(node.left)
      : /^[A-Z][A-Z_.]+$|[mM]ost/.test(node.getText()));
/** The receivers of the cuts to a length in a source. */
function cutsIn(file: string, text: string): string[] {
  const found: string[] = [];
  if (!/\.(slice|substring|substr)\(\s*0,/.test(text)) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [from, to] = node.arguments;
      const isCut = /^(slice|substring|substr)$/.test(node.expression.name.text);
      if (isCut && from?.getText() === "0" && isLength(to))
        found.push(node.expression.expression.getText().replace(/\s+/g, " "));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}

/** Lists, and texts of machines. */
const ALLOWED = [
  /\b(\w*[rR]ows|\w+Lines|participants|logs|sessions|acts|recent|cards|slugs|messages|snippets|words|letters|matches|ids|titles|places|row|bytes)$/,
  /\.(filter|map|flatMap|sort|flat)\(.*\)$/,
  /\b(error|cause|value|reason)(\)| \?\? error\))*$/,
  /^\(?(c\.req\.header|report\[|address\.split|credential\.transports|input\.nonce)/,
  /^(key|title \.normalize\(.*|\[ ?\.\.\.(newLogs|visibleSeats)\b.*\])$/,
  /^(foldedWords|listWords|slugify)\(\w+\)$|^unknownFields$/,
  /^(header|id|JSON\.stringify\(.*\)|deliveryKeys|issues|error\.issues|allNames|segments|roster|\[\.\.\.this\.#typing\])$/,
];

test("R-80 one function shortens all that people write", () => {
  expect(
    cutsIn("x.ts", "title.slice(0, MOST - 1); text.substring(0, 300); [...text].slice(0, most)"),
  ).toHaveLength(3);
  expect(cutsIn("x.ts", "day.slice(0, 10); text.slice(0, at); beginningOf(text, 300)")).toEqual([]);
  const found = sources
    .filter((file) => file !== "app/domain/beginnings.ts")
    .flatMap((file) => cutsIn(file, readFileSync(join(ROOT, file), "utf8")).map((cut) => `${file}: ${cut}`));
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter((line) => !ALLOWED.some((one) => one.test(line.replace(/^[^:]*: /, ""))))).toEqual([]);
});
