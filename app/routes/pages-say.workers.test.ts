// The written pages and the password forms, as the server renders them for a visitor.
import { expect, test } from "vitest";
import { openPage, post } from "#tests/support/forms";
import { visit } from "#tests/support/visit";

test("P-05 the terms of service name challenge administrators", async () => {
  const page = await visit(null, "/terms-of-service");
  expect(await page.texts("h1")).toEqual(["Terms of Service"]);
  expect(await page.texts("main h2")).toContain("Challenge administrators");
  expect((await page.texts("main p")).join(" ")).toContain("challenge administrators");
});

test("P-06 the privacy policy has the date of its last update", async () => {
  const page = await visit(null, "/privacy-policy");
  expect(await page.texts("h1")).toEqual(["Privacy Policy"]);
  expect((await page.texts("main")).join()).toContain("Last updated January 1, 2025");
});

test("P-04 About describes snippets from old books and paraphrases", async () => {
  const [main = ""] = await (await visit(null, "/about")).texts("main");
  for (const word of ["old books", "snippet", "paraphrase", "in development"]) expect(main).toContain(word);
});

test.each([
  ["P-07", "/forgot-password", "Send Password Reset Link", ["email"]],
  ["P-08", "/reset-password?token=none", "Reset Password", ["email", "password", "passwordConfirmation"]],
] as const)(
  "%s %s has its fields and the button %s, and each error under its field",
  async (_, path, button, names) => {
    const shown = await visit(null, path);
    expect(await shown.texts("main form button")).toContain(button);
    for (const name of names)
      expect((await shown.all(`main [name="${name}"]`))[0]?.attributes).toMatchObject({
        type: name === "email" ? "email" : "password",
      });
    const form = (await openPage(null, path)).forms.find(({ fields }) =>
      fields.some(({ name }) => name === "email"),
    );
    const refused = await post(null, path, form ?? { action: "", fields: [] }, {});
    expect(refused.status).toBe(422);
    for (const name of names) {
      const field = refused.forms.flatMap(({ fields }) => fields).find((one) => one.name === name);
      expect(field).toMatchObject({ isInvalid: true });
      expect(field?.describedBy.map((id) => refused.texts.get(id)).join()).toContain("Value is required");
    }
  },
);
