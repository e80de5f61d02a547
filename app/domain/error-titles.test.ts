import { expect, test } from "vitest";
import { titleOfStatus } from "./error-titles";

test.each([
  [404, "There is nothing here"],
  [403, "This door is closed"],
  ["offline", "You are offline"],
  [400, "There is nothing here"],
  [499, "There is nothing here"],
  [399, "The light went out"],
  [500, "The light went out"],
  ["x", "The light went out"],
])("P-03 the error page for %s has the title %j", (status, title) => {
  expect(titleOfStatus(status)).toBe(title);
});
