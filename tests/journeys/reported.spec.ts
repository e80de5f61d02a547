// Reports by users of other products, as people meet them in a browser: numbers as they are typed, chat lines, footnotes,
// paper, and the direction of a script.
import type { Locator } from "@playwright/test";
import { ask, call, expect, expectQuiet, heightOf, test, waitForHydration, watchConsole } from "./fixtures";
import { field, makeGoal, readGoal, unfold } from "./goals";
import { inSession, makeSession } from "./sessions";

test("R-78 H-07 a distance is read as it is typed, the line under the field says so, and the goal keeps exactly that", async ({
  host: { page },
  baseURL,
}) => {
  watchConsole(page);
  const chosen = await page.request.post("/account", {
    form: { intent: "distance-unit", unit: "km" },
    headers: { Origin: new URL(baseURL ?? "").origin },
  });
  expect(chosen.ok()).toBe(true);
  const id = await makeGoal(page, { title: "Walk", distance: 15 });
  await page.goto(`/my/goals/${id}`);
  await waitForHydration(page);
  await unfold(page, "Log by hand");
  const form = page.getByRole("form", { name: "Log by hand" });
  const distance = form.getByLabel("Distance (km)");
  for (const [typed, kept, read] of [
    ["0,5", "0,5", "0.5"],
    ["1.234,5", "1.234,5", "1,234.5"],
    ["−5", "−5", "-5"],
    ["1e3", "13", "13"],
    ["１２", "１２", "12"],
    ["١٢", "١٢", "12"],
    ["½", "½", "0.5"],
    ["2,5", "2,5", "2.5"],
  ] as const) {
    await distance.fill("");
    await distance.pressSequentially(typed);
    await expect(distance).toHaveValue(kept);
    await expect(form.getByText(`Read as ${read}.`, { exact: true })).toBeVisible();
  }
  await form.getByRole("button", { name: "Log it" }).click();
  await expect(page.getByText(/\+2\.5 km, 2\.5 of 24\.14/).first()).toBeVisible();
  const goal = (await readGoal(page, id)) as unknown as { is_progress_complete: number };
  expect(goal.is_progress_complete).toBe(0);
  expectQuiet(page);
});

test("R-80 addresses in chat lines are links, sixty empty lines fold, and each footnote leads to its own", async ({
  host: { page },
}) => {
  const session = await makeSession(page, { title: "Words" });
  await inSession(page, session, "start");
  const say = (content: string) =>
    ask(page, "POST", "/messages", {
      messageable_type: "challenge_event",
      messageable_id: session.id,
      content,
    });
  await say("see https://example.com/x and come");
  await say(`a${"\n".repeat(60)}b`);
  for (const title of ["First", "Second"])
    await ask(page, "POST", `/challenges/${session.slug}/posts`, {
      item: { title, content: `one[^1]\n\n[^1]: of ${title}` },
    });

  await test.step("the chat", async () => {
    await page.goto(`${session.path}/chat`);
    await waitForHydration(page);
    const link = page.getByRole("log", { name: "Chat" }).getByRole("link", { name: "https://example.com/x" });
    await expect(link).toHaveAttribute("href", "https://example.com/x");
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toHaveAttribute("rel", /nofollow/);
    const line = page.getByRole("log", { name: "Chat" }).getByRole("listitem").last();
    await expect(line.getByRole("button", { name: "Read More" })).toBeVisible();
    await expect.poll(() => heightOf(line)).toBeLessThan(400);
  });

  await test.step("the forum", async () => {
    await page.goto(`${session.path}/hut`);
    await waitForHydration(page);
    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    for (const title of ["First", "Second"]) {
      const post = page.locator(".prose").filter({ hasText: `of ${title}` });
      const mark = post.locator("sup a");
      const to = (await mark.getAttribute("href"))?.slice(1);
      await mark.click();
      await expect(page).toHaveURL(new RegExp(`#${to}$`));
      await expect(page.locator(`[id="${to}"]`)).toContainText(`of ${title}`);
      await expect(post.locator(`[id="${to}"]`)).toBeInViewport();
    }
  });
});

