// The tab's title and icon while a session runs; both are restored afterwards.
import running from "./icon-running.svg?url";
import turn from "./icon-turn.svg?url";
import waiting from "./icon-waiting.svg?url";

const ICONS = { running, turn, waiting };
/** Separates the prefix from the page's own title. */
const BETWEEN = " · ";

let before = "";
let ownIcon: string | null = null;

export function showTabMark(words: string, mark: keyof typeof ICONS | null): void {
  const title =
    before !== "" && document.title.startsWith(before) ? document.title.slice(before.length) : document.title;
  before = words === "" ? "" : words + BETWEEN;
  if (document.title !== before + title) document.title = before + title;
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"][type="image/svg+xml"]');
  if (!link) return;
  ownIcon ??= link.href;
  const href = mark ? ICONS[mark] : ownIcon;
  if (link.getAttribute("href") !== href) link.href = href;
}
