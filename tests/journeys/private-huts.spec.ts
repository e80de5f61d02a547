// A private hut in a browser: made private, entered by a link and by a request, kept by a moderator, handed over, deleted.
import {
  ask,
  expect,
  expectQuiet,
  heightOf,
  linkTo,
  newName,
  newPerson,
  test,
  waitForHydration,
} from "./fixtures";
import { shownToasts } from "./toasts";

test("Q-25 Q-26 Q-27 Q-28 R-82 a hut becomes private, invites, accepts, names a moderator, is handed over and deleted", {
  tag: "@main",
}, async ({ host, guest, browser }) => {
  const [owner, friend] = [host.page, guest.page];
  const third = await newPerson(browser, "asker");
  const asker = third.page;
  const name = newName("Hideout");
  const { hut } = await ask<{ hut: { slug: string } }>(owner, "POST", "/groups/store", {
    hut: { title: name },
  });
  const path = `/group/${hut.slug}`;

  await owner.goto(`/groups/${hut.slug}/update`);
  await waitForHydration(owner);
  await owner.getByLabel("Private").check();
  await owner.getByRole("button", { name: "Save hut" }).click();
  await expect(owner).toHaveURL(path);
  await expect(owner.getByRole("main").getByText("Private", { exact: true })).toBeVisible();
  expect((await friend.goto(path))?.status()).toBe(404);

  // By the link, whose code never reaches the server in an address.
  await owner.getByRole("link", { name: "Members", exact: true }).click();
  await waitForHydration(owner);
  await owner.getByRole("button", { name: "Make a link" }).click();
  await expect(owner.getByRole("button", { name: "Copy link" })).toBeVisible();
  const link = (await owner.getByRole("main").locator("code").textContent()) ?? "";
  expect(link).toContain("/groups/invite#");
  await friend.goto(link);
  await waitForHydration(friend);
  await expect(friend.getByRole("heading", { name })).toBeVisible();
  await expect(friend.getByText(`${host.username} invites you to`)).toBeVisible();
  await friend.getByRole("button", { name: "Come in" }).click();
  await expect(friend).toHaveURL(path);
  await expect(friend.getByText("2 members")).toBeVisible();

  // By a request; an address that nobody has answers alike.
  for (const slug of ["no-such-hut", hut.slug]) {
    await asker.goto("/groups/invite");
    await waitForHydration(asker);
    await asker.getByLabel("Address of the hut").fill(slug);
    await asker.getByRole("button", { name: "Ask to enter" }).click();
    await expect(asker.getByText("its owner and moderators see your request now").first()).toBeVisible();
  }
  expect((await asker.goto(path))?.status()).toBe(404);
  await owner.reload();
  await waitForHydration(owner);
  await owner.getByRole("button", { name: `Make a moderator: ${guest.username}` }).click();
  await expect(owner.getByText(`${guest.username} is a moderator now.`)).toBeVisible();
  await friend.goto(`${path}/members`);
  await waitForHydration(friend);
  await expect(friend.getByRole("button", { name: /Hand over/ })).toHaveCount(0);
  await friend.getByRole("button", { name: `Accept ${third.username}` }).click();
  await expect(friend.getByText(`${third.username} belongs to this hut now.`)).toBeVisible();
  expect((await asker.goto(path))?.status()).toBe(200);

  await owner.reload();
  await waitForHydration(owner);
  await owner.getByRole("button", { name: `Hand over to ${guest.username}` }).click();
  const dialog = owner.getByRole("alertdialog", { name: `Hand over to ${guest.username}?` });
  await dialog.getByRole("button", { name: "Hand over" }).click();
  await expect(owner.getByText(`${guest.username} owns this hut now.`).first()).toBeVisible();

  await friend.goto(`/groups/${hut.slug}/update`);
  await waitForHydration(friend);
  await friend.getByText("Delete this hut").first().click();
  const typed = friend.getByLabel(`Type ${hut.slug} to delete it`);
  await typed.fill("something-else");
  await friend.getByRole("button", { name: "Delete this hut" }).click();
  await expect(friend.getByText("Please type the hut's address as it stands here.")).toBeVisible();
  await typed.fill(hut.slug);
  await friend.getByRole("button", { name: "Delete this hut" }).click();
  await expect(friend).toHaveURL("/groups");
  expect((await owner.goto(path))?.status()).toBe(404);
  await third.context.close();
  for (const page of [owner, friend]) expectQuiet(page);
});

