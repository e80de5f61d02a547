// A host mutes a participant, lifts the mute, then removes them and keeps them out; the audit shows every step.
import { call, expect, expectQuiet, test, waitForHydration } from "./fixtures";
import { inSession, makeSession, participant } from "./sessions";

test("Q-13 Q-14 Q-15 Q-29 a participant is muted, heard again, removed and kept out by id, slug, code and second tab", async ({
  host,
  guest,
  superAdmin,
}) => {
  const code = "sesame";
  const session = await makeSession(host.page, {
    join_code: code,
    parts: [{ title: "Watch", duration: 1800 }],
  });
  const joined = await call(guest.page, "POST", `/challenge-events/${session.id}/join?join_code=${code}`, {});
  expect(joined.status()).toBe(200);
  await inSession(host.page, session, "start");
  await guest.page.goto(`${session.path}/chat`);
  await waitForHydration(guest.page);
  const box = guest.page.getByRole("textbox", { name: "Message" });
  await expect(box).toBeVisible();

  await host.page.goto(session.path);
  await waitForHydration(host.page);
  const row = participant(host.page, guest.username);
  const open = () => row.getByLabel(`More for ${guest.username}`).click();
  await open();
  await row.getByRole("button", { name: "Mute for 5 minutes" }).click();
  await expect(row).toContainText("Muted");
  await expect(guest.page.getByText(/^You are muted until \d+:\d\d( [AP]M)?\.$/)).toBeVisible();
  await expect(box).toHaveCount(0);

  await open();
  await row.getByRole("button", { name: "Lift the mute" }).click();
  await expect(box).toBeVisible();
  await expect(guest.page.getByText(/^You are muted/)).toHaveCount(0);

  const tab = await guest.context.newPage();
  await tab.goto(session.path);
  await open();
  await row.getByRole("button", { name: `Remove ${guest.username}` }).click();
  const dialog = host.page.getByRole("alertdialog", { name: `Remove ${guest.username}?` });
  await dialog.getByLabel("Reason, which they read").fill("Shouting");
  await dialog.getByRole("button", { name: `Remove ${guest.username}` }).click();
  await expect(row).toHaveCount(0);
  // Undo ends with its toast.
  const removed = host.page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await host.page.getByText(`Removed ${guest.username}`).click();
  expect((await removed).status()).toBe(204);

  const sentence = "The host has closed this session to you. Reason: Shouting.";
  await tab.reload();
  await expect(tab.getByText(sentence)).toBeVisible();
  await expect(tab.getByRole("button", { name: "Join" })).toHaveCount(0);
  for (const path of [
    `/challenge-events/${session.id}/join?join_code=${code}`,
    `/challenge-events/${session.id}/join`,
    `/challenges/${session.slug}/join?join_code=${code}`,
  ]) {
    const refused = await call(guest.page, "POST", path, {});
    expect([refused.status(), (await refused.json()).error]).toEqual([403, sentence]);
  }

  await host.page.getByRole("link", { name: "Mute, remove, let back in" }).click();
  const kept = host.page.getByRole("list", { name: "Kept out" });
  await expect(kept).toContainText(guest.username);
  await waitForHydration(host.page);
  await kept.getByRole("button", { name: `Let ${guest.username} back in` }).click();
  await expect(host.page.getByText("Nobody is kept out of this session.")).toBeVisible();

  const admin = superAdmin.page;
  await admin.goto(`/admin/audit?kind=session&id=${session.id}`);
  const acts = admin.getByRole("list", { name: "Acts" }).getByRole("listitem");
  await expect(acts).toHaveText([
    /Let a person back in/,
    // The mute for the time of Undo ends with the removal.
    /Lifted a mute/,
    /Kept a person out.*Shouting/s,
    /Muted a person/,
    /Lifted a mute/,
    /Muted a person/,
  ]);
  expectQuiet(guest.page, [/403/]);
  expectQuiet(host.page);
});
