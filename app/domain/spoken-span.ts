// A duration as spoken text, in its two largest units.

const UNITS: readonly [string, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** "12 minutes 5 seconds" for milliseconds, rounded up like the numerals. */
export function spokenSpan(ms: number): string {
  let left = Math.max(0, Math.ceil(ms / 1000));
  const words: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 && words.length < 2) words.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
    else if (words.length > 0) break;
  }
  return words.join(" ") || "0 seconds";
}
