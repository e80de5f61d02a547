// One control uses one door: a form posts to its route's action, and any other control makes a JSON call. Only PlainForm
// joins them, as the form of a button before JavaScript.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const CALL = /\b(useCall|callServer)\b/;
const FORM =
  /\b(useActionForm|ActionForm|ButtonForm|CardActionForm|ConfirmDialog|useFetcher|useSubmit)\b|method="post"/;
const CONTROLS = /^app\/(components|routes)\/.*\.tsx$/;

test("no file of controls both posts a form to an action and makes a JSON call", () => {
  const files = readdirSync("app", { recursive: true })
    .map((name) => `app/${name}`)
    .filter((name) => CONTROLS.test(name));
  const both = files.filter((name) => {
    const code = readFileSync(name, "utf8");
    return CALL.test(code) && FORM.test(code);
  });
  expect(both).toEqual([]);
  expect(files.length).toBeGreaterThan(300);
});
