// All huts, or the viewer's own (P-37, P-38). /groups is the canonical URL of /huts.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { HutCard } from "~/components/huts/card";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { CorrectedNotice, ListBar, ListTools, MineOrAll } from "~/components/lists/list-tools";
import { Button } from "~/components/ui/button";
import { CardList } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { TextLink } from "~/components/ui/text-link";
import { shownRows } from "~/domain/list-pages";
import { ListQuery } from "~/domain/lists";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { listHuts } from "~/use-cases/huts/list.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, listHuts, { input: ListQuery, whenSignedOut: "redirect-if-refused" });
export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Huts",
    description: "Huts are people who like the same activities. Find yours and join it, or build one.",
  });

export default function Huts() {
  const { huts, page, perPage, after, corrected, query } = useLoaderData<typeof loader>();
  const { viewer } = useShell();
  return (
    <Page
      title="Huts"
      intro="People who like the same activities."
      actions={
        <Button asChild variant="primary">
          <Link to="/groups/create" data-tour={TOUR_ANCHORS.huts}>
            Create a Hut
          </Link>
        </Button>
      }
    >
      <ListBar>
        <MineOrAll listName="Groups" isSignedIn={viewer !== null} />
        <ListTools label="Search huts" />
      </ListBar>
      <CorrectedNotice words={corrected} />
      {huts.length === 0 ? (
        <EmptyState
          drawing="hut"
          action={
            query.joined ? (
              <TextLink to="/groups">All huts</TextLink>
            ) : (
              <TextLink to="/groups/create">Create a Hut</TextLink>
            )
          }
        >
          {query.joined && query.q === "" ? "You do not belong to a hut yet." : "No huts found. Build one?"}
        </EmptyState>
      ) : (
        <CardList columns={2} label="Huts">
          {shownRows(huts, { perPage }).map((hut) => (
            <HutCard key={hut.id} hut={hut} />
          ))}
        </CardList>
      )}
      <p>
        <TextLink to="/groups/invite">Enter a private hut</TextLink>
      </p>
      <Pagination page={page} hasNext={after !== null} after={after} />
    </Page>
  );
}
