// Rich text as HTML, which the server sanitises once, when it is written (D-01).
import { ReadMore } from "./read-more";

export const Prose = ({ html }: { html: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised on write.
  <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
);

/** Folded if it is long; nothing without text. */
export const FoldedProse = ({ html }: { html: string | null | undefined }) =>
  html ? (
    <ReadMore>
      <Prose html={html} />
    </ReadMore>
  ) : null;
