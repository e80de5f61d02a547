// Hydrates the page in the browser. It first awaits the promise that RemixBrowser throws until the page's data are
// decoded.
import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { steadyReloads } from "./hooks/steady-reloads";

window.fetch = steadyReloads(window.fetch.bind(window), () => new URL(location.href));

// A key or press while React itself awaits that promise would end the hydration (React error 345). Remove when React
// Router 7 replaces Remix.
try {
  RemixBrowser({});
} catch (decoding) {
  await decoding;
}
const page = <RemixBrowser />;
startTransition(() => void hydrateRoot(document, <StrictMode>{page}</StrictMode>));
