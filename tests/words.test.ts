// The words of the source tree: the product's name is a setting (X-12), the outside words stay at its edge (X-13, X-14),
// and prose follows the rule of writing.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { type Prose, proseOf, refusedIn, screenTextsOf } from "./support/prose";

const root = join(import.meta.dirname, "..");

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.name === "node_modules") continue;
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}
const TESTS = /\.test\.tsx?$|\bfixtures\.ts$|\.model\.ts$/;
const read = (path: string) => readFileSync(join(root, path), "utf8");

const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");

/** Lines that say the name themselves; `X-Bothy-…` are headers between worker and room. */
const namings = (text: string) =>
  withoutComments(text)
    .split("\n")
    .filter((line) => /(?<!X-)\bBothy\b/.test(line))
    .map((line) => line.trim());

test("X-12 no page, mail, picture or file says the product's name itself", () => {
  const found = ["app", "workers", "public", "db/seed", "db/queries"]
    .flatMap((folder) => [...filesIn(folder)])
    .filter((path) => /\.(tsx?|mjs|js|html|svg|webmanifest|css|json)$/.test(path) && !TESTS.test(path))
    .flatMap((path) => namings(read(path)).map((line) => `${path}: ${line}`));
  expect(found).toEqual([]);
  expect(namings('// Bothy\nconst title = "Join Bothy";\n"X-Bothy-User"')).toEqual([
    'const title = "Join Bothy";',
  ]);
});

test("X-12 a local run, the deployed one and its staging call it Bothy", () => {
  expect(read("wrangler.toml").match(/^APP_NAME = .*$/gm)).toEqual([
    'APP_NAME = "Bothy"',
    'APP_NAME = "Bothy"',
    'APP_NAME = "Bothy"',
  ]);
});

/** A name as words: `challengeEventId` → challenge, event, id. */
const wordsOf = (name: string) => name.split(/(?=[A-Z])|[_\-./]/).map((word) => word.toLowerCase());
const says = (name: string, word: RegExp) => wordsOf(name).some((one) => word.test(one));
const CHALLENGE = /^challenges?$/;
const TASK = /^tasks?$/;
const EVENT = /^events?$/;
const GROUP = /^groups?$/;

/** True inside the arguments of a call or a named route, which have the outside names. */
const isSaidToCall = (node: ts.Node): boolean => {
  for (let at: ts.Node = node; at.parent; at = at.parent)
    if (
      (ts.isPropertyAssignment(at.parent) || ts.isVariableDeclaration(at.parent)) &&
      at.parent.initializer === at &&
      /^(params|body|query)$/.test(at.parent.name.getText())
    )
      return true;
    else if (ts.isCallExpression(at.parent) && at.parent.expression.getText() === "routeTo") return true;
  return false;
};
/** The steps of the tour keep their names (S-22). */
const isTourStep = (node: ts.Node) =>
  ts.isPropertyAccessExpression(node.parent) && node.parent.expression.getText() === "TOUR_ANCHORS";
const TOUR = ["app/domain/tour-anchors.ts", "app/components/tour/steps.ts"];
/** An export is written in the outside words. */
const EXPORT = "app/use-cases/export-rows.server.ts";
/** Addresses whose parameter is documented by name (P-27, R-14, U-53). */
const ADDRESSES = ["routes/sessions/update.tsx", "routes/sessions/redirect.tsx", "routes/items/me.tsx"].map(
  (name) => `app/${name}`,
);

/** Parts in a row are a part group: in the rules of parts, "group" is that. */
const OF_PARTS =
  /^app\/(domain\/(schedule\/|sessions\/planning|room\/advance|goals\/(goals|schedule-of-log))|components\/(schedule|room|sessions\/parts-list)|use-cases\/(sessions|activities)\/|hooks\/room\/use-cues|routes\/sessions\/goals)|^db\/(seed\/demo-texts|queries\/(sessions\/writes|goals\/copies)|schema\/goals\/goals)|^workers\/api\/sessions/;
/** A fieldset; SQL. */
const PLAIN_GROUP = /^(FieldGroup|groupBy)$/;

/** Events of the browser, the payment provider, a run, the log or the spine of notices; never a session. */
const PLAIN_EVENT =
  /^(\w+Event|\w+EventListener|Event|EventTarget|EventSourceParserStream|constructEventAsync|readEvent|eventOf|RoomEvents|providerEvents|deleteOldProviderEvents|recordEvent|newEvent|newEventId|wakeEvents|listEvents|listHandledEvents|EVENT_TYPES|MOST_EVENTS|ICalEventStatus)$/;
