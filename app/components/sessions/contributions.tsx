// The additions of participants to the text of a session, each under its author's name.
import { useLive } from "~/components/room/live-context";
import { FoldedProse } from "~/components/ui/prose";
import { TextLink } from "~/components/ui/text-link";
import { isAlias } from "~/domain/room/aliases";
import { isGuestName, nameAmong } from "~/domain/room/guest-names";
import type { ShownContribution } from "~/domain/sessions/view";

export function Contributions({ contributions }: { contributions: readonly ShownContribution[] }) {
  if (contributions.length === 0) return null;
  return (
    <ol aria-label="Contributions" className="flex flex-col gap-5">
      {contributions.map((contribution) => (
        <li key={contribution.seq} className="border-s-4 border-line ps-4">
          <Author {...contribution} />
          <FoldedProse html={contribution.contentHtml} />
        </li>
      ))}
    </ol>
  );
}

/** Old contributions have no author. An alias and a guest have no page, so their names are no links. */
function Author({ username, guestName }: Pick<ShownContribution, "username" | "guestName">) {
  const people = useLive("room").participants;
  if (username === null) return null;
  const textClass = "text-sm font-semibold wrap-anywhere";
  return (
    <p className={textClass}>
      {isAlias(username) || isGuestName(username) ? (
        nameAmong([...people, { username, guestName }], username)
      ) : (
        <TextLink to={`/${username}`} className="no-underline hover:underline">
          {username}
        </TextLink>
      )}
    </p>
  );
}
