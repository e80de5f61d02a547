// The picture a shared link shows: a title, two lines of facts, and a hut with a light in its window, 1200 × 630.
import { breakLines, type Font, type Letters, readLetters, writable } from "./letters";
import { encodePng } from "./png";

export type PreviewText = { kind: string; title: string; facts: string; appName: string };

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 84;
const ROW = WIDTH + 1;

/** Sixteen shades from the ground to each ink, one after the other. */
const GROUND = [0x11, 0x15, 0x1c] as const;
const INKS = [
  [0xe8, 0xeb, 0xf1],
  [0xb6, 0xbe, 0xca],
  [0xff, 0x9d, 0x57],
  [0x2c, 0x34, 0x42],
] as const;
const [INK, SOFT, EMBER, LINE] = [0, 16, 32, 48];
const PALETTE = Uint8Array.from(
  INKS.flatMap((ink) =>
    Array.from({ length: 16 }, (_, shade) =>
      ink.map((end, i) => Math.round((GROUND[i] ?? 0) + ((end - (GROUND[i] ?? 0)) * shade) / 15)),
    ).flat(),
  ),
);

export async function drawPreview(text: PreviewText): Promise<Uint8Array<ArrayBuffer>> {
  const letters = await readLetters();
  const rows = new Uint8Array(ROW * HEIGHT);
  const { title, text: small } = letters;
  drawHut(rows);
  box(rows, 0, 0, 14, HEIGHT, EMBER + 15);
  write(rows, letters, small, writable(small, text.kind), MARGIN, 132, EMBER);
  // A title in letters we do not have leaves the product's own name.
  const words = writable(title, text.title) || text.appName;
  const lines = breakLines(title, words, WIDTH - 2 * MARGIN, 3);
  for (const [index, line] of lines.entries())
    write(rows, letters, title, line, MARGIN, 232 + index * 92, INK);
  write(rows, letters, small, writable(small, text.facts), MARGIN, 250 + lines.length * 92 - 22, SOFT);
  write(rows, letters, small, writable(small, text.appName), MARGIN, HEIGHT - 64, INK);
  return encodePng(WIDTH, HEIGHT, rows, PALETTE);
}

function box(rows: Uint8Array, x: number, y: number, width: number, height: number, colour: number): void {
  for (let row = y; row < y + height; row++) rows.fill(colour, row * ROW + 1 + x, row * ROW + 1 + x + width);
}

/** At the lower right: a roof, walls, and the one warm window. */
function drawHut(rows: Uint8Array): void {
  const [middle, top, wide] = [1010, 470, 130];
  for (let step = 0; step < 78; step++) {
    const half = Math.round((wide * (step + 1)) / 78);
    box(rows, middle - half, top + step, half * 2, 1, LINE + 15);
  }
  box(rows, middle - 100, top + 78, 200, HEIGHT - top - 78, LINE + 15);
  box(rows, middle - 26, top + 102, 52, 46, EMBER + 15);
  box(rows, middle - 2, top + 102, 4, 46, LINE + 15);
}

function write(
  rows: Uint8Array,
  { shades }: Letters,
  font: Font,
  text: string,
  left: number,
  base: number,
  ink: number,
): void {
  let pen = left;
  for (const sign of text) {
    const letter = font.letters.get(sign);
    if (!letter) continue;
    const x0 = Math.round(pen) + letter.x;
    for (let y = 0; y < letter.height; y++) {
      const row = (base + letter.y + y) * ROW + 1;
      for (let x = 0; x < letter.width; x++) {
        const at = letter.at + y * letter.width + x;
        const shade = ((shades[at >> 1] ?? 0) >> (at % 2 === 0 ? 4 : 0)) & 15;
        if (shade > 0 && x0 + x < WIDTH - 20) rows[row + x0 + x] = ink + shade;
      }
    }
    pen += letter.advance;
  }
}
