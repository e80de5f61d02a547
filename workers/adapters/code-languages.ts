// The fourteen languages of code blocks (D-05), their grammars and the highlighter; `cs` and `html` are aliases of csharp
// and xml.
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import { createLowlight } from "lowlight";
import { CODE_LANGUAGES } from "~/domain/rich-text";

const lowlight = createLowlight({
  c,
  cpp,
  csharp,
  css,
  diff,
  java,
  javascript,
  php,
  python,
  ruby,
  typescript,
  xml,
});

const known = new Set<string>(CODE_LANGUAGES.map(({ value }) => value));
export const isKnownLanguage = (name: string): boolean => known.has(name);

/** The grammars' expressions read from a place to the end of a line or a block, so their steps grow with its square. */
const LONGEST_LINE = 200;
const LONGEST = { plain: 4000, functions: 1000 };
/** To begin a block costs as much as some characters. */
const MOST_BLOCKS = 256;
/** These look for the head of a function at each word, across lines. */
const FUNCTIONS = new Set(["c", "cpp", "cs", "csharp"]);

/**
 * The work of highlighting a block of code, 1 for the most that a text may have; Infinity for a very long line. Steps grow
 * with the square in a long block, and with the length over many short ones.
 */
export function highlightingWork(language: string, code: string): number {
  if (!lowlight.registered(language)) return 0;
  if (code.split("\n").some((line) => line.length > LONGEST_LINE)) return Number.POSITIVE_INFINITY;
  const share = code.length / (FUNCTIONS.has(language) ? LONGEST.functions : LONGEST.plain);
  return Math.max(share / 2, share ** 2, 1 / MOST_BLOCKS);
}

/** The code as elements of a HTML tree; null for a language without a grammar, such as plain text. */
export const highlighted = (language: string, code: string) =>
  lowlight.registered(language) ? lowlight.highlight(language, code).children : null;
