// Log lines of a room and its leaves: a failure after which the room continues and retries.
export type RoomFailure = (
  | { event: "room-error" | "room-not-read" | "room-not-recorded" | "room-alarm-failed" }
  | { event: "leaf-not-heard" | "leaf-not-reached" }
) & { session: number | undefined; error: unknown };

export const logRoomError = ({ error, ...line }: RoomFailure): void =>
  console.error(JSON.stringify({ ...line, error: String(error) }));
