// Starts tours: `?tour=welcome` or `?tour=goal` opens a tour, and an unfinished one continues after a reload. The tour's
// code and texts load only when a tour opens.
import { useLocation } from "@remix-run/react";
import { lazy, Suspense, useEffect, useState } from "react";
import { readTab } from "~/hooks/tab-texts";

const TourRun = lazy(() => import("./tour-run").catch(() => ({ default: () => null })));

// A text search, because every page loads this component, and parsing the state would add the code of hooks/tour/state.
const isTourOpen = (): boolean => readTab("tour")?.includes('"isOpen":true') ?? false;

export function TourOutlet() {
  const { search } = useLocation();
  const [isTourNeeded, setTourNeeded] = useState(false);
  useEffect(() => {
    if (new URLSearchParams(search).has("tour") || isTourOpen()) setTourNeeded(true);
  }, [search]);
  return isTourNeeded ? (
    <Suspense>
      <TourRun />
    </Suspense>
  ) : null;
}
