// How the errors of a form end.
import { expect, test } from "vitest";
import { correctedField, remainingErrors } from "./field-errors";

const server = { username: ["That name is taken."], title: ["The title is required."], goal: null };

test("M-02 an error of the server ends when its own field is right, and no other field's does", () => {
  expect(remainingErrors(server, new Set(), null)).toEqual({
    username: ["That name is taken."],
    title: ["The title is required."],
  });
  expect(remainingErrors(server, new Set(["title"]), null)).toEqual({ username: ["That name is taken."] });
  expect(remainingErrors(server, new Set(["email"]), null)).toHaveProperty("username");
});

test("M-02 a field that the browser still refuses keeps an error, in the browser's words", () => {
  const wrong = { username: ["At least 3 characters."] };
  expect(correctedField({ name: "username", validity: { valid: true } }, wrong)).toBe(null);
  expect(correctedField({ name: "title", validity: { valid: false } }, null)).toBe(null);
  expect(correctedField({ name: "title", validity: { valid: true } }, wrong)).toBe("title");
  expect(correctedField({ name: "" }, null)).toBe(null);
  expect(remainingErrors(server, new Set(), wrong)).toMatchObject(wrong);
});
