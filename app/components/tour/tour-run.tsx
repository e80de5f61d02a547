// Opens the tour that the address names, and shows the open one.
import { useLocation, useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { openTour, useTourState } from "~/hooks/tour/state";
import { Tour } from "./tour";

export default function TourRun() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const state = useTourState();

  useEffect(() => {
    const query = new URLSearchParams(search);
    const name = query.get("tour");
    if (name === null) return;
    query.delete("tour");
    const otherParams = query.toString();
    navigate(`${pathname}${otherParams ? `?${otherParams}` : ""}${hash}`, {
      replace: true,
      preventScrollReset: true,
      state: { keepFocus: true },
    });
    if (name === "welcome" || name === "goal") openTour(name);
  }, [pathname, search, hash, navigate]);

  return state?.isOpen && !new URLSearchParams(search).has("tour") ? <Tour state={state} /> : null;
}
