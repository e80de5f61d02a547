// What is typed as the address of a link or of an image. Pure.
import { readImageSource } from "~/domain/rich-text";

/** As it will stand in the text; null: not an address one may link to. */
export function linkAddress(typed: string): string | null {
  const text = typed.trim();
  if (text === "" || /[\s<>]/.test(text)) return null;
  if (/^(?:https?:\/\/[^/]|mailto:.+@|\/(?!\/)|#)/i.test(text)) return text;
  if (/^[^:/@]+@[^:/@]+\.[^:/@]+$/.test(text)) return `mailto:${text}`;
  if (/^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/.test(text)) return `https://${text}`;
  return null;
}

/** V-29: there must be something to insert. */
export const canInsertImage = (typed: string): boolean => typed.trim() !== "";

/** An image's address over https, or our own; null: it could not be shown. */
export function imageAddress(typed: string): string | null {
  const text = typed.trim().replace(/^http:\/\//i, "https://");
  const found = readImageSource(text);
  return found ? found.src : null;
}
