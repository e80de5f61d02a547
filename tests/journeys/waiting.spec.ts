// A join link and its QR code, a place on the waiting list of a full session, and the seat that becomes free.
import type { Page } from "@playwright/test";
import { expect, newPerson, test, waitForHydration, widthOf } from "./fixtures";
import { confirm, inSession, makeSession } from "./sessions";

const leave = (page: Page) => page.getByRole("button", { name: "Leave", exact: true });

test("G-18 G-20 G-36 G-37 a join link joins with one press or asks for the new code, and a waiter gets the seat that becomes free", {
  tag: "@main",
}, async ({ host, guest, browser }) => {
  await test.step("one press, and the waiting list", async () => {
    const code = "open sesame";
    const session = await makeSession(host.page, { join_code: code, participant_limit: 2 });
    await host.page.goto(`${session.path}/people`);
    const link = (await host.page.locator("code", { hasText: "#code=" }).textContent()) ?? "";
    expect(link).toContain(`${session.path}#code=open%20sesame`);
    const qr = host.page.getByRole("img", { name: "QR code of the join link" });
    await expect.poll(() => widthOf(qr)).toBeGreaterThanOrEqual(240);

    const sent: string[] = [];
    guest.page.on("request", (request) => {
      sent.push(`${request.url()} ${JSON.stringify(request.headers())}`);
    });
    await guest.page.goto(link);
    await waitForHydration(guest.page);
    await expect(guest.page).toHaveURL(session.path);
    await guest.page.getByRole("button", { name: "Join", exact: true }).click();
    await expect(leave(guest.page)).toBeVisible();
    expect(sent.filter((line) => line.includes("sesame"))).toEqual([]);

    const waiter = await newPerson(browser, "waiter");
    await waiter.page.goto(link);
    await waitForHydration(waiter.page);
    await waiter.page.getByRole("button", { name: "Join the waiting list" }).click();
    await expect(waiter.page.getByText("You are number 1 of 1 on the waiting list.")).toBeVisible();
    await host.page.reload();
    await expect(host.page.getByRole("list", { name: "Waiting list" })).toContainText(waiter.username);

    await confirm(guest.page, leave(guest.page), "Leave");
    await expect(guest.page.getByRole("button", { name: "Join the waiting list" })).toBeVisible();
    // The open page looks for the seat by itself, every 20 seconds.
    await expect(waiter.page.getByText("You have a seat.")).toBeVisible({ timeout: 40_000 });
    await expect(leave(waiter.page)).toBeVisible();

    await inSession(host.page, session, "end");
    await waiter.context.close();
  });

  await test.step("after a changed code", async () => {
    const session = await makeSession(host.page, { join_code: "new" });
    await guest.page.goto(`${session.path}#code=old`);
    await waitForHydration(guest.page);
    await guest.page.getByRole("button", { name: "Join", exact: true }).click();
    const dialog = guest.page.getByRole("dialog", { name: "Enter the code to join the session" });
    await dialog.getByLabel("Join Code").fill("new");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(leave(guest.page)).toBeVisible();
    await inSession(host.page, session, "end");
  });
});
