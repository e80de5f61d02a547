// The card of a hut in a list, with the viewer's actions.
import { Link } from "@remix-run/react";
import { Icon } from "~/components/pictures/icon";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { LinkCard } from "~/components/ui/card";
import { DropdownMenu } from "~/components/ui/dropdown-menu";
import { Time } from "~/components/ui/time";
import { MembershipButton } from "./membership";
import { HutPicture } from "./picture";

type HutCardFacts = {
  slug: string;
  title: string;
  path: string;
  summary: string;
  userCount: number;
  isJoined: boolean;
  isPrivate: boolean;
  canModerate: boolean;
  next: NextSession | null;
};

type NextSession = { id: number; startedAt: number };

/** A link to the next session of a hut, labelled with its start. */
export const NextSessionButton = ({ next, hutTitle }: { next: NextSession; hutTitle: string }) => (
  <Button asChild>
    <Link to={`/sessions/${next.id}`} prefetch="intent">
      <span>
        Next: <Time at={next.startedAt} look="short" />
        <span className="sr-only">, in {hutTitle}</span>
      </span>
    </Link>
  </Button>
);

/**
 * Members of a private hut, and all moderators, leave on the hut's page instead. A private hut asks first, and a
 * moderator's role would not come back.
 */
function MemberActions({ hut }: { hut: HutCardFacts }) {
  const next = hut.next && <NextSessionButton next={hut.next} hutTitle={hut.title} />;
  if (hut.isPrivate || hut.canModerate) return next;
  return (
    <div className="flex items-center gap-2">
      {next}
      <DropdownMenu
        label={`More: ${hut.title}`}
        trigger={<Icon name="more" />}
        triggerClassName="grid size-11 place-content-center rounded-md text-soft hover:bg-sunken"
        className="ms-auto"
      >
        <MembershipButton hut={hut} isInList isInMenu />
      </DropdownMenu>
    </div>
  );
}

export function HutCard({ hut }: { hut: HutCardFacts }) {
  return (
    <LinkCard
      as="li"
      to={`/group/${hut.slug}`}
      title={hut.title}
      className="h-full"
      isActionBelow
      media={<HutPicture slug={hut.slug} className="size-12" />}
      facts={
        <>
          <span>h/{hut.slug}</span>
          <span className="tabular">
            {hut.userCount} {hut.userCount === 1 ? "member" : "members"}
          </span>
          {!hut.isJoined && hut.next && (
            <span>
              Next: <Time at={hut.next.startedAt} look="short" />
            </span>
          )}
          {hut.isJoined && <Badge tone="ember">You are a member</Badge>}
        </>
      }
      action={
        hut.isJoined ? (
          <MemberActions hut={hut} />
        ) : (
          !hut.canModerate && <MembershipButton hut={hut} isInList />
        )
      }
    >
      {hut.summary && <p className="line-clamp-2 max-w-[65ch] text-soft">{hut.summary}</p>}
    </LinkCard>
  );
}
