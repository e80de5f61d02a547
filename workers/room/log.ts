// Log lines of a room: a failure after which it continues and retries.
export type RoomFailure = {
  event: "room-error" | "room-not-read" | "room-not-recorded" | "room-alarm-failed";
  session: number | undefined;
  error: unknown;
};

export const logRoomError = ({ error, ...line }: RoomFailure): void =>
  console.error(JSON.stringify({ ...line, error: String(error) }));
