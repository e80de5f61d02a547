// The text of a session: the host's, then what others contributed to it. Pure.
import type { Instant } from "~/domain/time";

/**
 * A participant's addition to the session's text. `seq` is that of the change. A contribution from before authors
 * were stored has none. Only the room knows the `uuid` of the press that sent it, so that a repeat adds nothing.
 */
export type Contribution = {
  seq: number;
  userId: number | null;
  username: string | null;
  content: string;
  contentHtml: string;
  createdAt: Instant;
  uuid?: string;
};

type Text = { content: string; contentHtml: string };

const joinTexts = (texts: readonly string[], separator: string): string =>
  texts.filter((text) => text.trim() !== "").join(separator);

/** The host's text and all contributions as one text. */
export const withContributions = ({
  content,
  contentHtml,
  contributions,
}: Text & { contributions: readonly Text[] }): Text =>
  contributions.length === 0
    ? { content, contentHtml }
    : {
        content: joinTexts([content, ...contributions.map((contribution) => contribution.content)], "\n\n"),
        contentHtml: joinTexts(
          [contentHtml, ...contributions.map((contribution) => contribution.contentHtml)],
          "\n",
        ),
      };

/** The contribution of this press of this person; a text that was changed since the press is another one. */
export const findRepeated = (
  contributions: readonly Contribution[],
  entry: { userId: number; uuid: string | undefined; content: string },
): Contribution | undefined =>
  entry.uuid === undefined
    ? undefined
    : contributions.find(
        ({ userId, uuid, content }) =>
          userId === entry.userId && uuid === entry.uuid && content === entry.content,
      );

/** The contributions with another name for one author; the same list if nothing changes. */
export const renameAuthor = (
  contributions: readonly Contribution[],
  userId: number,
  username: string,
): readonly Contribution[] =>
  contributions.some((contribution) => contribution.userId === userId && contribution.username !== username)
    ? contributions.map((contribution) =>
        contribution.userId === userId ? { ...contribution, username } : contribution,
      )
    : contributions;
