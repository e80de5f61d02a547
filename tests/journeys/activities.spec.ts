// An activity from its creation out of a template to its deletion, for its owner and a follower.
import { alive, ask, call, expect, expectQuiet, newName, test } from "./fixtures";
import { confirm, makeSession } from "./sessions";

test("P-23 P-24 P-25 P-30 U-38 R-15 R-22 C-52 to C-55 an activity is created from a template, changed, followed, left and deleted", async ({
  host,
  guest,
}) => {
  const { page } = host;
  const word = newName("Larch").replaceAll("-", "");
  const template = await ask<{ challenge: { slug: string; title: string } }>(page, "POST", "/challenges", {
    challenge: {
      title: `${word} template`,
      content: "Sit **down** first.",
      difficulty: 6,
      is_preset: 1,
      parts: [
        { title: "Warm up", duration: 300 },
        { title: "Walk", duration: 1200 },
      ],
      tasks: [{ title: "Walk a mile", unit: "miles" }],
    },
  });

  // Another person starts from the same template.
  const maker = guest.page;
  await maker.goto("/challenges/templates");
  await maker
    .getByRole("listitem")
    .filter({ hasText: template.challenge.title })
    .getByRole("link", { name: "Use" })
    .click();
  await expect(maker.getByRole("heading", { level: 1 })).toHaveText("Create a New Activity");
  await alive(maker);
  await expect(maker.getByLabel("Difficulty")).toHaveValue("6");
  await expect(maker.getByLabel("A template for others to start from")).not.toBeChecked();
  await maker.getByLabel("Title").first().fill("");
  await maker.getByRole("button", { name: "Create activity" }).click();
  await expect(maker.getByText("Please set the challenge title.").first()).toBeVisible();
  await maker.getByLabel("Title").first().fill(`${word} walk`);
  await maker.getByRole("button", { name: "Create activity" }).click();
  await expect(maker.getByRole("heading", { level: 1, name: `${word} walk` })).toBeVisible();
  const main = maker.getByRole("main");
  await expect(main.locator(".prose strong")).toHaveText("down");
  await expect(main.getByText("Walk a mile")).toBeVisible();
  await expect(main.getByText("25 minutes")).toBeVisible();
  const path = new URL(maker.url()).pathname;

  // The first person follows it and sees the owner's change after a reload.
  await page.goto(path);
  await alive(page);
  await expect(page.getByRole("link", { name: "Update", exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Delete this activity" })).toHaveCount(0);
  expect((await page.request.get(`/challenges/${path.split("/").at(-1)}/update`)).status()).toBe(403);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(page.getByText("You have successfully followed this activity.")).toBeVisible();
  await expect(page.getByText("1 follower", { exact: true })).toBeVisible();

  await main.getByRole("link", { name: "Update", exact: true }).click();
  await expect(maker.getByRole("heading", { level: 1 })).toHaveText("Update Activity");
  await alive(maker);
  await maker.getByLabel("Title").first().fill(`${word} stroll`);
  await maker.getByLabel("Difficulty").selectOption("3");
  await maker.getByLabel("Maximum followers").fill("1");
  await maker.getByRole("button", { name: "Save activity" }).click();
  await expect(maker.getByRole("heading", { level: 1, name: `${word} stroll` })).toBeVisible();
  await expect(maker).toHaveURL(path);
  // Its only place is taken (U-37).
  await expect(maker.getByRole("button", { name: "Follow", exact: true })).toHaveCount(0);

  await page.reload();
  await alive(page);
  await expect(page.getByRole("heading", { level: 1, name: `${word} stroll` })).toBeVisible();
  await expect(page.getByText("Easy", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await expect(page.getByText("You do not follow this activity any more.")).toBeVisible();
  await expect(page.getByText("0 followers")).toBeVisible();
  await expect(page.getByRole("button", { name: "Follow", exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText("0 followers")).toBeVisible();

  // An upcoming session prevents the deletion; afterwards the activity is gone for everybody.
  const session = await makeSession(maker, { challenge_slug: path.split("/").at(-1) });
  await maker.reload();
  await alive(maker);
  await expect(main.getByText("1 active session", { exact: true })).toBeVisible();
  await confirm(maker, maker.getByRole("button", { name: "Delete this activity" }), "Delete");
  await expect(
    main.getByText("This activity has upcoming or running sessions. End or delete them first."),
  ).toBeVisible();
  expect((await call(maker, "POST", `/challenge-events/${session.id}/end`, {})).ok()).toBe(true);
  await confirm(maker, maker.getByRole("button", { name: "Delete this activity" }), "Delete");
  await expect(maker.getByText("The activity was deleted.")).toBeVisible();
  await expect(maker).toHaveURL(/\/activities$/);
  expect((await page.reload())?.status()).toBe(404);
  await page.goto(`/activities?q=${word}`);
  await expect(page.getByText("No results. Try other words.")).toBeVisible();
  for (const one of [page, maker]) expectQuiet(one);
});
