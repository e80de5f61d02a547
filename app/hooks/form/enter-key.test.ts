// The Enter that sends, and the Enter that ends a composition.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isEnter } from "./enter-key";

const press = { key: "Enter", isComposing: false, keyCode: 13 };

test("an Enter that ends a composition does not send, also in the order of Safari's events", () => {
  expect(isEnter(press)).toBe(true);
  expect(isEnter({ nativeEvent: press })).toBe(true);
  expect(isEnter({ ...press, isComposing: true, keyCode: 229 })).toBe(false);
  // Safari: the composition has ended, and its Enter comes after it.
  expect(isEnter({ ...press, keyCode: 229 })).toBe(false);
  expect(isEnter({ ...press, key: "a", keyCode: 65 })).toBe(false);
});

test("every handler of Enter asks whether it ends a composition", () => {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(100);
  const comparing = files.filter((name) => /\bkey [!=]== "Enter"/.test(readFileSync(`app/${name}`, "utf8")));
  expect(comparing).toEqual(["hooks/form/enter-key.ts"]);
});
