import { Icon } from "~/components/pictures/icon";
import { Badge } from "~/components/ui/badge";
import { LinkCard } from "~/components/ui/card";
import { Membership } from "./membership";

type HutCardFacts = {
  slug: string;
  title: string;
  path: string;
  summary: string;
  userCount: number;
  isJoined: boolean;
  isPrivate: boolean;
  canModerate: boolean;
};
export function HutCard({ hut }: { hut: HutCardFacts }) {
  return (
    <LinkCard
      as="li"
      to={`/group/${hut.slug}`}
      title={hut.title}
      className="h-full"
      isActionBelow
      media={
        <span className="grid size-12 place-content-center rounded-md bg-dusk-wash text-dusk">
          <Icon name="hills" className="is-large" />
        </span>
      }
      facts={
        <>
          <span>h/{hut.slug}</span>
          <span className="tabular">
            {hut.userCount} {hut.userCount === 1 ? "member" : "members"}
          </span>
          {hut.isJoined && <Badge tone="ember">You are a member</Badge>}
        </>
      }
      // Leaving a private hut or a role asks first, on the hut's page.
      action={!(hut.isJoined && (hut.isPrivate || hut.canModerate)) && <Membership hut={hut} isInList />}
    >
      {hut.summary && <p className="line-clamp-2 max-w-[65ch] text-soft">{hut.summary}</p>}
    </LinkCard>
  );
}
