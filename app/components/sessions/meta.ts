// The document title of a session's pages, and the preview of shared links.
import { originIn, pageMeta } from "~/components/layout/page-meta";
import type { SessionHead } from "~/domain/sessions/view";
import { searchDataOf } from "./search-data";

type MetaArgs = { data: unknown; matches: readonly { id: string; data?: unknown }[] };

export const sessionMeta = (args: MetaArgs, tab?: string) => {
  const { session } = (args.data ?? {}) as Partial<SessionHead>;
  const title = session?.title ?? "Session";
  // Only for the page itself, not its tabs.
  const data = session && !tab ? searchDataOf(session, originIn(args.matches)) : null;
  return pageMeta(args, {
    title: tab ? `${tab} · ${title}` : title,
    description: session?.summary || "A live timed session: everybody who joins sees the same clock.",
    ...(data ? { more: [{ "script:ld+json": data }] } : {}),
  });
};
