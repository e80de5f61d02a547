// How a page scrolls under something that is dragged to its edge (K-06), for every list that can be put in order.
import { useEffect, useState } from "react";

/** How near to the edge, in pixels, and how fast. */
export const DRAG_SCROLL = { sensitivity: 30, speed: 10 } as const;
/** What the boards of those lists are called. */
export const REORDER_GROUP = "people";

/** The library counts the distance in parts of the window's height. */
export const autoScrollOf = (height: number) => ({
  acceleration: DRAG_SCROLL.speed,
  threshold: { x: 0, y: Math.min(0.5, DRAG_SCROLL.sensitivity / Math.max(1, height)) },
});

export function useAutoScroll() {
  const [height, setHeight] = useState(800);
  useEffect(() => {
    const measure = () => setHeight(window.innerHeight);
    measure();
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, []);
  return autoScrollOf(height);
}
