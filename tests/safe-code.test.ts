// Finds code that a review would refuse: text that runs, dynamic expressions, requests to arbitrary hosts, weak
// hashes, guessable randomness, secrets in the tree.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}
const sources = ["app", "db", "public", "workers"]
  .flatMap((folder) => [...filesIn(folder)])
  .filter(
    (path) => /\.(tsx?|mjs|js)$/.test(path) && !/\.test\.tsx?$|\bfixtures\.ts$|\.model\.ts$/.test(path),
  );
/** Code that runs on the server, without the commands of a developer's machine and the programs that the reference shows. */
const isServer = (path: string) =>
  /^(app\/(domain|http|use-cases|wire)|db|workers)\//.test(path) &&
  !/^workers\/(local|programs)\//.test(path);

type Found = { file: string; text: string };

const parse = (file: string, text: string) =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
const parsed = new Map(sources.map((file) => [file, parse(file, read(file))]));

/** Every node of the sources that `isSought` accepts. */
function find(files: string[], isSought: (node: ts.Node) => boolean): Found[] {
  return files.flatMap((file) => {
    const source = parsed.get(file);
    return source ? nodesIn(source, isSought).map((text) => ({ file, text })) : [];
  });
}
function nodesIn(source: ts.Node, isSought: (node: ts.Node) => boolean): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isSought(node)) found.push(node.getText().replace(/\s+/g, " ").slice(0, 120));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
const inCode = (code: string, isSought: (node: ts.Node) => boolean) => nodesIn(parse("x.ts", code), isSought);
const lines = (found: Found[]) => found.map(({ file, text }) => `${file}: ${text}`);
const nameOf = (node: ts.Expression): string =>
  ts.isPropertyAccessExpression(node) ? node.name.text : ts.isIdentifier(node) ? node.text : "";
const isCalled = (node: ts.Node): node is ts.CallExpression | ts.NewExpression =>
  ts.isCallExpression(node) || ts.isNewExpression(node);

/** An expression whose text is not a literal at its use. Constants have names in capitals. */
const isMadeExpression = (node: ts.Node): boolean => {
  if (!isCalled(node)) return false;
  const name = nameOf(node.expression);
  const [first] = node.arguments ?? [];
  if (name === "RegExp") return !first || !ts.isStringLiteral(first);
  if (!/^(match|matchAll|search)$/.test(name) || !ts.isPropertyAccessExpression(node.expression))
    return false;
  // A cache matches requests, and a service worker its windows.
  if (first && ts.isNewExpression(first) && nameOf(first.expression) === "Request") return false;
  if (first && ts.isObjectLiteralExpression(first)) return false;
  // A router matches a method and a path; the methods of strings take one argument.
  if ((node.arguments ?? []).length > 1) return false;
  return !first || !(ts.isRegularExpressionLiteral(first) || /^[A-Z][A-Z_]*$/.test(first.getText()));
};

test("ASVS 1.2.9 no user text becomes a regular expression", () => {
  expect(inCode("new RegExp(q); RegExp(q + r); title.match(q)", isMadeExpression)).toHaveLength(3);
  expect(inCode('new RegExp("a"); title.match(/a/); title.match(WORD)', isMadeExpression)).toEqual([]);
  expect(lines(find(sources, isMadeExpression))).toEqual([]);
});

const asksOutside = (node: ts.Node): boolean => {
  if (!ts.isIdentifier(node) || !/^(fetch|XMLHttpRequest|WebSocket|EventSource)$/.test(node.text))
    return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return /^(globalThis|self)$/.test(parent.expression.getText());
  return !ts.isTypeNode(parent) && !("name" in parent && parent.name === node);
};

