// Finds bare addresses in Markdown texts and chat lines, and where each ends. Pure.

/** Characters that end an address. Scripts without spaces continue right behind them. */
const END_CHARACTERS =
  /[\u3000-\u3004\u3008-\u3020\u3030\u303d\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff64“”„‟«»‹›…]/u;
/** Punctuation at the end of an address belongs to the sentence; a slash or a dash belongs to the address. */
const TRAILING_PUNCTUATION = /[^\P{P}/#%&\-@(){}]|[~`^<>]/u;

/** The length of the address at the beginning of `text`, which has no space. Linear in the text. */
export function addressLength(text: string): number {
  let length = END_CHARACTERS.exec(text)?.index ?? text.length;
  const count = (sign: string): number => text.slice(0, length).split(sign).length - 1;
  for (let unopened = count(")") - count("("); length > 0; length--) {
    const last = text.charAt(length - 1);
    if (last === ")" && unopened > 0) unopened--;
    else if (!TRAILING_PUNCTUATION.test(last)) break;
  }
  return length;
}

/** Scripts without spaces run right up to an address; a Latin letter or a digit before it is part of another word. */
const ADDRESS = /(?<![\p{Script=Latin}\p{N}])https?:\/\/\S+/giu;
/** The most links of a chat line. Further addresses stay text. */
const MAX_LINKS = 20;

/** The pieces of a line of plain text, in order. Links have an `href`. */
export function linkPieces(text: string): { text: string; href?: string }[] {
  const pieces: { text: string; href?: string }[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    const address = match.slice(0, addressLength(match));
    if (!isLinkable(address)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: address, href: address });
    end = index + address.length;
    if (pieces.length >= 2 * MAX_LINKS) break;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
/** Refuses an address with a user name, which would show another host than the browser opens. */
const isLinkable = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { hostname, username, password } = new URL(address);
  return hostname.includes(".") && username === "" && password === "";
};

type Node = {
  type: string;
  value?: string;
  url?: string;
  title?: string | null;
  children?: Node[];
  position?: { start: { offset?: number | undefined } } | undefined;
};

/** True for a link that the parser made from plain text, and not from `<address>` or `[text](address)`. */
const isBareLink = ({ type, children = [], position, url = "" }: Node): boolean =>
  type === "link" &&
  children.length === 1 &&
  children[0]?.type === "text" &&
  /^https?:/i.test(url) &&
  position?.start.offset === children[0].position?.start.offset;

/** The nodes of a text whose addresses the parser left as text, because a letter comes right before them. */
const linkedText = (value: string): Node[] =>
  linkPieces(value).map(({ text, href }) =>
    href === undefined
      ? { type: "text", value: text }
      : { type: "link", url: href, title: null, children: [{ type: "text", value: text }] },
  );

/**
 * Shortens the bare links of a parsed Markdown text to their addresses, and links those that the parser left as text.
 * The rest of a link becomes text again, as does a link that is no address.
 */
export function endAutolinks(node: Node): void {
  const { children } = node;
  if (!children || node.type === "link" || node.type === "linkReference") return;
  for (let index = children.length - 1; index >= 0; index--) {
    const child = children[index] as Node;
    const text = child.children?.[0];
    if (child.type === "text") {
      const nodes = linkedText(child.value ?? "");
      if (nodes.some(({ type }) => type === "link")) children.splice(index, 1, ...nodes);
      continue;
    }
    if (!isBareLink(child) || !text) {
      endAutolinks(child);
      continue;
    }
    const value = text.value ?? "";
    const length = addressLength(value);
    const url = child.url ?? "";
    const address = url.slice(0, url.length - (value.length - length));
    if (!isLinkable(address)) {
      children[index] = { type: "text", value };
      continue;
    }
    if (length === value.length) continue;
    child.url = address;
    text.value = value.slice(0, length);
    children.splice(index + 1, 0, ...linkedText(value.slice(length)));
  }
}
