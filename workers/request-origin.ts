// The source of a request: address, browser and place. Counters and the list of logins use it.
import type { Context } from "hono";
import type { App } from "~/use-cases/app.server";
import type { HonoEnv } from "./serve";

export function originOf(c: Context<HonoEnv>): App["origin"] {
  return {
    ip: c.req.header("CF-Connecting-IP") ?? "local",
    userAgent: (c.req.header("User-Agent") ?? "").slice(0, 300),
    // A getter, because the runtime parses `cf` only when it is read, and only a new login needs it.
    get place() {
      const cf = c.req.raw.cf as { city?: string; country?: string } | undefined;
      return [cf?.city, cf?.country].filter(Boolean).join(", ");
    },
  };
}