test("R-82 R-93 Q-03 Q-04 a friend without an account registers at the invitation, reads once where the mail went, confirms and comes in", async ({
  host,
  page: friend,
}) => {
  const name = newName("Lee");
  const { hut } = await ask<{ hut: { id: number; slug: string } }>(host.page, "POST", "/groups/store", {
    hut: { title: name, is_private: 1 },
  });
  await host.page.goto(`/group/${hut.slug}/members`);
  await waitForHydration(host.page);
  await host.page.getByRole("button", { name: "Make a link" }).click();
  const link = (await host.page.getByRole("main").locator("code").textContent()) ?? "";

  await friend.setViewportSize({ width: 390, height: 844 });
  await friend.goto(link);
  await waitForHydration(friend);
  await expect(friend.getByText(`${host.username} invites you to`)).toBeVisible();
  await friend.getByRole("button", { name: "Come in" }).click();
  const sheet = friend.getByRole("dialog");
  await sheet.getByRole("tab", { name: "Register" }).click();
  const username = newName("friend");
  const email = `${username}@example.com`;
  await sheet.getByLabel("Username").fill(username);
  await sheet.getByLabel(/^Email/).fill(email);
  await sheet.getByLabel(/^Password/).fill("a long walk to the hut");
  await sheet.getByLabel(/Confirm/).fill("a long walk to the hut");
  await sheet.getByRole("checkbox", { name: /I accept/ }).check();
  const goneOn = friend.waitForResponse(
    (answer) => answer.request().method() === "POST" && /groups\/invite/.test(answer.url()),
  );
  await sheet.getByRole("button", { name: "Register", exact: true }).click();
  await goneOn;

  // The banner and the notice at the button say it, and no third sentence does.
  await waitForHydration(friend);
  await expect(friend.getByRole("heading", { name })).toBeVisible();
  const main = friend.getByRole("main");
  await expect(main.getByText("Please confirm your email address first.")).toHaveCount(1);
  await expect(main.getByText(`We sent a link to ${email}.`)).toBeVisible();
  await expect(shownToasts(friend).getByText(/Please confirm/)).toHaveCount(0);
  const banner = friend.getByRole("region", { name: "Email address" });
  await expect(banner).toContainText(`We sent a link to ${email}.`);
  await expect.poll(() => heightOf(banner)).toBeLessThan(80);
  // A press says it.
  await friend.getByRole("button", { name: "Come in" }).click();
  await expect(shownToasts(friend).getByText(/Please confirm/)).toBeVisible();

  const tab = await friend.context().newPage();
  await tab.goto(await linkTo(friend, email, "confirm-email"));
  await waitForHydration(tab);
  await tab.getByRole("button", { name: "Confirm email address" }).click();
  await expect(tab.getByRole("link", { name: "Back to the invitation" })).toBeVisible();
  // The first tab hears of it.
  await expect(main.getByText("Please confirm your email address first.")).toHaveCount(0);
  // The page that is loaded again still has the invitation.
  await friend.reload();
  await waitForHydration(friend);
  await expect(friend.getByRole("heading", { name })).toBeVisible();
  await tab.getByRole("link", { name: "Back to the invitation" }).click();
  await expect(tab.getByRole("button", { name: "Come in" })).toBeVisible();
  await friend.getByRole("button", { name: "Come in" }).click();
  await expect(friend).toHaveURL(`/group/${hut.slug}`);
  await expect(friend.getByText("2 members")).toBeVisible();
});
