// The additions of participants to the text of a session, each under its author's name.
import { FoldedProse } from "~/components/ui/prose";
import { TextLink } from "~/components/ui/text-link";
import { isAlias } from "~/domain/room/aliases";
import { isGuestName, nameAmong } from "~/domain/room/guest-names";
import type { ShownContribution } from "~/domain/sessions/view";

export function Contributions({ contributions }: { contributions: readonly ShownContribution[] }) {
  if (contributions.length === 0) return null;
  return (
    <ol aria-label="Contributions" className="flex flex-col gap-5">
      {contributions.map(({ seq, username, contentHtml }) => (
        <li key={seq} className="border-s-4 border-line ps-4">
          <Author username={username} />
          <FoldedProse html={contentHtml} />
        </li>
      ))}
    </ol>
  );
}

/** Nobody knows who added an old contribution, and an alias has no page. */
function Author({ username }: { username: string | null }) {
  if (username === null) return null;
  const look = "text-sm font-semibold wrap-anywhere";
  return (
    <p className={look}>
      {isAlias(username) || isGuestName(username) ? (
        nameAmong([], username)
      ) : (
        <TextLink to={`/${username}`} className="no-underline hover:underline">
          {username}
        </TextLink>
      )}
    </p>
  );
}
