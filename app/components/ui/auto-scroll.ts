// Auto-scrolling while an element is dragged to the edge of the page (K-06), for every sortable list.
import { useEffect, useState } from "react";

/** The distance to the edge, in pixels, and the speed. */
export const DRAG_SCROLL = { sensitivity: 30, speed: 10 } as const;
/** The id of every drag context; K-06 fixes the value. */
export const DRAG_CONTEXT_ID = "people";

/** dnd-kit measures the distance as a share of the window's height. */
export const autoScrollOptions = (height: number) => ({
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
  return autoScrollOptions(height);
}
