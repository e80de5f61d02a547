// The stars of choices, as the server renders them.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Checkbox, Radio } from "./choices";

test.each([
  ["a required checkbox shows a star", <Checkbox key="" label="Terms" required />, true],
  ["an optional checkbox shows none", <Checkbox key="" label="News" />, false],
  ["a required radio leaves it to its legend", <Radio key="" label="One" required />, false],
])("U-55 %s", (_, choice, hasStar) => {
  expect(renderToStaticMarkup(choice).includes("*")).toBe(hasStar);
});
