// Cards of lists: sessions, activities, huts. The whole card is the link; the action is separate (U-36, U-37).
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { CardAction, LinkCard } from "~/components/ui/card";
import { StatusDot } from "~/components/ui/status-dot";
import { Time } from "~/components/ui/time";
import type { ActivityCard as ActivityLine } from "~/domain/activities/activities";
import { describeDuration } from "~/domain/duration-text";
import { seatsOffered } from "~/domain/sessions/spots";
import { lengthOf, SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { CardActionForm } from "./card-action-form";
import { SessionPlate } from "./session-plate";

export type SessionCardFacts = {
  id: number;
  title: string;
  startedAt: number | null;
  endedAt: number | null;
  duration: number;
  participantsCount: number;
  participantLimit: number | null;
  /** The free spots for this viewer. A seat that is offered to somebody else counts as taken (G-22). */
  spotsLeft: number | null;
  hut: { slug: string } | null;
  isJoined: boolean;
  needsCode: boolean;
  isFree: boolean;
};

export function SessionCard({
  session,
  now,
  isGlowing,
  action,
  timeLabel,
}: {
  session: SessionCardFacts;
  now: number;
  isGlowing?: boolean;
  action?: ReactNode;
  timeLabel?: ReactNode;
}) {
  const status = statusAt(session, now);
  const { participantsCount, participantLimit, spotsLeft, hut } = session;
  const isFullByOffers = spotsLeft === 0 && seatsOffered(session) > 0;
  return (
    <LinkCard
      as="li"
      to={`/sessions/${session.id}`}
      title={session.title}
      isGlowing={isGlowing}
      isStacked
      media={<SessionPlate session={session} status={status} now={now} timeLabel={timeLabel} />}
      mark={<StatusDot status={status} />}
      action={action}
      facts={
        <>
          {session.startedAt === null ? (
            <span>Starts when the host is ready</span>
          ) : (
            status === SESSION_STATUS.waiting && (
              <span>
                Starts <Time at={session.startedAt} show="relative" />
              </span>
            )
          )}
          <span>{describeDuration(lengthOf(session))} long</span>
          <span className="tabular">
            {participantsCount}
            {participantLimit ? ` of ${participantLimit}` : ""}{" "}
            {participantsCount === 1 && !participantLimit ? "person" : "people"}
          </span>
          {isFullByOffers && <Badge>Full</Badge>}
          {hut && <HutLink slug={hut.slug} />}
          {session.isFree && <Badge tone="pine">Free to join</Badge>}
          {session.needsCode && <Badge>Needs a code</Badge>}
          {session.isJoined && <Badge tone="ember">You have joined</Badge>}
        </>
      }
    />
  );
}

type ActivityCardFacts = Omit<ActivityLine, "id" | "duration" | "hutId" | "createdAt">;

type ActivityCardProps = {
  activity: ActivityCardFacts;
  /** Additional actions. */
  extraActions?: ReactNode;
};

export function ActivityCard({ activity, extraActions }: ActivityCardProps) {
  const hasPlaces = !activity.participantLimit || activity.followersCount < activity.participantLimit;
  const count = activity.openSessionsCount;
  const canFollow = !activity.isJoined && hasPlaces;
  return (
    <LinkCard
      as="li"
      to={`/activities/${activity.slug}`}
      anchor={TOUR_ANCHORS.homeChallengeCard}
      title={activity.title}
      facts={
        <>
          {activity.categoryTitle && <span>{activity.categoryTitle}</span>}
          {!activity.isTemplate && (
            <span className="tabular">
              {count} active {count === 1 ? "session" : "sessions"}
            </span>
          )}
          {activity.hutSlug && <HutLink slug={activity.hutSlug} />}
        </>
      }
      action={
        (activity.isTemplate || canFollow || extraActions) && (
          <div className="flex flex-wrap justify-end gap-2 max-sm:flex-col">
            {activity.isTemplate ? (
              <Button asChild>
                <Link to={`/challenges/create?template=${activity.slug}`}>Use</Link>
              </Button>
            ) : (
              canFollow && (
                <CardActionForm
                  action={`/activities/${activity.slug}`}
                  intent="follow"
                  label="Follow"
                  subject={activity.title}
                />
              )
            )}
            {extraActions}
          </div>
        )
      }
    >
      {activity.summary && <p className="line-clamp-2 max-w-[65ch] text-soft">{activity.summary}</p>}
    </LinkCard>
  );
}

export const HutLink = ({ slug }: { slug: string }) => (
  <CardAction>
    <Link to={`/group/${slug}`} className="underline decoration-ember underline-offset-2">
      h/{slug}
    </Link>
  </CardAction>
);
