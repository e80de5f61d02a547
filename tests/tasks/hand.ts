// The hand that plays the ten tasks and counts: presses, taps into text fields, swipes and their pixels, keys.
import type { Locator, Page } from "@playwright/test";

/** A swipe moves at most this part of a screen. */
const SWIPE = 0.7;
/** The room that a fixed header and a bottom bar may take. */
const MOST_SWIPES = 30;

export class Hand {
  presses = 0;
  fields = 0;
  swipes = 0;
  pixels = 0;
  keys = 0;

  constructor(readonly page: Page) {}

  /** The first of these controls that the page has, so that a task outlives a renamed button. */
  async either(...targets: Locator[]): Promise<Locator> {
    const all = targets.reduce((found, target) => found.or(target));
    await all.first().waitFor();
    for (const target of targets) if ((await target.count()) > 0) return target.first();
    return all.first();
  }

  async press(target: Locator): Promise<void> {
    await this.#reach(target);
    this.presses++;
    await target.click();
  }

  /** Puts a text in at once. A field with the focus needs no tap. */
  async write(target: Locator, text: string): Promise<void> {
    await this.#reach(target);
    if (!(await target.evaluate((field) => field === document.activeElement))) {
      this.fields++;
      await target.click();
    }
    await target.fill(text);
  }

  /** Types a date and time into its field, digit by digit. */
  async writeDate(target: Locator, at: string): Promise<void> {
    await this.#reach(target);
    this.fields++;
    this.keys += at.replace(/\D/g, "").length + 2;
    await target.fill(at);
  }

  async key(name: string): Promise<void> {
    this.keys++;
    await this.page.keyboard.press(name);
  }

  /** Swipes until a press would meet the control. */
  async #reach(target: Locator): Promise<void> {
    await target.waitFor();
    for (let tries = 0; tries < MOST_SWIPES; tries++) {
      const moved = await target.evaluate(swipeTowards, SWIPE);
      if (moved === 0) return;
      this.swipes++;
      this.pixels += Math.abs(moved);
    }
  }
}

/** Runs in the page. Returns the pixels moved, 0 once the control's middle can be pressed or nothing moves any more. */
function swipeTowards(target: Element, part: number): number {
  const meets = (): boolean => {
    const { left, top, width, height } = target.getBoundingClientRect();
    const met = document.elementFromPoint(left + width / 2, top + height / 2);
    const label = target instanceof HTMLInputElement ? [...(target.labels ?? [])] : [];
    return met !== null && [target, ...label].some((one) => one.contains(met) || met.contains(one));
  };
  const isOnScreen = (): boolean => {
    const { top, bottom, left, right } = target.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return y > 0 && y < innerHeight && x > 0 && x < innerWidth;
  };
  if (isOnScreen() && meets()) return 0;
  const isScroller = (element: Element, axis: "X" | "Y") =>
    /auto|scroll/.test(getComputedStyle(element)[`overflow${axis}`]) &&
    (axis === "X" ? element.scrollWidth > element.clientWidth : element.scrollHeight > element.clientHeight);
  const { left, right, top, bottom } = target.getBoundingClientRect();
  const axis = (left + right) / 2 < 0 || (left + right) / 2 > innerWidth ? "X" : "Y";
  let scroller: Element = document.scrollingElement ?? document.documentElement;
  for (let at = target.parentElement; at; at = at.parentElement)
    if (isScroller(at, axis)) {
      scroller = at;
      break;
    }
  const [middle, size] = axis === "X" ? [(left + right) / 2, innerWidth] : [(top + bottom) / 2, innerHeight];
  const wanted = Math.max(-part * size, Math.min(part * size, middle - size / 2));
  const side = axis === "X" ? "scrollLeft" : "scrollTop";
  const before = scroller[side];
  scroller.scrollBy({ [axis === "X" ? "left" : "top"]: wanted, behavior: "instant" });
  return Math.round(scroller[side] - before);
}
