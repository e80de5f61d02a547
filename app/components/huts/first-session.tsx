// The empty state of a hut without sessions. Its people can invite others and create the first session (U-35).
import { Link } from "@remix-run/react";
import { Button } from "~/components/ui/button";
import { CopyButton } from "~/components/ui/copy-button";
import { EmptyState } from "~/components/ui/empty-state";
import { useShell } from "~/hooks/use-shell";

type Hut = {
  slug: string;
  path: string;
  isJoined: boolean;
  isPrivate: boolean;
  canManage: boolean;
  canModerate: boolean;
};

export function FirstSession({ hut }: { hut: Hut }) {
  const { origin } = useShell();
  if (!hut.isJoined && !hut.canManage) return <p className="text-soft">This hut has no active sessions.</p>;
  return (
    <EmptyState
      drawing="kettle"
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <Button asChild variant="primary">
            <Link to={`/challenges/events/create?hut=${hut.slug}`}>Create the first session</Link>
          </Button>
          {/* Only an invitation by a moderator opens a private hut. */}
          {!hut.isPrivate ? (
            <CopyButton text={`${origin}${hut.path}`} label="Invite people" icon="link" />
          ) : (
            hut.canModerate && (
              <Button asChild>
                <Link to={`${hut.path}/members`}>Invite people</Link>
              </Button>
            )
          )}
        </div>
      }
    >
      <p>This hut has no active sessions.</p>
    </EmptyState>
  );
}
