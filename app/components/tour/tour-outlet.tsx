// Starts tours: `?tour=welcome` or `?tour=goal` opens a tour, and an unfinished one continues after a reload. Library
// and texts load only then.
import { useLocation, useNavigate } from "@remix-run/react";
import { lazy, Suspense, useEffect } from "react";
import { openTour, useTourState } from "~/hooks/tour-state";

const Tour = lazy(() => import("./tour").catch(() => ({ default: () => null })));

export function TourOutlet() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const state = useTourState();

  useEffect(() => {
    const query = new URLSearchParams(search);
    const name = query.get("tour");
    if (name === null) return;
    query.delete("tour");
    const rest = query.toString();
    navigate(`${pathname}${rest ? `?${rest}` : ""}${hash}`, {
      replace: true,
      preventScrollReset: true,
      state: { keepFocus: true },
    });
    if (name === "welcome" || name === "goal") openTour(name);
  }, [pathname, search, hash, navigate]);

  return state?.isOpen && !new URLSearchParams(search).has("tour") ? (
    <Suspense>
      <Tour state={state} />
    </Suspense>
  ) : null;
}
