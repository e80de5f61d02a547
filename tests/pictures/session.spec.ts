// `npm run pictures` takes the picture of the README: a running session, with the people and data of the demo.
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { DEMO_ACCOUNTS } from "../../app/domain/accounts/demo";
import { ask, signIn, waitForHydration } from "../journeys/fixtures";
import { inSession, makeSession, timer } from "../journeys/sessions";

const FILE = join(import.meta.dirname, "../../docs/pictures/session.jpg");
const LINES = [
  ["The kettle is on. What will you do?", 0],
  ["Two chapters of the thesis", 1],
  ["Mend the back gate, at last", 2],
  ["See you in the break", 0],
] as const;

test("a running session", async ({ browser, baseURL }) => {
  const people: Page[] = [];
  for (const account of DEMO_ACCOUNTS) {
    const context = await browser.newContext({
      baseURL: baseURL ?? "",
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: 1.5,
      colorScheme: "light",
    });
    const page = await context.newPage();
    await signIn(page, account);
    people.push(page);
  }
  const [host] = people;
  if (!host) throw new Error("no host");
  const session = await makeSession(host, {
    title: "Deep work, four rounds",
    challenge_slug: "focus-rounds",
    duration: 7200,
  });
  for (const person of people.slice(1)) await inSession(person, session, "join");
  for (const person of people) {
    await person.goto(session.path);
    await waitForHydration(person);
  }
  await inSession(host, session, "start");
  for (const [content, by] of LINES)
    await ask(people[by] ?? host, "POST", "/messages", {
      content,
      messageable_type: "challenge_event",
      messageable_id: session.id,
    });
  await expect(timer(host)).toContainText(/2[34]:/);
  await expect(host.getByText("See you in the break")).toBeVisible();
  // Notices of the start would cover the page.
  await expect(host.locator("[data-sonner-toast]")).toHaveCount(0);
  await host.screenshot({ path: FILE, type: "jpeg", quality: 82, animations: "disabled" });
});
