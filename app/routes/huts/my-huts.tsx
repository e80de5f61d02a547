// The huts that the viewer belongs to (P-20).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { NextSessionButton } from "~/components/huts/card";
import { HutPicture } from "~/components/huts/picture";
import { MyPage } from "~/components/layout/my-page";
import { pageMeta } from "~/components/layout/page-meta";
import { SignInWarning } from "~/components/layout/sign-in-warning";
import { PagedList } from "~/components/lists/paged-list";
import { Button } from "~/components/ui/button";
import { CardList, LinkCard } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { load } from "~/http/load.server";
import { viewMyHuts } from "~/use-cases/my.server";
import { page } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) => load(args, viewMyHuts, { input: z.object({ page }) });
export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "My Groups", description: "The huts you belong to." });

export default function MyHuts() {
  const data = useLoaderData<typeof loader>();
  return (
    <MyPage
      title="My Groups"
      visitor={
        <>
          <SignInWarning>Please sign in to see your huts.</SignInWarning>
          <EmptyState
            drawing="hut"
            action={
              <Button asChild>
                <Link to="/groups">See all huts</Link>
              </Button>
            }
          >
            <p>
              A hut gathers people with similar goals: their activities, their sessions, their conversations.
            </p>
          </EmptyState>
        </>
      }
    >
      <PagedList
        list={data}
        drawing="hut"
        empty={{
          text: <p>A hut gathers people with similar goals. You do not belong to any yet.</p>,
          action: (
            <Button asChild variant="primary">
              <Link to="/groups">Find a hut</Link>
            </Button>
          ),
        }}
      >
        {(huts) => (
          <CardList label="Huts" columns={2}>
            {huts.map((hut) => (
              <LinkCard
                key={hut.id}
                as="li"
                headingLevel={2}
                to={`/group/${hut.slug}`}
                title={hut.title}
                media={<HutPicture slug={hut.slug} className="size-12" />}
                facts={
                  <span className="tabular">
                    {hut.userCount} {hut.userCount === 1 ? "member" : "members"}
                  </span>
                }
                isActionBelow
                action={hut.next && <NextSessionButton next={hut.next} hutTitle={hut.title} />}
              >
                {hut.summary && <p className="line-clamp-2 text-soft">{hut.summary}</p>}
              </LinkCard>
            ))}
          </CardList>
        )}
      </PagedList>
    </MyPage>
  );
}
