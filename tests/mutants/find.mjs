// The mutants of a source file: each changes one expression of the syntax tree.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** The folders of the product, from the rules outwards. */
export const TARGETS = [
  "app/domain",
  "app/use-cases",
  "db/queries",
  "workers",
  "app/wire",
  "app/forms",
  "app/http",
  "app/hooks",
  "app/routes",
  "app/components",
];

/** Tests, models, fixtures and commands are no product, and log lines have no rule. */
const NO_TARGET = /\.test\.tsx?$|\.model\.ts$|\bfixtures\.ts$|\.d\.ts$|^workers\/(local\/|room\/log\.ts$)/;

export function* filesIn(root, folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(root, path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

export const targetFiles = (root) =>
  TARGETS.flatMap((folder) => [...filesIn(root, folder)])
    .filter((path) => !NO_TARGET.test(path))
    .sort();

export const hashOf = (...texts) => {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return hash.digest("hex").slice(0, 16);
};

const OPERATORS = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
  "??": "&&",
};
/** drizzle's operators; the changed file reads the other one from a namespace that it imports. */
const DRIZZLE = {
  eq: "ne",
  ne: "eq",
  lt: "lte",
  lte: "lt",
  gt: "gte",
  gte: "gt",
  and: "or",
  or: "and",
  isNull: "isNotNull",
  isNotNull: "isNull",
  asc: "desc",
  desc: "asc",
  exists: "notExists",
  notExists: "exists",
  inArray: "notInArray",
  notInArray: "inArray",
};
const METHODS = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
]);
const SQL = [
  [/(?<=\s)<(?=\s)/g, "<="],
  [/(?<=\s)<=(?=\s)/g, "<"],
  [/(?<=\s)>(?=\s)/g, ">="],
  [/(?<=\s)>=(?=\s)/g, ">"],
  [/(?<=\s)(?:=|IS)(?=\s(?!NOT|NULL|excluded))/g, "<>"],
  [/(?<=\s)<>(?=\s)/g, "="],
  [/(?<=\s)AND(?=\s)/g, "OR"],
  [/(?<=\s)OR(?=\s(?!IGNORE|REPLACE))/g, "AND"],
  [/\bNOT EXISTS\b/g, "EXISTS"],
  [/(?<!NOT )\bEXISTS\b/g, "NOT EXISTS"],
  [/\bNOT IN\b/g, "IN"],
  [/\bIS NOT NULL\b/g, "IS NULL"],
  [/\bIS NULL\b/g, "IS NOT NULL"],
  [/(?<=\s)-(?=\s)/g, "+"],
  [/(?<=\s)\+(?=\s)/g, "-"],
  [/\bmin\(/g, "max("],
  [/\bmax\(/g, "min("],
  [/\bDESC\b/g, "ASC"],
];

const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
/** People read log lines; no test fixes their wording or number. */
const isLogging = (text) => /^(await )?(console\.|log[A-Z]\w*\()/.test(text);

/** Every mutant of a file. `start`, `end` and `to` describe the change; `changed` is the file's whole text with it. */
export function mutantsOf(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const orm = new Set();
  const add = (start, end, to, kind, site = { start, end, written: to }) =>
    found.push({ path, start, end, to, kind, site });
  const replace = (node, to, kind, written = to) => {
    const [start, end] = [node.getStart(source), node.end];
    add(start, end, to, kind, { start, end, written });
  };

  const readImport = (node) => {
    if (node.moduleSpecifier.text !== "drizzle-orm") return;
    for (const { name, propertyName } of node.importClause?.namedBindings?.elements ?? [])
      if (!propertyName) orm.add(name.text);
  };
  const addSql = (template) => {
    const parts = ts.isTemplateExpression(template)
      ? [template.head, ...template.templateSpans.map(({ literal }) => literal)]
      : [template];
    for (const part of parts) {
      const start = part.getStart(source) + 1;
      for (const [pattern, to] of SQL)
        for (const match of text.slice(start, part.end - 1).matchAll(pattern))
          add(start + match.index, start + match.index + match[0].length, to, "sql");
    }
  };
  const addCall = (node) => {
    const { expression, arguments: args } = node;
    if (ts.isIdentifier(expression) && orm.has(expression.text) && DRIZZLE[expression.text]) {
      const isJoin = expression.text === "and" || expression.text === "or";
      if (!isJoin || args.length > 1) replace(expression, `$orm.${DRIZZLE[expression.text]}`, "drizzle");
    }
    if (ts.isPropertyAccessExpression(expression) && METHODS.has(expression.name.text))
      replace(expression.name, METHODS.get(expression.name.text), "method");
    if (ts.isPropertyAccessExpression(expression) && expression.name.text === "exec" && args[0])
      if (isText(args[0])) addSql(args[0]);
  };

  const visit = (node) => {
    if (ts.isImportDeclaration(node)) return readImport(node);
    if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    // Log lines are not mutated.
    if (ts.isExpressionStatement(node) && isLogging(node.getText(source))) return;
    if (ts.isBinaryExpression(node)) {
      const to = OPERATORS[node.operatorToken.getText(source)];
      // Joining strings is no arithmetic.
      if (to && !(to === "-" && (isText(node.left) || isText(node.right))))
        add(node.operatorToken.getStart(source), node.operatorToken.end, to, "operator", {
          start: node.getStart(source),
          end: node.end,
          // JavaScript allows `&&` beside `??` only in parentheses.
          written: `((${node.left.getText(source)}) ${to} (${node.right.getText(source)}))`,
        });
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, "false", "boolean");
    if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, "true", "boolean");
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      replace(node, node.operand.getText(source), "negation");
    if (ts.isNumericLiteral(node) && node.parent.name !== node && !ts.isEnumMember(node.parent))
      replace(node, `${node.getText(source)} + 1`, "number", `(${node.getText(source)} + 1)`);
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      replace(condition, "true", "condition");
      replace(condition, "false", "condition");
    }
    if (ts.isExpressionStatement(node) && /^(await |void )?(?!super\()[\w.#]+\(/.test(node.getText(source)))
      replace(node.expression, "undefined", "call left out");
    if (ts.isTaggedTemplateExpression(node) && /^sql\b/.test(node.tag.getText(source))) addSql(node.template);
    if (ts.isCallExpression(node)) addCall(node);
    ts.forEachChild(node, visit);
  };
  visit(source);

  const times = new Map();
  return found.map(({ site, ...mutant }) => {
    const { line } = source.getLineAndCharacterOfPosition(mutant.start);
    const label = labelOf(text, mutant);
    const nth = times.get(`${mutant.kind} ${label}`) ?? 0;
    times.set(`${mutant.kind} ${label}`, nth + 1);
    const head = mutant.kind === "drizzle" ? 'import * as $orm from "drizzle-orm";' : "";
    return {
      path,
      kind: mutant.kind,
      line: line + 1,
      label,
      /** Survives edits elsewhere in the file, and with it the mutant's place in a draw. */
      key: hashOf(path, mutant.kind, label, String(nth)),
      get changed() {
        return head + text.slice(0, site.start) + site.written + text.slice(site.end);
      },
    };
  });
}

const short = (text) => {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
};
/** The line with the change in it: `if (a [< → <=] b)`. docs/mutants.md names mutants by it. */
function labelOf(text, { start, end, to }) {
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const newline = text.indexOf("\n", end);
  const after = text.slice(end, newline < 0 ? undefined : newline);
  return `${before.trimStart()}[${short(text.slice(start, end))} → ${short(to.replace("$orm.", ""))}]${after.trimEnd()}`
    .replace(/\s+/g, " ")
    .trim();
}
