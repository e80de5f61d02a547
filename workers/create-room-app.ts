// The App of a room: D1 without a replica, the time, and the copies.
import { connect } from "#db/connect.server";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { createCopies } from "./adapters/copies";
import type { ObjectsEnv } from "./env";

export type RoomApp = Pick<App, "db" | "now" | "copies">;
export const createRoomApp = (env: ObjectsEnv, now: Instant): RoomApp => ({
  db: connect(env.DB.withSession("first-primary")),
  now,
  copies: createCopies(env),
});
