// Dates that keep their local time over clock changes. Other files import it when they first need it, because workerd has
// no Temporal of its own.
import { Temporal } from "temporal-polyfill";
import { formatFormDate } from "~/domain/date-text";
import { type Day, plusDays } from "~/domain/days";
import { DAY, type Instant, instant } from "~/domain/time";

const localStartOf = (at: Instant, timeZone: string): string =>
  formatFormDate(at, timeZone).replace(" ", "T").slice(0, 16);

/**
 * The instant of a wall clock, "09:00" (G-07). A time that a clock change skips becomes the first valid minute after
 * it; of a repeated time the first applies.
 */
export function instantOf(day: Day, time: string, timeZone: string): Instant {
  const wall = Temporal.PlainDateTime.from(`${day}T${time}`);
  const first = wall.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (first.toPlainDateTime().equals(wall)) return instant(first.epochMilliseconds);
  const change = first.getTimeZoneTransition("next");
  return instant((change ?? first).epochMilliseconds);
}

/** The same weekday and local time in the next week that lies ahead (G-01). */
export function weekAhead(at: Instant, timeZone: string, now: Instant): Instant {
  const [day = "", time = ""] = localStartOf(at, timeZone).split("T");
  const weeks = Math.max(1, Math.floor((now - at) / (7 * DAY)));
  for (let week = weeks; ; week++) {
    const next = instantOf(plusDays(day, 7 * week), time, timeZone);
    if (next > now) return next;
  }
}
