// Stored HTML as a page shows it: footnotes have ids of their own for each text of the page, and lists and quotes
// begin on the side of their script. Pure.

const TAG = /<([a-z]+\d?)(?:[^<>"]|"[^"]*")*>/g;
/** A quote within a value is escaped, so these are attributes. */
const ID_ATTRIBUTE = / (id|href|aria-describedby)="(#?)text-/g;
/**
 * The elements that get a `dir`, because they are indented at the start of their lines. Elements inside get none: an
 * inner `dir` hides its text from the outer one.
 */
const INDENTED = /^(?:ul|ol|blockquote|table)$/;
const LATIN = /^[ -\u024f\u2000-\u206f\s]*$/;

/** `id` is unique to the text on its page. */
export function shownHtml(html: string, id: string): string {
  const prefix = `${id.replace(/\W/g, "")}-`;
  const hasIds = html.includes(' id="text-');
  if (!hasIds && LATIN.test(html)) return html;
  return html.replace(TAG, (tag, name: string) => {
    const withDirection = INDENTED.test(name) ? tag.replace(/^<[a-z]+/, '$& dir="auto"') : tag;
    return hasIds ? withDirection.replace(ID_ATTRIBUTE, ` $1="$2${prefix}`) : withDirection;
  });
}
