// Stored HTML as a page shows it: footnotes have ids of their own for each text of the page, and lists and quotes
// begin on the side of their script. Pure.

const TAG = /<([a-z]+\d?)(?:[^<>"]|"[^"]*")*>/g;
/** A quote within a value is escaped, so these are attributes. */
const ID = / (id|href|aria-describedby)="(#?)text-/g;
/** Their indentation is at the start of a line. An inner `dir` would hide its text from the outer one. */
const INDENTED = /^(?:ul|ol|blockquote|table)$/;
const LATIN = /^[ -\u024f\u2000-\u206f\s]*$/;

/** `id` is the place of the text on its page. */
export function shownHtml(html: string, id: string): string {
  const own = `${id.replace(/\W/g, "")}-`;
  const hasIds = html.includes(' id="text-');
  if (!hasIds && LATIN.test(html)) return html;
  return html.replace(TAG, (tag, name: string) => {
    const begun = INDENTED.test(name) ? tag.replace(/^<[a-z]+/, '$& dir="auto"') : tag;
    return hasIds ? begun.replace(ID, ` $1="$2${own}`) : begun;
  });
}
