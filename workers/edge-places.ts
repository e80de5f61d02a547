// The places of a page that differ from answer to answer: its nonces, and the numerals of its countdowns. They are found
// once, in the tags of the whole page, so that no text of a person is taken for a place.
import { formatClock } from "~/domain/duration-text";
import type { Instant } from "~/domain/time";

/** From and to in the page; `until` in ms for a countdown, null for a nonce. Sorted, without overlap. */
type Place = [from: number, to: number, until: number | null];
export type Places = Place[];

/** React and rehype write values in double quotes, and leave no `"` in them; a value may have `<` and `>`. */
const TAG = /<[a-zA-Z][^"<>]*(?:"[^"]*"[^"<>]*)*>/y;
const VALUE = / ([a-zA-Z][\w-]*)="([^"]*)"/g;
/** The content of these is no HTML. */
const RAW = /^<(script|style)\b/;

/** Linear in the page: each character is read once as a part of a tag or passed over. */
export function placesIn(html: string, nonce: string): Places {
  const places: Places = [];
  let at = html.indexOf("<");
  while (at !== -1) {
    if (html.startsWith("<!--", at)) {
      at = endAfter(html, "-->", at);
    } else if (/[a-zA-Z]/.test(html[at + 1] ?? "")) {
      TAG.lastIndex = at;
      const tag = TAG.exec(html)?.[0];
      if (tag === undefined) break;
      const end = at + tag.length;
      for (const { index, 1: name, 2: value = "" } of tag.matchAll(VALUE)) {
        const from = at + index + ` ${name}="`.length;
        if (name === "nonce" && value === nonce) places.push([from, from + value.length, null]);
        if (name === "data-until" && /^\d+$/.test(value))
          places.push([end, endOf(html, "<", end), Number(value)]);
      }
      const raw = RAW.exec(tag)?.[1];
      at = raw ? endOf(html, `</${raw}`, end) : end;
    } else at += 1;
    at = html.indexOf("<", at);
  }
  return places.sort(([a], [b]) => a - b);
}

const endOf = (html: string, sign: string, from: number): number => {
  const at = html.indexOf(sign, from);
  return at === -1 ? html.length : at;
};
const endAfter = (html: string, sign: string, from: number): number => endOf(html, sign, from) + sign.length;

/** The page with a nonce of its own, and the numerals of its countdowns at `now`. */
export function fillCopy(
  { html, places }: { html: string; places: Places },
  { nonce, now }: { nonce: string; now: Instant },
): string {
  const pieces: string[] = [];
  let done = 0;
  for (const [from, to, until] of places) {
    pieces.push(
      html.slice(done, from),
      until === null ? nonce : formatClock(Math.max(0, until - now), "ceil"),
    );
    done = to;
  }
  return pieces.join("") + html.slice(done);
}
