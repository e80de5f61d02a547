// Finds words that narrow columns break.
import type { Page } from "@playwright/test";

/** Words of common length, and clocks, that are broken in two because long words beside them take the space. */
export const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const { index, 0: word } of (text.textContent ?? "").matchAll(
        /[\p{L}\p{N}]{3,20}(?![^\s.,:;!?)-])|\d+(?::\d\d)+/gu,
      )) {
        if (!text.parentElement?.checkVisibility() || /[^\s(]/.test(text.textContent?.[index - 1] ?? " "))
          continue;
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) found.push(`"${word}" in ${text.parentElement?.outerHTML.slice(0, 140)}`);
      }
    return found;
  });
