// Silences the rejection that the data's stream reports when the user leaves a page before its data has arrived. Such
// an abort is no error (U-29).
import { useEffect } from "react";

export function useQuietAborts(): void {
  useEffect(() => {
    const silence = (event: PromiseRejectionEvent) => {
      if (event.reason instanceof DOMException && event.reason.name === "AbortError") event.preventDefault();
    };
    window.addEventListener("unhandledrejection", silence);
    return () => window.removeEventListener("unhandledrejection", silence);
  }, []);
}
