// All activities (P-03), and the templates (P-24).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { ActivityCard } from "~/components/lists/cards";
import { ListSidebar } from "~/components/lists/list-sidebar";
import { CorrectedNotice, ListBar, ListTools, MineOrAll } from "~/components/lists/list-tools";
import { noActivitiesSentence, Templates } from "~/components/lists/templates";
import { Button } from "~/components/ui/button";
import { CardList } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { TextLink } from "~/components/ui/text-link";
import { shownRows } from "~/domain/list-pages";
import { ListQuery } from "~/domain/lists";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { listActivities } from "~/use-cases/activities/list.server";

export const loader = (args: LoaderFunctionArgs) => {
  const isTemplates = new URL(args.request.url).pathname.replace(/\.data$/, "").endsWith("/templates");
  return load(
    args,
    async (app, query: ListQuery) => ({
      ...(await listActivities(app, isTemplates ? { ...query, templates: true } : query)),
      isTemplates,
    }),
    { input: ListQuery, whenSignedOut: "redirect-if-refused" },
  );
};

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.isTemplates ? "Templates" : "Activities",
    description: "Things worth doing again, alone or together: follow one, or run it as a session.",
  });

export default function Activities() {
  const data = useLoaderData<typeof loader>();
  const { viewer } = useShell();
  return (
    <Page
      title={data.isTemplates ? "Templates" : "Activities"}
      intro={
        data.isTemplates
          ? "Begin with one of these and make it your own."
          : "Things worth doing again, alone or together."
      }
      actions={
        <Button asChild variant="primary">
          <Link to="/challenges/create">Create an Activity</Link>
        </Button>
      }
      sidebar={<ListSidebar />}
    >
      <ListBar>
        {!data.isTemplates && <MineOrAll listName="Activities" isSignedIn={viewer !== null} />}
        <ListTools categories={data.categories} label="Search activities" />
      </ListBar>
      <CorrectedNotice words={data.corrected} />
      {data.activities.length === 0 ? (
        <EmptyState
          drawing="path"
          action={data.query.joined && <TextLink to="/activities">All activities</TextLink>}
        >
          {noActivitiesSentence(data.query, "Try other words.")}
        </EmptyState>
      ) : (
        <CardList label="Activities">
          {shownRows(data.activities, data).map((activity) => (
            <ActivityCard key={activity.id} activity={activity} />
          ))}
        </CardList>
      )}
      <Pagination page={data.page} hasNext={data.after !== null} after={data.after} />
      {data.activities.length === 0 && !data.isTemplates && <Templates templates={data.templates} />}
    </Page>
  );
}
