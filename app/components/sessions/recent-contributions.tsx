// The last contribution as a card under the prompt, in a row that scrolls to the earlier ones.
import { useEffect, useRef } from "react";
import { useLive } from "~/components/room/live-context";
import { FoldedProse } from "~/components/ui/prose";
import { nameAmong } from "~/domain/room/guest-names";
import type { ShownContribution } from "~/domain/sessions/view";

/** The text of the session has the earlier ones. */
const MAX_SHOWN_CONTRIBUTIONS = 12;

export function RecentContributions({ contributions }: { contributions: readonly ShownContribution[] }) {
  const row = useRef<HTMLOListElement>(null);
  const latest = contributions.slice(-MAX_SHOWN_CONTRIBUTIONS).reverse();
  const people = useLive("room").participants;
  const newest = latest[0]?.seq;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new one comes first.
  useEffect(() => {
    if (row.current) row.current.scrollLeft = 0;
  }, [newest]);
  if (latest.length === 0) return null;
  return (
    <ol
      ref={row}
      aria-label="Last contributions, newest first"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
      tabIndex={0}
      className="recent-contributions"
    >
      {latest.map(({ seq, username, guestName, contentHtml }) => (
        <li key={seq}>
          {username !== null && (
            <p className="text-sm font-semibold wrap-anywhere">
              {nameAmong([...people, { username, guestName }], username)}
            </p>
          )}
          <FoldedProse html={contentHtml} />
        </li>
      ))}
    </ol>
  );
}
