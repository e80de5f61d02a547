// The frame of a room: what the first screen shows at both sizes, the panes of a phone, the host's keys, invitations.
import type { Locator, Page } from "@playwright/test";
import {
  ask,
  boxesOf,
  expect,
  expectQuiet,
  heightOf,
  newcomer,
  newName,
  newPerson,
  PASSWORD,
  test,
  topsOf,
  waitForHydration,
} from "./fixtures";
import { inSession, makeSession, participant, type Session, timer } from "./sessions";
import { expectNoneCovered, shownToasts } from "./toasts";

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** The bar of five at the bottom of a phone's screen. */
const BOTTOM_BAR = 65;

const answer = (page: Page) => page.getByRole("form", { name: "Your contribution" });
const box = (page: Page) => answer(page).getByRole("textbox", { name: "Your contribution" });
const chat = (page: Page) => page.getByRole("log", { name: "Chat" });
const pane = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Room" }).getByRole("link", { name: new RegExp(`^${name}`) });

/** A session of turns that has started; its first turn is the host's. */
async function turns(host: Page, guest: Page): Promise<Session> {
  const session = await makeSession(host, {
    title: "Tales by the stove",
    prompt: "What did you see from the last ridge?",
    participant_limit: 10,
    parts: [
      {
        auto_start: 1,
        parts: [
          { uuid: "rounds", title: "A turn each", duration: 300, per_participant: 1 },
          { uuid: "tea", title: "Tea", duration: 600 },
        ],
      },
    ],
  });
  await inSession(guest, session, "join");
  await inSession(host, session, "start");
  return session;
}

async function expectOnScreen(what: Record<string, Locator>, bottom: number): Promise<void> {
  for (const [name, locator] of Object.entries(what))
    await expect(async () => {
      const at = await locator.boundingBox();
      expect(at, name).not.toBeNull();
      expect(at?.y, name).toBeGreaterThanOrEqual(0);
      expect((at?.y ?? 0) + (at?.height ?? 0), name).toBeLessThanOrEqual(bottom);
    }).toPass({ timeout: 20_000 });
}

const openTurn = async (page: Page, session: Session) => {
  await page.goto(session.path);
  await waitForHydration(page);
  await expect(box(page)).toBeFocused();
};

