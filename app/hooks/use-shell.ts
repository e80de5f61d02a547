// What the root loader told every page about who looks at it and how.
import { useRouteLoaderData } from "@remix-run/react";
import type { Shell } from "~/domain/viewer";

/** Stands in where the root loader itself failed, so that the error page can still be drawn: its name leads home. */
const unknownShell: Shell = {
  appName: "Home",
  origin: "",
  perPage: 15,
  viewer: null,
  theme: "system",
  timeZone: "UTC",
  locale: "en-GB",
  now: 0,
  isPracticeProvider: false,
  isLocalRun: false,
};

export const useShell = (): Shell => useRouteLoaderData<Shell>("root") ?? unknownShell;
