import { Link } from "@remix-run/react";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { LinkCard } from "~/components/ui/card";
import { Time } from "~/components/ui/time";
import { Membership } from "./membership";
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

/** The next date of a hut, as a button that leads to its session. */
export const NextButton = ({ next, hut }: { next: NextSession; hut: string }) => (
  <Button asChild>
    <Link to={`/sessions/${next.id}`} prefetch="intent">
      <span>
        Next: <Time at={next.startedAt} look="short" />
        <span className="sr-only">, in {hut}</span>
      </span>
    </Link>
  </Button>
);

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
      // Leaving is in the menu of the hut's page.
      action={
        hut.isJoined
          ? hut.next && <NextButton next={hut.next} hut={hut.title} />
          : !hut.canModerate && <Membership hut={hut} isInList />
      }
    >
      {hut.summary && <p className="line-clamp-2 max-w-[65ch] text-soft">{hut.summary}</p>}
    </LinkCard>
  );
}
