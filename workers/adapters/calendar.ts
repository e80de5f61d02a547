// Writes sessions as an iCalendar file (RFC 5545). The library loads with the first file.
import { loadOnce } from "~/domain/load-once";
import type { Calendar } from "~/use-cases/ports.server";

const loadWriter = loadOnce(() => import("ical-generator"));

/** How often programs refresh a feed: about as often as its cached copies expire. */
const REFRESH_SECONDS = 15 * 60;

/** `sender` is the address from which emails are sent; an invitation names it as the organizer. */
export function createCalendar(appName: string, sender: string): Calendar {
  return {
    async write(entries, options) {
      const {
        ICalAttendeeStatus,
        ICalCalendarMethod,
        ICalEventStatus,
        escape: escapeText,
        default: createFile,
      } = await loadWriter();
      const { name, method } = options;
      const file = createFile({
        // The library escapes every text except this one.
        name: escapeText(name, false),
        method: ICalCalendarMethod[method],
        prodId: { company: appName, product: "Sessions", language: "EN" },
        // Only a feed is fetched again.
        ...(method === "PUBLISH" ? { ttl: REFRESH_SECONDS } : {}),
      });
      const invitationFields =
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
          ...invitationFields,
        });
      return file
        .toString()
        .replace(FOLDED_LINE, (folded) => (folded.includes("\\\r\n ") ? foldAgain(folded) : folded));
    },
  };
}

const FOLDED_LINE = /[^\r\n]+(?:\r\n [^\r\n]+)+/g;
/** An escape such as `\;`, or a character. */
const PIECES = /\\[\\;,nN]|./gsu;
const LINE_OCTETS = 74;

/** Folds a line between escapes. The library also folds inside them, and some programs then lose the text. */
function foldAgain(folded: string): string {
  const lines = [""];
  let octets = 0;
  for (const [piece] of folded.replaceAll("\r\n ", "").matchAll(PIECES)) {
    const code = piece.codePointAt(0) ?? 0;
    const size = code < 0x80 ? piece.length : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    octets += size;
    if (octets > LINE_OCTETS) {
      lines.push("");
      octets = size;
    }
    lines[lines.length - 1] += piece;
  }
  return lines.join("\r\n ");
}
