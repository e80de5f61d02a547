// The document title of a session's pages, and the preview of shared links.
import { pageMeta } from "~/components/layout/page-meta";
import type { SessionHead } from "~/domain/sessions/view";

type MetaArgs = { data: unknown; matches: readonly { id: string; data?: unknown }[] };

export const sessionMeta = (args: MetaArgs, tab?: string) => {
  const { session } = (args.data ?? {}) as Partial<SessionHead>;
  const title = session?.title ?? "Session";
  return pageMeta(args, {
    title: tab ? `${tab} · ${title}` : title,
    description: session?.summary || "A live timed session: everybody who joins sees the same clock.",
  });
};
