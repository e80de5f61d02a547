// Parses typed addresses of links and images. Pure.
import { readImageSource } from "~/domain/rich-text";

/** The normalised address; null if the text is no address, or links to it are forbidden. */
export function linkAddress(typed: string): string | null {
  const text = typed.trim();
  if (text === "" || /[\s<>]/.test(text)) return null;
  if (/^(?:https?:\/\/[^/]|mailto:.+@|\/(?!\/)|#)/i.test(text)) return text;
  if (/^[^:/@]+@[^:/@]+\.[^:/@]+$/.test(text)) return `mailto:${text}`;
  if (/^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/.test(text)) return `https://${text}`;
  return null;
}

/** V-29: a blank address cannot be inserted. */
export const canInsertImage = (typed: string): boolean => typed.trim() !== "";

/** The address of an image over https, or of an upload; null if it could not be shown. */
export function imageAddress(typed: string): string | null {
  const text = typed.trim().replace(/^http:\/\//i, "https://");
  const image = readImageSource(text);
  return image ? image.src : null;
}
