// Telling a room what the record already has. The answer to the person does not wait for it; a room that does not answer is
// told again, and then the log says so.
import { isAppError } from "~/domain/errors";
import type { RoomLog } from "~/domain/room";
import type { App } from "./app.server";

/** Milliseconds before each further try. */
const WAITS = [100, 400] as const;

/** The record has changed: the room reads it again. */
export const tellRoom = (app: App, session: number): void =>
  tell(app, session, () => app.rooms.of(session).refresh());

/** A log was recorded: everybody in the session sees it. */
export const tellRoomOfLog = (app: App, session: number, log: RoomLog, userId: number): void =>
  tell(app, session, () => app.rooms.of(session).change({ type: "logged", log, userId }));

export type RoomSilence = {
  event: "room-not-told" | "room-not-seen" | "room-not-closed";
  session: number;
  error: unknown;
};
export const logRoomFailure = ({ error, ...line }: RoomSilence): void =>
  console.error(JSON.stringify({ ...line, error: String(error) }));

const tell = (app: App, session: number, call: () => Promise<unknown>): void =>
  app.defer(told(call).catch((error: unknown) => logRoomFailure({ event: "room-not-told", session, error })));

async function told(call: () => Promise<unknown>): Promise<void> {
  for (const wait of WAITS)
    try {
      await call();
      return;
    } catch (error) {
      // A deleted session's room says so; asking again would not change that.
      if (isAppError(error) && error.code !== "SERVER_ERROR") return;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  await call();
}
