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
