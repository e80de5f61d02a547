// Reads the page's data anew, one reading at a time: a wish during a reading is met when that is done. (A second one at
// once would abort the first, which the router reports as an error.)
import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

export function useFreshData(): () => void {
  const { revalidate, state } = useRevalidator();
  const now = useRef({ revalidate, state, isWanted: false });
  now.current.revalidate = revalidate;
  now.current.state = state;
  useEffect(() => {
    if (state !== "idle" || !now.current.isWanted) return;
    now.current.isWanted = false;
    now.current.revalidate();
  }, [state]);
  return useCallback(() => {
    if (now.current.state === "idle") now.current.revalidate();
    else now.current.isWanted = true;
  }, []);
}
