// Begins the page's work after hydration: its time zone is the browser's, and the keyboard keeps its place.
import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { useShell } from "~/hooks/use-shell";

/** Apart, because the first use of a time zone makes the browser load its tables. Null if loading failed. */
export const loadAfterHydration = () => import("./after-hydration").catch(() => null);

export function useBrowserFacts(): void {
  const { timeZone } = useShell();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    void loadAfterHydration().then((loaded) => {
      if (loaded?.begin(timeZone)) revalidate();
    });
  }, [timeZone, revalidate]);
}
