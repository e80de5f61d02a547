// The script of a card inside another site (J-11). It moves the countdown, and reloads the card each minute, because
// its start, its end and its free seats may have changed.
import { formatClock } from "~/domain/duration-text";
import { MINUTE, SECOND } from "~/domain/time";

const numerals = document.querySelectorAll<HTMLElement>("[data-until]");
setInterval(() => {
  for (const numeral of numerals)
    numeral.textContent = formatClock(Math.max(0, Number(numeral.dataset.until) - Date.now()), "ceil");
}, SECOND / 4);
// Without a network the frame would show the browser's error page for ever.
setInterval(() => navigator.onLine && location.reload(), MINUTE);
