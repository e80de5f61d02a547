// The types of Remix that this app sets: the values that the worker passes to every loader and action, and its future
// flags.
import type { App } from "~/use-cases/app.server";

declare module "@remix-run/cloudflare" {
  interface AppLoadContext {
    app: App;
    /** For the Content-Security-Policy of the page. */
    nonce: string;
    /** The request asks only for the page's data, so refusals are errors and no redirects. */
    isJson?: true;
  }
  interface Future {
    v3_singleFetch: true;
  }
}
