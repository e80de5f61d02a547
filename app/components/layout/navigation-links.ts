// The links of the header, the bottom bar and the keyboard shortcuts.
import type { Viewer } from "~/domain/viewer";

export type NavigationLink = { key: string; label: string; to: string };

export const mainLinks: readonly NavigationLink[] = [
  { key: "s", label: "Sessions", to: "/events" },
  { key: "a", label: "Activities", to: "/activities" },
  { key: "u", label: "Huts", to: "/groups" },
  { key: "g", label: "My Goals", to: "/my/goals" },
];

/** The link My Goals is highlighted on every page that My Goals shows as a pill. */
const MY_GOALS_PAGES = /^\/my\/(goals|logs|sessions|series|groups|notes)(\/|$)/;
export const isWithin = (link: string, pathname: string): boolean =>
  link === "/my/goals" && MY_GOALS_PAGES.test(pathname);

const furtherLinks: readonly NavigationLink[] = [
  { key: "h", label: "Home", to: "/" },
  { key: "m", label: "My Sessions", to: "/my/sessions" },
  { key: "l", label: "My Logs", to: "/my/logs" },
  { key: "n", label: "My Notes", to: "/my/notes" },
  { key: "t", label: "Tokens", to: "/tokens" },
  { key: "c", label: "My Account", to: "/account" },
];

/** In the order of the list of shortcuts. */
export const keyedLinks = [...furtherLinks.slice(0, 1), ...mainLinks, ...furtherLinks.slice(1)];

/** The account menu (U-05). */
export const accountLinks = (viewer: Viewer): readonly { label: string; to: string }[] => [
  { label: viewer.username, to: `/${viewer.username}` },
  { label: "My Items", to: "/me" },
  { label: "My Account", to: "/account" },
  { label: "My Tokens", to: "/account/tokens" },
  ...(viewer.isSuperAdmin ? [{ label: "Admin", to: "/admin/reports" }] : []),
  { label: "About", to: "/about" },
];
