// The sessions in which the viewer has a seat, those that have not ended first (P-19, U-19).

import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { MyPage } from "~/components/layout/my-page";
import { Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { SignInWarning } from "~/components/layout/sign-in-warning";
import { PagedList } from "~/components/lists/paged-list";
import { Icon } from "~/components/pictures/icon";
import { PastSessionsPage } from "~/components/sessions/past";
import { Button } from "~/components/ui/button";
import { CardList, LinkCard } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { StatusDot } from "~/components/ui/status-dot";
import { TextLink } from "~/components/ui/text-link";
import { TimeSpan } from "~/components/ui/time-span";
import { formatDuration } from "~/domain/duration-text";
import { lengthOf, SESSION_STATUS, type SessionStatus, statusAt } from "~/domain/sessions/status";
import { type Instant, SECOND } from "~/domain/time";
import { load } from "~/http/load.server";
import { type MySession, type MySessionList, viewMySessions, viewPastSessions } from "~/use-cases/my.server";
import { page, paging } from "~/wire/values";

/** `?past=1`: the history (G-27). */
export const loader = (args: LoaderFunctionArgs) =>
  new URL(args.request.url).searchParams.get("past") === "1"
    ? load(args, viewPastSessions, { input: z.object(paging) })
    : load(args, viewMySessions, { input: z.object({ page }) });
export const meta: MetaFunction = (args) =>
  new URLSearchParams(args.location.search).get("past") === "1"
    ? pageMeta(args, { title: "My Past Sessions", description: "The sessions that you came to or missed." })
    : pageMeta(args, {
        title: "My Sessions",
        description: "The sessions you joined: upcoming, running and over.",
      });

export default function MySessions() {
  const data = useLoaderData<typeof loader>();
  return "reliability" in data ? <PastSessionsPage list={data} /> : <MySessionsPage data={data} />;
}

/** The sections of the list, in their order. */
const SPANS: readonly { title: string; status: SessionStatus }[] = [
  { title: "Running now", status: SESSION_STATUS.running },
  { title: "Upcoming", status: SESSION_STATUS.waiting },
  { title: "Over", status: SESSION_STATUS.ended },
];

function MySessionsPage({ data }: { data: MySessionList }) {
  return (
    <MyPage
      title="My Sessions"
      actions={
        data.rows.length > 0 && (
          <Button asChild>
            <Link to="/challenges/events/create">Create a Session</Link>
          </Button>
        )
      }
      visitor={
        <>
          <SignInWarning>Please sign in to see your sessions.</SignInWarning>
          <EmptyState
            drawing="lamp"
            action={
              <Button asChild>
                <Link to="/events">See all sessions</Link>
              </Button>
            }
          >
            <p>
              A session is a stretch of time in which people work on their goals together, each with the same
              timer.
            </p>
          </EmptyState>
        </>
      }
    >
      <PagedList
        list={data}
        drawing="lamp"
        empty={{
          text: (
            <p>
              A session is a stretch of time in which people work on their goals together. You have not joined
              any yet: create one, or <TextLink to="/events">join one that suits you</TextLink>.
            </p>
          ),
          action: (
            <Button asChild variant="primary">
              <Link to="/challenges/events/create">Create a New Session</Link>
            </Button>
          ),
        }}
      >
        {(sessions) => <SessionSpans sessions={sessions} now={data.now} />}
      </PagedList>
      <p className="text-soft">
        Sessions that come again are in <TextLink to="/my/series">My Series</TextLink>. Sessions that you came
        to or missed are in <TextLink to="/my/sessions?past=1">My Past Sessions</TextLink>.
      </p>
    </MyPage>
  );
}

function SessionSpans({ sessions, now }: { sessions: MySession[]; now: Instant }) {
  const spans = SPANS.map((span) => ({
    ...span,
    rows: sessions.filter((session) => statusAt(session, now) === span.status),
  })).filter(({ rows }) => rows.length > 0);
  return spans.map(({ title, status, rows }) => (
    <Section key={title} title={title}>
      <CardList label={title}>
        {rows.map((session) => (
          <SessionRow key={session.id} session={session} status={status} />
        ))}
      </CardList>
    </Section>
  ));
}

function SessionRow({ session, status }: { session: MySession; status: SessionStatus }) {
  return (
    <LinkCard
      as="li"
      to={`/sessions/${session.id}`}
      title={session.title}
      isGlowing={status === SESSION_STATUS.running}
      mark={<StatusDot status={status} />}
      facts={
        <>
          {session.startedAt !== null ? (
            <TimeSpan from={session.startedAt} to={session.startedAt + lengthOf(session) * SECOND} />
          ) : (
            <span>Starts when the host starts it</span>
          )}
          <span>{formatDuration(lengthOf(session))}</span>
          <span className="tabular">
            {session.came === null ? `${session.participantsCount} taking part` : `${session.came} came`}
          </span>
          {session.isHost && (
            <span className="inline-flex items-center gap-1">
              <Icon name="key" className="size-4!" /> Yours
            </span>
          )}
        </>
      }
    />
  );
}
