// The main journey: two people in two browsers share a live room on one clock. They use an activity and a session of
// three parts with a code and three spots.
import type { Page } from "@playwright/test";
import {
  ask,
  call,
  expect,
  expectQuiet,
  heightOf,
  newName,
  newPerson,
  PASSWORD,
  test,
  waitForHydration,
  watchConsole,
} from "./fixtures";
import { say, timer } from "./sessions";

/** Signs up through the form. */
async function signUp(page: Page, start: string): Promise<string> {
  watchConsole(page);
  const username = newName(start);
  await page.goto("/auth/register");
  // A press that leaves a page before its parts are hydrated makes React report error 421, from which it recovers.
  await waitForHydration(page);
  await page.getByLabel("Email").first().fill(`${username}@example.com`);
  await page.getByLabel("Username").first().fill(username);
  await page
    .getByLabel(/^Password/)
    .first()
    .fill(PASSWORD);
  await page
    .getByLabel(/Confirm/)
    .first()
    .fill(PASSWORD);
  await page.getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Register" }).first().click();
  await expect(page).not.toHaveURL(/auth/);
  return username;
}

async function addPart(page: Page, number: number, title: string, duration: string): Promise<void> {
  const fields = page.getByRole("group", { name: `Timer ${number}` });
  // A new timer is open.
  const edit = page.getByRole("button", { name: `Edit Timer ${number}`, exact: true });
  if ((await edit.getAttribute("aria-expanded")) !== "true") await edit.click();
  await fields.getByLabel("Title").fill(title);
  await fields.getByLabel("Duration", { exact: true }).fill(duration);
  await fields.getByLabel("Duration", { exact: true }).press("Tab");
}

test("M-21 R-26 L-10 S-03 T-11 U-43 two people go through a whole session with one code and one clock", {
  tag: "@main",
}, async ({ browser }) => {
  const options = { baseURL: test.info().project.use.baseURL ?? "" };
  const [hostContext, guestContext] = [await browser.newContext(options), await browser.newContext(options)];
  const [host, guest] = [await hostContext.newPage(), await guestContext.newPage()];
  const hostName = await signUp(host, "host");
  const guestName = await signUp(guest, "guest");

  // The host creates an activity …
  await host.goto("/challenges/create");
  await waitForHydration(host);
  await host.getByLabel("Title").first().fill("Hill walk");
  await host.getByRole("button", { name: "Create activity" }).click();
  await expect(host.getByRole("heading", { level: 1, name: "Hill walk" })).toBeVisible();

  // … and a session of it: three parts, a code, three spots, a manual start.
  await host.getByRole("main").getByRole("link", { name: "Create a Session" }).first().click();
  await expect(host.getByRole("heading", { level: 1, name: "Create a Session" })).toBeVisible();
  await waitForHydration(host);
  await host.getByLabel("Title").first().fill("Walk at noon");
  await host.getByLabel("When the host starts it").check();
  await host.getByRole("button", { name: "Change", exact: true }).click();
  for (let i = 0; i < 2; i++) await host.getByRole("button", { name: "Add a timer" }).click();
  await addPart(host, 1, "Warm up", "20m");
  await addPart(host, 2, "Walk", "30m");
  await addPart(host, 3, "Rest", "5m");
  await host.getByLabel("Participant limit").fill("3");
  await host.getByLabel("Join code").fill("heather");
  await host.getByRole("button", { name: "Create session" }).click();
  await expect(host.getByRole("heading", { level: 1, name: "Walk at noon" })).toBeVisible();
  const path = new URL(host.url()).pathname;

  // The guest enters the code: a wrong code, then the right one.
  await guest.goto(path);
  await waitForHydration(guest);
  await guest.getByRole("button", { name: "Join", exact: true }).click();
  const dialog = guest.getByRole("dialog", { name: "Enter the code to join the session" });
  await dialog.getByLabel("Join Code").fill("thistle");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("That code does not open this session.")).toBeVisible();
  await dialog.getByLabel("Join Code").fill("heather");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(guest.getByText("You have successfully joined this session.")).toBeVisible();
  await expect(dialog).toBeHidden();

  // Both press ready, and each sees the other's mark.
  for (const page of [host, guest]) {
    await page.getByRole("button", { name: "I am ready" }).click();
    await expect(page.getByRole("button", { name: "I am ready" })).toHaveAttribute("aria-pressed", "true");
  }
  await expect(host.getByText(guestName).first()).toBeVisible();

  // The host starts; both see the same second of the same part.
  await host.getByRole("button", { name: "Start Session" }).click();
  await Promise.all([
    expect(host.getByText("The session has started!").first()).toBeVisible(),
    ...[host, guest].map((page) => expect(timer(page)).toHaveAttribute("aria-label", /^Warm up/)),
  ]);
  // The part changes on time, on both screens. It is shortened only now, so that no slow page misses it.
  const id = path.split("/").at(-1) ?? "";
  const left = await leftOf(host, id, "Warm up");
  await ask(host, "POST", `/challenge-events/${id}/parts/${left.partId}/adjust`, {
    seconds: 8 - left.seconds,
  });
  for (const page of [host, guest]) await expect(timer(page)).toHaveAttribute("aria-label", /^Walk/);
  const differences: number[] = [];
  for (let i = 0; i < 5; i++) {
    const [a, b] = await Promise.all([flip(host), flip(guest)]);
    differences.push(Math.abs(a - b));
  }
  expect(Math.min(...differences)).toBeLessThan(250);

  // Chat both ways.
  await say(host, "Is the gate open?");
  await expect(guest.getByText("Is the gate open?").first()).toBeVisible();
  await say(guest, "It is.");
  await expect(host.getByText("It is.").first()).toBeVisible();

  // A log of the guest appears on the host's screen.
  const logged = await call(guest, "POST", `/challenge-events/${id}/logs`, {
    title: "Half way up",
    amount: 3,
  });
  expect(logged.status(), await logged.text()).toBe(201);
  await expect(host.getByText("Half way up").first()).toBeVisible();

  // The host ends it for everybody.
  await host.getByRole("button", { name: "End session" }).first().click();
  await host.getByRole("alertdialog").getByRole("button", { name: "End session" }).click();
  for (const page of [host, guest])
    await expect(page.getByText("This session has ended.").first()).toBeVisible();
  expect(hostName).not.toBe(guestName);
  for (const page of [host, guest]) expectQuiet(page, [/That code does not open/]);
  await hostContext.close();
  await guestContext.close();
});

