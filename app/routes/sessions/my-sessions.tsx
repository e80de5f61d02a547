// The sessions in which the viewer has a seat, those that have not ended first (P-19, U-19).

import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { MyTabs } from "~/components/layout/my-tabs";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { SignInWarning } from "~/components/layout/sign-in-warning";
import { Icon } from "~/components/pictures/icon";
import { PastSessionsPage } from "~/components/sessions/past";
import { Button } from "~/components/ui/button";
import { CardList, LinkCard } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { StatusDot } from "~/components/ui/status-dot";
import { TextLink } from "~/components/ui/text-link";
import { TimeSpan } from "~/components/ui/time-span";
import { formatDuration } from "~/domain/duration-text";
import { lengthOf, SESSION_STATUS, type SessionStatus, statusAt } from "~/domain/sessions/status";
import { SECOND } from "~/domain/time";
import { useShell } from "~/hooks/use-shell";
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
  return "reliability" in data ? (
    <PastSessionsPage {...data} rows={data.rows.slice(0, data.perPage)} />
  ) : (
    <MySessionsPage data={data} />
  );
}

/** The sections of the list, in their order. */
const SPANS: readonly { title: string; status: SessionStatus }[] = [
  { title: "Running now", status: SESSION_STATUS.running },
  { title: "Upcoming", status: SESSION_STATUS.waiting },
  { title: "Over", status: SESSION_STATUS.ended },
];

function MySessionsPage({ data }: { data: MySessionList }) {
  const { viewer } = useShell();
  const sessions = data.rows.slice(0, data.perPage);
  const spans = SPANS.map((span) => ({
    ...span,
    rows: sessions.filter((session) => statusAt(session, data.now) === span.status),
  })).filter(({ rows }) => rows.length > 0);
  return (
    <Page
      title="My Sessions"
      tabs={<MyTabs />}
      actions={
        sessions.length > 0 && (
          <Button asChild>
            <Link to="/challenges/events/create">Create a Session</Link>
          </Button>
        )
      }
    >
      {!viewer && (
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
      )}
      {viewer && sessions.length === 0 && (
        <EmptyState
          drawing="lamp"
          action={
            <Button asChild variant="primary">
              <Link to="/challenges/events/create">Create a New Session</Link>
            </Button>
          }
        >
          <p>
            A session is a stretch of time in which people work on their goals together. You have not joined
            any yet: create one, or <TextLink to="/events">join one that suits you</TextLink>.
          </p>
        </EmptyState>
      )}
      {spans.map(({ title, rows }) => (
        <Section key={title} title={title}>
          <CardList label={title}>
            {rows.map((session) => (
              <SessionRow key={session.id} session={session} status={statusAt(session, data.now)} />
            ))}
          </CardList>
        </Section>
      ))}
      <Pagination page={data.page} hasNext={data.rows.length > data.perPage} />
      {viewer && (
        <p className="text-soft">
          Sessions that come again are in <TextLink to="/my/series">My Series</TextLink>. Sessions that you
          came to or missed are in <TextLink to="/my/sessions?past=1">My Past Sessions</TextLink>.
        </p>
      )}
    </Page>
  );
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
