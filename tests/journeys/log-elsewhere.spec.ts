// Logging by another program: a key of one goal, and the request that its page shows (W-04).
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, newPerson, test, waitForHydration } from "./fixtures";
import { makeGoal, readGoal } from "./goals";

const run = promisify(execFile);

test("W-04 a goal's page makes a key, and its line for curl logs as it is pasted", async ({ browser }) => {
  const { page, context } = await newPerson(browser, "curler");
  const button = { uuid: "ten", title: "Ten pages", status: 2, amount: 10 };
  const id = await makeGoal(page, { title: "Read the map", amount: 300, quick_log_buttons: [button] });
  await page.goto(`/my/goals/${id}`);
  await waitForHydration(page);
  const fold = page.getByRole("group").filter({ hasText: "Log from elsewhere" });
  await fold.getByText("Log from elsewhere").press("Enter");
  await expect(fold.getByText("YOUR_KEY").first()).toBeVisible();
  await fold.getByRole("button", { name: "Create a key for this goal" }).press("Enter");
  await expect(fold.getByText("You will not see this key again.")).toBeVisible();
  const line = (await fold.getByText(/^curl /).textContent()) ?? "";
  const { stdout } = await run("sh", ["-c", `${line} --silent --max-time 20`]);
  expect(JSON.parse(stdout)).toMatchObject({ log: { amount: 10 }, goal: { amount_elapsed: 10 } });
  expect(await readGoal(page, id)).toMatchObject({ amount_elapsed: 10, logs_count: 1 });
  await page.goto("/account/api");
  await expect(page.getByRole("list", { name: "Keys" }).getByText("Log one goal")).toBeVisible();
  await context.close();
});
