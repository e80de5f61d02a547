// The script of a card inside another site (J-11). It moves the countdown, and reloads the card each minute, because
// its start, its end and its free seats may have changed.
import { formatClock } from "~/domain/duration-text";
import { MINUTE, SECOND } from "~/domain/time";

const numerals = document.querySelectorAll<HTMLElement>("[data-until]");
const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
/** When the card began to arrive, by the machine's clock; `timeOrigin` may be behind that clock since a sleep. */
const loadedAt = Date.now() - (performance.now() - (navigation?.responseStart || performance.now()));
setInterval(() => {
  for (const numeral of numerals) {
    const { until, now } = numeral.dataset;
    // The server's time when it sent the card: the machine's clock may be wrong (L-10).
    const remaining = Number(until) - Number(now) - (Date.now() - loadedAt);
    numeral.textContent = formatClock(Math.max(0, remaining), "ceil");
  }
}, SECOND / 4);
// Without a network the frame would show the browser's error page for ever.
setInterval(() => navigator.onLine && location.reload(), MINUTE);
