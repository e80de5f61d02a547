// The log line of a failure in a room, which then continues and retries.
import { logLine } from "~/domain/log-line";

export type RoomFailure = {
  event: "room-error" | "room-not-read" | "room-not-recorded" | "room-alarm-failed";
  session: number | undefined;
  error: unknown;
};

export const logRoomError = ({ error, ...line }: RoomFailure): void =>
  console.error(logLine({ ...line, error: String(error) }));
