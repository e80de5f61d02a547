// Finds and fills the parts of a cached page that differ between answers: its nonces, the numbers of its countdowns and
// the present time. It searches only in tags, so that no text that a person wrote is mistaken for such a part.
import { formatClock } from "~/domain/duration-text";
import type { Instant } from "~/domain/time";

/** A part of the page by its positions. `until` is the end of a countdown, "now" for the time, or null for a nonce. */
type Place = [from: number, to: number, until: number | "now" | null];
/** Sorted by position, without overlap. */
export type Places = Place[];

/** React and rehype write values in double quotes and escape `"` inside them; a value may contain `<` and `>`. */
const TAG = /<[a-zA-Z][^"<>]*(?:"[^"]*"[^"<>]*)*>/y;
const VALUE = / ([a-zA-Z][\w-]*)="([^"]*)"/g;
/** The tags whose content is not HTML. */
const RAW_TEXT_TAG = /^<(script|style)\b/;

/** Finds the places in linear time: each character is read once, as a part of a tag or between tags. */
export function placesIn(html: string, nonce: string): Places {
  const places: Places = [];
  let position = html.indexOf("<");
  while (position !== -1) {
    if (html.startsWith("<!--", position)) {
      position = positionAfter(html, "-->", position);
    } else if (/[a-zA-Z]/.test(html[position + 1] ?? "")) {
      TAG.lastIndex = position;
      const tag = TAG.exec(html)?.[0];
      if (tag === undefined) break;
      const end = position + tag.length;
      for (const { index, 1: name, 2: value = "" } of tag.matchAll(VALUE)) {
        const from = position + index + ` ${name}="`.length;
        if (name === "nonce" && value === nonce) places.push([from, from + value.length, null]);
        if (name === "data-now" && /^\d+$/.test(value)) places.push([from, from + value.length, "now"]);
        if (name === "data-until" && /^\d+$/.test(value))
          places.push([end, positionOf(html, "<", end), Number(value)]);
      }
      const raw = RAW_TEXT_TAG.exec(tag)?.[1];
      position = raw ? positionOf(html, `</${raw}`, end) : end;
    } else position += 1;
    position = html.indexOf("<", position);
  }
  return places.sort(([a], [b]) => a - b);
}

/** The position of `sign`, or the end of the page. */
const positionOf = (html: string, sign: string, from: number): number => {
  const position = html.indexOf(sign, from);
  return position === -1 ? html.length : position;
};
/** The position after `sign`, or the end of the page. */
const positionAfter = (html: string, sign: string, from: number): number =>
  positionOf(html, sign, from) + sign.length;

/** The page with a new nonce, with the numbers of its countdowns at `now`, and with `now` itself. */
export function fillCopy(
  { html, places }: { html: string; places: Places },
  { nonce, now }: { nonce: string; now: Instant },
): string {
  const pieces: string[] = [];
  let end = 0;
  for (const [from, to, until] of places) {
    pieces.push(html.slice(end, from), until === null ? nonce : textAt(until, now));
    end = to;
  }
  return pieces.join("") + html.slice(end);
}

const textAt = (until: number | "now", now: Instant): string =>
  until === "now" ? String(now) : formatClock(Math.max(0, until - now), "ceil");