test("ASVS 13.2.4 the server sends requests only to its payment provider and to push services", () => {
  expect(
    inCode("fetch(u); globalThis.fetch(u); new WebSocket(u); const f = fetch", asksOutside),
  ).toHaveLength(4);
  expect(inCode("room.fetch(request); const app = { fetch: http.fetch }", asksOutside)).toEqual([]);
  const found = find(sources.filter(isServer), asksOutside);
  const isAllowed = (line: string) => /^workers\/adapters\/(stripe-payments|push)\.ts:/.test(line);
  expect(lines(found).filter((line) => !isAllowed(line))).toEqual([]);
});

test("ASVS 11.4.1 every hash except that of passwords is SHA-256", () => {
  const isHash = (node: ts.Node) =>
    isCalled(node) &&
    /^(createHash|createHmac|digest|subtle|scryptSync|pbkdf2|pbkdf2Sync|hkdf|createCipheriv)$/.test(
      nameOf(node.expression),
    ) &&
    (node.arguments?.length ?? 0) > 0;
  const isApproved = ({ text }: Found) => /^[\w.]*(createHash\("sha256"\)|digest\("SHA-256",)/.test(text);
  const found = find(sources, isHash);
  expect(found.filter(isApproved).length).toBeGreaterThan(3);
  // Node's `digest` takes an encoding; its `createHash` is checked above.
  const isRead = ({ text }: Found) => /^(digest\(bytes\)|hash\.digest\("hex"\))/.test(text);
  expect(lines(found.filter((one) => !isApproved(one) && !isRead(one)))).toEqual([]);
  expect(inCode('createHash("md5")', isHash)).toHaveLength(1);
});

test("ASVS 11.5.1 Math.random decides nothing that must be unguessable", () => {
  const isGuessable = (node: ts.Node) =>
    ts.isPropertyAccessExpression(node) && node.getText() === "Math.random";
  // The delay of a reconnect, and the choice of a random snippet.
  expect(find(sources, isGuessable).map(({ file }) => file)).toEqual([
    "app/hooks/room/socket.ts",
    "app/routes/about.tsx",
    "app/wire/calls/items.ts",
  ]);
});

test("ASVS 13.3.2 only the adapters of the payment provider read its secrets", () => {
  const readsSecret = (node: ts.Node) =>
    ts.isPropertyAccessExpression(node) && /^STRIPE_(SECRET_KEY|WEBHOOK_SECRET)$/.test(node.name.text);
  const files = new Set(find(sources, readsSecret).map(({ file }) => file));
  expect([...files].sort()).toEqual(["workers/adapters/payments.ts", "workers/adapters/stripe-payments.ts"]);
});

test("ASVS 16.2.3 the server logs JSON lines to the console, and nowhere else", () => {
  const isLog = (node: ts.Node) =>
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.expression.getText() === "console";
  const found = find(sources.filter(isServer), isLog);
  expect(found.length).toBeGreaterThan(8);
  expect(lines(found.filter(({ text }) => !/^console\.(log|warn|error)\( ?logLine\(/.test(text)))).toEqual(
    [],
  );
});

test("ASVS 1.3.2 the linter refuses text that runs as code", () => {
  const folder = mkdtempSync(join(tmpdir(), "bothy-lint-"));
  const refusedBy = (code: string): string[] => {
    const file = join(folder, "code.ts");
    writeFileSync(file, `${code};\n`);
    const args = [
      "lint",
      "--reporter=json",
      "--vcs-enabled=false",
      `--config-path=${join(ROOT, "biome.jsonc")}`,
    ];
    try {
      execFileSync(join(ROOT, "node_modules/.bin/biome"), [...args, file], { stdio: "pipe" });
      return [];
    } catch (failed) {
      const { diagnostics } = JSON.parse(String((failed as { stdout: Buffer }).stdout)) as {
        diagnostics: { category: string; severity: string }[];
      };
      return diagnostics.filter(({ severity }) => severity === "error").map(({ category }) => category);
    }
  };
  try {
    expect(refusedBy("eval(text)")).toContain("lint/security/noGlobalEval");
    expect(refusedBy("globalThis.eval(text)")).toContain("lint/security/noGlobalEval");
    expect(refusedBy('setTimeout("boom()", 1)')).toContain("lint/nursery/noImpliedEval");
    expect(refusedBy("setTimeout(boom, 1)")).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const isMaker = (node: ts.Node) =>
    isCalled(node) &&
    (nameOf(node.expression) === "Function" || /^\(?0, ?eval\)?$/.test(node.expression.getText()));
  expect(inCode("new Function(text); Function(text)", isMaker)).toHaveLength(2);
  expect(lines(find(sources, isMaker))).toEqual([]);
});

test("ASVS 6.2.7 no form field blocks pasting", () => {
  const hinders = (node: ts.Node) =>
    ts.isIdentifier(node) && /^on(Paste|PasteCapture|BeforeInput)$/.test(node.text);
  expect(nodesIn(parse("x.tsx", "const f = <input onPaste={stop} />"), hinders)).toHaveLength(1);
  const fields = sources.filter((path) => /^app\/(components\/(accounts|form|ui)|routes)\//.test(path));
  expect(fields.length).toBeGreaterThan(60);
  expect(lines(find(fields, hinders))).toEqual([]);
});

test("ASVS 6.3.2 no migration creates an account, a login or a role", () => {
  const migrations = [...filesIn("db/migrations")].filter((path) => path.endsWith(".sql"));
  expect(migrations.length).toBeGreaterThan(0);
  // A rebuilt table is filled from itself.
  const MAKES =
    /insert\s+into\s+[`"]?(users|logins|persons)[`"]?(?![^;]*\bfrom\b)|update\s+[`"]?users[`"]?[^;]*role_id/i;
  expect("INSERT INTO users (role_id) VALUES (10);").toMatch(MAKES);
  expect(migrations.filter((path) => MAKES.test(read(path)))).toEqual([]);
});

/** Keys of Stripe, cloud accounts and code hosts, and private keys. */
const SECRET =
  /\b(sk|rk)_live_\w{16,}|\bsk_test_\w{40,}|\bwhsec_[A-Za-z0-9+/]{24,}|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{36}\b|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** Paths that git ignores, and git's own. */
const NOT_KEPT = new Set([
  ".git",
  ...read(".gitignore")
    .split("\n")
    .map((line) => line.replace(/\/$/, "")),
]);

test("ASVS 13.3.1 no file of the tree contains a secret", () => {
  const key = "a1B2".repeat(8);
  for (const secret of [
    `sk_live_${key}`,
    `rk_live_${key}`,
    `whsec_${key}`,
    `-----BEGIN ${"PRIVATE"} KEY-----`,
  ])
    expect(secret).toMatch(SECRET);
  const kept = readdirSync(ROOT, { withFileTypes: true }).filter(({ name }) => !NOT_KEPT.has(name));
  const files = kept.flatMap((entry) => (entry.isDirectory() ? [...filesIn(entry.name)] : [entry.name]));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => SECRET.test(read(path)))).toEqual([]);
  expect(read(".gitignore")).toMatch(/^\.dev\.vars$/m);
});

test("R-55 no statement but those of a new session and of a hand-over makes a person the host", () => {
  const isHostSet = (node: ts.Node) =>
    ts.isPropertyAssignment(node) && node.getText().startsWith("isHost: true");
  expect(
    find(
      sources.filter((file) => file.startsWith("db/queries/")),
      isHostSet,
    ),
  ).toEqual([
    { file: "db/queries/sessions/hand-over.ts", text: "isHost: true" },
    { file: "db/queries/sessions/writes.ts", text: "isHost: true" },
  ]);
});

test("R-25 emails beside those of notices go to the user's own address, and an ask leaves by askPerson alone", () => {
  const isSending = (node: ts.Node) =>
    isCalled(node) &&
    (nameOf(node.expression) === "sendEmail" || /\bmail\.send$/.test(node.expression.getText()));
  const senders = find(sources.filter(isServer), isSending).map(({ file }) => file);
  expect([...new Set(senders)].sort()).toEqual([
    // A new or changed address of the account, and the link that takes the change back.
    "app/use-cases/accounts/confirmations.server.ts",
    "app/use-cases/accounts/passwords.server.ts",
    "app/use-cases/accounts/profile.server.ts",
    "app/use-cases/delete-accounts.server.ts",
    // Notices, by the kinds of their events.
    "app/use-cases/delivery-messages.server.ts",
    "app/use-cases/notices/send-email.server.ts",
    // A decision of a super admin.
    "app/use-cases/safety/decisions.server.ts",
  ]);
  const isUnchecked = (node: ts.Node) => isCalled(node) && nameOf(node.expression) === "causeOf";
  expect([...new Set(find(sources, isUnchecked).map(({ file }) => file))]).toEqual([
    "app/use-cases/notices/asks.server.ts",
    "app/use-cases/notices/events.server.ts",
  ]);
});

/** An insert whose values find their columns by their places. */
const isInsertByPlace = (node: ts.Node): boolean =>
  ts.isCallExpression(node)
    ? nameOf(node.expression) === "select" &&
      ts.isPropertyAccessExpression(node.expression) &&
      ts.isCallExpression(node.expression.expression) &&
      nameOf(node.expression.expression.expression) === "insert"
    : (ts.isStringLiteral(node) || ts.isTemplateLiteral(node)) && INSERT_BY_PLACE.test(node.getText());
const INSERT_BY_PLACE = /\binsert(\s+or\s+\w+)?\s+into\s+[^\s(]+\s+(select|values|with)\b/i;

test("every insert names its columns, and that of a SELECT is written by insertFrom", () => {
  const byPlace = `db.insert(t).select(sql\`SELECT 1\`); sql\`INSERT INTO t SELECT 1\`; "insert or ignore into t values (1)"`;
  expect(inCode(byPlace, isInsertByPlace)).toHaveLength(3);
  const named =
    "db.insert(t).values({ a }); insertFrom(db, t, { a }, sql``); sql`INSERT INTO t (a) VALUES (1)`";
  expect(inCode(named, isInsertByPlace)).toEqual([]);
  expect(find(sources, isInsertByPlace).map(({ file }) => file)).toEqual(["db/queries/insert-from.ts"]);
  const triggers = [...filesIn("db/schema")].filter((path) => path.endsWith(".sql"));
  expect(triggers.filter((path) => INSERT_BY_PLACE.test(read(path)))).toEqual([]);
});

/** A text that people read: some words that begin like a sentence, or end like one. */
const SENTENCE = /^[A-Z]\S* \S+ \S|^\S+ .*[.!?]$/;
const SAID = /^(sentences?|message|problems?|refusals?)$/;
const bare = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)
    ? bare(node.expression)
    : node;
const textIn = (node: ts.Expression): string | null =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) ? node.text : null;
const isSentenceText = (node: ts.Expression) => SENTENCE.test(textIn(bare(node)) ?? "");
/** The names of constants in capitals that hold a sentence, or an object of them. */
const constantsThat = (holds: (value: ts.Expression) => boolean) =>
  new Set(
    [...parsed.values()].flatMap((source) => {
      const names: string[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
          if (/^[A-Z][A-Z_]+$/.test(node.name.text) && holds(bare(node.initializer)))
            names.push(node.name.text);
        ts.forEachChild(node, visit);
      };
      visit(source);
      return names;
    }),
  );
const sentenceNames = constantsThat(isSentenceText);
const tableNames = constantsThat(
  (value) =>
    ts.isObjectLiteralExpression(value) &&
    value.properties.some((one) => ts.isPropertyAssignment(one) && isSentenceText(one.initializer)),
);
const isSaid = (expression: ts.Expression): boolean => {
  const node = bare(expression);
  if (isSentenceText(node) || SAID.test(nameOf(node))) return true;
  if (ts.isIdentifier(node)) return sentenceNames.has(node.text);
  return ts.isPropertyAccessExpression(node) && tableNames.has(nameOf(bare(node.expression)));
};
const EQUALS = new Set(["===", "!==", "==", "!="]);
/** A sentence that is compared, searched or matched, so that other words would change what the code does. */
const decidesBySentence = (node: ts.Node): boolean => {
  if (ts.isBinaryExpression(node)) {
    const sides = [node.left, node.right].map(bare);
    const isNothing = (side: ts.Expression) =>
      side.kind === ts.SyntaxKind.NullKeyword || nameOf(side) === "undefined" || textIn(side) === "";
    return EQUALS.has(node.operatorToken.getText()) && !sides.some(isNothing) && sides.some(isSaid);
  }
  if (ts.isCaseClause(node)) return isSaid(node.expression);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  const [first] = node.arguments;
  if (/^(startsWith|endsWith|match|search|indexOf)$/.test(name.text)) return isSaid(expression);
  if (name.text === "includes") return isSaid(expression) || Boolean(first && isSaid(first));
  return /^(test|exec)$/.test(name.text) && first !== undefined && textIn(first) === null && isSaid(first);
};

test("no code decides by the words of a sentence", () => {
  const decides = `/not there/.test(edit.sentence); error.message === NO_TURN; problem !== said; sentence.startsWith(X);
    title === "There is no title."; cue.sentence.includes("your turn")`;
  expect(inCode(decides, decidesBySentence)).toHaveLength(6);
  const named =
    'edit.code === "no-part"; problem === null; error.message === ""; name.startsWith("a"); sql.exec("SELECT a b")';
  expect(inCode(named, decidesBySentence)).toEqual([]);
  const product = sources.filter((path) => !path.startsWith("workers/local/"));
  expect(lines(find(product, decidesBySentence)).sort()).toEqual([
    // The browser's own errors have no code.
    expect.stringMatching(/^app\/components\/layout\/error-page.tsx: .*error.message\)$/),
    // SQLite names the broken constraint only in its message.
    ...[1, 2, 3, 4].map(() => expect.stringMatching(/^app\/domain\/errors.ts: .*exec\(e.message\)$/)),
    // The library of SMTP names its step in words.
    'workers/adapters/smtp.ts: step === "Invalid RCPT TO"',
  ]);
});

const REFUSES = /^(AppError|invalid|errorAt|allow|requireUser|requireMayWrite)$/;
/** A refusal whose sentence is written where it is thrown. */
const refusesInPlace = (node: ts.Node): boolean =>
  isCalled(node) &&
  REFUSES.test(nameOf(node.expression)) &&
  (node.arguments ?? []).some((one) => isSentenceText(one) || ts.isTemplateExpression(one));

test("X-01 a use case takes the sentence of a refusal from the file of its noun", () => {
  const inPlace = `new AppError("CONFLICT", "This series has ended."); allow(isMine, \`Not \${what}.\`);
    invalid("at", "Too far away.")`;
  expect(inCode(inPlace, refusesInPlace)).toHaveLength(3);
  const named =
    'new AppError("CONFLICT", seriesRefusals.ended); new Error("This is a bug."); invalid("at", tooFar(1))';
  expect(inCode(named, refusesInPlace)).toEqual([]);
  const useCases = sources.filter((path) => path.startsWith("app/use-cases/"));
  expect(lines(find(useCases, refusesInPlace))).toEqual([]);
});

/** A question to a part that the row of its kind answers. */
const asksForKind = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node)
    ? EQUALS.has(node.operatorToken.getText()) &&
      [node.left, node.right].some((side) => side.getText() === "kindOf(part)") &&
      [node.left, node.right].some((side) => ts.isStringLiteral(side))
    : ts.isPropertyAccessExpression(node) &&
      node.name.text === "isPerParticipant" &&
      node.expression.getText() === "part";

test("T-15 the row of its kind says whether a part has turns, and no other code asks for the kind", () => {
  const asks = 'kindOf(part) === "turns"; "turns" !== kindOf(part); part.isPerParticipant';
  expect(inCode(asks, asksForKind)).toHaveLength(3);
  expect(inCode('hasTurns(part); kindOf(type) === "a"; goal.isPerParticipant', asksForKind)).toEqual([]);
  expect(lines(find(sources, asksForKind)).sort()).toEqual([
    // The ticks of a dial without turns.
    'app/components/schedule/interval-ticks.ts: kindOf(part) !== "intervals"',
    // The switch of the flag, and its hint.
    "app/components/schedule/part-fields.tsx: part.isPerParticipant",
    "app/domain/schedule/part-kinds.ts: part.isPerParticipant",
    // The only timer of a session takes the session's length.
    'app/domain/sessions/planning.ts: kindOf(part) === "plain"',
  ]);
});

const STATE = /^(status|role|roleId|\w+Status|\w+Role)$/;
const stateOf = (node: ts.Node): string => {
  if (ts.isCallExpression(node)) return stateOf(node.expression);
  const name = ts.isExpression(node) ? nameOf(node) : "";
  return name === "statusAt" ? "status" : name;
};
/** Below 100, because HTTP's own statuses are numbers. */
const isStateNumber = (node: ts.Node): boolean =>
  ts.isConditionalExpression(node)
    ? isStateNumber(node.whenTrue) || isStateNumber(node.whenFalse)
    : ts.isNumericLiteral(node) && Number(node.text) < 100;
const NUMBERED_IN_SQL = /\b(status|role|role_id)\}?\s*(=|<>|IN \()\s*\d/i;
/** A status or role that is compared with a number, in code or SQL, or set to one. */
const isNumberedState = (node: ts.Node): boolean => {
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText().startsWith("sql"))
    return NUMBERED_IN_SQL.test(node.template.getText());
  if (ts.isBinaryExpression(node))
    return [
      [node.left, node.right],
      [node.right, node.left],
    ].some(([state, value]) => state && value && STATE.test(stateOf(state)) && isStateNumber(value));
  if (ts.isPropertyAssignment(node))
    return STATE.test(node.name.getText()) && isStateNumber(node.initializer);
  if (!ts.isCallExpression(node) || nameOf(node.expression) !== "eq") return false;
  const [column, value] = node.arguments;
  return Boolean(column && value && STATE.test(stateOf(column)) && isStateNumber(value));
};

test("S-04 R-05 statuses and roles are named, never numbers", () => {
  const numbered =
    "a.status === 1; 2 !== statusAt(a, now); useStatus() === 0; ({ role: isOn ? 1 : 0 }); eq(t.roleId, 10)";
  expect(inCode(numbered, isNumberedState)).toHaveLength(5);
  const inSql = "sql`l.status IN (1, 3)`; sql<number>`p.role = 1`; sql`t.role_id <> 2`";
  expect(inCode(inSql, isNumberedState)).toHaveLength(3);
  const named = "a.status === LOG_STATUS.done; response.status === 404; ({ status: 201 }); eq(t.id, 1)";
  expect(inCode(named, isNumberedState)).toEqual([]);
  // The schema says which numbers are stored.
  const others = sources.filter((path) => !path.startsWith("db/schema/"));
  expect(lines(find(others, isNumberedState))).toEqual([]);
});

/** `z.coerce.number`, which reads "", true, [5] and "0x10". */
const isCoercedNumber = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node) && node.name.text === "number" && nameOf(node.expression) === "coerce";

test("R-78 only forms, whose fields are texts, read a number as `Number` does", () => {
  expect(inCode("z.coerce.number().int(); z.coerce .number(S)", isCoercedNumber)).toHaveLength(2);
  expect(inCode("z.number(); numberIn(z.number()); z.coerce.date()", isCoercedNumber)).toEqual([]);
  const others = sources.filter((path) => !path.startsWith("app/forms/"));
  expect(lines(find(others, isCoercedNumber))).toEqual([]);
});
