// The words of a chat line: addresses are links, and a line of many lines is folded.
import { Fragment, memo } from "react";
import { ReadMore } from "~/components/ui/read-more";
import { linkPieces } from "~/domain/autolinks";

/** A line beyond either may be taller than a fold. */
const SHORT = { lines: 8, characters: 300 } as const;

export const LineText = memo(({ text }: { text: string }) => {
  const words = linkPieces(text).map(({ text, href }, at) =>
    href === undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no other name.
      <Fragment key={at}>{text}</Fragment>
    ) : (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no other name.
        key={at}
        href={href}
        target="_blank"
        rel="nofollow noopener ugc"
        className="text-ember underline"
      >
        {text}
      </a>
    ),
  );
  const isShort = text.length <= SHORT.characters && text.split("\n").length <= SHORT.lines;
  return isShort ? words : <ReadMore>{words}</ReadMore>;
});
