// The sessions of Home: running sessions as cards, and the others as rows under their day.
import { Link } from "@remix-run/react";
import { Button } from "~/components/ui/button";
import { DayList } from "~/components/ui/day-list";
import { StatusDot } from "~/components/ui/status-dot";
import { Time } from "~/components/ui/time";
import { describeDuration } from "~/domain/duration-text";
import { seatsOffered } from "~/domain/sessions/spots";
import { lengthOf, SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { SessionCard, type SessionCardFacts } from "./cards";

type SessionRowsProps = {
  label: string;
  sessions: readonly SessionCardFacts[];
  now: number;
  /** The session that a newcomer may sit in. No other session of the page glows. */
  glowingSession?: SessionCardFacts | undefined;
};

/** Running sessions, then those of each day, then those without a date (in the order of the list). */
export function SessionRows({ label, sessions, now, glowingSession }: SessionRowsProps) {
  const runningSessions = sessions.filter((session) => statusAt(session, now) === SESSION_STATUS.running);
  const otherSessions = sessions.filter((session) => statusAt(session, now) !== SESSION_STATUS.running);
  return (
    <section aria-label={label} className="flex flex-col gap-4">
      {runningSessions.length > 0 && (
        <ul className="grid gap-3">
          {runningSessions.map((session) => (
            <SessionCard
              key={session.id}
              session={session}
              now={now}
              isGlowing={session === glowingSession}
              action={
                session === glowingSession && (
                  <Button asChild variant="primary">
                    <Link to={`/sessions/${session.id}`}>Sit in: {session.title}</Link>
                  </Button>
                )
              }
            />
          ))}
        </ul>
      )}
      <DayList rows={otherSessions} at={({ startedAt }) => startedAt} undated="When the host is ready">
        {(session) => <SessionRow key={session.id} session={session} now={now} />}
      </DayList>
    </section>
  );
}

function SessionRow({ session, now }: { session: SessionCardFacts; now: number }) {
  const { participantsCount: people, participantLimit: limit, spotsLeft } = session;
  const isFull = spotsLeft === 0 && seatsOffered(session) > 0;
  const facts = [
    describeDuration(lengthOf(session)),
    `${people}${limit ? ` of ${limit}` : ""} ${people === 1 && !limit ? "person" : "people"}`,
    ...(session.isJoined ? ["joined"] : isFull ? ["full"] : []),
    ...(session.isFree ? ["free"] : []),
    ...(session.needsCode ? ["code"] : []),
  ];
  return (
    <li className="border-b border-line">
      <Link
        to={`/sessions/${session.id}`}
        prefetch="intent"
        viewTransition
        className="flex min-h-14 items-center gap-3 rounded-sm py-1.5 text-ink no-underline hover:bg-sunken"
      >
        <span className="tabular w-19 shrink-0 text-end font-semibold">
          {session.startedAt !== null && <Time at={session.startedAt} look="time" />}
        </span>
        <StatusDot status={statusAt(session, now)} isWordHidden />
        <span className="row-title min-w-0 flex-1 truncate font-semibold">{session.title}</span>
        <span className="tabular shrink-0 text-sm text-soft max-sm:hidden">{facts.join(" · ")}</span>
      </Link>
    </li>
  );
}