/** The spine of notices: an event is the cause of notices (N-01). */
const OF_NOTICES =
  /^app\/(domain\/notices\/(notices|events|event-rules|deliveries|texts|cause|calendar-invites)|use-cases\/(deliveries|delivery-messages|notices\/(asks|events|notices)|\w+\/reminders|sessions\/calendar-invites)\.)|^db\/(schema\/notices\/notices|queries\/(notices\/(events|deliveries|notices)|\w+\/reminders|sessions\/calendar-invites))/;
const isPlainEvent = (file: string, node: ts.Identifier): boolean => {
  if (PLAIN_EVENT.test(node.text) || OF_NOTICES.test(file)) return true;
  if (
    /^app\/(components|hooks|routes\/\S+\.tsx|entry)|^workers\/(cron|index|adapters|api)|^app\/use-cases\/payments\/(webhook|money-log)/.test(
      file,
    )
  )
    return /^events?$/.test(node.text);
  if (/^app\/domain\/((schedule|room)\/advance|schedule\/cues)/.test(file)) return node.text === "events";
  const text = node.parent.getText();
  return (
    /^event(: ("|string)|$)/.test(text) &&
    /console\.\w+\(|logged|logRoom|logSecurity\(/.test(node.getSourceFile().text)
  );
};

/** The challenge that a passkey signs: WebAuthn's word, and never an activity. */
const OF_SIGN_IN =
  /^app\/use-cases\/(accounts\/(passkeys|second-step|two-step|passwords)|upkeep)|^db\/(schema\/accounts|queries\/accounts)\//;

/** Names that say an outside word where it is none of the plain ones. */
function outsideWords(file: string, text: string): string[] {
  const found: string[] = [];
  if (!/challenge|task|event|group/i.test(text)) return found;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isOutside(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  const isOutside = (node: ts.Identifier): boolean => {
    const name = node.text;
    if (TOUR.includes(file) || file === EXPORT || isTourStep(node) || isSaidToCall(node)) return false;
    if (says(name, CHALLENGE) && OF_SIGN_IN.test(file)) return false;
    if (says(name, CHALLENGE) || says(name, TASK)) return true;
    if (ADDRESSES.includes(file)) return false;
    if (says(name, EVENT)) return !isPlainEvent(file, node);
    return says(name, GROUP) && !OF_PARTS.test(file) && !PLAIN_GROUP.test(name) && !/^partGroup/.test(name);
  };
  visit(source);
  return found;
}

describe("outside words", () => {
  const isInside = (path: string) =>
    /\.tsx?$/.test(path) && !path.startsWith("app/wire/") && path !== "app/routes.ts" && !TESTS.test(path);
  const inside = ["app", "db", "workers"].flatMap((folder) => [...filesIn(folder)]).filter(isInside);

  test("X-13 X-14 challenge, event, group and task are only in the wire layer and the route table", () => {
    const found = inside.flatMap((path) => outsideWords(path, read(path)).map((name) => `${path}: ${name}`));
    expect(found).toEqual([]);
  }, 300_000);

  test("X-13 no file, table or column is called by an outside word", () => {
    const files = inside.filter(
      (path) =>
        !OF_NOTICES.test(path) && wordsOf(path).some((word) => /^(challenge|event|task)s?$/.test(word)),
    );
    expect(files).toEqual([]);
    const called = ["db/schema"]
      .flatMap((folder) => [...filesIn(folder)])
      .flatMap((path) => [...read(path).matchAll(/(?:sqliteTable|text|integer|Column)\(\s*"(\w+)"/g)])
      .map((match) => match[1] ?? "");
    expect(called.length).toBeGreaterThan(100);
    const outside = called.filter((name) => [CHALLENGE, TASK, EVENT, GROUP].some((word) => says(name, word)));
    // WebAuthn's word, the causes of notices, the provider's events, and the part group that holds a goal.
    expect(outside.sort()).toEqual(["events", "login_challenges", "part_group_id", "provider_events"]);
  });

  test("U-14 U-30 a hut is a hut on every screen and in every message, except in the labels of the rows", () => {
    const texts = ["app", "workers", "db/seed"]
      .flatMap((folder) => [...filesIn(folder)])
      .filter(
        (path) =>
          /\.(tsx?|mjs)$/.test(path) && ![TESTS, OF_PARTS, OTHER_GROUPS].some((one) => one.test(path)),
      )
      .flatMap((path) => textsThatSayGroup(path, read(path)).map((one) => `${path}: ${one}`));
    expect(texts.filter((one) => !GROUP_LABELS.includes(one.replace(/^.*?: /, "")))).toEqual([]);
    expect(texts.length).toBeGreaterThanOrEqual(GROUP_LABELS.length);
    const refused = (text: string) => textsThatSayGroup("app/x.tsx", text);
    expect(refused("<p>Join a group</p>")).toEqual(["Join a group"]);
    expect(refused('<Button label="Group settings" />')).toEqual(["Group settings"]);
    expect(refused('throw new Error(`No group of "x".`)')).toEqual(['No group of "x".']);
    expect(refused('<Link to="/groups" className="my group/row" role="group">Huts</Link>')).toEqual([]);
  });

  test("X-13 a session is no login", () => {
    const found = inside
      .filter((path) => /login|account|password|cookie/.test(path))
      .flatMap((path) =>
        [
          ...withoutComments(read(path)).matchAll(
            /\b(login|auth|user|cookie)Session|session(Cookie|Token|Storage)\b/gi,
          ),
        ].map(([name]) => `${path}: ${name}`),
      );
    expect(found).toEqual([]);
  });

  test("the rule refuses what it should", () => {
    const refused = (text: string, file = "app/use-cases/x.server.ts") => outsideWords(file, text);
    expect(refused("const challengeId = 1")).toEqual(["challengeId"]);
    expect(refused("type A = { event: number }")).toEqual(["event"]);
    expect(refused("joinSession(app, { event: session.id })")).toEqual(["event"]);
    expect(refused("const { group } = input", "app/use-cases/items/me.server.ts")).toEqual(["group"]);
    expect(refused("const logTask = 1", "app/components/x.tsx")).toEqual(["logTask"]);
    expect(refused("run({ params: { challenge: slug }, body: { task_uuid: id } })")).toEqual([]);
    expect(refused("(event) => event.preventDefault()", "app/components/x.tsx")).toEqual([]);
  });
});

/** The calls about groups of parts, and the list of reserved names. */
const OTHER_GROUPS = /^app\/(wire\/(calls\/session-parts|sessions\/input)|domain\/slugs)\.ts$/;
/** The documented labels of the lists of huts (U-14, U-30), of which `listName` makes "All Groups" and "My Groups". */
const GROUP_LABELS = ["Groups", "All Groups", "My Groups"];
/** Classes of styles, and the outside words of calls and addresses. */
const isMachineText = (node: ts.Node): boolean =>
  ts.isTaggedTemplateExpression(node.parent) ||
  ts.isImportDeclaration(node.parent) ||
  (ts.isJsxAttribute(node.parent) && /^(className|role)$/.test(node.parent.name.getText()));
/** The texts of elements, labels and sentences of a file that say "group". */
function textsThatSayGroup(file: string, text: string): string[] {
  const found: string[] = [];
  if (!/group/i.test(text)) return found;
  const visit = (node: ts.Node): void => {
    const isText = ts.isJsxText(node) || ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    const shown = isText ? node.getText().replace(/^["'`]|["'`]$/g, "") : "";
    const isSentence = ts.isJsxText(node) || /^\p{Lu}|[\p{L}.,:] \p{L}/u.test(shown);
    if (
      isSentence &&
      /(?<![/.{-])\bgroups?\b(?![/.-]\w| by\b| sessions?\b)/i.test(shown) &&
      !isMachineText(node)
    )
      found.push(shown.trim());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}

/** Participles that say that something happened, and not what the value is. */
const VAGUE = /^(said|told|kept|found|laid)$/;
/** The variables, parameters, destructured names and functions of a file that are called by such a participle. */
function vagueNames(file: string, text: string): string[] {
  const found: string[] = [];
  if (!/\b(said|told|kept|found|laid)\b/.test(text)) return found;
  const visit = (node: ts.Node): void => {
    const isDeclared =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node);
    if (isDeclared && node.name && ts.isIdentifier(node.name) && VAGUE.test(node.name.text))
      found.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}

describe("names", () => {
  test("no local, parameter or function is called said, told, kept, found or laid", () => {
    const named = ["app", "db", "workers"]
      .flatMap((folder) => [...filesIn(folder)])
      .filter((path) => /\.(tsx?|mjs|js)$/.test(path) && !TESTS.test(path))
      .flatMap((path) => vagueNames(path, read(path)).map((name) => `${path}: ${name}`));
    expect(named).toEqual([]);
  }, 300_000);

  test("the rule refuses what it should", () => {
    const refused = (text: string) => vagueNames("app/x.ts", text);
    expect(refused("const said = 1")).toEqual(["said"]);
    expect(refused("for (const [told] of rows) read(told)")).toEqual(["told"]);
    expect(refused("const { a, ...kept } = row")).toEqual(["kept"]);
    expect(refused("const { text: found } = row")).toEqual(["found"]);
    expect(refused("rows.map((found) => found.id)")).toEqual(["found"]);
    expect(refused("async function laid() {}")).toEqual(["laid"]);
    expect(refused("const { kept: text } = row; send({ kept: text }); row.kept")).toEqual([]);
  });
});

describe("the rule of writing", () => {
  const roots = ["app", "db", "workers", "tests", "bench", "docs"].flatMap((folder) => [...filesIn(folder)]);
  /** The rows of messages, validations and the screen hold their sentences to the letter. */
  const isDocumentedSentence = ({ kind, text }: Prose) => kind === "document" && /^\*\*[MVU]-\d/.test(text);
  const files = [...roots, "remix.config.ts", "CONTRIBUTING.md", "README.md", "SECURITY.md", "CHANGELOG.md"];

  /** `path:line: rule: sentence` of each refused sentence. */
  const refusedOf = (path: string, text: string, prose: readonly Prose[]): string[] =>
    prose.flatMap((one) =>
      refusedIn(one).map(({ rule, sentence }) => {
        const line = text.slice(0, one.start).split("\n").length;
        return `${path}:${line}: ${rule}: ${sentence}`;
      }),
    );

  test("no comment, test title or document uses a refused opening or word", () => {
    const found = files
      .filter((path) => /\.(tsx?|mjs|css|md)$/.test(path))
      .flatMap((path) => {
        const text = read(path);
        return refusedOf(
          path,
          text,
          proseOf(path, text).filter((prose) => !isDocumentedSentence(prose)),
        );
      });
    expect(found).toEqual([]);
  }, 300_000);

  test('no sentence of the screen uses "there" for exists, "alone" for only, or "own" without an owner', () => {
    const found = roots
      .filter((path) => /^(app|workers)\/.*\.(tsx?|mjs)$/.test(path) && !TESTS.test(path))
      .flatMap((path) => {
        const text = read(path);
        return refusedOf(path, text, screenTextsOf(path, text));
      });
    expect(found).toEqual([]);
  }, 300_000);

  test("a refused sentence is reported with its file and line", () => {
    const text = "\n/** The same. */\nconst a = <p>The goal is there.</p>;";
    expect(refusedOf("a.tsx", text, proseOf("a.tsx", text))).toEqual(["a.tsx:2: elliptic: The same."]);
    expect(refusedOf("a.tsx", text, screenTextsOf("a.tsx", text))).toEqual([
      "a.tsx:3: there for exists: The goal is there.",
    ]);
  });

  test.each([
    ["opens with Who or What", "Who comes in sees the timer."],
    ["opens with Who or What", "A stored room. What it sends is durable."],
    ["one for a person", "The page one is on."],
    ["one for a person", "It says what one owns."],
    ["one for a person", "Nothing about oneself."],
    ["anew", "Laid anew."],
    ["stands", "The name stands in the URL."],
    ["is told", "The room is told of it."],
    ["leads on", "The link leads on."],
    ["own without an owner", "The own page writes."],
    ["own without an owner", "It finds all own goals."],
    ["there for exists", "This goal is not there any more."],
    ["there for exists", "A recap that is there stays."],
    ["alone for only", "It is loaded for hosts alone."],
    ["alone for only", "Participants alone: others have no seat."],
    ["alone for only", "The room asks D1 alone, and answers."],
    ["elliptic", "The same."],
    ["elliptic", "The same for a hut."],
    ["elliptic", "Nothing for a member."],
    ["elliptic", "As above, with a code."],
  ])("it refuses that a sentence %s: %s", (rule, text) => {
    expect(refusedIn({ kind: "comment", text }).map((found) => found.rule)).toEqual([rule]);
    expect(proseOf("a.ts", `/** ${text} */\nconst a = 1; // ${text}`).map((prose) => prose.text)).toEqual([
      text,
      text,
    ]);
  });

  test.each([
    "What is a session?",
    'The tour says "What you log stands here".',
    "The newest one is first, until one is full.",
    "The stand-in answers `What is this`.",
    "The two are told apart by their ids.",
    "A person sees their own mutes, and people own huts.",
    "There is a seat; which seats are there?",
    "The room alone decides, by the cookie alone.",
    "A row that fails alone stops no other, and a test leaves them alone.",
    "The same key answers the same.",
    "Nothing is written for a member.",
  ])("it accepts %j", (text) => {
    expect(refusedIn({ kind: "comment", text })).toEqual([]);
  });

  test("it reads test titles without their rule ids, and documents without code and headings", () => {
    const [title] = proseOf("a.test.ts", 'test("L-04 X-02 who leaves is gone", () => {});');
    expect(title && refusedIn(title).map(({ rule }) => rule)).toEqual(["opens with Who or What"]);
    const paragraphs = proseOf("README.md", "# What it is\n\n```\nWho knows.\n```\n\n- What runs stands.\n");
    expect(paragraphs.flatMap(refusedIn).map(({ rule }) => rule)).toEqual([
      "opens with Who or What",
      "stands",
    ]);
  });
});
