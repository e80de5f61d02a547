// Converts pasted HTML for the editor's schema: Word's lists become lists, code keeps its lines, and embedded pictures
// become files.

export const PICTURES_LEFT_OUT = "Some pictures could not be pasted. Please add them with the Image button.";

/** `files`: the pictures of `data:` addresses. `hasLostPictures`: some picture has an address that no page can show. */
export type Pasted = { html: string; files: File[]; hasLostPictures: boolean };

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
  let hasLostPictures = false;
  for (const image of body.querySelectorAll("img")) {
    const src = image.getAttribute("src")?.trim() ?? "";
    if (/^(https?:)?\/\//i.test(src) || src.startsWith("/")) continue;
    const file = fileOf(src, image.alt);
    if (file) files.push(file);
    else hasLostPictures = true;
    image.remove();
  }
  return { files, hasLostPictures };
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

const WORD_LEVEL = /mso-list:[^;]*\blevel(\d)/i;
const ORDERED_MARK = /^\(?(\d+|[a-z]|[ivxlc]+)[.)]/i;
/** A list mark that Word left in the text of the paragraph, and the gap after it. */
const TYPED_MARK = /^\s*(?:[·•o§▪‣–-]|\(?\w{1,4}[.)])(?:\u00a0|\s){2,}/u;

const isWordItem = (element: Element | null): element is HTMLElement =>
  element !== null &&
  element.tagName === "P" &&
  (/\bMsoListParagraph/.test(element.className) || WORD_LEVEL.test(element.getAttribute("style") ?? ""));

function makeWordLists(body: HTMLElement): void {
  for (const firstItem of body.querySelectorAll("p")) {
    if (!firstItem.isConnected || !isWordItem(firstItem)) continue;
    const items = [firstItem as HTMLElement];
    for (let next = firstItem.nextElementSibling; isWordItem(next); next = next.nextElementSibling)
      items.push(next);
    firstItem.parentNode?.insertBefore(listOf(items), firstItem);
    for (const item of items) item.remove();
  }
}

function listOf(items: readonly HTMLElement[]): DocumentFragment {
  const root = document.createDocumentFragment();
  /** The open list of each level. */
  const openLists: HTMLElement[] = [];
  for (const item of items) {
    const mark = takeMark(item);
    const wordLevel = Number(WORD_LEVEL.exec(item.getAttribute("style") ?? "")?.[1] ?? 1);
    const level = Math.min(Math.max(wordLevel, 1), openLists.length + 1);
    const number = ORDERED_MARK.exec(mark)?.[1];
    const tag = number === undefined ? "UL" : "OL";
    openLists.length = Math.min(openLists.length, level);
    if (openLists[level - 1]?.tagName !== tag) {
      const list = document.createElement(tag);
      if (number !== undefined && /^\d+$/.test(number) && number !== "1") list.setAttribute("start", number);
      const parent: Node = level === 1 ? root : (openLists[level - 2]?.lastElementChild ?? root);
      parent.appendChild(list);
      openLists[level - 1] = list;
    }
    const entry = document.createElement("li");
    const paragraph = document.createElement("p");
    for (let child = item.firstChild; child; child = item.firstChild) paragraph.appendChild(child);
    entry.appendChild(paragraph);
    openLists[level - 1]?.appendChild(entry);
  }
  return root;
}

/** Removes the list mark, such as `·` or `1.`, from the paragraph, and returns it. */
function takeMark(item: HTMLElement): string {
  const markElement = [...item.querySelectorAll<HTMLElement>("[style]")].find((element) =>
    /mso-list:\s*ignore/i.test(element.getAttribute("style") ?? ""),
  );
  if (markElement) {
    const mark = markElement.textContent?.trim() ?? "";
    markElement.remove();
    return mark;
  }
  const mark = TYPED_MARK.exec(item.textContent ?? "")?.[0] ?? "";
  let remaining = mark.length;
  const texts = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
  for (
    let text = texts.nextNode() as Text | null;
    text && remaining > 0;
    text = texts.nextNode() as Text | null
  ) {
    const taken = Math.min(remaining, text.data.length);
    text.data = text.data.slice(taken);
    remaining -= taken;
  }
  return mark.trim();
}

// ---- code

/** Code editors copy a box that is styled as code, with an element for each line. */
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

const LINE_ELEMENT = /^(DIV|P|LI|TR)$/;
function linesOf(element: Node): string {
  let text = "";
  for (const child of element.childNodes) {
    if (child.nodeName === "BR") text += "\n";
    else if (child.nodeType === Node.TEXT_NODE) text += child.textContent ?? "";
    else if (LINE_ELEMENT.test(child.nodeName)) {
      const line = linesOf(child).replace(/\n$/, "");
      text = `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${line}\n`;
    } else text += linesOf(child);
  }
  return text;
}
