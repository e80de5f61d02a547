// Computes how far the toasts move down, so that they cover no button and no heading (K-01).

const GAP_PX = 8;
/** The lowest end of the toasts, as a share of the window's height: below it they would not be at the top. */
const MAX_BOTTOM_SHARE = 0.4;
const CONTROLS = "button, a[href], summary, input, select, textarea, .timer-face-numerals";
const HEADINGS = "h1, dialog h2";
const MAIN_CONTROLS = ".is-main, [type=submit], .timer-face-numerals";

type Box = Pick<DOMRect, "top" | "bottom">;

/** The smallest shift at which a box of this top and height is clear of all others; null if it would end below `lowest`. */
export function shiftPast(
  others: readonly Box[],
  top: number,
  height: number,
  lowest: number,
): number | null {
  const isClear = (boxTop: number) =>
    others.every((other) => boxTop >= other.bottom + GAP_PX || boxTop + height <= other.top - GAP_PX);
  const tops = [top, ...others.map(({ bottom }) => bottom + GAP_PX)].filter((candidate) => candidate >= top);
  const firstClear = tops.sort((a, b) => a - b).find(isClear);
  return firstClear === undefined || firstClear + height > lowest ? null : firstClear - top;
}

/** The box of a heading ends with its text, not with its line. */
function boxOf(element: Element): DOMRect {
  if (!element.matches(HEADINGS)) return element.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

/**
 * The shift in pixels. It clears every control and heading of the page, or of the dialog with the toasts. Without space
 * for that it clears the main controls and the headings, else the controls, else the main ones, else nothing.
 */
export function toastsShift(container: HTMLElement, shift: number): number {
  const toasts = [...container.querySelectorAll<HTMLElement>("[data-sonner-toast][data-removed=false]")];
  const list = toasts[0]?.parentElement?.getBoundingClientRect();
  const root = container.closest("dialog") ?? document.querySelector("main");
  if (!list || !root) return 0;
  const height = toasts.reduce((sum, { offsetHeight }) => sum + offsetHeight + GAP_PX, -GAP_PX);
  const boxes = (selector: string) =>
    [...root.querySelectorAll<HTMLElement>(selector)]
      .filter((element) => !container.contains(element) && element.checkVisibility())
      .map(boxOf)
      .filter(({ left, right }) => left < list.right && right > list.left);
  const shiftClearOf = (selector: string, lowest: number) =>
    shiftPast(boxes(selector), list.top - shift, height, lowest * innerHeight);
  return (
    shiftClearOf(`${CONTROLS}, ${HEADINGS}`, MAX_BOTTOM_SHARE) ??
    shiftClearOf(`${MAIN_CONTROLS}, ${HEADINGS}`, MAX_BOTTOM_SHARE) ??
    shiftClearOf(CONTROLS, MAX_BOTTOM_SHARE) ??
    shiftClearOf(MAIN_CONTROLS, 1) ??
    0
  );
}
