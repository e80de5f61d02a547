// The fourteen languages of code blocks (D-05) and their highlighter. `cs` and `html` are aliases of csharp and xml.
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

const languageNames = new Set<string>(CODE_LANGUAGES.map(({ value }) => value));
export const isKnownLanguage = (name: string): boolean => languageNames.has(name);

/** Characters. A grammar's expression may read to the end of a line or block from each position, so its steps grow with the square. */
const MAX_LINE_CHARS = 200;
const MAX_BLOCK_CHARS = { usual: 4000, functionLanguages: 1000 };
/** The start of a block costs as much as some characters, so blocks are limited in number too. */
const MAX_BLOCKS = 256;
/** The grammars of these search for the head of a function at each word, across lines. */
const FUNCTION_LANGUAGES = new Set(["c", "cpp", "cs", "csharp"]);

/**
 * The work of highlighting a block of code, 1 for the most that a text may have; Infinity for a very long line. Steps grow
 * with the square in a long block, and with the length over many short ones.
 */
export function highlightingWork(language: string, code: string): number {
  if (!lowlight.registered(language)) return 0;
  if (code.split("\n").some((line) => line.length > MAX_LINE_CHARS)) return Number.POSITIVE_INFINITY;
  const { usual, functionLanguages } = MAX_BLOCK_CHARS;
  const share = code.length / (FUNCTION_LANGUAGES.has(language) ? functionLanguages : usual);
  return Math.max(share / 2, share ** 2, 1 / MAX_BLOCKS);
}

/** The code as elements of an HTML tree; null for a language without a grammar, such as plain text. */
export const highlightCode = (language: string, code: string) =>
  lowlight.registered(language) ? lowlight.highlight(language, code).children : null;
