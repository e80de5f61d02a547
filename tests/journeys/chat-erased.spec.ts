// An account is deleted after its 14 days, and its chat lines are gone from the room.
import { alive, ask, expect, expectQuiet, PASSWORD, test } from "./fixtures";
import { makeSession } from "./sessions";

const DAY = 86_400_000;

test("Q-41 X-17 the chat lines of a deleted account are gone from the room, under the name deleted.{id}", async ({
  host,
  guest,
}) => {
  const [page, leaver] = [host.page, guest.page];
  const session = await makeSession(page);
  await ask(leaver, "POST", `/challenge-events/${session.id}/join`);
  await ask(page, "POST", `/challenge-events/${session.id}/start`);
  const say = (who: typeof page, content: string) =>
    ask(who, "POST", "/messages", {
      content,
      messageable_type: "challenge_event",
      messageable_id: session.id,
    });
  await say(leaver, "The key is under the stone");
  await say(page, "Thank you");
  const chat = `/sessions/${session.id}/chat`;
  await page.goto(chat);
  await expect(page.getByText("The key is under the stone")).toBeVisible();

  await leaver.goto("/account");
  await alive(leaver);
  await leaver.locator("summary", { hasText: "Delete my account" }).click();
  const danger = leaver.locator("#danger");
  await expect(danger.getByText("The text of your chat messages is erased in every room.")).toBeVisible();
  await danger.getByLabel("Your password").fill(PASSWORD);
  await danger.getByRole("button", { name: "Delete my account" }).click();
  await expect(leaver.getByText(/Your account will be deleted on/)).toBeVisible();

  const night = async (at: number) => {
    const cron = `/cdn-cgi/handler/scheduled?cron=17+3+*+*+*&time=${at}`;
    expect((await page.request.get(cron)).ok()).toBe(true);
  };
  await night(Date.now() + 13 * DAY);
  await page.goto(chat);
  await expect(page.getByText("The key is under the stone")).toBeVisible();
  await night(Date.now() + 15 * DAY);
  await page.goto(chat);
  await expect(page.getByText("Thank you")).toBeVisible();
  await expect(page.getByText("The key is under the stone")).toHaveCount(0);
  await expect(page.getByText("This message was removed.")).toBeVisible();
  await expect(page.getByRole("main").getByText(guest.username)).toHaveCount(0);
  await expect(page.getByText(/deleted\.\d+/).first()).toBeVisible();
  expectQuiet(page);
});
