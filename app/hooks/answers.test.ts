// No effect depends on what a fetcher holds: the router changes it in place, and React may lose such an effect.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const APP = join(import.meta.dirname, "..");
const sources = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((path) =>
  /(?<!\.test)\.tsx?$/.test(path),
);

/** The functions of a fetcher stay the same. */
const STABLE = /^(load|submit|Form)$/;

/** The lists of dependencies in `text` that name a fetcher or its data or state. */
function fetcherDependencies(text: string): string[] {
  if (!text.includes("useFetcher")) return [];
  const source = ts.createSourceFile("x.tsx", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const names = new Set<string>();
  const lists: ts.ArrayLiteralExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer?.getText().startsWith("useFetcher")) {
      if (ts.isIdentifier(node.name)) names.add(node.name.text);
      else
        for (const part of node.name.elements)
          if (ts.isBindingElement(part) && !STABLE.test((part.propertyName ?? part.name).getText()))
            names.add(part.name.getText());
    }
    if (ts.isCallExpression(node) && /^use\w*Effect$/.test(node.expression.getText())) {
      const list = node.arguments[1];
      if (list && ts.isArrayLiteralExpression(list)) lists.push(list);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lists
    .flatMap((list) => [...list.elements])
    .map((element) => element.getText())
    .filter((element) => {
      const [name = "", part] = element.split(/[?]?\./);
      return names.has(name) && !(part && STABLE.test(part));
    });
}

test("S-01 V-09 no effect depends on the answer or state of a fetcher", () => {
  const whole = "const f = useFetcher<A>(); useEffect(() => {}, [id, f.data, f.load, f]);";
  expect(fetcherDependencies(whole)).toEqual(["f.data", "f"]);
  const parts = "const { data: found, load } = useFetcher(); useLayoutEffect(() => {}, [found, load]);";
  expect(fetcherDependencies(parts)).toEqual(["found"]);
  const found = sources.flatMap((path) =>
    fetcherDependencies(readFileSync(join(APP, path), "utf8")).map((name) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
});
