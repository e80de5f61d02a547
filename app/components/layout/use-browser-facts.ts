// Begins the page's work after hydration: its time zone is the browser's, and the keyboard keeps its place.
import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { afterParts } from "~/hooks/lazy-parts";
import { useShell } from "~/hooks/use-shell";
import { begin } from "./after-hydration";

export function useBrowserFacts(): void {
  const { timeZone } = useShell();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (begin(timeZone)) afterParts(revalidate);
  }, [timeZone, revalidate]);
}
