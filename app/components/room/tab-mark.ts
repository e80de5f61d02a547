// The tab's title and icon while a session runs; both are restored afterwards.
import running from "./icon-running.svg?url";
import turn from "./icon-turn.svg?url";
import waiting from "./icon-waiting.svg?url";

const ICONS = { running, turn, waiting };
/** Separates the prefix from the page's own title. */
const SEPARATOR = " · ";

let prefix = "";
let originalIcon: string | null = null;

export function showTabMark(timeText: string, mark: keyof typeof ICONS | null): void {
  const title =
    prefix !== "" && document.title.startsWith(prefix) ? document.title.slice(prefix.length) : document.title;
  prefix = timeText === "" ? "" : timeText + SEPARATOR;
  if (document.title !== prefix + title) document.title = prefix + title;
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"][type="image/svg+xml"]');
  if (!link) return;
  originalIcon ??= link.href;
  const href = mark ? ICONS[mark] : originalIcon;
  if (link.getAttribute("href") !== href) link.href = href;
}
