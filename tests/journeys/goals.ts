// Helpers for journeys of goals: create and read them by calls, fill and read their page.
import type { Locator, Page } from "@playwright/test";
import { call, expect } from "./fixtures";

type Goal = {
  id: number;
  uuid: string;
  amount_elapsed: number;
  duration_elapsed: number;
  logs_count: number;
  items: { title: string; x: 0 | 1 }[];
};
export const readGoal = async (page: Page, id: number): Promise<Goal> =>
  (await (await page.request.get(`/api/my/goals/${id}`)).json()).serverData.goal;

export async function makeGoal(page: Page, goal: object): Promise<number> {
  const answer = await call(page, "POST", "/api/goals/store", { challenge: { tasks: [goal] } });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()).goal.id;
}

/** Opens a collapsed section of a form. */
export const unfold = (within: Page | Locator, title: string) =>
  within.locator("summary").filter({ hasText: title }).first().click();
export const field = (within: Page | Locator, name: string) => within.locator(`[name="${name}"]`);

/** Reads hours, minutes and seconds of a displayed timer. */
export async function secondsShown(timer: Locator): Promise<number> {
  const text = ((await timer.textContent()) ?? "").replace(/[^\d:]/g, "");
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
