// The geometry of the timer face: a semicircle above a horizon, with numerals as large as possible. Pure.

export const FACE = { width: 200, height: 106, centreX: 100, horizonY: 100, radius: 92 } as const;

/** The minimum distance between numerals and arc, and the height of the numerals above the horizon, in units of FACE. */
const CLEARANCE = 9;
const LIFT = 5;
/** The height of capitals in the title font at weight 700, in em. */
const CAP_HEIGHT = 0.7;
/** The widths of characters in em; a character without an entry is a digit. */
const CHAR_WIDTHS: Record<string, number> = { ":": 0.25, " ": 0.25, ".": 0.25, "-": 0.4, "−": 0.55 };
const DIGIT_WIDTH = 0.625;

const widthOf = (text: string): number =>
  [...text].reduce((sum, char) => sum + (CHAR_WIDTHS[char] ?? DIGIT_WIDTH), 0);

/** The width of a clock with any digits, in em. */
export const clockEms = (clock: string): number => widthOf(clock.replace(/\d/g, "0"));

/** The largest font size, in hundredths of the face's width, at which `text` is inside the arc. */
export function numeralSize(text: string): number {
  // Half the width and the top of the text form a corner that must be inside the inner radius: (w f)² + (h f + lift)² =
  // r², solved for f.
  const w = clockEms(text) / 2;
  const r = FACE.radius - CLEARANCE;
  const a = w * w + CAP_HEIGHT * CAP_HEIGHT;
  const b = 2 * CAP_HEIGHT * LIFT;
  const c = LIFT * LIFT - r * r;
  const size = (-b + Math.sqrt(b * b - 4 * a * c)) / (2 * a);
  return Math.round((size / FACE.width) * 1000) / 10;
}

/** The position of the light: left at the full time, right at zero. */
export function lightAt(ratioLeft: number): { x: number; y: number } {
  const angle = Math.PI * Math.min(1, Math.max(0, ratioLeft));
  return {
    x: Math.round((FACE.centreX + FACE.radius * Math.cos(angle)) * 100) / 100,
    y: Math.round((FACE.horizonY - FACE.radius * Math.sin(angle)) * 100) / 100,
  };
}

/** Drawn from right to left, so that a dash of the remaining share ends at the light. */
export const ARC_PATH = `M${FACE.centreX + FACE.radius} ${FACE.horizonY}A${FACE.radius} ${FACE.radius} 0 0 0 ${FACE.centreX - FACE.radius} ${FACE.horizonY}`;
