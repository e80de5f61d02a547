// Images and code languages in rich texts: images with size and shown width (D-04), such as
// /uploads/abc.png#size=800x600&show=50, and the languages of code blocks (D-05). Pure.

/** The version of the rules by which Markdown is rendered. A change renders stored texts again. */
export const MARKDOWN_VERSION = 1;

export const SHOWN_WIDTHS = [100, 75, 50] as const;
type ShownWidth = (typeof SHOWN_WIDTHS)[number];
export type ImageSource = {
  /** Without the fragment. */
  src: string;
  isOwn: boolean;
  size: { width: number; height: number } | null;
  shown: ShownWidth;
};

const UPLOAD_PATH = /^\/uploads\/[\w-]{20,80}\.(?:jpg|png|gif|bmp|webp|tiff)$/;
const MAX_SIDE_PIXELS = 30_000;

/** Null for a source that is neither an upload nor an https URL; such an image is not shown. */
export function readImageSource(text: string): ImageSource | null {
  const [src = "", parameters = ""] = text.trim().split("#", 2);
  const isOwn = UPLOAD_PATH.test(src);
  if (!isOwn && !isRemote(src)) return null;
  const size = /(?:^|&)size=(\d{1,5})x(\d{1,5})(?:&|$)/.exec(parameters);
  const [width, height] = [Number(size?.[1] ?? 0), Number(size?.[2] ?? 0)];
  const requestedWidth = Number(/(?:^|&)show=(\d+)(?:&|$)/.exec(parameters)?.[1] ?? 100);
  const isSized = width > 0 && height > 0 && width <= MAX_SIDE_PIXELS && height <= MAX_SIDE_PIXELS;
  return {
    src,
    isOwn,
    size: isSized ? { width, height } : null,
    shown: SHOWN_WIDTHS.find((candidate) => candidate === requestedWidth) ?? 100,
  };
}

export function writeImageSource(image: Pick<ImageSource, "src" | "size" | "shown">): string {
  const parts = [
    image.size && `size=${image.size.width}x${image.size.height}`,
    image.shown !== 100 && `show=${image.shown}`,
  ].filter(Boolean);
  return parts.length === 0 ? image.src : `${image.src}#${parts.join("&")}`;
}

function isRemote(src: string): boolean {
  if (!/^https:\/\/[^\s"'<>\\]+$/i.test(src)) return false;
  try {
    const url = new URL(src);
    return url.protocol === "https:" && url.username === "" && url.hostname.includes(".");
  } catch {
    return false;
  }
}

/** The accepted languages of code blocks (D-05). */
export const CODE_LANGUAGES = [
  { value: "plaintext", label: "Plain text" },
  { value: "c", label: "C" },
  { value: "cs", label: "C#" },
  { value: "cpp", label: "C++" },
  { value: "css", label: "CSS" },
  { value: "diff", label: "Diff" },
  { value: "html", label: "HTML" },
  { value: "java", label: "Java" },
  { value: "javascript", label: "JavaScript" },
  { value: "php", label: "PHP" },
  { value: "python", label: "Python" },
  { value: "ruby", label: "Ruby" },
  { value: "typescript", label: "TypeScript" },
  { value: "xml", label: "XML" },
] as const;
