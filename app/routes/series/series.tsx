// The public page of a series (H-09): its dates, "Join every time", its recaps and its thread.
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { Section } from "~/components/layout/page";
import { SeriesPage, seriesMeta } from "~/components/series/page";
import { SeriesDates } from "~/components/sessions/series-dates";
import { NextSession, SeriesFacts, SeriesThread, StandingSeat } from "~/components/sessions/series-place";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { Pagination } from "~/components/ui/pagination";
import { Prose } from "~/components/ui/prose";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { PlaceChoice, PlaceStandingInput } from "~/forms/series/series";
import { PostChoice, PostEditInput, SeriesPostInput } from "~/forms/sessions/posts";
import { JoinInput, SessionChoice } from "~/forms/sessions/sessions";
import { usePosted } from "~/hooks/form/use-posted";
import { useLinkCode } from "~/hooks/sessions/use-link-code";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import { createSeriesPost, viewSeriesPlace } from "~/use-cases/series/page.server";
import { giveUpStandingSeat, takeStandingSeat } from "~/use-cases/series/standing.server";
import { joinSession, leaveSession } from "~/use-cases/sessions/people.server";
import { editPost, removePost } from "~/use-cases/sessions/posts.server";
import { forumPaging } from "~/wire/values";

const Query = PlaceChoice.extend(forumPaging);

/** An old address redirects to the current one (H-14). */
export async function loader(args: LoaderFunctionArgs) {
  const view = await load(args, viewSeriesPlace, { input: Query });
  const { address } = view.series;
  if (address !== `/series/${args.params.series}`)
    throw redirect(address + new URL(args.request.url).search, 301);
  return view;
}

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      join: on(JoinInput, joinSession, { toast: "You have successfully joined this session." }),
      leave: on(SessionChoice, leaveSession, { toast: "You skip this date." }),
      "standing.take": on(PlaceStandingInput, takeStandingSeat, {
        toast: "You have a seat in each session that is laid out from now on.",
      }),
      "standing.end": on(PlaceChoice, giveUpStandingSeat, { toast: "You join each session yourself." }),
      post: on(SeriesPostInput, createSeriesPost, { resumedToast: "Your post is in the forum." }),
      "post.edit": on(PostEditInput, editPost),
      "post.remove": on(PostChoice, removePost, { toast: "The post was removed." }),
    },
    MAX_BYTES_WITH_TEXTS,
  );

export const meta: MetaFunction<typeof loader> = seriesMeta;

export default function Series() {
  const view = useLoaderData<typeof loader>();
  const { series, me, recaps, contentHtml } = view;
  const posted = usePosted();
  const linkCode = useLinkCode();
  const forms = { view, posted, linkCode };
  return (
    <SeriesPage
      series={series}
      parentCrumb={{ label: "Sessions", to: "/events" }}
      actions={
        series.isMine && (
          <Button asChild>
            <Link to={series.path}>Manage this series</Link>
          </Button>
        )
      }
      sidebar={<SeriesFacts view={view} />}
      sidebarLabel="About this series"
    >
      {me.closed !== null && (
        <Notice tone="warning" title={me.closed}>
          You can still read what everybody sees. Only the host can let you back in.
        </Notice>
      )}
      {series.hasEnded && <Notice>This series has ended. It creates no more sessions.</Notice>}
      <NextSession {...forms} />
      <StandingSeat {...forms} />
      <Section title="Next dates">
        <SeriesDates view={view} />
      </Section>
      {contentHtml !== "" && (
        <Section title="About">
          <Prose html={contentHtml} />
        </Section>
      )}
      {recaps.length > 0 && (
        <Section title="Recaps">
          <ul aria-label="Recaps" className="flex flex-col">
            {recaps.map((recap) => (
              <li key={recap.session} className="flex min-h-11 items-center border-b border-line">
                <TextLink to={recap.path}>
                  {recap.startedAt === null ? recap.title : <Time at={recap.startedAt} look="date" />}
                </TextLink>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Forum">
        <SeriesThread {...forms} />
        <Pagination page={view.page} hasNext={view.hasNext} after={view.after} />
      </Section>
    </SeriesPage>
  );
}
