// The font files of fonts.css: small enough for a first view, and complete for our own texts.
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FOLDER = import.meta.dirname;
const APP = join(FOLDER, "..");

type Face = { family: string; file: string; ranges: [number, number][] };

const faces = [...readFileSync(join(FOLDER, "fonts.css"), "utf8").matchAll(/@font-face \{[^}]+\}/g)]
  .map(([text]) => ({
    family: /font-family: "([^"]+)"/.exec(text)?.[1] ?? "",
    file: /url\("([^"]+)"\)/.exec(text)?.[1] ?? "",
    ranges: [...text.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].map(
      ([, from = "", to = from]): [number, number] => [Number.parseInt(from, 16), Number.parseInt(to, 16)],
    ),
  }))
  .filter(({ file }) => file);
const firsts = faces.filter(({ file }) => file.endsWith("-first.woff2"));

const shows = ({ ranges }: Face, character: string) =>
  ranges.some(
    ([from, to]) => from <= (character.codePointAt(0) ?? 0) && (character.codePointAt(0) ?? 0) <= to,
  );

test("P2 a preloaded font fits in eight packets, less its headers", () => {
  expect(firsts).toHaveLength(2);
  for (const { file } of firsts)
    expect([file, statSync(join(FOLDER, file)).size < 11_000]).toEqual([file, true]);
});

test("P2 our own texts need no further font", () => {
  const texts = globSync("{components,routes}/**/*.tsx", { cwd: APP }).filter(
    (path) => !path.includes(".test."),
  );
  expect(texts.length).toBeGreaterThan(100);
  const beyond = texts.flatMap((path) =>
    // Signs beyond Latin and its punctuation are in the system's fonts.
    [...readFileSync(join(APP, path), "utf8")].filter(
      (character) => /[\u00a0-\u2190]/.test(character) && !firsts.every((face) => shows(face, character)),
    ),
  );
  expect(beyond).toEqual([]);
});

test("P2 each character is in one file of its family", () => {
  for (const [n, face] of faces.entries())
    for (const other of faces.slice(n + 1).filter(({ family }) => family === face.family))
      for (const [from, to] of face.ranges)
        expect([face.file, other.file, other.ranges.filter(([a, b]) => a <= to && from <= b)]).toEqual([
          face.file,
          other.file,
          [],
        ]);
  for (const character of "éÅßœłžțşĐ€")
    for (const family of ["Figtree", "Bricolage Grotesque"])
      expect(faces.filter((face) => face.family === family && shows(face, character))).toHaveLength(1);
});
