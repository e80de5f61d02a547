// The letters that pictures are written with: their shapes, unpacked once, and how text breaks into lines.
import packed from "./glyphs.json";

export type Letter = { advance: number; x: number; y: number; width: number; height: number; at: number };
export type Font = { size: number; letters: Map<string, Letter> };
export type Letters = { title: Font; text: Font; shades: Uint8Array };

let known: Promise<Letters> | null = null;

/** Shades are 4 bits each, two in a byte, letter after letter. */
export function readLetters(): Promise<Letters> {
  known ??= unpack();
  return known;
}

async function unpack(): Promise<Letters> {
  const bytes = Uint8Array.from(atob(packed.coverage), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const shades = new Uint8Array(await new Response(stream).arrayBuffer());
  let at = 0;
  const font = (name: "title" | "text"): Font => {
    const { size, glyphs } = packed.fonts[name];
    const letters = new Map<string, Letter>();
    for (const [letter, ...facts] of glyphs as [string, ...number[]][]) {
      const [advance = 0, x = 0, y = 0, width = 0, height = 0] = facts;
      letters.set(letter, { advance, x, y, width, height, at });
      at += width * height;
    }
    return { size, letters };
  };
  return { title: font("title"), text: font("text"), shades };
}

/** The text in letters we have: accents we lack fall off, what has no such form is left out. */
export function writable(font: Font, text: string): string {
  const has = (letter: string) => font.letters.has(letter);
  return [...text.normalize("NFC")]
    .flatMap((letter) => (has(letter) ? letter : [...letter.normalize("NFKD")].filter(has)))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

export const widthOf = (font: Font, text: string): number =>
  [...text].reduce((sum, letter) => sum + (font.letters.get(letter)?.advance ?? 0), 0);

/** At most `most` lines no wider than `width`; what does not fit ends in an ellipsis. */
export function breakLines(font: Font, text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  const words = text.split(" ").flatMap((word) => splitLong(font, word, width));
  let line = "";
  for (const [index, word] of words.entries()) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(font, longer) <= width) {
      line = longer;
      continue;
    }
    if (lines.length === most - 1) {
      let cut = `${line} ${words.slice(index).join(" ")}`;
      while (cut !== "" && widthOf(font, `${cut.trimEnd()}…`) > width) cut = cut.slice(0, -1);
      return [...lines, `${cut.trimEnd()}…`];
    }
    lines.push(line);
    line = word;
  }
  return line === "" ? lines : [...lines, line];
}

function splitLong(font: Font, word: string, width: number): string[] {
  if (widthOf(font, word) <= width) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const letter of word) {
    if (piece !== "" && widthOf(font, piece + letter) > width) {
      pieces.push(piece);
      piece = "";
    }
    piece += letter;
  }
  return [...pieces, piece];
}
