// Finds the prose of source files and documents, the sentences of the screen, and the openings and words that
// CONTRIBUTING.md refuses.
import ts from "typescript";

export type Prose = {
  kind: "comment" | "title" | "document" | "screen";
  start: number;
  end: number;
  text: string;
};

const TITLED =
  /^(test|it|describe)(\.(concurrent|skip|only|fixme|step|describe|for|each|serial|beforeEach))*$/;

/** The comments of a TypeScript or JavaScript file, and the titles of its tests. */
export function proseOf(path: string, text: string): Prose[] {
  if (/\.md$/.test(path)) return documentProse(text);
  if (/\.css$/.test(path)) return cssComments(text);
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found = new Map<number, Prose>();
  const addComments = (ranges: ts.CommentRange[] | undefined) => {
    for (const { pos, end } of ranges ?? [])
      found.set(pos, { kind: "comment", start: pos, end, text: plain(text.slice(pos, end)) });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) addTitle(node, found);
    const children = node.getChildren(source);
    if (children.length > 0) {
      for (const child of children) visit(child);
      return;
    }
    // The text of an element contains no comments.
    if (node.kind === ts.SyntaxKind.JsxText) return;
    addComments(ts.getLeadingCommentRanges(text, node.pos));
    addComments(ts.getTrailingCommentRanges(text, node.end));
  };
  visit(source);
  return [...found.values()].sort((a, b) => a.start - b.start);
}

function addTitle(call: ts.CallExpression, found: Map<number, Prose>): void {
  const callee = ts.isCallExpression(call.expression) ? call.expression.expression : call.expression;
  const [title] = call.arguments;
  if (!title || !TITLED.test(callee.getText())) return;
  if (!ts.isStringLiteralLike(title) && !ts.isTemplateExpression(title)) return;
  const [start, end] = [title.getStart(), title.getEnd()];
  found.set(start, { kind: "title", start, end, text: title.getText().slice(1, -1) });
}

