// The schema.org Event of a session that everybody may see, for search engines: nothing about people, codes and links.
import type { ShownSession } from "~/domain/sessions/view";
import { plusSeconds } from "~/domain/time";

/** Null for a session that is cancelled, a template, in a private hut or without a date. */
export function searchDataOf(session: ShownSession, origin: string): object | null {
  const { title, summary, startedAt, endedAt, duration } = session;
  if (session.isPrivate || session.isTemplate || session.isCancelled || startedAt === null) return null;
  const url = origin + session.path;
  return {
    "@context": "https://schema.org",
    "@type": "Event",
    name: title,
    // The text of a session with a code is for its participants.
    ...(summary && !session.needsCode ? { description: summary } : {}),
    url,
    startDate: new Date(startedAt).toISOString(),
    endDate: new Date(endedAt ?? plusSeconds(startedAt, duration)).toISOString(),
    location: { "@type": "VirtualLocation", url },
  };
}
