// The security log's lines of a request: refusals, and the acts of super admins.
import type { Context } from "hono";
import { isSuperAdmin } from "~/domain/permissions";
import type { App } from "~/use-cases/app.server";
import { logSecurity } from "~/use-cases/security-log.server";
import type { HonoEnv } from "./serve";

/** `user` is the user before the request. The query is left out, because it may hold a reset link. */
export function logRequest(c: Context<HonoEnv>, app: App, user: App["user"], status: number): void {
  const { pathname: path } = new URL(c.req.url);
  const { method } = c.req;
  const userId = user?.id ?? null;
  if (c.req.header("Upgrade") === "websocket") {
    if (status !== 101) logSecurity(app, { event: "socket-refused", userId, status, path });
  } else if (status === 403 || status === 419)
    logSecurity(app, { event: "request-refused", userId, status, method, path });
  if (!user || !isSuperAdmin(user)) return;
  const { intent = null } = app;
  logSecurity(app, { event: "super-admin-acted", userId: user.id, status, method, path, intent });
}
