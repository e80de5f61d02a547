// A private hut in a browser: made private, entered by a link and by a request, kept by a moderator, handed over, deleted.
import { ask, expect, expectQuiet, newName, newPerson, test, waitForHydration } from "./fixtures";

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
