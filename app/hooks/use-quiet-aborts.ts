// Leaving a page before its data has arrived aborts the fetch. That is no error (U-29), but the abandoned reader of the
// data's stream reports one.
import { useEffect } from "react";

export function useQuietAborts(): void {
  useEffect(() => {
    const forgive = (event: PromiseRejectionEvent) => {
      if (event.reason instanceof DOMException && event.reason.name === "AbortError") event.preventDefault();
    };
    window.addEventListener("unhandledrejection", forgive);
    return () => window.removeEventListener("unhandledrejection", forgive);
  }, []);
}
