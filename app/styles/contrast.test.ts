// Checks the colour tokens of both themes against WCAG AA: 4.5:1 for text, 3:1 for controls and meaningful shapes. The
// themes may differ only in these tokens.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
const tokens = new Map<string, { light: string; dark: string }>();
for (const [, name = "", light = "", dark = ""] of css.matchAll(
  /--([\w-]+):\s*light-dark\(\s*(#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\s*\)/gi,
)) {
  tokens.set(name, { light, dark });
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function ratio(front: string, back: string, theme: "light" | "dark"): number {
  const a = luminance(tokens.get(front)?.[theme] ?? "");
  const b = luminance(tokens.get(back)?.[theme] ?? "");
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const grounds = ["paper", "surface", "raised", "sunken"];
const text: [string, string][] = [
  ...["ink", "soft", "faint", "ember", "pine", "dusk", "red"].flatMap((front) =>
    grounds.map((back): [string, string] => [front, back]),
  ),
  ...["ember", "pine", "dusk", "red"].flatMap((hue): [string, string][] => [
    [hue, `${hue}-wash`],
    ["ink", `${hue}-wash`],
    ["soft", `${hue}-wash`],
  ]),
  ["on-ember", "ember"],
  ["on-ember", "ember-strong"],
  ["on-red", "red"],
  ["on-red", "red-strong"],
  ["paper", "ink"],
];
const shapes: [string, string][] = [
  ...grounds.map((back): [string, string] => ["edge", back]),
  ...["paper", "surface"].map((back): [string, string] => ["glow", back]),
];

describe.each(["light", "dark"] as const)("contrast in the %s theme", (theme) => {
  it.each(text)("text %s on %s is at least 4.5:1", (front, back) => {
    expect(ratio(front, back, theme)).toBeGreaterThanOrEqual(4.5);
  });
  it.each(shapes)("shape %s on %s is at least 3:1", (front, back) => {
    expect(ratio(front, back, theme)).toBeGreaterThanOrEqual(3);
  });
});

// The journeys rely on it: they test one theme in full, and the other only for its colours.
it("a theme changes colours and nothing else", () => {
  const app = new URL("../", import.meta.url);
  const choosing = readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(css|tsx)$/.test(file) && !file.endsWith("tokens.css"))
    .filter((file) =>
      /@media[^{]*prefers-color-scheme|[\s"'`](dark|light):[a-z-]|light-dark\(|data-theme=["']?(dark|light)/.test(
        readFileSync(new URL(file, app), "utf8"),
      ),
    );
  expect(choosing).toEqual([]);
  const themed = [...css.matchAll(/\[data-theme="\w+"\] \{([^}]*)\}/g)].map(([, rule = ""]) => rule.trim());
  expect(themed.length).toBe(3);
  for (const rule of themed) expect(rule).toMatch(/^color-scheme: [a-z ]+;$/);
});
