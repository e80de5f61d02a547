// Events as an iCalendar file (RFC 5545). The writer loads with the first file.
import type { Calendar } from "~/use-cases/ports.server";

/** The writer once it is loaded. Not its promise: a request must not wait for another request's import. */
let writer: typeof import("ical-generator") | undefined;

/** Programs refresh a feed about as often as its copies expire. */
const REFRESH_SECONDS = 15 * 60;

/** `sender`: the address that emails come from. */
export function createCalendar(appName: string, sender: string): Calendar {
  return {
    async write(entries, options) {
      writer ??= await import("ical-generator");
      const { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus, default: createFile } = writer;
      const { name, method } = options;
      const file = createFile({
        name,
        method: ICalCalendarMethod[method],
        prodId: { company: appName, product: "Sessions", language: "EN" },
        // A feed alone is read again.
        ...(method === "PUBLISH" ? { ttl: REFRESH_SECONDS } : {}),
      });
      const people =
        options.method === "PUBLISH"
          ? {}
          : {
              organizer: { name: options.people.host, email: sender },
              attendees: [
                { email: options.people.attendee, status: ICalAttendeeStatus.ACCEPTED, rsvp: false },
              ],
            };
      for (const {
        uid,
        sequence,
        changedAt,
        start,
        end,
        title,
        description,
        address,
        isCancelled,
      } of entries)
        file.createEvent({
          id: uid,
          sequence,
          stamp: new Date(changedAt),
          lastModified: new Date(changedAt),
          start: new Date(start),
          end: new Date(end),
          summary: title,
          description,
          location: address,
          url: address,
          status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
          ...people,
        });
      return file.toString();
    },
  };
}
