// Where the address of a link ends that nobody marked as one, in Markdown texts and in chat lines. Pure.

/** Brackets, quotes and punctuation of scripts that continue without a space. */
const ENDS =
  /[\u3000-\u3004\u3008-\u3020\u3030\u303d\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff64“”„‟«»‹›…]/u;
/** Punctuation of any script behind an address belongs to the sentence; a slash or a dash to the address. */
const BEHIND = /[^\P{P}/#%&\-@(){}]|[~`^<>]/u;

/** The length of the address at the beginning of `text`, which has no space. Linear in the text. */
export function addressLength(text: string): number {
  let length = ENDS.exec(text)?.index ?? text.length;
  const count = (sign: string): number => text.slice(0, length).split(sign).length - 1;
  for (let unopened = count(")") - count("("); length > 0; length--) {
    const last = text.charAt(length - 1);
    if (last === ")" && unopened > 0) unopened--;
    else if (!BEHIND.test(last)) break;
  }
  return length;
}

const ADDRESS = /(?<![\p{L}\p{N}])https?:\/\/\S+/giu;
/** Of one line of chat; further addresses stay text. */
const MOST_LINKS = 20;

/** The pieces of a line of plain text, in order; `href` of those that are links. */
export function linkPieces(text: string): { text: string; href?: string }[] {
  const pieces: { text: string; href?: string }[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    const address = match.slice(0, addressLength(match));
    if (!isLinked(address)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: address, href: address });
    end = index + address.length;
    if (pieces.length >= 2 * MOST_LINKS) break;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
/** A name before the host would show another host than the browser opens. */
const isLinked = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { hostname, username, password } = new URL(address);
  return hostname.includes(".") && username === "" && password === "";
};

type Node = {
  type: string;
  value?: string;
  url?: string;
  children?: Node[];
  position?: { start: { offset?: number | undefined } } | undefined;
};

/** Links that the parser found in plain text, in contrast to `<address>` and `[text](address)`. */
const isFound = ({ type, children = [], position, url = "" }: Node): boolean =>
  type === "link" &&
  children.length === 1 &&
  children[0]?.type === "text" &&
  /^https?:/i.test(url) &&
  position?.start.offset === children[0].position?.start.offset;

/** A step after the parser of Markdown. The rest of a link becomes text again, and so does one that is no address. */
export function endAutolinks(node: Node): void {
  const { children } = node;
  if (!children) return;
  for (let at = children.length - 1; at >= 0; at--) {
    const child = children[at] as Node;
    const text = child.children?.[0];
    if (!isFound(child) || !text) {
      endAutolinks(child);
      continue;
    }
    const value = text.value ?? "";
    const length = addressLength(value);
    const url = child.url ?? "";
    if (!isLinked(url.slice(0, url.length - (value.length - length)))) {
      children[at] = { type: "text", value };
      continue;
    }
    if (length === value.length) continue;
    child.url = url.slice(0, url.length - (value.length - length));
    text.value = value.slice(0, length);
    const restText: Node = { type: "text", value: value.slice(length) };
    const next = children[at + 1];
    if (next?.type === "text") next.value = (restText.value ?? "") + (next.value ?? "");
    else children.splice(at + 1, 0, restText);
  }
}
