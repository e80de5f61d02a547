// What the worker hands to every loader and action.
import type { App } from "~/use-cases/app.server";

declare module "@remix-run/cloudflare" {
  interface AppLoadContext {
    app: App;
    /** For the page's Content-Security-Policy. */
    nonce: string;
  }
}