/** The id of a running part, and the whole seconds that are left of it. */
async function leftOf(page: Page, id: string, title: string): Promise<{ partId: string; seconds: number }> {
  type Part = { id: string; title: string; remaining_duration: number };
  const { serverData } = await ask<{ serverData: { session: { parts: { parts: Part[] }[] } } }>(
    page,
    "GET",
    `/api/sessions/${id}`,
  );
  const part = serverData.session.parts.flatMap(({ parts }) => parts).find((one) => one.title === title);
  return { partId: part?.id ?? "", seconds: Math.floor((part?.remaining_duration ?? 0) / 1000) };
}

/** The instant at which the page's numerals next change, by the clock that both browsers share. */
const flip = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const face = document.querySelector('[role="timer"]');
        const read = () => face?.textContent ?? "";
        const before = read();
        const look = () => (read() === before ? requestAnimationFrame(look) : resolve(Date.now()));
        requestAnimationFrame(look);
      }),
  );

test("U-03 U-46 V-19 M-28 a visitor sees everything, long posts collapsed, and is asked to sign in to join", async ({
  page,
  browser,
}) => {
  const { page: host } = await newPerson(browser, "host");
  const made = await call(host, "POST", "/challenge-events", {
    challenge: { title: "Open to all", duration: 600, is_manually_started: 1 },
  });
  expect(made.status(), await made.text()).toBe(201);
  const { path, challenge_event } = (await made.json()) as {
    path: string;
    challenge_event: { slug: string };
  };
  for (const content of ["A short word.", "A long word.\n\n".repeat(30)]) {
    const posted = await call(host, "POST", `/challenges/${challenge_event.slug}/posts`, {
      item: { content },
    });
    expect(posted.status(), await posted.text()).toBe(201);
  }
  await page.goto(`${path}/hut`);
  await waitForHydration(page);
  const long = page.getByRole("article").filter({ hasText: "A long word." });
  const fold = long.locator(".read-more");
  const height = async () => Math.round(await heightOf(fold));
  await expect(page.getByRole("button", { name: "Read More" })).toHaveCount(1);
  await expect.poll(height).toBe(300);
  await long.getByRole("button", { name: "Read More" }).click();
  await expect.poll(height).toBeGreaterThan(600);

  await page.goto(path);
  await waitForHydration(page);
  await expect(page.getByRole("heading", { level: 1, name: "Open to all" })).toBeVisible();
  await expect(page.getByText("Please login or create an account to join a session").first()).toBeVisible();
  await page.getByRole("button", { name: "Join", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { name: "Register" }).click();
  const username = `joiner-${crypto.randomUUID().slice(0, 8)}`;
  await dialog.getByLabel("Username").fill(username);
  await dialog.getByLabel("Email").fill(`${username}@example.com`);
  await dialog.getByLabel("Password").first().fill("several plain words");
  await dialog.getByLabel("Confirm password").fill("several plain words");
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Register" }).click();
  // the join happens without a second press.
  await expect(page.getByText("You have successfully joined this session.")).toBeVisible();
});
