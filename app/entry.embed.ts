// The script of a card inside another site: it moves the countdown, and loads the card again each minute for its
// start, its end and its free places (J-11).
import { formatClock } from "~/domain/duration-text";
import { MINUTE, SECOND } from "~/domain/time";

const numerals = document.querySelectorAll<HTMLElement>("[data-until]");
setInterval(() => {
  for (const numeral of numerals)
    numeral.textContent = formatClock(Math.max(0, Number(numeral.dataset.until) - Date.now()), "ceil");
}, SECOND / 4);
// Without a network the frame would show the browser's error page for ever.
setInterval(() => navigator.onLine && location.reload(), MINUTE);
