// The card beside the home page: the viewer's next session, or a link to find a session.
import { Link } from "@remix-run/react";
import { Icon } from "~/components/pictures/icon";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";

type Props = {
  session: { id: number; title: string; startedAt: number | null; status: SessionStatus } | undefined;
};

export function NextSessionCard({ session }: Props) {
  return (
    <Card as="section" className="flex flex-col gap-1">
      <h2 className="text-lg">Your session</h2>
      {session ? (
        <Link
          to={`/sessions/${session.id}`}
          prefetch="intent"
          className="flex min-h-14 items-center gap-3 py-1.5 text-ink no-underline hover:bg-sunken"
        >
          <Icon name="timer" className="shrink-0 text-soft" />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-semibold">{session.title}</span>
            <span className="block text-sm text-soft">
              {session.status === SESSION_STATUS.running ? (
                "Running"
              ) : session.startedAt === null ? (
                "When the host is ready"
              ) : (
                <Time at={session.startedAt} />
              )}
            </span>
          </span>
        </Link>
      ) : (
        <TextLink to="/events">Find a session to join</TextLink>
      )}
    </Card>
  );
}
