// Helpers for journeys of sessions: create and join them by calls, and find parts of their page.
import type { Locator, Page } from "@playwright/test";
import { ask } from "./fixtures";

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
