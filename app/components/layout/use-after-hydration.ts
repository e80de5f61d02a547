// Sets the page up after hydration: it preserves the focus, and renders again in the browser's time zone.
import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { afterParts } from "~/hooks/lazy-parts";
import { useShell } from "~/hooks/use-shell";
import { setUpAfterHydration } from "./after-hydration";

export function useAfterHydration(): void {
  const { timeZone } = useShell();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (setUpAfterHydration(timeZone)) afterParts(revalidate);
  }, [timeZone, revalidate]);
}
