// GET /sessions/{id}/socket: the upgrade, with the identity of the login, never the client's claim. With
// ?watch=1 it opens a read-only socket without chat, for spectators and visitors.
import type { Context } from "hono";
import { AppError } from "~/domain/errors";
import { requireSameFrame } from "~/use-cases/blocks.server";
import { networkOf } from "~/use-cases/network.server";
import { requireSeen } from "~/use-cases/sessions/read.server";
import { openRoom } from "../adapters/rooms";
import { guardOrigin } from "../guards";
import { type HonoEnv, jsonError } from "../serve";

export async function openSocket(c: Context<HonoEnv>): Promise<Response> {
  const app = c.get("app");
  if (c.req.header("Upgrade") !== "websocket")
    return jsonError(c, new AppError("INVALID", "This address speaks WebSocket only."));
  const isOnlooker = c.req.query("watch") === "1";
  if (app.suspended !== undefined) return jsonError(c, new AppError("FORBIDDEN", app.suspended));
  if (!app.user && !isOnlooker) return jsonError(c, new AppError("UNAUTHENTICATED"));
  guardOrigin(c.req.raw, app.settings.origin, false);
  const id = c.req.param("session") ?? "";
  if (!/^[1-9]\d{0,14}$/.test(id)) return jsonError(c, new AppError("NOT_FOUND"));
  await requireSeen(app, Number(id));
  if (isOnlooker) await requireSameFrame(app);
  const headers = new Headers(c.req.raw.headers);
  headers.set(
    "X-Bothy-User",
    JSON.stringify(
      isOnlooker || !app.user
        ? null
        : {
            userId: app.user.id,
            username: app.user.username,
            isSuperAdmin: app.user.roleId === 10,
            timeZone: app.timeZone,
            loginHash: app.user.loginHash,
            network: networkOf(app),
          },
    ),
  );
  headers.set("X-Bothy-Session", id);
  headers.set("X-Bothy-Network", networkOf(app));
  return openRoom(c.env, Number(id)).fetch(new Request(c.req.raw, { headers }));
}
