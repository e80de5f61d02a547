// The text of a chat message: addresses are links, and a long message is folded.
import { Fragment, memo } from "react";
import { ReadMore } from "~/components/ui/read-more";
import { linkPieces } from "~/domain/autolinks";

/** A message beyond either limit may be taller than a fold. */
const MAX_UNFOLDED = { lines: 8, characters: 300 } as const;

export const LineText = memo(({ text }: { text: string }) => {
  const pieces = linkPieces(text).map(({ text, href }, index) =>
    href === undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity.
      <Fragment key={index}>{text}</Fragment>
    ) : (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity.
        key={index}
        href={href}
        target="_blank"
        rel="nofollow noopener ugc"
        className="text-ember underline"
      >
        {text}
      </a>
    ),
  );
  const isShort = text.length <= MAX_UNFOLDED.characters && text.split("\n").length <= MAX_UNFOLDED.lines;
  return isShort ? pieces : <ReadMore>{pieces}</ReadMore>;
});
