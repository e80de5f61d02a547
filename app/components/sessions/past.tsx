// The sessions that the viewer came to or missed, with the reliability figure (G-27, G-28).
import { Link } from "@remix-run/react";
import { MyPage } from "~/components/layout/my-page";
import { Section } from "~/components/layout/page";
import { SignInWarning } from "~/components/layout/sign-in-warning";
import { PagedList } from "~/components/lists/paged-list";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card, CardList, LinkCard } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text-link";
import { TimeSpan } from "~/components/ui/time-span";
import { formatDuration } from "~/domain/duration-text";
import type { PageOf } from "~/domain/list-pages";
import { type PastSession, RELIABILITY } from "~/domain/room/presence";

type Props = { list: PageOf<PastSession> & { reliability: number | null } };

export function PastSessionsPage({ list }: Props) {
  const { reliability } = list;
  return (
    <MyPage
      title="My Past Sessions"
      visitor={<SignInWarning>Please sign in to see your past sessions.</SignInWarning>}
    >
      <p className="text-soft">
        {reliability === null
          ? `From ${RELIABILITY.from} sessions in ${RELIABILITY.days} days on, this page shows to how many of them you came.`
          : `You came to ${reliability}% of your sessions in the last ${RELIABILITY.days} days. You and the hosts of sessions that you join see this figure.`}
      </p>
      <PagedList
        list={list}
        drawing="path"
        empty={{
          text: (
            <p>When a session with your seat is over, this list says whether you came and for how long.</p>
          ),
          action: (
            <Button asChild>
              <Link to="/events">See all sessions</Link>
            </Button>
          ),
        }}
      >
        {(sessions) => (
          <Section title="Over">
            <CardList label="Past sessions">
              {sessions.map((session) => (
                <PastSessionCard key={session.id} session={session} />
              ))}
            </CardList>
          </Section>
        )}
      </PagedList>
      <p>
        <TextLink to="/my/sessions">Back to My Sessions</TextLink>
      </p>
    </MyPage>
  );
}

function PastSessionCard({ session }: { session: PastSession }) {
  const { id, title, startedAt, endedAt, seconds, hasCome, hasRecap } = session;
  const facts = (
    <>
      <Badge tone={hasCome ? "pine" : "neutral"}>{hasCome ? "Came" : "Missed"}</Badge>
      <TimeSpan from={startedAt} to={endedAt ?? startedAt} />
      {seconds > 0 && <span className="tabular">present for {formatDuration(seconds)}</span>}
    </>
  );
  if (title === null)
    return (
      <Card as="li" className="grid gap-y-1">
        <p className="font-semibold text-soft">A session that you can no longer see</p>
        <div className="facts text-sm text-soft">{facts}</div>
      </Card>
    );
  return <LinkCard as="li" to={`/sessions/${id}${hasRecap ? "/recap" : ""}`} title={title} facts={facts} />;
}
