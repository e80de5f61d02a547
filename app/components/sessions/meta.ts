// The document title of a session's pages, and the preview of shared links.
import { pageMeta, siteIn } from "~/components/layout/page-meta";
import type { SessionHead } from "~/domain/sessions/view";
import { eventData } from "./event-data";

type MetaArgs = { data: unknown; matches: readonly { id: string; data?: unknown }[] };

export const sessionMeta = (args: MetaArgs, tab?: string) => {
  const { session } = (args.data ?? {}) as Partial<SessionHead>;
  const title = session?.title ?? "Session";
  // Only the page itself is the event, not its tabs.
  const event = session && !tab ? eventData(session, siteIn(args.matches)) : null;
  return pageMeta(args, {
    title: tab ? `${tab} · ${title}` : title,
    description: session?.summary || "A live timed session: everybody who joins sees the same clock.",
    ...(event ? { more: [{ "script:ld+json": event }] } : {}),
  });
};
