// The app's icon as a URL. The server's is the picture itself, so that it takes no request.
import picture from "../../../public/favicon.svg?raw";

/**
 * Chromium asks for the icon, and for that of the manifest, before it paints a short page. They would share the line
 * with the style and the fonts (P2). The browser keeps the server's link, and its scripts do not contain the picture.
 */
export const appIcon = import.meta.env.SSR
  ? `data:image/svg+xml,${encodeURIComponent(picture)}`
  : "/favicon.svg";
