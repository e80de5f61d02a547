// A hut as its owner and a member use it: texts, activities, forum, and leaving.
import { alive, ask, expect, expectQuiet, newName, test } from "./fixtures";

test("P-29 P-41 U-35 U-38 M-22 M-23 R-16 R-22 C-87 to C-90 a hut is updated, joined, given activities, discussed in and left", async ({
  host,
  guest,
}) => {
  const [owner, member] = [host.page, guest.page];
  const name = newName("Bothy");
  const { hut } = await ask<{ hut: { slug: string } }>(owner, "POST", "/groups/store", {
    hut: { title: name },
  });
  const path = `/group/${hut.slug}`;
  const makeActivity = async (page: typeof owner, title: string) =>
    (await ask<{ path: string }>(page, "POST", "/challenges", { challenge: { title } })).path;
  const [theirs, mine] = [newName("Fetch water"), newName("Split wood")];
  const [theirPath, myPath] = [await makeActivity(owner, theirs), await makeActivity(member, mine)];

  await member.goto(`${path}/forum`);
  await expect(member.getByText("Join the hut to write here.")).toBeVisible();
  await member.goto(path);
  await alive(member);
  await expect(member.getByRole("link", { name: "Update", exact: true })).toHaveCount(0);
  await member.getByRole("button", { name: "Join Hut", exact: true }).click();
  await expect(member.getByText("You have successfully joined this hut.")).toBeVisible();
  await expect(member.getByText("2 members")).toBeVisible();

  await owner.goto(path);
  await owner.getByRole("link", { name: "Update", exact: true }).click();
  await expect(owner.getByRole("heading", { level: 1 })).toHaveText("Update Hut");
  await alive(owner);
  await owner.getByLabel("Name").fill("");
  await owner.getByRole("button", { name: "Save hut" }).click();
  await expect(owner.getByLabel("Name")).toBeFocused();
  await owner.getByLabel("Name").fill(`${name} in the pass`);
  await expect(owner.getByRole("button", { name: "Bold" })).toBeEnabled();
  await owner.getByRole("textbox", { name: "Description", exact: true }).click();
  await owner.keyboard.type("Leave the wood dry.");
  await owner.getByRole("button", { name: "Save hut" }).click();
  await expect(owner).toHaveURL(path);
  await expect(owner.getByRole("heading", { level: 1 })).toHaveText(`h/${name} in the pass`);
  await member.reload();
  await expect(member.getByRole("heading", { level: 1 })).toHaveText(`h/${name} in the pass`);
  await expect(member.getByRole("main").locator(".prose")).toHaveText("Leave the wood dry.");

  // Members add their own activities, the owner any; only the owner removes activities.
  const listed = (page: typeof owner) =>
    page.getByRole("list", { name: "Activities of this hut" }).getByRole("heading");
  await member.goto(`${path}/activities`);
  await alive(member);
  const bring = member.getByLabel("Add one of your activities to this hut");
  await bring.fill(theirPath);
  await member.getByRole("button", { name: "Attach" }).click();
  await expect(
    member.getByText("Only the hut's owner, or a member who owns the activity, may do that."),
  ).toBeVisible();
  await bring.fill(myPath);
  await member.getByRole("button", { name: "Attach" }).click();
  await expect(member.getByText("The activity belongs to this hut now.")).toBeVisible();
  await expect(listed(member)).toHaveText([mine]);
  await expect(bring).toHaveValue("");
  await owner.goto(`${path}/activities`);
  await alive(owner);
  await owner.getByLabel("Add an activity to this hut").fill(theirPath);
  await owner.getByRole("button", { name: "Attach" }).click();
  await expect(listed(owner)).toHaveText([mine, theirs]);
  await owner.getByRole("button", { name: `Remove: ${mine}` }).click();
  await expect(owner.getByText("The activity does not belong to this hut any more.")).toBeVisible();
  await expect(listed(owner)).toHaveText([theirs]);
  await member.reload();
  await expect(listed(member)).toHaveText([theirs]);
  await expect(member.getByRole("button", { name: /Remove/ })).toHaveCount(0);

  // The forum: a post and its reply, shown under the post.
  await member.goto(`${path}/forum`);
  await alive(member);
  const post = member.getByRole("form", { name: "New post" });
  await post.getByLabel("Title (optional)").fill("The stove");
  await post.getByRole("textbox", { name: "Post", exact: true }).fill("Does it draw?");
  await post.getByRole("button", { name: "Post", exact: true }).click();
  await expect(member.getByRole("article")).toContainText("Does it draw?");
  await owner.goto(`${path}/forum`);
  await alive(owner);
  const thread = owner.getByRole("article").filter({ hasText: "The stove" });
  await thread.getByText("Reply", { exact: true }).first().click();
  const reply = thread.getByRole("form", { name: `Reply to ${guest.username}` });
  await reply.getByRole("textbox", { name: "Your answer" }).fill("It does, with a west wind.");
  await reply.getByRole("button", { name: "Reply" }).click();
  await expect(thread.getByRole("list", { name: "Answers" })).toContainText("It does, with a west wind.");
  await expect(reply).toBeHidden();
  await member.reload();
  const answers = member.getByRole("article").getByRole("list", { name: "Answers" }).getByRole("listitem");
  await expect(answers).toHaveText([new RegExp(`${host.username}.*It does, with a west wind\\.`)]);

  await member.goto(path);
  await alive(member);
  await member.getByRole("button", { name: "Leave", exact: true }).click();
  const leftToast = member.locator("[data-sonner-toast]", { hasText: "You have successfully left the hut." });
  await expect(leftToast).toBeVisible();
  await expect(member.getByRole("button", { name: "Join Hut", exact: true })).toBeVisible();
  // One press takes it back, one more leaves again.
  await leftToast.getByRole("button", { name: "Undo" }).click();
  await member.getByRole("button", { name: "Leave", exact: true }).click();
  await expect(member.getByRole("button", { name: "Join Hut", exact: true })).toBeVisible();
  await member.reload();
  await expect(member.getByText("1 member", { exact: true })).toBeVisible();
  await expect(member.getByRole("button", { name: "Join Hut", exact: true })).toBeVisible();
  await member.goto(`${path}/forum`);
  await expect(member.getByRole("article")).toContainText("Does it draw?");
  await expect(member.getByRole("form", { name: "New post" })).toHaveCount(0);
  for (const one of [owner, member]) expectQuiet(one);
});
