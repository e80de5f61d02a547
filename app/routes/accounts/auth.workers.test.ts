// The page of the sign-in forms, as rendered by the server.
import { expect, test } from "vitest";
import { post, visit } from "#tests/support/visit";

/** The names of the form's visible fields, in their order. */
const names = (html: string) =>
  [...html.slice(html.indexOf("<main")).matchAll(/<input(?![^>]*type="hidden")[^>]*? name="(\w+)"/g)].map(
    ([, name]) => name,
  );

test("U-04 registration asks for email, username, password, confirmation and terms; the names are behind More", async () => {
  const page = await visit(null, "/auth/register");
  expect(names(page.html)).toEqual([
    "email",
    "username",
    "password",
    "passwordConfirmation",
    "terms",
    "firstName",
    "lastName",
  ]);
  expect(await page.texts("main details summary")).toEqual(["MoreYour name"]);
  expect(await page.all("main details[open]")).toHaveLength(0);
  expect(await page.all('main details [name="terms"]')).toHaveLength(0);
});

test("U-04 a wrong name opens More, with the sentence at its field", async () => {
  const page = await post(null, "/auth/register", {
    intent: "register",
    next: "/",
    email: "ada@example.com",
    username: "ada-of-the-hill",
    password: "a lantern at dusk",
    passwordConfirmation: "a lantern at dusk",
    terms: "on",
    firstName: "x".repeat(61),
  });
  expect(page.status).toBe(422);
  expect(await page.texts("main details[open]")).toEqual([
    expect.stringContaining("Please keep this to 60 characters."),
  ]);
});