/** The colours of a text and of the page behind it, from 0 (black) to 1 (white). */
const lightness = (of: Locator) =>
  of.evaluate((element) => {
    const canvas = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
    const lightOf = (colour: string) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return (red + green + blue) / 3 / 255;
    };
    return [getComputedStyle(element).color, getComputedStyle(document.documentElement).backgroundColor].map(
      lightOf,
    );
  });

test("R-80 G-34 a recap is dark on white on paper, whatever the theme, and a password manager finds the page of passwords", async ({
  host: { page },
  baseURL,
}) => {
  const session = await makeSession(page, { title: "On paper", content: "What we read." });
  await inSession(page, session, "start");
  await call(page, "PATCH", `/challenge-events/${session.id}`, { challenge: { ended_at: Date.now() } });
  for (const theme of ["dark", "light", "system"]) {
    await page.context().addCookies([{ name: "theme", value: theme, url: baseURL ?? "" }]);
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    await page.goto(`${session.path}/recap`);
    const heading = page.getByRole("heading", { level: 1 });
    const isLighter = async () => {
      const [ink = 1, paper = 0] = await lightness(heading);
      return ink > paper;
    };
    await expect.poll(isLighter, theme).toBe(theme !== "light");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const text of [heading, page.locator("main p").first()])
      await expect(async () => {
        const [ink = 1, paper = 0] = await lightness(text);
        expect([theme, ink < 0.4, paper > 0.9]).toEqual([theme, true, true]);
      }).toPass({ timeout: 20_000 });
  }
  await page.emulateMedia({ media: "screen" });
  await page.goto("/.well-known/change-password");
  await expect(page).toHaveURL(/\/account#password$/);
  await expect(page.locator("#password")).toBeAttached();
});

/** Where the first and the last character of an element's text stand. */
const ends = (of: Locator) =>
  of.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const nodes: Text[] = [];
    while (walker.nextNode())
      if ((walker.currentNode as Text).data.trim()) nodes.push(walker.currentNode as Text);
    const placeOf = (node: Text | undefined, at: number) => {
      const range = document.createRange();
      if (!node) return Number.NaN;
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    };
    const last = nodes.at(-1);
    return { first: placeOf(nodes[0], 0), last: placeOf(last, (last?.data.trimEnd().length ?? 1) - 1) };
  });

test("R-80 a title, a text and a chat line in Hebrew run from right to left, and end with their full stop on the left", async ({
  host: { page },
}) => {
  const [title, content] = ["ערב קריאה.", "קוראים יחד בשקט."];
  const session = await makeSession(page, { title, content });
  await inSession(page, session, "start");
  await ask(page, "POST", "/messages", {
    messageable_type: "challenge_event",
    messageable_id: session.id,
    content: "שלום לכולם.",
  });
  const id = await makeGoal(page, { title, content, unit: "דפים", amount: 300 });
  const note = { title, content };
  await ask(page, "POST", "/api/notes", note);
  const places: [path: string, text: string][] = [
    [session.path, title],
    [session.path, content],
    [`${session.path}/chat`, "שלום לכולם."],
    [`/my/goals/${id}`, content],
    ["/my/notes", title],
    ["/my/goals", title],
  ];
  for (const [path, text] of places) {
    await page.goto(path);
    const shown = page.locator("main").getByText(text, { exact: true }).filter({ visible: true }).last();
    await expect(shown, path).toBeVisible();
    const isFromRight = async () => {
      const { first, last } = await ends(shown);
      return first > last;
    };
    await expect.poll(isFromRight, path).toBe(true);
  }
  await page.goto(`/events/${session.id}/update`);
  await expect.poll(() => field(page, "title").evaluate((input) => input.matches(":dir(rtl)"))).toBe(true);
});
