// The texts of pages in the server's own HTML, as a visitor without JavaScript reads them: the frame, the written
// pages, and the password forms.
import type { Page } from "@playwright/test";
import { call, expect, test } from "./fixtures";
import { accounts, pagesOf } from "./pages";

test.use({ javaScriptEnabled: false });

const footer = (page: Page) => page.getByRole("contentinfo");

test("U-01 U-02 U-05 every page has the product's name, a link home and the footer's links, and says that it is in development", async ({
  page,
  request,
}) => {
  await page.goto("/about");
  const home = page.getByRole("banner").getByRole("link", { name: "Bothy", exact: true });
  await expect(home).toHaveAttribute("href", "/");
  for (const [name, path] of [
    ["About", "/about"],
    ["Terms of Service", "/terms-of-service"],
    ["Privacy Policy", "/privacy-policy"],
  ] as const)
    await expect(footer(page).getByRole("link", { name, exact: true })).toHaveAttribute("href", path);
  await expect(footer(page)).toContainText("Bothy is in development.");
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toHaveAttribute(
    "href",
    /auth=login/,
  );
  await expect(page.getByRole("banner").getByText("Logout")).toHaveCount(0);

  // The same frame on all pages, error pages included.
  for (const { at, entry } of pagesOf("visitor").filter(({ at }) => !at.includes("{"))) {
    const html = await (await request.get(at)).text();
    const foot = html.slice(html.indexOf("<footer"), html.indexOf("</footer>"));
    for (const href of ["/about", "/terms-of-service", "/privacy-policy"])
      expect(foot, at).toContain(`href="${href}"`);
    expect(foot, at).toContain("in development");
    expect(html.slice(html.indexOf("<header"), html.indexOf("</header>")), at).toMatch(/<a[^>]* href="\/"/);
    // Exactly once; and search engines must not index an error page.
    expect(html.match(/property="og:site_name"/g), at).toHaveLength(1);
    expect(html.match(/<title>/g), at).toHaveLength(1);
    if ((entry.status ?? 200) >= 400) expect(html, at).toContain('<meta name="robots" content="noindex"');
  }
});

test("U-05 the account menu links to the profile, account, tokens and About, and signs out", async ({
  page,
}) => {
  expect((await call(page, "POST", "/login", accounts.member)).status()).toBe(200);
  await page.goto("/about");
  const header = page.getByRole("banner");
  const { username } = accounts.member;
  await header.locator(`summary[aria-label="Account menu of ${username}"]`).click();
  for (const [name, path] of [
    [username, `/${username}`],
    ["My Account", "/account"],
    ["My Tokens", "/account/tokens"],
    ["About", "/about"],
  ] as const)
    await expect(header.getByRole("link", { name, exact: true })).toHaveAttribute("href", path);
  await expect(header.getByRole("link", { name: "Login" })).toHaveCount(0);
  await header.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(header.getByRole("link", { name: "Login" })).toBeVisible();
  expect((await page.request.get("/get-user")).status()).toBe(401);
});

test("P-04 About describes snippets from old books and paraphrases, and begins with a random snippet", async ({
  page,
}) => {
  await page.goto("/about");
  const main = page.getByRole("main");
  for (const word of ["old books", "snippet", "paraphrase", "in development"])
    await expect(main).toContainText(word);
  await expect(main.locator("blockquote")).toContainText(/\S{3}/);
  const invitation = main.getByRole("link", { name: "Say it in your own words" });
  await expect(invitation).toHaveAttribute("href", /^\/books\/[\w-]+\/snippets\/\d+#paraphrase$/);
  await invitation.click();
  await expect(page).toHaveURL(/#paraphrase$/);
  await expect(page.locator("#paraphrase")).toBeVisible();
});

test("P-05 P-06 the terms name challenge administrators, and the privacy policy has the date of its last update", async ({
  page,
}) => {
  await page.goto("/terms-of-service");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Terms of Service");
  await expect(page.getByRole("heading", { name: "Challenge administrators" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("challenge administrators");
  await page.goto("/privacy-policy");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
  await expect(page.getByText("Last updated January 1, 2025")).toBeVisible();
});

test("P-07 P-08 the password forms have their fields and buttons, and each error under its field", async ({
  page,
}) => {
  await page.goto("/forgot-password");
  const main = page.getByRole("main");
  await expect(main.getByLabel("Email")).toHaveAttribute("type", "email");
  await main.getByRole("button", { name: "Send Password Reset Link" }).click();
  await expect(main.getByLabel("Email")).toHaveAccessibleDescription(/Value is required/);

  await page.goto("/reset-password?token=none");
  const fields = [
    main.getByLabel("Email"),
    main.getByLabel("New password"),
    main.getByLabel("Confirm password"),
  ];
  for (const [index, type] of ["email", "password", "password"].entries())
    await expect(fields[index] ?? main).toHaveAttribute("type", type);
  await main.getByRole("button", { name: "Reset Password" }).click();
  for (const field of fields) await expect(field).toHaveAccessibleDescription(/Value is required/);
});

test("U-55 every required field has a star at its label, and an empty one an error below", async ({
  page,
}) => {
  expect((await call(page, "POST", "/login", accounts.host)).status()).toBe(200);
  let count = 0;
  for (const path of [
    "/forgot-password",
    "/reset-password?token=none",
    "/challenges/create",
    "/challenges/events/create",
    "/groups/create",
    "/my/goals?create=1",
    "/account",
  ]) {
    await page.goto(path);
    const labels = await page
      .locator("main [required]:not([type=checkbox]):not([type=radio])")
      .evaluateAll((fields) =>
        fields.map(
          (field) => (field as HTMLInputElement).labels?.[0]?.textContent ?? field.outerHTML.slice(0, 120),
        ),
      );
    for (const label of labels) expect(label, path).toMatch(/\*$/);
    count += labels.length;
  }
  expect(count).toBeGreaterThan(8);
  await page.context().clearCookies();
  await page.goto("/auth/register");
  const form = page.getByRole("main");
  const label = (name: string) => form.locator("label").filter({ hasText: name });
  for (const name of ["Username", "Email", "Confirm password"])
    await expect(label(name)).toHaveText(`${name} *`);
  await expect(label("First name")).toHaveText("First name");
  await form.getByRole("button", { name: "Register" }).click();
  for (const name of [/^Username/, /^Email/, /^Password/])
    await expect(form.getByLabel(name)).toHaveAccessibleDescription(/Value is required/);
  await expect(form.getByRole("checkbox")).toHaveAccessibleDescription(/Value is required\./);
});
