// Two tabs of a browser in which another person signs in.
import {
  ask,
  call,
  expect,
  expectQuiet,
  knowTimeZone,
  newPerson,
  PASSWORD,
  test,
  waitForHydration,
} from "./fixtures";

test("R-58 a note typed for one person is not stored for the next, and the first tab learns of the change", async ({
  browser,
}) => {
  const ada = await newPerson(browser, "ada");
  const ben = await newPerson(browser, "ben");
  const { page } = ada;
  await page.goto("/my/notes?create=1");
  await waitForHydration(page);
  // The editor replaces the form's own text area, which a press would otherwise wait for.
  await page.locator("main .ProseMirror").click();
  await page.keyboard.type("Only for ada");

  const second = await ada.context.newPage();
  await second.goto("/");
  await waitForHydration(second, "header");
  await second.getByLabel(`Account menu of ${ada.username}`).click();
  await second.getByRole("button", { name: "Logout" }).click();
  await expect(second.getByRole("link", { name: "Login" })).toBeVisible();
  await expect(page.getByText("You are signed out now.")).toBeVisible();
  await second.goto("/auth/login?next=/my/notes");
  await second.getByRole("textbox", { name: "Email" }).fill(`${ben.username}@example.com`);
  await second.locator("input[name=password]").fill(PASSWORD);
  await second.getByRole("button", { name: "Login" }).click();
  await second.waitForURL("**/my/notes");

  const notice = page.getByText(`You are signed in as ${ben.username} now.`).first();
  await expect(notice).toBeVisible();
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Create" }).click();
  expect((await answered).status()).toBe(409);
  await expect(page.locator("main").getByText(`You are signed in as ${ben.username} now.`)).toBeVisible();
  await expect(page.locator("main")).toContainText("Only for ada");
  const { serverData } = await ask<{ serverData: { notes: unknown[] } }>(second, "GET", "/api/my/notes");
  expect(serverData.notes).toEqual([]);
  expect((await call(second, "GET", "/get-user")).ok()).toBe(true);

  await page.getByRole("link", { name: "Reload the page" }).click();
  await expect(page.getByLabel(`Account menu of ${ben.username}`)).toBeVisible();
  await expect(notice).toBeHidden();
  expectQuiet(page);
  await ada.context.close();
  await ben.context.close();
});

test("D3 a quick log reads the data of its page once, and that of another tab once", async ({ browser }) => {
  const { page, context } = await newPerson(browser, "ada");
  await knowTimeZone(context);
  const { goal } = await ask<{ goal: { id: number } }>(page, "POST", "/api/goals/store", {
    challenge: { tasks: [{ title: "Push-ups", amount: 20 }] },
  });
  const second = await context.newPage();
  const reads = [page, second].map((tab) => {
    const asked: string[] = [];
    tab.on("request", (request) => request.url().includes(".data") && asked.push(request.url()));
    return asked;
  });
  for (const tab of [page, second]) {
    await tab.goto(`/my/goals/${goal.id}`);
    await waitForHydration(tab);
  }
  for (const asked of reads) asked.length = 0;
  const fresh = page.waitForResponse((answer) => answer.url().includes(".data"));
  await page.getByRole("list", { name: "Quick log" }).getByRole("button").click();
  await fresh;
  await expect(second.locator("main")).toContainText("1 of 20");
  expect(reads.map((asked) => asked.length)).toEqual([1, 1]);
  await context.close();
});
