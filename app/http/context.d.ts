// The values that the worker passes to every loader and action.
import type { App } from "~/use-cases/app.server";

declare module "@remix-run/cloudflare" {
  interface AppLoadContext {
    app: App;
    /** For the Content-Security-Policy of the page. */
    nonce: string;
  }
}
