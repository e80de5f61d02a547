// The head that both pages of a series share: title, rule, crumbs, state and document title.
import type { MetaDescriptor } from "@remix-run/react";
import { Page, type PageProps } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Badge } from "~/components/ui/badge";
import type { Crumb } from "~/components/ui/breadcrumbs";

type SeriesHead = { title: string; ruleText: string; hasEnded: boolean; isPaused: boolean };
type Props = { series: SeriesHead; parentCrumb: Crumb } & Pick<
  PageProps,
  "actions" | "sidebar" | "sidebarLabel" | "children"
>;

export const SeriesPage = ({ series, parentCrumb, ...page }: Props) => (
  <Page
    title={series.title}
    intro={series.ruleText}
    breadcrumbs={[{ label: "Home", to: "/" }, parentCrumb, { label: series.title }]}
    mark={series.hasEnded ? <Badge>Ended</Badge> : series.isPaused && <Badge>Paused</Badge>}
    {...page}
  />
);

type Args = Parameters<typeof pageMeta>[0] & { data?: { series: SeriesHead } | undefined };
export const seriesMeta = (args: Args): MetaDescriptor[] =>
  pageMeta(args, {
    title: args.data?.series.title ?? "Series",
    description: args.data?.series.ruleText ?? "",
  });
