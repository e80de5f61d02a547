// Hydrates the page in the browser. RemixBrowser throws a promise until the page's data are decoded; a key or press at
// that moment would end the hydration (React error 345), so it waits. Remove when React Router 7 replaces Remix.
import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { steadyReloads } from "./hooks/steady-reloads";

window.fetch = steadyReloads(window.fetch.bind(window), () => new URL(location.href));

try {
  RemixBrowser({});
} catch (decoding) {
  await decoding;
}
const page = <RemixBrowser />;
startTransition(() => void hydrateRoot(document, <StrictMode>{page}</StrictMode>));
