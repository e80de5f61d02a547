// All running and upcoming sessions (P-02).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { DatedSessionCard } from "~/components/lists/dated-session-card";
import { ListSidebar } from "~/components/lists/list-sidebar";
import { CorrectedNotice, ListBar, ListTools, MineOrAll } from "~/components/lists/list-tools";
import { noSessionsSentence, Templates } from "~/components/lists/templates";
import { Button } from "~/components/ui/button";
import { CardList } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { TextLink } from "~/components/ui/text-link";
import { shownRows } from "~/domain/list-pages";
import { ListQuery } from "~/domain/lists";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { listSessions } from "~/use-cases/sessions/list.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, listSessions, { input: ListQuery, whenSignedOut: "redirect-if-refused" });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Sessions",
    description: "Live timed sessions to join: the same clock for everybody.",
  });

export default function Sessions() {
  const data = useLoaderData<typeof loader>();
  const { viewer, now } = useShell();
  return (
    <Page
      title="Sessions"
      intro="Timed runs of an activity: the same clock for everybody."
      actions={
        <Button asChild variant="primary">
          <Link to="/challenges/events/create">Create a Session</Link>
        </Button>
      }
      sidebar={<ListSidebar />}
    >
      <ListBar>
        <MineOrAll listName="Sessions" isSignedIn={viewer !== null} />
        <ListTools categories={data.categories} label="Search sessions" />
      </ListBar>
      <CorrectedNotice words={data.corrected} />
      {data.sessions.length === 0 ? (
        <EmptyState
          drawing="kettle"
          action={data.query.joined && <TextLink to="/events">All sessions</TextLink>}
        >
          {noSessionsSentence(data.query, data.templates)}
        </EmptyState>
      ) : (
        <CardList label="Sessions">
          {shownRows(data.sessions, data).map((session) => (
            <DatedSessionCard key={session.id} session={session} now={now} />
          ))}
        </CardList>
      )}
      <Pagination page={data.page} hasNext={data.after !== null} after={data.after} />
      {data.sessions.length === 0 && <Templates templates={data.templates} />}
    </Page>
  );
}
