// Home: a welcome, current and upcoming sessions, and activities (P-01, R-23, U-30 to U-33).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { TodayPart } from "~/components/goals/today-part";
import { Page, Section } from "~/components/layout/page";
import { appNameIn, pageMeta } from "~/components/layout/page-meta";
import { ActivityCard, SessionCard } from "~/components/lists/cards";
import { ListSidebar } from "~/components/lists/list-sidebar";
import { CorrectedNotice, ListBar, ListTools, MineOrAll } from "~/components/lists/list-tools";
import { NextSessionCard } from "~/components/lists/next-session-card";
import { SessionRows } from "~/components/lists/session-rows";
import { noActivitiesSentence, noSessionsSentence, Templates } from "~/components/lists/templates";
import { Drawing } from "~/components/pictures/drawing";
import { TourInvitation } from "~/components/tour/tour-invitation";
import { Button } from "~/components/ui/button";
import { CardList } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { TextLink } from "~/components/ui/text-link";
import { shownRows } from "~/domain/list-pages";
import { ListQuery } from "~/domain/lists";
import { SESSION_STATUS } from "~/domain/sessions/status";
import { tokensOf, WELCOME_TOKENS } from "~/domain/tokens";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { viewHome } from "~/use-cases/home.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewHome, { input: ListQuery, whenSignedOut: "redirect-if-refused" });
export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: `${appNameIn(args.matches)}: do it together, on the same clock`,
    description:
      "Set goals, log what you did, and meet in live sessions where the same timers run for everybody.",
    isWhole: true,
  });

export default function Home() {
  const data = useLoaderData<typeof loader>();
  const { viewer, now } = useShell();
  const isSearch = data.query.q !== "";
  const ownSession = isSearch ? undefined : data.sessions.find((session) => session.isJoined);
  const otherSessions = data.sessions.filter((session) => session !== ownSession);
  const { goalsOfToday } = data;
  const goals = goalsOfToday?.goals ?? [];
  const hasBegun = ownSession !== undefined || goals.length > 0;
  // Only one element is emphasised: the viewer's own session, for a newcomer a session to sit in, otherwise the button
  // at the top.
  const sessionToSitIn =
    isSearch || hasBegun || (viewer && !viewer.isNew)
      ? undefined
      : otherSessions.find(
          (session) => session.status === SESSION_STATUS.running && session.canJoin && !session.needsCode,
        );
  const isTodayNext =
    !isSearch && (goals.some(({ place }) => place === "due") || (goalsOfToday?.openLogs.length ?? 0) > 0);
  return (
    <Page
      title={
        isSearch
          ? `Sessions and activities with “${data.query.q}”`
          : viewer
            ? `Good to see you, ${viewer.firstName || viewer.username}`
            : "Do it together, on the same clock"
      }
      intro={
        isSearch
          ? undefined
          : viewer
            ? "Sessions that are running or start soon, and activities to do."
            : "Set goals, log what you did, and meet in live sessions where the same timers run for everybody."
      }
      actions={
        <Button
          asChild
          variant={ownSession || sessionToSitIn || isTodayNext ? "quiet" : "primary"}
          size={viewer ? "md" : "lg"}
        >
          {viewer ? (
            <Link to="/challenges/events/create">Create a Session</Link>
          ) : (
            <Link to="/?auth=register">{`Begin with ${tokensOf(WELCOME_TOKENS)} free tokens`}</Link>
          )}
        </Button>
      }
      picture={!viewer && !isSearch && <Drawing name="hut" className="h-44 w-auto text-faint" />}
      sidebar={
        <>
          {viewer && <NextSessionCard session={ownSession} />}
          <ListSidebar />
        </>
      }
    >
      {goalsOfToday && !isSearch && <TodayPart today={goalsOfToday} isAtHome />}
      {ownSession && (
        <Section
          title={
            ownSession.status === SESSION_STATUS.running ? "Your session is running" : "Your next session"
          }
        >
          <ul>
            <SessionCard
              session={ownSession}
              now={now}
              isGlowing={!isTodayNext}
              action={
                <Button asChild variant={isTodayNext ? "quiet" : "primary"}>
                  <Link to={`/sessions/${ownSession.id}`}>Go in</Link>
                </Button>
              }
            />
          </ul>
        </Section>
      )}
      <Section
        title={ownSession ? "More sessions" : "Sessions"}
        anchor={TOUR_ANCHORS.home}
        actions={<TextLink to="/events">All sessions</TextLink>}
      >
        {otherSessions.length === 0 ? (
          <p className="text-soft">
            {ownSession
              ? "There are no others at the moment."
              : noSessionsSentence(data.query, data.templates)}
          </p>
        ) : (
          <SessionRows
            label="Running and upcoming sessions"
            sessions={otherSessions}
            now={now}
            glowingSession={sessionToSitIn}
          />
        )}
      </Section>
      {!isSearch && <TourInvitation hasBegun={hasBegun} />}
      {data.sessions.length === 0 && !isSearch && data.templates.length === 0 && (
        <p>
          <TextLink to="/challenges/create">Create an Activity</TextLink>
        </p>
      )}
      {data.sessions.length === 0 && <Templates templates={data.templates} />}
      <Section title={<span className="sr-only">Activities</span>}>
        <ListBar>
          <MineOrAll listName="Activities" isSignedIn={viewer !== null} />
          <ListTools categories={data.categories} label="Search activities and sessions" />
        </ListBar>
        <CorrectedNotice words={data.corrected} />
        {data.activities.length === 0 ? (
          <EmptyState drawing="path" action={<TextLink to="/challenges/create">Create an Activity</TextLink>}>
            {noActivitiesSentence(data.query, "Try other words, or start something new.")}
          </EmptyState>
        ) : (
          <CardList label="Activities">
            {shownRows(data.activities, data).map((activity) => (
              <ActivityCard key={activity.id} activity={activity} />
            ))}
          </CardList>
        )}
        <Pagination page={data.page} hasNext={data.after !== null} after={data.after} />
      </Section>
    </Page>
  );
}