/** The sentences of product code that people may read: texts of elements, and strings that begin as a sentence does. */
export function screenTextsOf(path: string, text: string): Prose[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: Prose[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isJsxText(node) ||
      ts.isStringLiteralLike(node) ||
      (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent));
    const said = isText ? plain(node.getText()).replace(/^["'`]|["'`]$/g, "") : "";
    if (/^\p{Lu}\S* .* /u.test(said))
      found.push({ kind: "screen", start: node.getStart(), end: node.getEnd(), text: said });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A comment without its marks. */
const plain = (comment: string): string =>
  comment
    .replace(/^\/\*\*?|\*\/$|^\/\//g, "")
    .replace(/\n\s*(\*|\/\/)/g, "\n")
    .replace(/\s+/g, " ")
    .trim();

const cssComments = (text: string): Prose[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map((match) => ({
    kind: "comment",
    start: match.index,
    end: match.index + match[0].length,
    text: plain(match[0]),
  }));

/** The paragraphs, list items and table cells of a Markdown document, without headings and code. */
function documentProse(text: string): Prose[] {
  const bare = text.replace(/```[\s\S]*?```|^#.*$/gm, (code) => code.replace(/[^\n]/g, " "));
  return [...bare.matchAll(/[^\n|]+(\n(?!\s*\n|\s*[-*|#>]|\s*\d+\.)[^\n|]+)*/g)].map((match) => ({
    kind: "document",
    start: match.index,
    end: match.index + match[0].length,
    text: match[0]
      .replace(/^\s*([-*>#]+|\d+\.)\s+/, "")
      .replace(/\s+/g, " ")
      .trim(),
  }));
}

/** Sentences of the owner, of the screen and of code are quoted; they keep their words. */
const withoutQuotes = (text: string): string =>
  text
    .replace(/`[^`]*`/g, "`")
    .replace(/"[^"]*"/g, '"')
    .replace(/“[^”]*”/g, '"');

const IDS = String.raw`(?:\(?(?:[A-Z]{1,2}-\d+\w?|ASVS [\d.]+|WCAG [\d.]+|\*\*)[,:.)]* ?)*`;
/** Common subjects of "one" as a person; "the newest one is …" and "until one is full" have a noun before or after it. */
const AS_A_PERSON =
  /\b(where|when|while|once|what|whom|before|after|unless|if|as|how|that|because|than|pages?|place|things?|lists?|everything|nothing|something) one (may|can|could|must|should|wants?|wanted|looks?|goes|went|writes?|reads?|types?|presses|sees|pays|knows|needs|asks|signs|lives|follows|owns|joins|likes|leaves|opens)\b|\b(where|whom|what|pages?|places?|things?) one (is|was|has|had|does|did)\b/i;

/** "The own page": the possessive is missing. "My own" and "people own" are right. */
const OWN =
  /\b(the|an|any|all|no|each|every|some|other|only|of|for|in|on|at|from|to|with|as|and|or) own\b(?! (it|them|the|a)\b)/i;
/** "The goal is not there any more": it no longer exists. */
const THERE =
  /\b(is|are|was|were|be|been)( (still|not|no longer|already|all|both|also))? there\b(?! (is|are|was|were)\b)/i;
/** "For hosts alone": the adverb of a clause that it ends. "The host alone may" and "by keyboard alone" are right. */
const ALONE =
  /\balone(?=$|[.,;:!?)]| \(| (and|or(?! together)|but|when|if|once|until|while|after|before|at|in|on|as|for|without)\b)/gi;
/** The words before an "alone" that means by itself, or without company. */
const BY_ITSELF =
  /\b(by|with|from) ([\w'’-]+ ){1,4}$|\b(is|are|was|were|be|it|them|leaves?|left|stays?|fails?|failed|works?|again|one) $/i;
const saysAloneForOnly = (sentence: string): boolean =>
  [...sentence.matchAll(ALONE)].some((match) => !BY_ITSELF.test(sentence.slice(0, match.index)));
/** A comment that refers to its neighbour, or that is a subject without a verb. */
const ELLIPTIC =
  /^(The same(?= (for|of|from|with|without|in|inside|on|at|to|by|as|before|after)\b|[.,]|$)|As (above|before|there)\b|(So|Nor) (is|are|does|do)\b|Likewise\b|Ditto\b|(Nothing|Nobody) (for|without|when) [^,;:]{0,50}\.?$)/;

type Rule = {
  name: string;
  refuses: (sentence: string, kind: Prose["kind"]) => boolean;
  /** The sentences of the screen follow it, too. */
  isOfScreen?: true;
};

const opens = (words: string, kind: Prose["kind"]) =>
  new RegExp(`^${IDS}(?:${words})\\b`, kind === "title" ? "i" : "");

const RULES: readonly Rule[] = [
  {
    name: "opens with Who or What",
    refuses: (sentence, kind) =>
      !sentence.endsWith("?") && opens("Who|What|Whoever|Whatever|Whom|Whose", kind).test(sentence),
  },
  {
    name: "one for a person",
    refuses: (sentence) => /\boneself\b/i.test(sentence) || AS_A_PERSON.test(sentence),
  },
  { name: "anew", refuses: (sentence) => /\banew\b/i.test(sentence) },
  { name: "stands", refuses: (sentence) => /\b(stands|stood)\b/i.test(sentence) },
  {
    name: "is told",
    refuses: (sentence) => /\b(is|are|was|were|be|been|being|gets) (\w+ )?told\b(?! apart)/i.test(sentence),
  },
  { name: "leads on", refuses: (sentence) => /\b(lead|leads|led) on\b/i.test(sentence) },
  { name: "own without an owner", refuses: (sentence) => OWN.test(sentence), isOfScreen: true },
  {
    name: "there for exists",
    refuses: (sentence) => !sentence.endsWith("?") && THERE.test(sentence),
    isOfScreen: true,
  },
  { name: "alone for only", refuses: saysAloneForOnly, isOfScreen: true },
  { name: "elliptic", refuses: (sentence, kind) => kind === "comment" && ELLIPTIC.test(sentence) },
];

/** The broken rules of a comment, title or paragraph, each with its sentence. */
export function refusedIn({
  kind,
  text,
}: Pick<Prose, "kind" | "text">): { rule: string; sentence: string }[] {
  const sentences = withoutQuotes(text).split(/(?<=[.!?:;])\s+/);
  return sentences.flatMap((sentence) =>
    RULES.filter((rule) => (kind !== "screen" || rule.isOfScreen) && rule.refuses(sentence, kind)).map(
      (rule) => ({ rule: rule.name, sentence }),
    ),
  );
}
