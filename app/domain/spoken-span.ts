// A duration as spoken text, in its two largest units.

const UNITS: readonly [string, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** "12 minutes 5 seconds" for milliseconds, rounded up like the numerals. */
export function spokenSpan(ms: number): string {
  let remaining = Math.max(0, Math.ceil(ms / 1000));
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(remaining / size);
    remaining -= count * size;
    if (count > 0 && parts.length < 2) parts.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
    else if (parts.length > 0) break;
  }
  return parts.join(" ") || "0 seconds";
}
