// A log in the messages of the room's socket.
import { milesOut, millimetresOf } from "~/domain/distances";
import type { RoomLog } from "~/domain/room/room";
import { instant } from "~/domain/time";

export const roomLogOut = (log: RoomLog) => ({
  id: log.id,
  username: log.username,
  goal: { title: log.goalTitle, action: log.action, unit: log.unit },
  task_uuid: log.sessionGoalUuid,
  title: log.title,
  amount: log.amount === null ? null : log.amount / 1000,
  distance: milesOut(log.distance),
  distance_mm: log.distance,
  duration_elapsed: log.duration,
  status: log.status,
  created_at: new Date(log.createdAt).toISOString(),
});
export type LogWire = ReturnType<typeof roomLogOut>;

/** A log as the room sent it. */
export const roomLogIn = (log: LogWire): RoomLog => ({
  id: log.id,
  username: log.username,
  goalTitle: log.goal.title,
  action: log.goal.action,
  unit: log.goal.unit,
  sessionGoalUuid: log.task_uuid,
  title: log.title,
  amount: log.amount === null ? null : Math.round(log.amount * 1000),
  // An object of the last release sends no millimetres.
  distance: log.distance_mm ?? (log.distance === null ? null : millimetresOf(log.distance * 1000, "mi")),
  duration: log.duration_elapsed,
  status: log.status,
  createdAt: instant(Date.parse(log.created_at)),
});
