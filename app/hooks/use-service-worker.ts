// Registers the service worker (public/sw.js), which answers when offline, after everything else has loaded.
import { useEffect } from "react";

export function useServiceWorker(): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    const register = () => void navigator.serviceWorker.register("/sw.js").catch(() => {});
    if (document.readyState === "complete") return register();
    addEventListener("load", register);
    return () => removeEventListener("load", register);
  }, []);
}