test("R-74 U-39 A-08 on my turn one screen of 1280 by 800 shows all, the answer needs one press, and a text survives the end of the turn", {
  tag: "@main",
}, async ({ host, guest }) => {
  await test.step("one screen, one press", async () => {
    const { page } = host;
    await page.setViewportSize(WIDE);
    const session = await turns(page, guest.page);
    await openTurn(page, session);
    await expectOnScreen(
      {
        title: page.getByRole("heading", { level: 1 }),
        face: timer(page),
        prompt: page.getByText("What did you see from the last ridge?"),
        box: answer(page),
        ribbon: page.getByRole("list", { name: "The session's timers" }),
        people: participant(page, guest.username),
        chat: chat(page),
        message: page.getByLabel("Message", { exact: true }),
      },
      WIDE.height,
    );
    const order = [timer(page), page.getByText("What did you see from the last ridge?"), answer(page)];
    const isInOrder = async () =>
      (await topsOf(page, order)).every((top, at, all) => top >= (all[at - 1] ?? 0));
    await expect.poll(isInOrder).toBe(true);
    await expect.poll(() => heightOf(chat(page))).toBeGreaterThanOrEqual(200);
    await expect(page.getByText("8 places are free.")).toBeVisible();
    await expect(page.getByText(/^Participant \d/)).toHaveCount(0);
    // A face opens its menu.
    await participant(page, guest.username).click({ position: { x: 30, y: 20 } });
    await expect(page.getByRole("button", { name: "Mute for 5 minutes" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Mute for 5 minutes" })).toBeHidden();
    await box(page).focus();
    // The editor's tools come when asked for.
    await expect(page.getByRole("toolbar", { name: /Formatting|Text/ })).toHaveCount(0);
    await expect(box(page)).toBeFocused();
    await page.keyboard.type("A hare, quite near.");
    await answer(page).getByRole("button", { name: "Add it" }).click();
    await expect(guest.page.getByText("A hare, quite near.")).toHaveCount(0);
    await expect(page.getByRole("list", { name: "Contributions", exact: true })).toContainText(
      "A hare, quite near.",
    );
    await expect(box(page)).toHaveValue("");
    expectQuiet(page);
  });

  await test.step("a text in the box survives frames and the end of the turn", async () => {
    const { page } = host;
    const session = await turns(page, guest.page);
    await openTurn(page, session);
    await page.keyboard.type("Half a tale");
    for (const content of ["one", "two"])
      await ask(guest.page, "POST", "/messages", {
        content,
        messageable_type: "challenge_event",
        messageable_id: session.id,
      });
    await expect(chat(page)).toContainText("two");
    await expect(box(page)).toHaveValue("Half a tale");
    await answer(page).getByRole("button", { name: "Formatting" }).click();
    await expect(answer(page).locator(".ProseMirror")).toContainText("Half a tale");
    await inSession(page, session, "parts/rounds/finish");
    await expect(timer(page)).toHaveAttribute("aria-label", /^Tea/);
    await expect(answer(page).locator(".ProseMirror")).toContainText("Half a tale");
    await expect(answer(page)).toContainText("Your turn is over.");
    await expect(answer(guest.page)).toHaveCount(0);
    expectQuiet(page);
  });
});

test("R-74 U-39 a phone's first screen shows the same on my turn, and the chat and the people are a press away and keep their places", async ({
  browser,
  guest,
}) => {
  const host = await newPerson(browser, "host", { viewport: PHONE, hasTouch: true, isMobile: true });
  const { page } = host;
  const session = await turns(page, guest.page);
  await openTurn(page, session);
  await expectOnScreen(
    {
      title: page.getByRole("heading", { level: 1 }),
      face: timer(page),
      prompt: page.getByText("What did you see from the last ridge?"),
      box: answer(page),
      ribbon: page.getByRole("list", { name: "The session's timers" }),
    },
    PHONE.height - BOTTOM_BAR,
  );
  await expect
    .poll(async () => (await page.locator(".timer-face-numerals").boundingBox())?.y)
    .toBeLessThan(PHONE.height / 3);
  await expect.poll(() => heightOf(page.locator(".room-bar"))).toBe(56);
  // The face has the time, once: the bar takes it over while the face is out of sight.
  const bar = page.locator(".room-bar");
  await expect(pane(page, "Chat")).toBeVisible();
  await expect(bar).not.toContainText("Your turn");
  await expect(page.locator(".room-clock")).toBeHidden();
  await expect(page.getByText(/^Ends in (\d+h|1h \d+m|\d+m)$/)).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);

  // Crumbs, tabs and actions are in one menu.
  const tabs = page.getByRole("navigation", { name: "Session" });
  await expect(tabs).toBeHidden();
  await page.getByRole("button", { name: "Session menu" }).click();
  await expect(tabs.getByRole("link", { name: "Forum" })).toHaveAttribute("href", `${session.path}/hut`);
  await page.keyboard.press("Escape");
  await expect(tabs).toBeHidden();

  // Lines of others are counted until the chat is on the screen.
  await ask(guest.page, "POST", "/messages", {
    content: "Well told",
    messageable_type: "challenge_event",
    messageable_id: session.id,
  });
  await expect(pane(page, "Chat")).toHaveText(/Chat\s*1 unread/);
  const now = page.locator("#now");
  await now.evaluate((element) => {
    element.scrollTop = 120;
  });
  await pane(page, "Chat").click();
  await expect(chat(page)).toBeInViewport();
  await expect(bar).toContainText("Your turn");
  await expect(pane(page, "Chat")).toHaveAttribute("aria-current", "true");
  await expect(pane(page, "Now")).not.toHaveAttribute("aria-current");
  await expect(pane(page, "Chat")).toHaveText("Chat");
  await expectOnScreen({ message: page.getByLabel("Message", { exact: true }) }, PHONE.height - BOTTOM_BAR);
  await pane(page, "People").click();
  await expect(participant(page, guest.username)).toBeInViewport();
  await pane(page, "Now").click();
  await expect(answer(page)).toBeInViewport();
  await expect.poll(() => now.evaluate(({ scrollTop }) => scrollTop)).toBe(120);
  await now.evaluate((element) => {
    element.scrollTop = 0;
  });
  await expect(bar).not.toContainText("Your turn");
  expectQuiet(page);
  await host.context.close();
});

test("R-74 Q-03 the banner of an unconfirmed address leaves the first screen of a running room whole", async ({
  browser,
  guest,
}) => {
  const { page, context } = await newcomer(browser, "new");
  const session = await turns(page, guest.page);
  for (const [size, bottom] of [
    [WIDE, WIDE.height],
    [PHONE, PHONE.height - BOTTOM_BAR],
  ] as const) {
    await page.setViewportSize(size);
    await openTurn(page, session);
    await expectOnScreen(
      {
        title: page.getByRole("heading", { level: 1 }),
        box: answer(page),
        ribbon: page.getByRole("list", { name: "The session's timers" }),
      },
      bottom,
    );
    await expect(page.getByText(/^Please confirm your email address/)).toBeVisible();
  }

  // Without a seat, too, the menu is beside the title.
  const other = await makeSession(guest.page);
  await inSession(guest.page, other, "start");
  await page.goto(other.path);
  await waitForHydration(page);
  const menu = page.getByRole("button", { name: "Session menu" });
  await expect(async () => {
    const [place, title] = await boxesOf(page, [menu, page.getByRole("heading", { level: 1 })]);
    expect(place?.x).toBeGreaterThan(PHONE.width / 2);
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeGreaterThan(title?.y ?? Number.NaN);
  }).toPass({ timeout: 20_000 });
  await context.close();
});

for (const viewport of [WIDE, PHONE])
  test(`K-01 Y-03 registering to join a running session shows one toast, over no button and not over the numerals, at ${viewport.width}`, async ({
    browser,
    host,
    guest,
  }) => {
    const session = await turns(host.page, guest.page);
    const context = await browser.newContext({ baseURL: test.info().project.use.baseURL ?? "", viewport });
    const page = await context.newPage();
    await page.goto(session.path);
    await waitForHydration(page);
    await page.getByRole("button", { name: "Join", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("tab", { name: "Register" }).click();
    const username = newName("sitter");
    await dialog.getByLabel("Username").fill(username);
    await dialog.getByLabel("Email").fill(`${username}@example.com`);
    await dialog.getByLabel("Password").first().fill(PASSWORD);
    await dialog.getByLabel("Confirm password").fill(PASSWORD);
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: "Register" }).click();
    await expect(shownToasts(page)).toHaveText([/You have successfully joined this session\.$/]);
    // The toast comes with the answer, and the room with the page's data.
    await expect(page.locator("summary", { hasText: "What will you do?" })).toBeVisible();
    await expectNoneCovered(page);
    await expect(shownToasts(page)).toHaveCount(1);
    await context.close();
  });

test("R-29 U-43 keys start, pause, add a minute, go on and back; they rest on a control, and the setting ends them", async ({
  host,
  guest,
}) => {
  const { page } = host;
  const session = await makeSession(page, {
    parts: [
      {
        auto_start: 1,
        parts: [
          { title: "Walk", duration: 1500 },
          { title: "Rest", duration: 600 },
        ],
      },
    ],
  });
  await inSession(guest.page, session, "join");
  await page.goto(session.path);
  await waitForHydration(page);
  await expect(timer(page)).toHaveAttribute("aria-label", /Waiting for you to start/);
  const ready = page.getByRole("button", { name: "I am ready" });
  await page.keyboard.press("r");
  await expect(ready).toHaveAttribute("aria-pressed", "true");
  const start = page.getByRole("button", { name: "Start Session" });
  await expect(start).toHaveAccessibleDescription("1 of 2 ready");
  await start.click();
  await expect(timer(page)).toHaveAttribute("aria-label", /^Walk/);
  const controls = page.getByRole("toolbar", { name: "Host controls" });
  for (const word of ["Back", "Pause", "Finish", "Skip"])
    await expect(controls.getByRole("button", { name: new RegExp(`^${word}`) })).toContainText(word);
  await page.locator("h1").click();
  await page.keyboard.press("Space");
  await expect(timer(page)).toHaveAttribute("aria-label", /Paused/);
  await page.keyboard.press("Space");
  await expect(timer(page)).not.toHaveAttribute("aria-label", /Paused/);
  await page.keyboard.press("+");
  await expect(timer(page)).toContainText(/2[56]:/);
  await page.keyboard.press("ArrowRight");
  await expect(timer(page)).toHaveAttribute("aria-label", /^Rest/);
  await page.keyboard.press("ArrowLeft");
  await expect(timer(page)).toHaveAttribute("aria-label", /^Walk/);
  // In a field keys are letters, and on a control they are the control's own.
  await page.getByLabel("Message", { exact: true }).focus();
  await page.keyboard.press("Space");
  await controls.getByRole("button", { name: "Back" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(timer(page)).toHaveAttribute("aria-label", /^Walk/);
  await expect(timer(page)).not.toHaveAttribute("aria-label", /Paused/);

  await page.locator("h1").click();
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(list).toContainText("Start, pause or resume the timer, as host");
  await list.getByRole("switch", { name: "Use shortcuts" }).click();
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("ArrowRight");
  await expect(timer(page)).toHaveAttribute("aria-label", /^Walk/);
  expectQuiet(page);
});

test("G-36 R-74 host and participants invite in two presses from the roster; only the host's link holds the code", async ({
  host,
  guest,
}) => {
  const session = await makeSession(host.page, { join_code: "heather" });
  await inSession(guest.page, session, "join", { join_code: "heather" });
  for (const { page } of [host, guest]) {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.setViewportSize(WIDE);
    await page.goto(session.path);
    await waitForHydration(page);
    const invite = page
      .getByRole("complementary", { name: "People" })
      .locator("summary", { hasText: "Invite" });
    await expectOnScreen({ invite }, WIDE.height);
    await invite.click();
    await page.getByRole("button", { name: "Copy link" }).filter({ visible: true }).click();
    const copied = async () => {
      const { pathname, hash } = new URL(
        await page.evaluate(() => navigator.clipboard.readText()),
        "http://nothing.copied",
      );
      return [pathname, hash];
    };
    await expect.poll(copied).toEqual([session.path, page === host.page ? "#code=heather" : ""]);
  }
  await expect(host.page.getByRole("link", { name: "Message to all" })).toHaveAttribute(
    "href",
    `${session.path}/people#message`,
  );
  for (const { page } of [host, guest]) expectQuiet(page);
});

test("J-05 J-06 J-07 a hand goes up by the key h, is spoken once, and reactions are counted on both screens", async ({
  host,
  guest,
}) => {
  const session = await turns(host.page, guest.page);
  await host.page.setViewportSize(WIDE);
  await guest.page.setViewportSize(PHONE);
  for (const { page } of [host, guest]) {
    await page.goto(session.path);
    await waitForHydration(page);
    await expect(page.getByRole("button", { name: "Raise hand" })).toBeEnabled();
  }
  const hand = guest.page.getByRole("button", { name: "Raise hand" });
  const line = host.page.locator("summary", { hasText: guest.username });
  await test.step("by the keyboard alone", async () => {
    await timer(guest.page).focus();
    await guest.page.keyboard.press("h");
    await expect(hand).toHaveAttribute("aria-pressed", "true");
    await expect(guest.page.getByText("Hand up, first in line", { exact: true })).toHaveCount(1);
    await expect(
      participant(host.page, guest.username).getByRole("img", { name: "Hand up, in line:" }),
    ).toBeVisible();
    await line.focus();
    await host.page.keyboard.press("Enter");
    const lower = host.page.getByRole("button", { name: `Lower the hand of ${guest.username}` });
    await expect(lower).toBeVisible();
    await lower.focus();
    await host.page.keyboard.press("Enter");
    await expect(hand).toHaveAttribute("aria-pressed", "false");
    await expect(line).toHaveCount(0);
  });
  await test.step("reactions", async () => {
    await guest.page.locator("summary", { hasText: "😊" }).click();
    // They count for five seconds, so both screens are watched from the first press on.
    const counted = [host, guest].map(({ page }) =>
      expect(page.getByRole("list", { name: "Reactions of everybody" })).toHaveText("👏3"),
    );
    await guest.page.getByRole("button", { name: "Applause" }).evaluate((applause: HTMLElement) => {
      for (let press = 0; press < 3; press++) applause.click();
    });
    await Promise.all(counted);
    await host.page.locator("summary", { hasText: "😊" }).click();
    await host.page.getByRole("button", { name: "Switch reactions off" }).click();
    await expect(guest.page.locator("summary", { hasText: "😊" })).toHaveCount(0);
  });
  for (const { page } of [host, guest]) expectQuiet(page);
});

test("J-02 J-03 Join the call is beside the clock on each pane, marks who pressed it, and gives way to a new call", async ({
  host,
  guest,
}) => {
  const call = (room: string) => `https://meet.example.com/${room}`;
  const session = await makeSession(host.page, { title: "By the stove", meeting_link: call("first") });
  await inSession(guest.page, session, "join");
  await inSession(host.page, session, "start");
  await guest.context.route("https://meet.example.com/**", (route) => route.fulfill({ body: "The call" }));
  await host.page.setViewportSize(WIDE);
  await guest.page.setViewportSize(PHONE);
  for (const { page } of [host, guest]) {
    await page.goto(session.path);
    await waitForHydration(page);
    await expect(page.getByRole("button", { name: "Raise hand" })).toBeVisible();
  }
  const link = guest.page.getByRole("link", { name: "Join the call" });
  const site = guest.page.getByText("Opens meet.example.com.");
  for (const name of ["Chat", "People", "Now"]) {
    await pane(guest.page, name).click();
    await expect(link).toBeInViewport();
    await expect(site).toBeInViewport();
  }
  await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  const [opened] = await Promise.all([guest.context.waitForEvent("page"), link.press("Enter")]);
  await opened.waitForURL(call("first"));
  expect([opened.url(), await opened.evaluate(() => [opener, document.referrer])]).toEqual([
    call("first"),
    [null, ""],
  ]);
  await opened.close();
  await expect(site).toHaveCount(0);
  const mark = participant(host.page, guest.username).getByRole("img", { name: "in the call" });
  await expect(mark).toBeVisible();
  await guest.page.reload();
  await expect(mark).toHaveCount(0);
  await waitForHydration(guest.page);
  await expect(guest.page.getByRole("button", { name: "Raise hand" })).toBeVisible();
  const change = { challenge: { meeting_link: call("second") } };
  await ask(host.page, "PATCH", `/challenge-events/${session.id}/patch`, change);
  await expect(link).toHaveAttribute("href", call("second"));
  await expect.poll(() => guest.page.locator("main").innerHTML()).not.toContain(call("first"));
  for (const { page } of [host, guest]) expectQuiet(page);
});
