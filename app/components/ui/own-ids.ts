// Footnotes of several texts on one page: each text has ids of its own. Pure.

const TAG = /<[a-z][^<>"]*(?:"[^"]*"[^<>"]*)*>/g;
/** A quote within a value is escaped, so these are attributes. */
const ID = / (id|href|aria-describedby)="(#?)text-/g;

/** The stored HTML of a text with `id` in the ids of its footnotes and in the links to them. */
export const withOwnIds = (html: string, id: string): string =>
  html.includes(' id="text-')
    ? html.replace(TAG, (tag) => tag.replace(ID, ` $1="$2${id.replace(/\W/g, "")}-`))
    : html;
