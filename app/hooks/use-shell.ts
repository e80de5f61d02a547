// The viewer and settings that the root loader gives to every page.
import { useRouteLoaderData } from "@remix-run/react";
import { ANY_READER, type Reader } from "~/domain/numbers";
import type { Shell } from "~/domain/viewer";

/** The default when the root loader failed, so that the error page still renders; the product's name links home. */
const unknownShell: Shell = {
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

export const useShell = (): Shell => useRouteLoaderData<Shell>("root") ?? unknownShell;

/** How the viewer reads and writes numbers and distances. */
export function useReader(): Reader {
  const { locale, unit } = useShell();
  return { locale, unit };
}
