// Helpers for journeys of sessions: create and join them by calls, and find parts of their page.
import type { Browser, Locator, Page } from "@playwright/test";
import { ask, expect, newPerson, waitForHydration } from "./fixtures";

export type Session = { id: number; slug: string; path: string };

/** A session of an hour that its host starts; `over` adds fields in their outside names. */
export async function makeSession(host: Page, over: object = {}): Promise<Session> {
  const challenge = { title: "A walk", duration: 3600, is_manually_started: 1, ...over };
  const made = await ask<{ challenge_event: { id: number; slug: string }; path: string }>(
    host,
    "POST",
    "/challenge-events",
    { challenge },
  );
  return { id: made.challenge_event.id, slug: made.challenge_event.slug, path: made.path };
}

/** Sends a message in the chat of an open session page. */
export async function say(page: Page, text: string): Promise<void> {
  const box = page.getByLabel("Message").first();
  await box.fill(text);
  await box.press("Enter");
}

/** Two people on another server, in a running session; the guest has written `text`, and the host has read it. */
export async function twoInSession(
  browser: Browser,
  server: { baseURL: string; dataDir: string },
  text: string,
): Promise<{ host: Page; guest: Page; session: Session }> {
  const { page: host } = await newPerson(browser, "host", server);
  const { page: guest } = await newPerson(browser, "guest", server);
  const session = await makeSession(host, { participant_limit: 3 });
  await inSession(guest, session, "join");
  await inSession(host, session, "start");
  for (const page of [host, guest]) {
    await page.goto(session.path);
    await waitForHydration(page);
  }
  await say(guest, text);
  await expect(host.getByText(text).first()).toBeVisible();
  return { host, guest, session };
}

/** An action of a participant or host on a session: join, start, end … */
export const inSession = (page: Page, session: Session, what: string, data: object = {}) =>
  ask(page, "POST", `/challenge-events/${session.id}/${what}`, data);

export const timer = (page: Page): Locator =>
  page.getByRole("region", { name: "Timer" }).getByRole("timer").first();

/** A participant's row in the list of people. */
export const participant = (page: Page, username: string): Locator =>
  page.getByRole("complementary", { name: "People" }).getByRole("listitem").filter({ hasText: username });

/** Presses, then confirms. */
export async function confirm(page: Page, press: Locator, yes: string): Promise<void> {
  await press.click();
  await page.getByRole("alertdialog").getByRole("button", { name: yes, exact: true }).click();
}
