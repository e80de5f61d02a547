import { describe, expect, it } from "vitest";
import { lightAt, numeralSize } from "./face-geometry";

describe("numeralSize", () => {
  it("decreases with the length of the text", () => {
    const sizes = ["05:00", "1:05:00", "12:05:00", "3d 12:05:00"].map(numeralSize);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(sizes[0]).toBeGreaterThan(24);
  });
  it("does not depend on the digits", () => {
    expect(numeralSize("11:11")).toBe(numeralSize("08:48"));
  });
});

describe("lightAt", () => {
  it("moves from left over the top to the right", () => {
    expect(lightAt(1)).toEqual({ x: 8, y: 100 });
    expect(lightAt(0.5)).toEqual({ x: 100, y: 8 });
    expect(lightAt(0)).toEqual({ x: 192, y: 100 });
  });
  it("stays on the arc beyond both ends", () => {
    expect(lightAt(-3)).toEqual(lightAt(0));
    expect(lightAt(7)).toEqual(lightAt(1));
  });
});
