// Splits plain text into passages of readable length (D-11). Pure. The import command runs it without a bundler, so it
// imports by file name.
import { beginningOf } from "../beginnings.ts";

/** The text without the boilerplate that a library adds around it. */
const withoutBoilerplate = (text: string): string => {
  const start = /^\*{3} ?START OF .*\*{3}$/m.exec(text);
  const end = /^\*{3} ?END OF .*\*{3}$/m.exec(text);
  return text.slice(start ? start.index + start[0].length : 0, end?.index);
};

/** Splits plain text into passages: paragraphs, long ones split at sentences, short neighbours joined (D-11). */
export function splitIntoSnippets(text: string, longest = 900, shortest = 200): string[] {
  const paragraphs = withoutBoilerplate(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"))
    .split(/\n\s*\n+/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter(Boolean);
  const pieces = paragraphs.flatMap((paragraph) =>
    paragraph.length <= longest ? [paragraph] : splitAtSentences(paragraph, longest),
  );
  const snippets: string[] = [];
  for (const piece of pieces) {
    const last = snippets.at(-1);
    if (last !== undefined && last.length < shortest && last.length + piece.length < longest)
      snippets[snippets.length - 1] = `${last}\n\n${piece}`;
    else snippets.push(piece);
  }
  return snippets;
}

function splitAtSentences(paragraph: string, longest: number): string[] {
  const pieces: string[] = [];
  let current = "";
  for (const sentence of paragraph.match(/[^.!?]+(?:[.!?]+["'”’)]*\s*|$)/g) ?? [paragraph]) {
    if (current !== "" && current.length + sentence.length > longest) {
      pieces.push(current.trim());
      current = "";
    }
    current += sentence;
  }
  return current.trim() === "" ? pieces : [...pieces, current.trim()];
}

/** The beginning of a passage, at most `most` characters: whole words and an ellipsis. */
export function firstWords(start: string, most = 160): string {
  const text = start.replace(/\s+/g, " ").trim();
  return start.length < most
    ? text
    : `${beginningOf(text, most - 1)
        .replace(/\s\S*$/, "")
        .replace(/[\s,;:.]+$/, "")} …`;
}
