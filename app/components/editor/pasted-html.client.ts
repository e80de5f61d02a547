// Pasted HTML as the editor's schema takes it: Word's lists as lists, lines of code kept, and pictures that came inside
// the text taken out of it.

export const PICTURES_LEFT_OUT = "Some pictures could not be pasted. Please add them with the Image button.";

/** `files`: the pictures of `data:` addresses. `hasLost`: a picture has an address that no page can show. */
export type Pasted = { html: string; files: File[]; hasLost: boolean };

export function readPasted(html: string): Pasted {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const pictures = takePictures(body);
  makeWordLists(body);
  keepCodeLines(body);
  return { html: body.innerHTML, ...pictures };
}

// ---- pictures

const DATA_PICTURE = /^data:(image\/[a-z+.-]+);base64,([a-z0-9+/=\s]+)$/i;

function takePictures(body: HTMLElement): Omit<Pasted, "html"> {
  const files: File[] = [];
  let hasLost = false;
  for (const image of body.querySelectorAll("img")) {
    const src = image.getAttribute("src")?.trim() ?? "";
    if (/^(https?:)?\/\//i.test(src) || src.startsWith("/")) continue;
    const file = fileOf(src, image.alt);
    if (file) files.push(file);
    else hasLost = true;
    image.remove();
  }
  return { files, hasLost };
}

function fileOf(src: string, alt: string): File | null {
  const [, type, data] = DATA_PICTURE.exec(src) ?? [];
  if (type === undefined || data === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(data.replace(/\s/g, "")), (letter) => letter.charCodeAt(0));
    const ending = type.replace(/^image\//i, "").replace(/\+.*$/, "");
    return new File([bytes], `${alt.trim() || "picture"}.${ending}`, { type });
  } catch {
    return null;
  }
}

// ---- Word's lists: paragraphs with a level and a typed mark

const LEVEL = /mso-list:[^;]*\blevel(\d)/i;
const NUMBER = /^\(?(\d+|[a-z]|[ivxlc]+)[.)]/i;
/** A mark that Word did not set apart, and the gap after it. */
const TYPED_MARK = /^\s*(?:[·•o§▪‣–-]|\(?\w{1,4}[.)])(?:\u00a0|\s){2,}/u;

const isWordItem = (element: Element | null): element is HTMLElement =>
  element !== null &&
  element.tagName === "P" &&
  (/\bMsoListParagraph/.test(element.className) || LEVEL.test(element.getAttribute("style") ?? ""));

function makeWordLists(body: HTMLElement): void {
  for (const first of body.querySelectorAll("p")) {
    if (!first.isConnected || !isWordItem(first)) continue;
    const items = [first as HTMLElement];
    for (let next = first.nextElementSibling; isWordItem(next); next = next.nextElementSibling)
      items.push(next);
    first.parentNode?.insertBefore(listOf(items), first);
    for (const item of items) item.remove();
  }
}

function listOf(items: readonly HTMLElement[]): DocumentFragment {
  const root = document.createDocumentFragment();
  /** The open list of each level. */
  const open: HTMLElement[] = [];
  for (const item of items) {
    const mark = takeMark(item);
    const asked = Number(LEVEL.exec(item.getAttribute("style") ?? "")?.[1] ?? 1);
    const level = Math.min(Math.max(asked, 1), open.length + 1);
    const number = NUMBER.exec(mark)?.[1];
    const tag = number === undefined ? "UL" : "OL";
    open.length = Math.min(open.length, level);
    if (open[level - 1]?.tagName !== tag) {
      const list = document.createElement(tag);
      if (number !== undefined && /^\d+$/.test(number) && number !== "1") list.setAttribute("start", number);
      const parent: Node = level === 1 ? root : (open[level - 2]?.lastElementChild ?? root);
      parent.appendChild(list);
      open[level - 1] = list;
    }
    const entry = document.createElement("li");
    const paragraph = document.createElement("p");
    for (let child = item.firstChild; child; child = item.firstChild) paragraph.appendChild(child);
    entry.appendChild(paragraph);
    open[level - 1]?.appendChild(entry);
  }
  return root;
}

/** Takes the typed mark, `·` or `1.`, out of the paragraph. */
function takeMark(item: HTMLElement): string {
  const ignored = [...item.querySelectorAll<HTMLElement>("[style]")].find((element) =>
    /mso-list:\s*ignore/i.test(element.getAttribute("style") ?? ""),
  );
  if (ignored) {
    const mark = ignored.textContent?.trim() ?? "";
    ignored.remove();
    return mark;
  }
  const mark = TYPED_MARK.exec(item.textContent ?? "")?.[0] ?? "";
  let left = mark.length;
  const texts = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode() as Text | null; text && left > 0; text = texts.nextNode() as Text | null) {
    const taken = Math.min(left, text.data.length);
    text.data = text.data.slice(taken);
    left -= taken;
  }
  return mark.trim();
}

// ---- code

/** Code editors copy a box of the look of code, with an element for each line. */
const isCodeBox = ({ style }: HTMLElement): boolean =>
  /^pre/.test(style.whiteSpace) && /mono|courier|consolas|menlo/i.test(style.fontFamily);

function keepCodeLines(body: HTMLElement): void {
  for (const box of body.querySelectorAll<HTMLElement>("pre, div")) {
    if (!box.isConnected || (box.tagName === "DIV" && !isCodeBox(box))) continue;
    const pre = document.createElement("pre");
    const code = document.createElement("code");
    code.textContent = linesOf(box).replace(/\n$/, "");
    for (const { name, value } of box.attributes) if (name.startsWith("data-")) pre.setAttribute(name, value);
    pre.appendChild(code);
    box.parentNode?.replaceChild(pre, box);
  }
}

const LINE = /^(DIV|P|LI|TR)$/;
function linesOf(element: Node): string {
  let text = "";
  for (const child of element.childNodes) {
    if (child.nodeName === "BR") text += "\n";
    else if (child.nodeType === Node.TEXT_NODE) text += child.textContent ?? "";
    else if (LINE.test(child.nodeName)) {
      const line = linesOf(child).replace(/\n$/, "");
      text = `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${line}\n`;
    } else text += linesOf(child);
  }
  return text;
}
