// The title of a session's pages in the browser's tab, and what a shared link says.
import type { SessionHead } from "~/domain/session-view";

export const sessionMeta = (data: unknown, tab?: string): Record<string, string>[] => {
  const { session } = (data ?? {}) as Partial<SessionHead>;
  const title = session?.title ?? "Session";
  return [
    { title: `${tab ? `${tab} · ` : ""}${title} · Bothy` },
    ...(session?.summary ? [{ name: "description", content: session.summary.slice(0, 200) }] : []),
  ];
};
