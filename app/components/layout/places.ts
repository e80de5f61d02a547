// The places the frame leads to: one table for header, bottom bar and shortcuts.
import type { Viewer } from "~/domain/viewer";

export type Place = { key: string; label: string; to: string };

export const lists: readonly Place[] = [
  { key: "s", label: "Sessions", to: "/events" },
  { key: "a", label: "Activities", to: "/activities" },
  { key: "u", label: "Huts", to: "/groups" },
  { key: "g", label: "My Goals", to: "/my/goals" },
];

/** The My pages stand under My Goals: while one is on any of them, it is lit. */
export const isUnder = (place: string, pathname: string): boolean =>
  place === "/my/goals" && pathname.startsWith("/my/");

export const furtherPlaces: readonly Place[] = [
  { key: "h", label: "Home", to: "/" },
  { key: "m", label: "My Sessions", to: "/my/sessions" },
  { key: "l", label: "My Logs", to: "/my/logs" },
  { key: "n", label: "My Notes", to: "/my/notes" },
  { key: "t", label: "Tokens", to: "/tokens" },
  { key: "c", label: "My Account", to: "/account" },
];

/** U-05, with the pages a signed-in person owns. */
export const accountPlaces = (viewer: Viewer): readonly { label: string; to: string }[] => [
  { label: viewer.username, to: `/${viewer.username}` },
  { label: "My Items", to: "/me" },
  { label: "My Account", to: "/account" },
  { label: "My Tokens", to: "/account/tokens" },
  { label: "About", to: "/about" },
];
