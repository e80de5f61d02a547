// Rich text as HTML, which the server sanitises once, when it is written (D-01).
import { useId } from "react";
import { ReadMore } from "./read-more";
import { shownHtml } from "./shown-html";

export function Prose({ html }: { html: string }) {
  const id = useId();
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised on write.
  return <div className="prose" dangerouslySetInnerHTML={{ __html: shownHtml(html, id) }} />;
}

/** Folded if it is long; nothing without text. */
export const FoldedProse = ({ html }: { html: string | null | undefined }) =>
  html ? (
    <ReadMore>
      <Prose html={html} />
    </ReadMore>
  ) : null;
