// The head of a stage's page: search engines list the session's page instead.
import type { MetaDescriptor } from "@remix-run/react";
import { pageMeta } from "~/components/layout/page-meta";

type Args = Parameters<typeof pageMeta>[0] & { data?: { title: string } | undefined };

export const stageMeta = (args: Args): MetaDescriptor[] =>
  pageMeta(args, {
    title: `Stage of ${args.data?.title ?? "a session"}`,
    description: "The time of this session, for a screen that everybody sees.",
    more: [{ name: "robots", content: "noindex" }],
  });
