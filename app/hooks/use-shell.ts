// The viewer and settings that the root loader gives to every page.
import { createContext, useContext } from "react";
import { ANY_READER, type Reader } from "~/domain/numbers";
import type { Shell } from "~/domain/viewer";

/** The default when the root loader failed, so that the error page still renders; the product's name links home. */
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

/** The document provides it, and a stage, which is no page of the router. */
export const ShellContext = createContext<Shell>(unknownShell);
export const useShell = (): Shell => useContext(ShellContext);

/** How the viewer reads and writes numbers and distances. */
export function useReader(): Reader {
  const { locale, unit } = useShell();
  return { locale, unit };
}

const OPEN_TO_GUESTS = /^\/(auth\/|terms-of-service$|privacy-policy$)/;

/** Whether a link leads the viewer anywhere: a guest would read FORBIDDEN at most of our addresses (mayGuestVisit). */
export function useMayFollow(): (to: unknown) => boolean {
  const { home } = useShell();
  return (to) => {
    const path = String(to);
    if (home === "/" || !path.startsWith("/") || OPEN_TO_GUESTS.test(path)) return true;
    return path.startsWith(home) && !/^\w/.test(path.slice(home.length));
  };
}
