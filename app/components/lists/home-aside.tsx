// The viewer's own things beside Home: the next session, the running goal, a streak, and the next thing to do.
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Icon, type IconName } from "~/components/pictures/icon";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { SESSION_STATUS } from "~/domain/sessions/status";

type OwnThings = {
  goal: { id: number; title: string; isRunning: boolean } | null;
  streak: {
    goalId: number;
    title: string;
    count: number;
    /** The streak is at least so long. */
    isLeast: boolean;
    unit: string;
    isDoneNow: boolean;
  } | null;
};

type HomeAsideProps = OwnThings & {
  session: { id: number; title: string; startedAt: number | null; status: 0 | 1 | 2 } | undefined;
};

export function HomeAside({ goal, streak, session }: HomeAsideProps) {
  return (
    <Card as="section" className="flex flex-col gap-1">
      <h2 className="text-lg">Yours</h2>
      <ul className="flex flex-col">
        {session && (
          <Row icon="timer" to={`/sessions/${session.id}`} title={session.title}>
            {session.status === SESSION_STATUS.running ? (
              "Running"
            ) : session.startedAt === null ? (
              "When the host is ready"
            ) : (
              <Time at={session.startedAt} />
            )}
          </Row>
        )}
        {goal && (
          <Row icon={goal.isRunning ? "play" : "flag"} to={`/my/goals/${goal.id}`} title={goal.title}>
            {goal.isRunning ? "Running" : "Next to do"}
          </Row>
        )}
        {streak && (
          <Row icon="star" to={`/my/goals/${streak.goalId}`} title={streak.title}>
            {`${streak.count}${streak.isLeast ? "+" : ""} ${streak.unit}${streak.count === 1 ? "" : "s"} in a row`}
            {!streak.isDoneNow && ", still open"}
          </Row>
        )}
      </ul>
      {!goal && <TextLink to="/my/goals?create=1">Set your first goal</TextLink>}
      {!session && <TextLink to="/events">Find a session to sit in</TextLink>}
    </Card>
  );
}

type RowProps = { icon: IconName; to: string; title: string; children: ReactNode };
const Row = ({ icon, to, title, children }: RowProps) => (
  <li className="border-b border-line last:border-0">
    <Link
      to={to}
      prefetch="intent"
      className="flex min-h-14 items-center gap-3 py-1.5 text-ink no-underline hover:bg-sunken"
    >
      <Icon name={icon} className="shrink-0 text-soft" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{title}</span>
        <span className="block text-sm text-soft">{children}</span>
      </span>
    </Link>
  </li>
);
