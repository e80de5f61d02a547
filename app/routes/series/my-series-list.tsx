// The viewer's series, as host or with a standing seat, and the form of a new one (G-04, G-06).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { MyPage } from "~/components/layout/my-page";
import { Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { PagedList } from "~/components/lists/paged-list";
import { NewSeries } from "~/components/series/new-series";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { CardList, LinkCard } from "~/components/ui/card";
import type { ShownSeries } from "~/domain/series/view";
import { NewSeriesInput, RuleQuery } from "~/forms/series/series";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { createSeriesFrom } from "~/use-cases/series/series.server";
import { readView, viewSeriesList } from "~/use-cases/series/view.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewSeriesList, { input: RuleQuery, whenSignedOut: "redirect" });

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    create: on(NewSeriesInput, createSeriesFrom, {
      toast: "The series is ready.",
      showsErrorsOf: ["rule"],
      redirectTo: ({ series }) => series.path,
      readAgain: readView,
    }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "My Series", description: "Sessions that come again, and your standing seats." });

const NO_SERIES = {
  text: (
    <p>
      A series creates a session on every date of its rule. Open a session that you host and choose “Make a
      series” in its menu.
    </p>
  ),
  action: (
    <Button asChild>
      <Link to="/my/sessions">See your sessions</Link>
    </Button>
  ),
};

export default function MySeriesList() {
  const { series, draft } = useLoaderData<typeof loader>();
  return (
    <MyPage title="My Series">
      {draft && <NewSeries draft={draft} />}
      <PagedList
        list={{ rows: series, page: 1, perPage: series.length }}
        drawing="path"
        empty={draft ? null : NO_SERIES}
      >
        {(rows) => (
          <Section title="Series">
            <CardList label="Series">
              {rows.map((row) => (
                <SeriesCard key={row.id} series={row} />
              ))}
            </CardList>
          </Section>
        )}
      </PagedList>
    </MyPage>
  );
}

function SeriesCard({ series }: { series: ShownSeries }) {
  return (
    <LinkCard
      as="li"
      to={series.path}
      title={series.title}
      facts={
        <>
          <span>{series.ruleText}</span>
          {series.hasEnded ? <Badge>Ended</Badge> : series.isPaused && <Badge>Paused</Badge>}
          {series.standingSince !== null && <Badge tone="pine">You join every time</Badge>}
          {series.problem !== "" && <Badge tone="red">Needs you</Badge>}
        </>
      }
    />
  );
}
