// A session card with the day and hours of the session. Home groups sessions by day, so it uses SessionCard instead.
import { TimeSpan } from "~/components/ui/time-span";
import { lengthOf } from "~/domain/sessions/status";
import { SECOND } from "~/domain/time";
import { SessionCard, type SessionCardFacts } from "./cards";

export function DatedSessionCard({ session, now }: { session: SessionCardFacts; now: number }) {
  const { startedAt } = session;
  return (
    <SessionCard
      session={session}
      now={now}
      timeLabel={
        startedAt !== null && (
          <TimeSpan
            from={startedAt}
            to={startedAt + lengthOf(session) * SECOND}
            className="text-sm font-semibold text-soft"
            hoursClassName="font-title text-base font-bold text-ink sm:block"
          />
        )
      }
    />
  );
}
