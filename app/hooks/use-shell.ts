// The viewer and settings that the root loader gives to every page.
import { createContext, useContext } from "react";
import { ANY_READER, type Reader } from "~/domain/numbers";
import type { Shell } from "~/domain/viewer";

/**
 * The default when the root loader has failed, so that the error page still renders. Its `appName` is the text of a
 * link.
 */
export const unknownShell: Shell = {
  appName: "Home",
  origin: "",
  perPage: 15,
  viewer: null,
  home: "/",
  madeFor: null,
  theme: "system",
  timeZone: "UTC",
  ...ANY_READER,
  now: 0,
  isPracticeProvider: false,
  isLocalRun: false,
};

/** The document provides it, and so does a stage, which the router does not render. */
export const ShellContext = createContext<Shell>(unknownShell);
export const useShell = (): Shell => useContext(ShellContext);

/** How the viewer reads and writes numbers and distances. */
export function useReader(): Reader {
  const { locale, unit } = useShell();
  return { locale, unit };
}

const OPEN_TO_GUESTS = /^\/(auth\/|terms-of-service$|privacy-policy$)/;

/** True for a link that the viewer may follow: most of our pages answer FORBIDDEN to a guest (mayGuestVisit). */
export function useMayFollow(): (to: unknown) => boolean {
  const { home } = useShell();
  return (to) => {
    const path = String(to);
    if (home === "/" || !path.startsWith("/") || OPEN_TO_GUESTS.test(path)) return true;
    return path.startsWith(home) && !/^\w/.test(path.slice(home.length));
  };
}
